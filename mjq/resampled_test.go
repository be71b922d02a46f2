package mjq_test

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestResampledAtTwoLevels: where jobs that are stopped begin again with a new service, the exact answer
// and the simulation agree: waits, responses, the time lost, and who starts at once.
func TestResampledAtTwoLevels(t *testing.T) {
	m := mjq.Servers(3).Poisson(1.1).Class("urgent", 2, .4, mjq.ErlangMeanPhases(.8, 2)).Class("low", 1, .6, mjq.ErlangMeanPhases(1, 3)).
		Policy(mjq.Priority([]string{"urgent"}).Preemptive(mjq.Resampled))
	exact, err := m.Solve(t.Context(), mjq.Exact{})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := m.Solve(t.Context(), mjq.Simulation{Jobs: oracle.Sized(60_000, 600_000), Replications: 12}, mjq.Level(0.9999))
	if err != nil {
		t.Fatal(err)
	}
	for what, of := range map[string]func(c *result.ClassResult) result.Estimate{
		"wait":     func(c *result.ClassResult) result.Estimate { return c.Waiting.Mean },
		"response": func(c *result.ClassResult) result.Estimate { return c.Response.Mean },
		"lost":     func(c *result.ClassResult) result.Estimate { return c.Lost },
		"at once":  func(c *result.ClassResult) result.Estimate { return c.AtOnce },
	} {
		for _, class := range []string{"urgent", "low"} {
			x, y := of(exact.Class(class)), of(drawn.Class(class))
			if !x.Known() || !(math.Abs(x.Value-y.Value) <= y.HalfWidth+1e-9) {
				t.Errorf("%s, %s: %v exactly, %v simulated", class, what, x, y)
			}
		}
	}
	if busy := exact.Utilization.Value; !(math.Abs(busy-drawn.Utilization.Value) <= drawn.Utilization.HalfWidth) {
		t.Errorf("utilization %v exactly, %v simulated", busy, drawn.Utilization)
	}
}
