package coverage

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// failureQueues are queues on servers that fail whose values are exact, by the share of effective time:
// jobs that are only interrupted, and a chain of jobs that resume after repairs.
func failureQueues() map[float64][]mjq.Model {
	queues := map[float64][]mjq.Model{}
	for _, ettr := range []float64{0.5, 0.8, 0.95, 0.99, 0.999} {
		// A job that writes no checkpoint: (exp(φσ) - 1)/φσ = 1/ETTR, about 1 + φσ/2.
		low, high := 0., 10.
		for range 100 {
			if x := (low + high) / 2; x/math.Expm1(x) > ettr {
				low = x
			} else {
				high = x
			}
		}
		interrupted := mjq.Servers(8).Poisson(0.5*ettr).Class("job", 8, 1, mjq.Deterministic(1)).
			Failures("sw", mjq.ExpMean(8/low), mjq.Deterministic(0)).After(mjq.Restart)
		// A job of 2 servers is hit at rate 2/up and then waits for about a repair.
		repaired := mjq.Servers(6).Poisson(0.9).Class("job", 2, 1, mjq.ExpMean(1)).
			Failures("hw", mjq.ExpMean(2/(1/ettr-1)), mjq.ExpMean(0.5)).After(mjq.Resume)
		queues[ettr] = []mjq.Model{interrupted, repaired}
	}
	return queues
}

// BenchmarkFailures prints how often intervals of what failures do hold the exact value, at level 0.95:
// a line a share of effective time and a number, over two queues.
//
//	MJQ_COVERAGE_RUNS=200 go test ./mjq/internal/tests/coverage -run xx -bench Failures -benchtime 1x -timeout 0
func BenchmarkFailures(b *testing.B) {
	runs, first := coverageNumber(b, "RUNS", 200), coverageNumber(b, "SEED", 1)
	numbers := []struct {
		name string
		of   func(r *result.Result) result.Estimate
	}{
		{"Interruptions", func(r *result.Result) result.Estimate { return r.All.Interruptions }},
		{"Lost", func(r *result.Result) result.Estimate { return r.All.Lost }},
		{"ETTR", func(r *result.Result) result.Estimate { return r.All.ETTR }},
		{"Up", func(r *result.Result) result.Estimate { return r.Up }},
		{"Goodput", func(r *result.Result) result.Estimate { return r.Goodput }},
	}
	ctx := context.Background()
	fmt.Println("nominal ETTR,number,intervals given,coverage,lowest of a queue,mean half-width in % of the value")
	for range b.N {
		for _, ettr := range []float64{0.5, 0.8, 0.95, 0.99, 0.999} {
			var given, held, width [5]float64
			worst := [5]float64{1, 1, 1, 1, 1}
			asked := [5]float64{}
			for _, m := range failureQueues()[ettr] {
				exact := mjq.Must(m.Solve(ctx, mjq.Exact{}))
				var g, h [5]float64
				for n := range runs {
					r := mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: 500, Replications: 32}, mjq.Seed(uint64(int(first)+int(n))), mjq.NoCache()))
					for i, q := range numbers {
						want, e := q.of(exact), q.of(r)
						if !want.Known() || want.Value == 0 {
							continue
						}
						if asked[i]++; math.IsNaN(e.HalfWidth) {
							continue
						}
						g[i]++
						width[i] += e.HalfWidth / want.Value
						if math.Abs(e.Value-want.Value) <= e.HalfWidth*(1+1e-12)+1e-12*want.Value {
							h[i]++
						}
					}
				}
				for i := range numbers {
					if g[i] > 0 {
						worst[i] = min(worst[i], h[i]/g[i])
					}
					given[i], held[i] = given[i]+g[i], held[i]+h[i]
				}
			}
			for i, q := range numbers {
				if given[i] > 0 {
					fmt.Printf("%v,%s,%.0f %%,%.3f,%.3f,%.2g\n", ettr, q.name, 100*given[i]/asked[i], held[i]/given[i], worst[i], 100*width[i]/given[i])
				}
			}
		}
	}
}
