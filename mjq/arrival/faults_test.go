package arrival

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestFaultsAreNamed: every fault with its remedy, all of a process at once.
func TestFaultsAreNamed(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := [][]float64{{1}}
	wide := func(n int) (d0, d1 [][]float64) {
		d0, d1 = table(n, n), table(n, n)
		for i := range n {
			d0[i][i], d0[i][(i+1)%n], d1[i][i] = -2, 1, 1
		}
		return d0, d1
	}
	big0, big1 := wide(MostStates + 1)
	some0, some1 := wide(100)
	for _, c := range []struct {
		p    Process
		want []string
	}{
		{Renewal{}, []string{"no law of the gaps"}},
		{Poisson(-1), []string{"ExpMean(-1)"}},
		{Renewal{law.Deterministic{X: 0}}, []string{"the mean of the gaps"}},
		{Renewal{law.Lomax{Shape: 0.9, Scale: 1}}, []string{"is +Inf; give a law with a positive finite one"}},
		{Markov{}, []string{"no phase", "no arrivals"}},
		{MAP([][]float64{{-1, 1}}, one), []string{"row 1 of D0 has 2 entries"}},
		{MAP([][]float64{{-1, 0.5}, {0.5, -1}}, one), []string{"D1 has 1 rows, and D0 has 2"}},
		{MAP([][]float64{{-1, -0.5}, {0.5, nan}}, [][]float64{{1.5, -2}, {inf, 0}}), []string{"D0[1][2] is -0.5", "D0[2][2] is NaN", "D1[1][2] is -2", "D1[2][1] is +Inf", "row 1 of the matrices together sums to -2"}},
		{MAP([][]float64{{0, 0}, {0, 0}}, table(2, 2)), []string{"no rate of arrival is positive"}},
		{MAP([][]float64{{-1e-101}}, [][]float64{{1e-101}}), []string{"would overflow or vanish", "would overflow"}},
		{MMPP([]float64{1, 2}, [][]float64{{-1, 1}, {0, 0}}), []string{"phase 2 never leads to phase 1"}},
		{MMPP([]float64{1, 2}, [][]float64{{0, 0}, {1, -1}}), []string{"phase 1 never leads to phase 2"}},
		{MMPP([]float64{1, 2}, [][]float64{{-1, 1.1}, {1, -1}}), []string{"MMPP: row 1 of the generator sums to 0.1"}},
		{MMPP([]float64{1, 2}, nil), []string{"MMPP: the generator has 0 rows, and there are 2 rates"}},
		{MMPP([]float64{1}, [][]float64{{-1, 1}, {1, -1}}), []string{"the generator has 2 rows, and there are 1 rates"}},
		{MMPP([]float64{1, 2, 3}, [][]float64{{-1, 1}, {1}}), []string{"the generator has 2 rows, and there are 3 rates", "row 2 of the generator has 1 entries; give 2"}},
		{MMPP([]float64{-1, inf}, [][]float64{{1, -1}, {nan, 0}}), []string{"rate 1 is -1", "rate 2 is +Inf", "generator[1][2] is -1", "generator[2][1] is NaN", "row 2 of the generator sums to NaN"}},
		{MMPP(nil, nil), []string{"MMPP: there is no rate"}},
		{MMPP([]float64{1, 1e-7}, [][]float64{{-2e6, 2e6}, {2e6, -2e6}}), []string{"changes of phase pass between two arrivals"}},
		{Markov{D0: [][]float64{{-2}}, Events: []Event{{one, 0, ""}, {one, 1, "a"}}}, []string{"event 1 has 0 jobs"}},
		{Markov{D0: [][]float64{{-2}}, Events: []Event{{one, 1, "a"}, {one, 1, "a"}}}, []string{`D["a"] is given twice`}},
		{Markov{D0: [][]float64{{-1}}, Events: []Event{{one, 300, ""}}}, []string{"an arrival has 257 states"}},
		{MAP(big0, big1), []string{"there are 257 phases"}},
		{Batches{}, []string{"there is no size", "sum to 0", "no process of the batches"}},
		{Batches{Poisson(1), Sizes{0.5, -0.5, nan}}, []string{"probability of 2 jobs is -0.5", "probability of 3 jobs is NaN"}},
		{Batches{Poisson(1), FixedSize(0)}, []string{"there is no size", "sum to 0"}},
		{Batches{Poisson(1), GeometricSize(0.5)}, []string{"probability of 1 jobs is NaN"}},
		{Batches{Poisson(1), GeometricSize(9)}, []string{"an arrival has 257 states"}},
		{Batches{MAP(some0, some1), FixedSize(3)}, []string{"an arrival has 300 states (100 of the process"}},
		{Superposition{}, []string{"no process to superpose"}},
		{Superposition{nil, Poisson(0), Renewal{law.Uniform{Lo: 1, Hi: 2}}}, []string{"process 1 is missing", "process 2: arrivals", "process 3, Renewal{"}},
		{Superposition{MAP(some0, some1), MAP(some0, some1)}, []string{"together there are 10000 phases"}},
		{Superposition{office}, []string{"put the superposition into its Of"}},
		{Profile{}, []string{"the period is 0", "there is no rate"}},
		{Profile{Period: 1, Rates: []float64{0, 0}}, []string{"all rates are 0"}},
		{Profile{Period: inf, Rates: []float64{-1, nan}, Of: Poisson(-1)}, []string{"the period is +Inf", "rate 1 is -1", "rate 2 is NaN", "ExpMean(-1)"}},
		{Profile{Period: 1, Rates: []float64{1, 2}, Of: Batches{office, FixedSize(2)}}, []string{"a profile of a profile"}},
	} {
		err := c.p.Validate()
		if err == nil {
			t.Errorf("%v passes", c.p)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not name %q", check.Shorten(c.p.String()), err, want)
			}
		}
		if lines := strings.Split(err.Error(), "\n"); len(lines) != len(c.want) && c.p.String()[0] != 'P' {
			t.Errorf("%s: %d faults, want %d: %v", check.Shorten(c.p.String()), len(lines), len(c.want), err)
		}
	}
}
