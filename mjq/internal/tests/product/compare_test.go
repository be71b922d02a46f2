package product

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestCompareWhatIsServed: a queue that the simulation serves under two policies can be compared
// under them, unless Compare refuses a property of it, and no response is below the lower bound.
func TestCompareWhatIsServed(t *testing.T) {
	t.Parallel()
	two := []mjq.Policy{mjq.FCFS(), mjq.FirstFit()}
	for _, base := range []string{"pool", "users alone", "types", "nodes"}[:oracle.Sized(2, 4)] {
		for _, name := range slices.Sorted(maps.Keys(features)) {
			m := features[name](bases[base]())
			if name == slowest || name == "slow phases" || name == "heavy tail" || // whose limits take seconds
				m.Err() != nil || slices.ContainsFunc(two, func(p mjq.Policy) bool {
				under := m.Policy(p)
				return under.Err() != nil || len(run.Fits(simulation.Method{}, under.Spec())) > 0
			}) {
				continue
			}
			if name == "sleep" {
				m = m.Awake(0)
			}
			c, err := mjq.Compare(t.Context(), m, two, mjq.Simulation{Jobs: 400, Replications: 4})
			if err != nil {
				if !strings.Contains(err.Error(), "Compare") || strings.Contains(err.Error(), "bound") {
					t.Errorf("%s, %s: %v", base, name, err)
				}
				continue
			}
			for i, r := range c.Results {
				e, least := r.All.Response.Mean, c.Bound.Response
				if least.Known() && e.Value+5*nonNaN(e.HalfWidth)+5*nonNaN(least.HalfWidth) < least.Value {
					t.Errorf("%s, %s: %s has a mean response of %v below the bound %v", base, name, c.Policies[i], e, least)
				}
			}
		}
	}
}

// TestGrowthIsNoWait: above a limit that is not known without a search, a simulation says so and
// gives no waits of the classes whose jobs pile up; below it all is told.
func TestGrowthIsNoWait(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]struct {
		m     mjq.Model
		limit float64 // by Stability
	}{
		"users of the first level": {mjq.Servers(4).Poisson(1).Class("one", 1, 0, mjq.ExpMean(1)).Users("one", 6, mjq.ExpMean(1)).
			Class("three", 1, 1, mjq.ExpMean(1)).Policy(mjq.Priority([]string{"one"}, []string{"three"})), 1.506},
		"failures under First-Fit": {features["failures"](bases["pool"]()).Policy(mjq.FirstFit()), 2.9},
		"sleep":                    {small(mjq.Servers(4).Poisson(1)).Sleep(mjq.Deterministic(0), mjq.ExpMean(1)), 2.073},
		"elastic under First-Fit":  {features["elastic"](bases["pool"]()).Policy(mjq.FirstFit()), 3.879},
		"some never give up":       {bases["pool"]().Patience(mjq.ExpMean(5), "one"), 20. / 3},
	} {
		for _, part := range []float64{0.5, 1.5} {
			r, err := q.m.AtRate(part*q.limit).Solve(t.Context(), mjq.Simulation{Jobs: 5000, Replications: 10})
			if err != nil {
				t.Error(name, err)
				continue
			}
			last, all := r.Classes[len(r.Classes)-1].Waiting.Mean, r.All.Waiting.Mean
			finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
			if below := part < 1; r.Stable != below || finite(last.Value) != below || finite(all.Value) != below {
				t.Errorf("%s at %v of its limit: stable is %v, waits are %v and %v; %q", name, part, r.Stable, last, all, r.Notes)
			}
		}
		r, err := q.m.AtRate(50).Solve(t.Context(), mjq.Simulation{Jobs: 5000, Replications: 10})
		if err != nil || r.Stable || r.Limit.Method == "upper bound" && (r.Idle.Known() || r.WastedHOL.Known()) {
			t.Errorf("%s at rate 50: %v, %v", name, r, err)
		}
	}
}
