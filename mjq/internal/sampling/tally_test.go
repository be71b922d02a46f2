package sampling

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestTallyIsABatch holds the fast counts against the plain ones, with zeros and with
// times from the smallest that there are to the largest, and over several uses.
func TestTallyIsABatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, unit := range []float64{1, 0x1p-40, 0x1p90, 0x1p-190} {
		s := &System{System: compiled.System{Needs: []int{1, 2}, Input: stream.New(1, law.ExpMean(unit), []stream.Class{{Need: 1, Prob: 1, Service: law.ExpMean(unit)}})}}
		tallies := newTally(s)
		draw := func(i int) float64 {
			switch i % 10 {
			case 0:
				return 0
			case 1:
				return math.Float64frombits(rng.Uint64N(0x7e<<56) >> 1)
			case 2:
				return unit * math.Ldexp(1, rng.IntN(estimate.ShortOctaves+4)-estimate.ShortOctaves/2-2)
			case 3:
				return unit * math.Ldexp(1-0x1p-53, rng.IntN(estimate.ShortOctaves+4)-estimate.ShortOctaves/2-2)
			}
			return unit * rng.ExpFloat64() * math.Ldexp(1, rng.IntN(80)-40)
		}
		for use := range 3 {
			var plain [2][2]estimate.Histogram
			var want [2]estimate.Batch
			jobs, waits := make([]stream.Job, block), make([]float64, block)
			for range 1200 {
				for i := range jobs {
					wait, service, class := draw(rng.IntN(100)), draw(rng.IntN(100)), rng.Int32N(2)
					if i%2 < use { // counts that come round
						wait, service = 0, 3*unit
					}
					jobs[i], waits[i] = stream.Job{Class: class, Service: service}, wait
					b := &want[class]
					b.N++
					b.X += wait
					b.X2 += wait * wait
					plain[class][0].Add(wait)
					plain[class][1].Add(wait + service)
				}
				count(tallies, jobs, waits)
			}
			for c := range tallies {
				var counts [2][]estimate.Count
				if got := tallies[c].flush(new(estimate.Histogram), &counts[0], &counts[1]); got != want[c] {
					t.Fatalf("unit %v: sums %v, want %v", unit, got, want[c])
				}
				for i := range counts {
					var fast estimate.Row
					fast.AddGroup(counts[i])
					if got, want := fast.Distribution(), plain[c][i].Distribution(); !reflect.DeepEqual(got, want) {
						t.Fatalf("unit %v: %d cells, %v zeros of %v; the histogram has %d, %v of %v",
							unit, len(got.Cells), got.Zero, got.Total, len(want.Cells), want.Zero, want.Total)
					}
				}
			}
		}
	}
}

// TestMerge: goroutines that share the classes of a merge change no bit of it.
func TestMerge(t *testing.T) {
	const n = 2 * sharedMerge
	rng := rand.New(rand.NewPCG(6, 6))
	type merged struct {
		classes []Gathered
		all     All
	}
	one, four := merged{classes: make([]Gathered, n)}, merged{classes: make([]Gathered, n)}
	weight := func(c int) float64 { return 1 / float64(1+c) }
	for range 3 {
		waits, responses := make([][]estimate.Count, n), make([][]estimate.Count, n)
		for c := range waits {
			var wait, response estimate.Log
			for range rng.IntN(20) {
				w := rng.ExpFloat64() - 0.2
				wait.Add(0, w)
				response.Add(0, w+1)
			}
			waits[c], responses[c] = wait.Counts(), response.Counts()
		}
		merge(one.classes, &one.all, waits, responses, weight, 1)
		merge(four.classes, &four.all, waits, responses, weight, 4)
	}
	if !reflect.DeepEqual(one, four) {
		t.Error("four goroutines have merged something else than one")
	}
	if d := one.classes[0].Tally(0.95, ""); d.Waiting.Dist.Total == 0 || d.Waiting.Precision.Groups != 3 || one.all.Waits.Precision().Groups != 3 {
		t.Errorf("%v waits of a class, in %d groups", d.Waiting.Dist.Total, d.Waiting.Precision.Groups)
	}
}

// manyClasses is a queue of so many classes that differ in their services and have one of four
// needs.
func manyClasses(n int) System {
	s := System{System: compiled.System{Servers: 8}, Light: true, Workers: 2}
	var classes []stream.Class
	for c := range n {
		s.Needs, s.Probs = append(s.Needs, 1+c%4), append(s.Probs, 1/float64(n))
		classes = append(classes, stream.Class{Need: 1 + c%4, Prob: 1 / float64(n), Service: law.ExpMean(1 + float64(c%7)/10)})
	}
	s.Input = stream.New(3, law.ExpMean(1), classes)
	return s
}

// TestWaitsOfOneNeed: of a thousand classes with four needs the waits of four are kept, and what
// all come to is as if each had kept its own.
func TestWaitsOfOneNeed(t *testing.T) {
	const n = 1000
	b := Backward{System: manyClasses(n), Samples: 30, Window: 64, MaxWindow: 256, Batch: 5}
	got := b.Run(t.Context(), nil)
	kept := 0
	for c := range got.Classes {
		if got.Classes[c].Waiting.N > 0 {
			kept++
		}
	}
	if kept != 4 {
		t.Errorf("the waits of %d classes were kept, want 4", kept)
	}
	b.Workers = 1
	want := BackwardResult{Classes: make([]Gathered, n)} // each by itself
	w, parts := b.newWorker(), new(batchPart)
	for task := range 6 {
		b.batch(new(atomic.Bool), w, task, parts)
		b.merge(t.Context(), &want, parts)
	}
	if !reflect.DeepEqual(Tallies(got.Classes, 0.9, "samples", 2), Tallies(want.Classes, 0.9, "samples", 1)) {
		t.Error("the classes come to something else than each by itself")
	}
}

// TestManyClassesTakeLittle: paths of a queue of thousands of classes, of each of which few jobs
// come, take memory, and so time when they are merged, by the jobs and not by the classes.
func TestManyClassesTakeLittle(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	forward := Forward{System: manyClasses(2000), Replications: 2, WarmUp: 1000, Jobs: 10_000, Level: 0.9}
	f := forward.Run(t.Context(), nil)
	certified := Certified{System: manyClasses(2000), Majorant: Majorant{Theta: 0.1, Block: 64}, Samples: 2, Window: 256, Follow: 320, Eps: 1e-6}
	c := certified.Run(t.Context(), nil)
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 200e6 {
		t.Errorf("%d MB were allocated", (after.TotalAlloc-before.TotalAlloc)/1e6)
	}
	if d := f.Classes[0].Tally(0.9, "").Response.Dist; f.Done != 2 || d.Total == 0 {
		t.Errorf("%d replications, %v jobs of a class", f.Done, d.Total)
	}
	if d := c.Classes[0].Tally(0.9, "").Response; c.Done != 2 || d.Dist.Total != 22 || d.Precision.Groups != 2 {
		t.Errorf("%d samples, %v looks in %d groups", c.Done, d.Dist.Total, d.Precision.Groups)
	}
}
