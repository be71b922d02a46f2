package methods_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestPoissonToTheLastDigit: arrivals that are Poisson but written as something else have,
// with the same seed, the results of Poisson arrivals to the last digit. Processes of several
// phases draw more random numbers, and agree within their intervals only.
func TestPoissonToTheLastDigit(t *testing.T) {
	ctx := context.Background()
	b := mjq.Servers(4).Class("a", 1, 0.75, mjq.ExpMean(1)).Class("b", 3, 0.25, mjq.ExpMean(1))
	ask := map[string]func(m mjq.Model) (*result.Result, error){
		"Forward": func(m mjq.Model) (*result.Result, error) { return m.Solve(ctx, mjq.Forward{Jobs: 1000}, mjq.Seed(1)) },
		"Backward": func(m mjq.Model) (*result.Result, error) {
			return m.Solve(ctx, mjq.Backward{Samples: 64}, mjq.Seed(1))
		},
		"Certified": func(m mjq.Model) (*result.Result, error) {
			return m.Solve(ctx, mjq.Certified{Eps: 1e-3, Samples: 40}, mjq.Seed(1))
		},
		"Unbiased": func(m mjq.Model) (*result.Result, error) {
			return m.Solve(ctx, mjq.Unbiased{Samples: 40}, mjq.Seed(1))
		},
		"Simulate": func(m mjq.Model) (*result.Result, error) {
			return m.Solve(ctx, mjq.Simulation{Jobs: 1000}, mjq.Seed(1))
		},
		"FirstFit": func(m mjq.Model) (*result.Result, error) {
			return m.Policy(mjq.FirstFit()).Solve(ctx, mjq.Simulation{Jobs: 1000}, mjq.Seed(1))
		},
		"Exact": func(m mjq.Model) (*result.Result, error) { return m.Solve(ctx, mjq.Exact{}) },
	}
	for method, run := range ask {
		want := mjq.Must(run(b.Poisson(1))).All.Waiting
		for name, x := range map[string]mjq.Model{
			"MAP of one phase":    b.MAP([][]float64{{-1}}, [][]float64{{1}}),
			"MMPP of one phase":   b.MMPP([]float64{1}, [][]float64{{0}}),
			"batches of one":      b.Poisson(1).Batches(arrival.FixedSize(1)),
			"profile of one rate": b.Profile(24, 1, 1),
			"superposition":       b.Process(arrival.Superposition{arrival.Poisson(0.5), arrival.Poisson(0.5)}),
		} {
			got := mjq.Must(run(x)).All.Waiting
			if got.Mean != want.Mean || got.Variance != want.Variance || fmt.Sprint(got.Quantile(0.9)) != fmt.Sprint(want.Quantile(0.9)) {
				t.Errorf("%s of %s: mean wait %v, of Poisson arrivals %v", method, name, got.Mean, want.Mean)
			}
		}
	}
}
