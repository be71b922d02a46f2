package exact_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// TestLostDigits: needs of 3 and of 4 of 4 servers are served one by one, so that the formula
// of Pollaczek and Khinchine holds. However far rates lie apart, an exact wait is right to nine
// digits or has a half-width that covers the truth, with a note.
func TestLostDigits(t *testing.T) {
	for _, c := range []struct {
		rare, long float64 // probability and mean of the second class
		scv        float64
	}{{0.5, 1, 1}, {1e-6, 1e5, 1}, {1e-10, 1e9, 1}, {1e-13, 1e12, 1}, {1e-15, 5e14, 1}, {0.5, 1, 1e6}, {0.5, 1, 1e10}} {
		service := mjq.HyperExpMeanSCV(1, c.scv)
		m := mjq.Servers(4).Poisson(0.35).Class("often", 3, 1-c.rare, service).Class("rarely", 4, c.rare, mjq.ExpMean(c.long))
		r, err := m.Solve(context.Background(), mjq.Exact{MomentsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		load := 0.35 * (1 - c.rare + c.rare*c.long)
		want := 0.35 * ((1-c.rare)*(1+c.scv) + c.rare*2*c.long*c.long) / 2 / (1 - load)
		wait := r.All.Waiting.Mean
		off := math.Abs(wait.Value - want)
		if off > 1e-9*want && off > wait.HalfWidth {
			t.Errorf("%+v: wait %v, want %.12g", c, wait, want)
		}
		said := strings.Contains(strings.Join(r.Notes, " "), "lost digits")
		if said != (wait.HalfWidth > 0) {
			t.Errorf("%+v: wait %v ± %v, notes %q", c, wait.Value, wait.HalfWidth, r.Notes)
		}
		busy := 0.35 * (3*(1-c.rare) + 4*c.rare*c.long) / 4
		if math.Abs(r.Utilization.Value/busy-1) > 1e-11 {
			t.Errorf("%+v: utilization %v, want %v", c, r.Utilization.Value, busy)
		}
	}
}
