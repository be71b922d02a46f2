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

// TestWorkServed: the busy servers are those that the jobs served keep busy, by type of resource, where
// jobs that were stopped give up, and over a period in whose parts rates differ.
func TestWorkServed(t *testing.T) {
	pool := mjq.Servers(4).Poisson(1.3).Class("a", 1, 0.7, mjq.ExpMean(1)).Class("b", 3, 0.3, mjq.ExpMean(0.5))
	first := mjq.Priority([]string{"a"}, []string{"b"}).Preemptive(mjq.Resume)
	typed := mjq.Resources("cpu", 6).Resources("gpu", 2).Poisson(4).Needing("a", mjq.Needs{"cpu": 1}, 0.7, mjq.ExpMean(1)).Needing("b", mjq.Needs{"cpu": 2, "gpu": 1}, 0.3, mjq.ExpMean(0.5))
	for name, m := range map[string]mjq.Model{"patience of jobs that are stopped": pool.Policy(first).Patience(mjq.ExpMean(2)).AlsoPreempted(), "types": typed.Loss()} {
		r := mjq.Must(m.Solve(t.Context(), mjq.Exact{}))
		s := m.Spec()
		busy, want := []float64{r.Utilization.Value}, make([]float64, max(1, len(s.Resources)))
		for i, c := range s.Classes {
			units, of := []int{c.Need}, []int{s.Servers}
			if len(s.Resources) > 0 {
				units, of = c.Units, []int{s.Resources[0].Units, s.Resources[1].Units}
				busy = []float64{r.Resources[0].Utilization.Value, r.Resources[1].Utilization.Value}
			}
			for j := range want {
				want[j] += r.Classes[i].Carried.Value * c.Service.Mean() * float64(units[j]) / float64(of[j])
			}
		}
		for j := range want {
			if !(math.Abs(busy[j]-want[j]) <= 1e-12) {
				t.Errorf("%s: the busy part is %v, and served jobs keep %v busy", name, busy[j], want[j])
			}
		}
	}
	day := mjq.Must(pool.Profile(6, 0.2, 1.6).ByTime(t.Context(), 6, mjq.Exact{}))
	busy := 0.0
	for _, p := range day.Parts {
		busy += p.Utilization.Value
	}
	if want := 3 * (0.2 + 1.6) * (0.7 + 0.3*3*0.5) / 4; !(math.Abs(busy-want) <= 1e-10) || !(day.Error < 1e-9) {
		t.Errorf("over a day %v are busy, and jobs bring %v; error %v", busy, want, day.Error)
	}
}
