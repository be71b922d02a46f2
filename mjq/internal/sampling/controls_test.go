package sampling

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// eightClasses is a queue of eight classes, two more than have controls of their
// own, far enough from empty for waits to matter.
func eightClasses(last law.Law, light bool) *System {
	s := &System{System: compiled.System{Servers: 8}, Workers: 1, Light: light}
	var classes []stream.Class
	for i := range 8 {
		var l law.Law = law.ErlangMeanPhases(0.5+float64(i)/8, 1+i%3)
		if i == 7 {
			l = last
		}
		s.Needs, s.Probs = append(s.Needs, 1+i), append(s.Probs, float64(8-i)/36)
		classes = append(classes, stream.Class{Need: 1 + i, Prob: s.Probs[i], Service: l})
	}
	s.Input = stream.New(5, law.ExpMean(1), classes)
	return s
}

// TestControlsHaveNoMean: the expectation of every control is 0 along a path
// that starts empty; with the level at the end of a page instead of the one at
// its beginning it is not.
func TestControlsHaveNoMean(t *testing.T) {
	for _, squares := range []bool{false, true} {
		t.Run(fmt.Sprint("squares ", squares), func(t *testing.T) { controlsHaveNoMean(t, squares) })
	}
}

func controlsHaveNoMean(t *testing.T, squares bool) {
	s, broad, first := eightClasses(law.ExpMean(1), true), 2, 0
	if squares {
		broad, first = 5, ends // the path begins empty: what is in the queue at its end is no surprise
	}
	by := s.controls(2000, squares)
	if by.powers != 2 || by.broad != broad || by.number() != first+2*(broad+6+5) {
		t.Fatalf("%d controls, %d of them broad, in %d powers", len(by.all), by.broad, by.powers)
	}
	worst := func(ahead bool) (z float64) {
		sums := make([]estimate.Pair, by.number())
		w := s.newWorker()
		var l ledger
		for rep := range 2000 {
			w.reader.Rewind(uint64(rep))
			w.long.empty()
			l.reset(len(s.Needs), by.number())
			for at := int64(0); at < 2000; at += 40 {
				jobs := w.jobs[:40]
				w.reader.Fill(jobs, at)
				before := w.long.work() / 8
				w.long.take(w.reader, at, jobs)
				if l.level = before; ahead {
					l.level = w.long.work() / 8
				}
				if squares {
					l.addSquares(jobs)
				} else {
					l.add(jobs)
				}
				by.turnPage(&l, 0)
			}
			for i, x := range l.sums {
				sums[i].Add(x, 0)
			}
		}
		for i := range sums[first:] {
			e := sums[first+i].Mean(0.95, "")
			z = max(z, math.Abs(e.Value)/(e.HalfWidth/1.96))
		}
		return z
	}
	if z := worst(false); z > 4.5 {
		t.Errorf("a control is %.1f standard errors from 0", z)
	}
	if z := worst(true); z < 10 {
		t.Errorf("with levels from after the jobs no control is more than %.1f standard errors from 0", z)
	}
}

// TestControlsOfHeavyLaws: what has no variance or an infinite one is left out,
// and so are levels where services are not light.
func TestControlsOfHeavyLaws(t *testing.T) {
	for _, x := range []struct {
		last           law.Law
		powers, number int
	}{
		{law.Lomax{Shape: 3.5, Scale: 2.5}, 1, 13},
		{law.Lomax{Shape: 1.5, Scale: 0.5}, 1, 11},           // no work, and no services of that class
		{law.Deterministic{X: 1}, 2, 2 * 12},                 // its services follow from the work
		{law.LogNormalMeanSCV(1, 2), 1, 13},                  // all moments, but not exponential ones
		{law.BoundedPareto{Lo: 1, Hi: 9, Shape: 1.1}, 2, 26}, // bounded
	} {
		if by := eightClasses(x.last, x.powers == 2).controls(2000, false); by.powers != x.powers || by.number() != x.number {
			t.Errorf("%v: %d controls in %d powers, want %d in %d", x.last, by.number(), by.powers, x.number, x.powers)
		}
	}
	if by := eightClasses(law.ExpMean(1), true).controls(600, false); by.number() != 2*(2+5+4) {
		t.Errorf("%d controls; of the six classes that matter most one comes too seldom on a path of 600 jobs", by.number())
	}
	// What never varies is no control: the work of one class of constant services,
	// the number of jobs of the only class that comes.
	one := &System{System: compiled.System{Servers: 1, Needs: []int{1, 1}, Probs: []float64{1, 0}}, Light: true}
	one.Input = stream.New(1, law.ExpMean(3), []stream.Class{{Need: 1, Prob: 1, Service: law.Deterministic{X: 2}}, {Need: 1, Service: law.Deterministic{X: 2}}})
	if by := one.controls(1000, false); by.number() != 2 || by.broad != 1 {
		t.Errorf("%d controls, %d of them broad, where only the gaps vary", by.number(), by.broad)
	}
	// Gaps that depend on each other have none.
	one.Input = stream.NewFrom(1, arrival.MMPP([]float64{1, 2}, [][]float64{{-1, 1}, {1, -1}}), []stream.Class{{Need: 1, Prob: 1, Service: law.ExpMean(2)}})
	if by := one.controls(1000, false); by.number() != 0 {
		t.Errorf("%d controls where arrivals come in bursts", by.number())
	}
	// Thirty of the class that matters most are enough.
	if by := small(1).controls(100, false); by.number() != 2*(2+1) {
		t.Errorf("%d controls where thirty of one class come, want gaps, work and their number", by.number())
	}
	if by := eightClasses(law.ExpMean(1), true).controls(200, false); by.number() != 0 {
		t.Error("a path that seldom has a job of the class that matters most has controls")
	}
}
