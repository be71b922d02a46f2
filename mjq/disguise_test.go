package mjq_test

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
	ask := map[string]func(m *mjq.Model) (*result.Result, error){
		"Forward":  func(m *mjq.Model) (*result.Result, error) { return m.Sample().Forward().Jobs(5000).Seed(1).Run(ctx) },
		"Backward": func(m *mjq.Model) (*result.Result, error) { return m.Sample().Backward().N(200).Seed(1).Run(ctx) },
		"Certified": func(m *mjq.Model) (*result.Result, error) {
			return m.Sample().Certified(1e-3).N(100).Seed(1).Run(ctx)
		},
		"Unbiased": func(m *mjq.Model) (*result.Result, error) { return m.Sample().Unbiased().N(100).Seed(1).Run(ctx) },
		"Simulate": func(m *mjq.Model) (*result.Result, error) { return m.Simulate().Jobs(5000).Seed(1).Run(ctx) },
		"FirstFit": func(m *mjq.Model) (*result.Result, error) {
			return m.WithPolicy(mjq.FirstFit()).Simulate().Jobs(5000).Seed(1).Run(ctx)
		},
		"Exact": func(m *mjq.Model) (*result.Result, error) { return m.Exact().Run(ctx) },
	}
	for method, run := range ask {
		want := mjq.Must(run(mjq.Must(b.Poisson(1).Build()))).All.Waiting
		for name, x := range map[string]mjq.Builder{
			"MAP of one phase":    b.MAP([][]float64{{-1}}, [][]float64{{1}}),
			"MMPP of one phase":   b.MMPP([]float64{1}, [][]float64{{0}}),
			"batches of one":      b.Poisson(1).Batches(arrival.FixedSize(1)),
			"profile of one rate": b.Profile(24, 1, 1),
			"superposition":       b.Process(arrival.Superposition{arrival.Poisson(0.5), arrival.Poisson(0.5)}),
		} {
			got := mjq.Must(run(mjq.Must(x.Build()))).All.Waiting
			if got.Mean != want.Mean || got.Variance != want.Variance || fmt.Sprint(got.Quantile(0.9)) != fmt.Sprint(want.Quantile(0.9)) {
				t.Errorf("%s of %s: mean wait %v, of Poisson arrivals %v", method, name, got.Mean, want.Mean)
			}
		}
	}
}
