package mjq

import (
	"math"
	"testing"
)

// wideAndRare is a queue of 16 servers whose jobs mostly need one or two for a moment; one
// in a hundred needs 9 or 12 for long, and the waits are its work.
func wideAndRare(rate float64) Model {
	return Servers(16).Poisson(rate).Class("small", 1, 0.98, ExpMean(1)).Class("middle", 2, 0.01, ExpMean(3)).
		Class("wide", 12, 0.005, ExpMean(40)).Class("odd", 9, 0.005, ErlangMeanPhases(20, 2))
}

// TestCloseControlsKnowASmallerQueue: where few rare classes make the waits, the queue of
// these alone is solved and gives controls. With them runs know the mean waits of the whole
// and of its rare classes, and agree with the exact solution.
func TestCloseControlsKnowASmallerQueue(t *testing.T) {
	m := wideAndRare(1.6)
	exact := Must(m.Solve(background, Exact{MomentsOnly: true}))
	usual, squares := Must(m.Solve(background, Forward{Jobs: 120_000, Controls: PlainControls}, Seed(1))), 0.0
	const seeds = 16
	for seed := range seeds {
		r := Must(m.Solve(background, Forward{Jobs: 120_000, Controls: CloseControls}, Seed(uint64(1+seed))))
		e, want := r.All.Waiting.Mean, exact.All.Waiting.Mean.Value
		z := (e.Value - want) / e.HalfWidth * 1.96
		squares += z * z / seeds
		if seed > 0 {
			continue
		}
		if e.HalfWidth > 0.4*usual.All.Waiting.Mean.HalfWidth {
			t.Errorf("close %v, usual %v", e, usual.All.Waiting.Mean)
		}
		for i, c := range r.Classes {
			w, want := c.Waiting.Mean, exact.Classes[i].Waiting.Mean.Value
			if math.Abs(w.Value-want) > 2*w.HalfWidth || w.HalfWidth > 0.03*want {
				t.Errorf("%s: %v, want %v", c.Name, w, want)
			}
		}
		if w, want := r.WastedHOL, exact.WastedHOL.Value; math.Abs(w.Value-want) > 2*w.HalfWidth {
			t.Errorf("waste %v, want %v", w, want)
		}
	}
	// Of χ² with 16 degrees of freedom over 16, 2.5 is exceeded once in a thousand times.
	if squares > 2.5 {
		t.Errorf("mean square of the errors, in standard errors: %.2f", squares)
	}
}

// TestCloseControlsKnowCellB: the mean wait in Cell B, of which a plain run of as many jobs
// does not know the first digit, within 1 % of that of twenty times as many.
func TestCloseControlsKnowCellB(t *testing.T) {
	m := BorgCellB().Poisson(0.9)
	m = m.WithLimit(Must(m.Stability(background, Pile{}, RelErr(0.01))))
	const want, half = 774.6, 1.2 // the same query with Jobs(10_000_000).Seed(77)
	e := Must(m.Solve(background, Forward{Controls: CloseControls, Jobs: 500_000}, Seed(5))).All.Waiting.Mean
	if math.Abs(e.Value-want) > 1.5*math.Hypot(e.HalfWidth, half) || e.HalfWidth > 0.01*want {
		t.Errorf("%v, want %v within 1 %%", e, want)
	}
}
