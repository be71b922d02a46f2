package sampling

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// oneServer is M/M/1 with jobs of mean 1, for which P(W > x) = ρ exp(-(1-ρ) x).
func oneServer(rho float64, seed uint64) System {
	return System{System: compiled.System{Servers: 1, Needs: []int{1}, Probs: []float64{1}, Input: stream.New(seed, law.ExpMean(1/rho), []stream.Class{{Need: 1, Prob: 1, Service: law.ExpMean(1)}})}, Workers: 2, Light: true}
}

func split(t *testing.T, s *Splitting) *SplittingResult {
	t.Helper()
	if !s.Plan(context.Background()) {
		t.Fatal("no thresholds were found")
	}
	return s.Run(context.Background(), nil)
}

// TestSplittingOneServer: two far times, the thresholds as they should be, and the
// interval narrow enough to tell a wrong weight, which would be off by a factor of four.
func TestSplittingOneServer(t *testing.T) {
	s := &Splitting{System: oneServer(0.5, 3), Times: []float64{15, 30}, Replications: 32, WarmUp: 1000, Jobs: 6000, Level: 0.95}
	r := split(t, s)
	for i, x := range s.Times {
		want, got := 0.5*math.Exp(-x/2), r.All[i]
		if !(math.Abs(got.Value-want) < 2.5*got.HalfWidth) || !(got.HalfWidth < 0.5*want) {
			t.Errorf("P(W > %v): %v, want %.4g", x, got, want)
		}
	}
	if n := len(s.Thresholds); n < 9 || n > 14 || !(r.Rises > 30) { // 1.5e-7 is 4^-11.3
		t.Errorf("%d thresholds: %.3g; %.3g rises", n, s.Thresholds, r.Rises)
	}
}

// TestSplittingClasses: copies change no average. With thresholds set by hand and without
// any, what jobs of each class meet is the same, as is what classes of the same need do.
func TestSplittingClasses(t *testing.T) {
	sys := *small(4)
	var widest, plain []float64
	for _, at := range [][]float64{nil, {2, 5, 9}} {
		s := &Splitting{System: sys, Times: []float64{1, 4}, Replications: 32, WarmUp: 500, Jobs: 3000, Thresholds: at, Level: 0.95}
		r := s.Run(context.Background(), nil)
		for c := range r.Classes {
			for i, e := range r.Classes[c] {
				if at == nil {
					plain, widest = append(plain, e.Value), append(widest, e.HalfWidth)
					continue
				}
				k := c*len(s.Times) + i
				if d := math.Abs(e.Value - plain[k]); d > 2.2*math.Hypot(e.HalfWidth, widest[k]) {
					t.Errorf("class %d: P(W > %v) = %v, without copies %v ± %v", c, s.Times[i], e, plain[k], widest[k])
				}
			}
		}
	}
}

// TestSplittingWorkers: the same digits from one goroutine and three.
func TestSplittingWorkers(t *testing.T) {
	var first *SplittingResult
	for _, workers := range []int{1, 3} {
		s := &Splitting{System: oneServer(0.7, 4), Times: []float64{20}, Replications: 6, WarmUp: 200, Jobs: 3000, Level: 0.95}
		s.Workers = workers
		r := split(t, s)
		if first == nil {
			first = r
		} else if r.All[0] != first.All[0] || r.Steps != first.Steps {
			t.Errorf("%d goroutines: %v and %v", workers, r.All[0], first.All[0])
		}
	}
}

// TestSplittingStops: a time that cannot be reached is told from one that is rare, and a
// context that has ended gives nothing.
func TestSplittingStops(t *testing.T) {
	sys := oneServer(0.5, 5)
	sys.Servers, sys.Input = 2, stream.New(5, law.Deterministic{X: 1}, []stream.Class{{Need: 1, Prob: 1, Service: law.Uniform{Lo: 0, Hi: 1.5}}})
	s := &Splitting{System: sys, Times: []float64{3}, Replications: 4, WarmUp: 100, Jobs: 5000, Level: 0.95}
	if s.Plan(context.Background()) {
		t.Errorf("nobody waits, and there are thresholds %v", s.Thresholds)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.System = oneServer(0.9, 5)
	if s.Plan(ctx) || s.Run(ctx, nil).Done != 0 {
		t.Error("it went on after its context had ended")
	}
}

// TestLook: waits and work are those of a view, also beyond the last arrival.
func TestLook(t *testing.T) {
	r := small(9).Input.Reader(1)
	q, twin := recurrence.NewRuns(small(9).Servers), recurrence.NewRuns(small(9).Servers)
	needs := []int32{1, 2, int32(small(9).Servers)}
	waits := make([]float64, len(needs))
	jobs, now := make([]stream.Job, 3000), 0.0
	r.Fill(jobs, 0)
	var v recurrence.View
	for _, j := range jobs {
		twin.Copy(q)
		work := twin.Look(now, needs, waits)
		q.View(&v, now)
		for k, need := range needs {
			if waits[k] != v.Wait(need) {
				t.Fatalf("need %d waits %v, want %v", need, waits[k], v.Wait(need))
			}
		}
		if math.Abs(work-q.Work(now)) > 1e-12*(1+work) {
			t.Fatalf("work %v, want %v", work, q.Work(now))
		}
		q.Step(now, j.Need, j.Service)
		now += j.Gap
	}
}
