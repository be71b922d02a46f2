package sampler_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/workload"
)

// wideAndRare is a queue of 16 servers whose jobs mostly need one or two for a moment; one
// in a hundred needs 9 or 12 for long, and the waits are its work.
func wideAndRare(rate float64) mjq.Model {
	return mjq.Servers(16).Poisson(rate).Class("small", 1, 0.98, mjq.ExpMean(1)).Class("middle", 2, 0.01, mjq.ExpMean(3)).
		Class("wide", 12, 0.005, mjq.ExpMean(40)).Class("odd", 9, 0.005, mjq.ErlangMeanPhases(20, 2))
}

// TestCloseControlsKnowASmallerQueue: where few rare classes make the waits, the queue of
// these alone is solved and gives controls. With them runs know the mean waits of the whole
// and of its rare classes, and agree with the exact solution.
func TestCloseControlsKnowASmallerQueue(t *testing.T) {
	m := wideAndRare(1.6)
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	usual, squares := mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 120_000, Controls: mjq.PlainControls}, mjq.Seed(1))), 0.0
	seeds := oracle.Sized(3, 16)
	most := map[int]float64{3: 5.4, 16: 2.5}[seeds] // of χ² over its degrees of freedom, exceeded once in a thousand times
	for seed := range seeds {
		r := mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 120_000, Controls: mjq.CloseControls}, mjq.Seed(uint64(1+seed))))
		e, want := r.All.Waiting.Mean, exact.All.Waiting.Mean.Value
		z := (e.Value - want) / e.HalfWidth * 1.96
		squares += z * z / float64(seeds)
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
	if squares > most {
		t.Errorf("mean square of the errors, in standard errors: %.2f", squares)
	}
}

// TestCloseControlsKnowCellB: the mean wait in Cell B, of which a plain run of as many jobs
// does not know the first digit, within 1 % of that of twenty times as many.
func TestCloseControlsKnowCellB(t *testing.T) {
	m := workload.BorgCellB().Poisson(0.9)
	m = m.WithLimit(mjq.Must(m.Stability(context.Background(), mjq.Pile{}, mjq.RelErr(float64(oracle.Sized(5, 1))/100))))
	const want, half = 774.6, 1.2 // the same query with Jobs(10_000_000).Seed(77)
	jobs := oracle.Sized(50_000, 500_000)
	within := 0.01 * want * math.Sqrt(500_000/float64(jobs))
	e := mjq.Must(m.Solve(context.Background(), mjq.Forward{Controls: mjq.CloseControls, Jobs: jobs}, mjq.Seed(5))).All.Waiting.Mean
	if math.Abs(e.Value-want) > 1.5*math.Hypot(e.HalfWidth, half) || e.HalfWidth > within {
		t.Errorf("%v, want %v within %.1f", e, want, within)
	}
}
