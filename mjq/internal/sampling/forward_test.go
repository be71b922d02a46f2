package sampling

import (
	"context"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// recorded is what whole paths from an empty start show of the jobs after the
// warm-up: by replication and class the number and the sums of waits and squares,
// and the waste.
func recorded(f *Forward) (sums [][]estimate.Batch, hol []float64, kinds [][]float64, waits, responses []estimate.Histogram) {
	n := len(f.Needs)
	waits, responses = make([]estimate.Histogram, n), make([]estimate.Histogram, n)
	for rep := range uint64(f.Replications) {
		p := newPath(&f.System, rep)
		p.run(0, f.WarmUp, nil)
		of, waste, byKind := make([]estimate.Batch, n), 0.0, make([]float64, f.OfTypes())
		p.run(f.WarmUp, f.WarmUp+f.Jobs, func(_ int64, j stream.Job, wait float64, idle []float64) {
			b := &of[j.Class]
			b.N, b.X, b.X2 = b.N+1, b.X+wait, b.X2+wait*wait
			waits[j.Class].Add(wait)
			responses[j.Class].Add(wait + j.Service)
			for k, x := range idle {
				waste += x
				if len(byKind) > 0 {
					byKind[k] += x / float64(f.Jobs)
				}
			}
		})
		sums, hol, kinds = append(sums, of), append(hol, waste/float64(f.Jobs)), append(kinds, byKind)
	}
	return sums, hol, kinds, waits, responses
}

// TestForwardIsTheQueue holds the estimates against whole paths, with and without
// the account that control variates ask for; the path is too short for these
// themselves, so that the fit is the plain mean.
func TestForwardIsTheQueue(t *testing.T) {
	for name, s := range variants(2) {
		for _, x := range []struct {
			warmUp, jobs int64
			controlled   bool
		}{{300, 700, false}, {256, 512, false}, {0, 90, true}, {50, 70, true}} {
			f := &Forward{System: *s, Replications: 6, WarmUp: x.warmUp, Jobs: x.jobs, Controlled: x.controlled, Level: 0.9}
			sums, hol, kinds, waits, responses := recorded(f)
			last := 0.0
			res := f.Run(context.Background(), func(done, total float64) {
				if done < last || total != float64(6*(x.warmUp+x.jobs)) {
					t.Errorf("%s: %v of %v done after %v", name, done, total, last)
				}
				last = done
			})
			if last != float64(6*(x.warmUp+x.jobs)) || res.Done != 6 || res.Steps != 6*(x.warmUp+x.jobs) {
				t.Errorf("%s: %v jobs reported, %d steps of %d replications", name, last, res.Steps, res.Done)
			}
			all := make([]estimate.Batch, 6)
			rows := make([]float64, 0, 12)
			for c := range f.Needs {
				var of []estimate.Batch
				for r := range sums {
					b := sums[r][c]
					of = append(of, b)
					all[r].N, all[r].X, all[r].X2 = all[r].N+b.N, all[r].X+b.X, all[r].X2+b.X2
				}
				checkTally(t, name, &res.Classes[c].Moments, of)
				sameLaws(t, name, &res.Classes[c], &waits[c], &responses[c])
				rows = append(rows, total(of, func(b estimate.Batch) float64 { return b.N }), total(of, func(b estimate.Batch) float64 { return b.X }), total(of, func(b estimate.Batch) float64 { return b.X2 }))
			}
			mean := checkTally(t, name, &res.All.Moments, all)
			wantHOL := estimate.OfReplications(hol, 0.9, "replications")
			if !close9(res.HOL.Value, wantHOL.Value) || !close9(res.HOL.HalfWidth, wantHOL.HalfWidth) || wantHOL.Value == 0 {
				t.Errorf("%s: waste %v, by the equation %v", name, res.HOL, wantHOL)
			}
			rows = append(rows, total(all, func(b estimate.Batch) float64 { return b.X }), total(all, func(b estimate.Batch) float64 { return b.X2 }), wantHOL.Value*6*float64(f.Jobs))
			for k := range f.OfTypes() {
				var one []float64
				for _, x := range kinds {
					one = append(one, x[k])
				}
				want := estimate.OfReplications(one, 0.9, "replications")
				if got := res.Kinds[k]; !close9(got.Value, want.Value) || !close9(got.HalfWidth, want.HalfWidth) || want.Value == 0 {
					t.Errorf("%s: waste of type %d %v, by the equation %v", name, k, got, want)
				}
				rows = append(rows, want.Value*6*float64(f.Jobs))
			}
			if !x.controlled {
				continue
			}
			if res.Fit.Controls() > 0 {
				t.Fatalf("%s: controls on so short a path", name)
			}
			for i, sum := range rows {
				if got := res.Fit.Mean(i, 0.9, "").Value; !close9(got, sum/6/float64(f.Jobs)) {
					t.Errorf("%s: value %d of the fit is %v, by the equation %v", name, i, got, sum/6/float64(f.Jobs))
				}
			}
			if got := res.Fit.Mean(3*len(f.Needs), 0.9, "").Value; !close9(got, mean) {
				t.Errorf("%s: mean wait %v by the fit, %v", name, got, mean)
			}
		}
	}
}

func total(of []estimate.Batch, what func(b estimate.Batch) float64) (sum float64) {
	for _, b := range of {
		sum += what(b)
	}
	return sum
}

func checkTally(t *testing.T, name string, got *Moments, of []estimate.Batch) (mean float64) {
	t.Helper()
	m, v, worth := estimate.OfBatches(of, 0.9, "replications")
	effective := worth.Observations
	for _, x := range [][2]float64{{got.MeanW.Value, m.Value}, {got.MeanW.HalfWidth, m.HalfWidth}, {got.VarianceW.Value, v.Value},
		{got.VarianceW.HalfWidth, v.HalfWidth}, {got.Effective, effective}} {
		if !close9(x[0], x[1]) {
			t.Errorf("%s: mean %v, variance %v, worth %v; by the equation %v, %v, %v", name, got.MeanW, got.VarianceW, got.Effective, m, v, effective)
			break
		}
	}
	return m.Value
}

// byHand is what the jobs of a path from one index to another bring, less what is
// expected, alone and times the level at the last look: the gaps, the work, the
// numbers of the classes that matter most, and the services of the second of them;
// those of the first follow from the work.
func byHand(s *System, p *path, from, to int64, level func() float64, look func(next int64) bool) []float64 {
	in := s.Input.Plain()
	meanWork := 0.0
	for c, class := range in.Classes {
		meanWork += s.Probs[c] * float64(s.Needs[c]) * class.Service.Mean()
	}
	var gap, work float64
	var number, service [3]float64
	var alone, full [5]float64
	last := level()
	p.run(from, to, func(index int64, j stream.Job, _ float64, _ []float64) {
		gap += j.Gap
		work += float64(j.Need) * j.Service
		number[j.Class]++
		service[j.Class] += j.Service
		if !look(index + 1) {
			return
		}
		n := number[0] + number[1] + number[2]
		for i, x := range []float64{gap - n*in.Gap.Mean(), work - n*meanWork, number[1] - n*0.3, number[2] - n*0.2,
			service[2] - number[2]*in.Classes[2].Service.Mean()} {
			alone[i] += x
			full[i] += x * last
		}
		gap, work, number, service = 0, 0, [3]float64{}, [3]float64{}
		last = level()
	})
	return slices.Concat(alone[:2], full[:2], alone[2:], full[2:])
}

// TestForwardAccount follows one path with its controls by hand: what has come,
// less what is expected, alone and times how full the queue was at the last look,
// and the parts of the path, which add up to the whole.
func TestForwardAccount(t *testing.T) {
	s := small(1)
	for _, jobs := range []int64{2048, 2100, 333} {
		f := &Forward{System: *s, Replications: 1, WarmUp: 70, Jobs: jobs, Controlled: true, Level: 0.95}
		f.by, f.row = f.controls(jobs, false), PathRow(len(f.Needs), f.OfTypes())
		var part forwardPart
		var done atomic.Int64
		f.replicate(new(atomic.Bool), f.newWorker(), 3, &part, &done)
		if done.Load() != 70+jobs {
			t.Errorf("%d jobs are done of %d", done.Load(), 70+jobs)
		}
		p := newPath(s, 3)
		p.run(0, 70, nil)
		want := byHand(s, p, 70, 70+jobs, func() float64 { return p.total() / 5 }, func(next int64) bool {
			// A look comes every 32 jobs of what is read at once, that is up to
			// the next multiple of 256.
			return next == 70+jobs || next%block == 0 || (next-max(70, next&^(block-1)))%Closest == 0
		})
		order := byNoise(s.Probs, []float64{1, 3, 3.5})
		if jobs >= 2048 && (order[0] != 1 || order[1] != 2 || order[2] != 0) {
			t.Fatalf("the classes matter in the order %v", order)
		}
		got := part.arrivals.sums
		if len(got) != len(want) {
			t.Fatalf("%d controls, by hand %d", len(got), len(want))
		}
		for i := range want {
			if !close9(got[i], want[i]) || want[i] == 0 {
				t.Errorf("%d jobs: control %d is %v, by hand %v", jobs, i, got[i], want[i])
			}
		}
		// 32 parts, or as many as there are looks.
		if turns := int(min(Parts, (jobs+Closest-1)/Closest)); part.turns < turns-1 || part.turns > turns {
			t.Errorf("%d jobs: %d parts, want %d", jobs, part.turns, turns)
		}
		for i, whole := range part.whole.row {
			sum := 0.0
			for _, row := range part.rows[:part.turns] {
				sum += row[i]
			}
			if !close9(sum, whole) {
				t.Errorf("%d jobs: the parts add %v to value %d, the whole is %v", jobs, sum, i, whole)
			}
		}
		if !reflect.DeepEqual(part.whole.row[:len(got)], got) {
			t.Errorf("%d jobs: the whole begins with %v, the controls are %v", jobs, part.whole.row[:len(got)], got)
		}
		n := part.whole.row[len(got)] + part.whole.row[len(got)+3] + part.whole.row[len(got)+6]
		if !(math.Abs(n-1) <= 1e-12) {
			t.Errorf("%d jobs: the shares of the classes add up to %v", jobs, n)
		}
	}
}

// TestForwardParts: a path has 32 parts of the same length.
func TestForwardParts(t *testing.T) {
	f := &Forward{System: *small(1), Replications: 1, Jobs: 64 * Parts, Controlled: true, Level: 0.95}
	f.by, f.row = f.controls(f.Jobs, false), PathRow(len(f.Needs), f.OfTypes())
	var part forwardPart
	f.replicate(new(atomic.Bool), f.newWorker(), 1, &part, new(atomic.Int64))
	if part.turns != Parts {
		t.Errorf("%d parts", part.turns)
	}
	first := len(part.arrivals.sums)
	for i, row := range part.rows[:part.turns] {
		if jobs := (row[first] + row[first+3] + row[first+6]) * 64 * Parts; !(math.Abs(jobs-64) <= 1e-9) {
			t.Errorf("part %d has %v jobs", i, jobs)
		}
	}
}

// TestFollowedAccount does the same for the paths of Certified and Unbiased, where
// a look tells the wait expected over the class.
func TestFollowedAccount(t *testing.T) {
	const follow, every = 700, 64
	s := small(1)
	level := func(p *path) func() float64 {
		return func() (mean float64) {
			for c, wait := range p.state(s, 0).wait {
				mean += s.Probs[c] * wait
			}
			return mean
		}
	}
	look := func(next int64) bool { return next%every == 0 }
	check := func(name string, got, want []float64) {
		if len(got) != len(want) {
			t.Fatalf("%s: %d controls, by hand %d", name, len(got), len(want))
		}
		for i := range want {
			if !close9(got[i], want[i]) || want[i] == 0 {
				t.Errorf("%s: control %d is %v, by hand %v", name, i, got[i], want[i])
			}
		}
	}
	c := &Certified{System: *s, Majorant: Majorant{Theta: 0.3, Block: 48}, Samples: 1, Window: 4096, Follow: follow, Eps: 1e-3, Level: 0.95}
	c.by = c.controls(follow, false)
	var part followed
	c.sample(new(atomic.Bool), c.newWorker(), 2, &part)
	p := at0(s, 2, 4096)
	check("certified", part.arrivals.sums, byHand(s, p, 0, follow, level(p), look))
	u := &Unbiased{System: *s, Samples: 1, Window: 4096, Follow: follow, Level: 0.95}
	u.by = u.controls(follow, false)
	var one unbiasedPart
	u.sample(new(atomic.Bool), u.newWorker(), 2, &one)
	p = at0(s, 2, 4096)
	check("unbiased", one.arrivals.sums, byHand(s, p, 0, follow, level(p), look))
}
