package speed

import (
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/methods"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// plannedQueues are the queues on which the planner is held to its word.
func plannedQueues() []plannedQueue {
	return []plannedQueue{
		{"FiveClasses/rate=1", workload.FiveClassExponential().Poisson(1)},
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4)},
		{"FiveClasses/rate=1.65", workload.FiveClassExponential().Poisson(1.65)},
		{"OneAnd16/load=0.8", workload.OneOrAll(16, 0.05, 1, 0.5).AtLoad(0.8)},
		{"OneAnd256/load=0.9", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033)},
		{"CellB/rate=0.9", workload.BorgCellB().Poisson(0.9)},
		{"MM1/load=0.95", mjq.Servers(1).Class("job", 1, 1, mjq.ExpMean(1)).Poisson(0.95)},
	}
}

type plannedQueue struct {
	name string
	m    mjq.Model
}

// BenchmarkPlanner prints the seconds that Methods expects of every method on one core
// (expected-s), those of the processor that it needed (needed-s) and their ratio. The
// target is 1 %, or the nearest to it (target-%) from which no more than MJQ_PLANNED
// seconds are expected, 5 by default.
//
//	MJQ_PLANNED=60 go test ./mjq/internal/tests/speed -run xx -bench Planner -benchtime 1x -timeout 1h
func BenchmarkPlanner(b *testing.B) {
	most, err := strconv.ParseFloat(os.Getenv("MJQ_PLANNED"), 64)
	if err != nil {
		most = 5
	}
	for _, q := range plannedQueues() {
		limit := mjq.Must(q.m.Stability(background)) // known before the clock starts
		p := problem.New(q.m.Spec()).WithLimit(limit)
		for _, x := range methods.All {
			if x == (sampler.RareEvent{}) || len(run.Fits(x, p.Spec)) > 0 {
				continue
			}
			b.Run(q.name+"/"+x.Row().Name, func(b *testing.B) {
				for range b.N {
					benchmarkPlanned(b, p, x, most)
				}
			})
		}
	}
}

func benchmarkPlanned(b *testing.B, p *problem.Problem, x run.Method, most float64) {
	for target := 0.01; target < 1; target *= math.Sqrt2 {
		efforts, _, err := methods.Efforts(background, p, target)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range efforts {
			if e.Method.Row() != x.Row() || e.Seconds > most {
				continue
			}
			var r *result.Result
			needed := used(1e9, func() { r = mjq.Must(runEffort(p, &e, target)) })
			if x != (exact.Method{}) && !r.Run.Met {
				b.Errorf("%s missed its target: %v", e.Query(), r.Notes)
			}
			b.ReportMetric(e.Seconds, "expected-s")
			b.ReportMetric(needed, "needed-s")
			b.ReportMetric(e.Seconds/needed, "expected/needed")
			b.ReportMetric(100*target, "target-%")
			b.ReportMetric(0, "ns/op")
			return
		}
	}
	b.Skip("it would take too long for any target")
}

// runEffort asks as an effort says, on one core.
func runEffort(p *problem.Problem, e *methods.Effort, target float64) (*result.Result, error) {
	o := problem.Defaults()
	if e.Method != (exact.Method{}) {
		o.RelErr = problem.Give(target)
	}
	o.Workers = 1
	return run.Solve(background, p, e.Method, o)
}
