package coverage

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// BenchmarkPriorityCoverage prints how often the intervals of class means hold the exact
// values under priorities, at level 0.95: waits without preemption and with it, and under
// restarts the preemptions and the time lost a job. MJQ_COVERAGE_RUNS is 400 by default.
//
//	go test -run xx -bench PriorityCoverage -benchtime 1x -timeout 0 ./mjq/internal/tests/coverage
func BenchmarkPriorityCoverage(b *testing.B) {
	runs := coverageNumber(b, "RUNS", 400)
	urgent := mjq.Priority([]string{"urgent"})
	wide := mjq.Servers(6).Poisson(0.9).Class("urgent", 4, 1./9, mjq.ExpMean(2)).Class("other", 1, 8./9, mjq.ExpMean(1))
	one := mjq.Servers(4).Poisson(0.7).Class("urgent", 4, 0.5, mjq.ExpMean(0.5)).Class("other", 4, 0.5, mjq.Deterministic(1))
	methods := []mjq.Option{mjq.Simulation{Jobs: 4000, Replications: 16}, mjq.Unbiased{Samples: 64}}
	for range b.N {
		for _, m := range []mjq.Model{wide.Policy(urgent), one.Policy(urgent.Preemptive(mjq.Restart))} {
			truth := mjq.Must(m.Solve(background, mjq.Exact{}))
			for _, how := range methods {
				covered := map[string]int{}
				for seed := range uint64(runs) {
					r := mjq.Must(m.Solve(background, how, mjq.Seed(seed+1), mjq.NoCache()))
					for i := range r.Classes {
						count(covered, &r.Classes[i], &truth.Classes[i])
					}
				}
				for _, what := range []string{"urgent wait", "other wait", "other preemptions", "other lost"} {
					if n, asked := covered[what]; asked {
						fmt.Printf("%-40v %-12T %-18s %.3f\n", m.Spec().Policy, how, what, float64(n)/float64(runs))
					}
				}
			}
		}
	}
}

// count adds which intervals of a class hold what they should.
func count(covered map[string]int, c, truth *result.ClassResult) {
	add := func(what string, e, want result.Estimate) {
		if !want.Known() || want.Value == 0 {
			return
		}
		covered[c.Name+" "+what] += 0
		if math.Abs(e.Value-want.Value) <= e.HalfWidth {
			covered[c.Name+" "+what]++
		}
	}
	add("wait", c.Waiting.Mean, truth.Waiting.Mean)
	add("preemptions", c.Preemptions, truth.Preemptions)
	add("lost", c.Lost, truth.Lost)
}
