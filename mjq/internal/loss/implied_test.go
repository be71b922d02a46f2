package loss

import (
	"math"
	"testing"
)

// TestImpliedPrice: of one class, the mean price of its servers over the states in which it fits
// is Kelly's price, by another formula, also in systems that are hardly ever empty.
func TestImpliedPrice(t *testing.T) {
	for _, servers := range []int{14, 420} {
		for _, need := range []int{1, 3} {
			r := &Reserved{Servers: servers, Classes: []Class{of(need, 5*float64(servers)/14)}, Means: []float64{2}, Worths: []float64{3}}
			v, err := r.values(t.Context(), []int{0})
			if err != nil {
				t.Fatal(err)
			}
			q, sum := r.roberts([]int{0}), 0.0
			for j := 0; j+need <= r.Servers; j++ {
				sum += q[j] * (3 + v[j+need] - v[j])
			}
			if want := PricesFor(servers, r.Classes, r.Worths, r.Means).Job[0]; math.Abs(sum-want) > 1e-11 {
				t.Errorf("%d servers, need %d: price of a job %.14g by states, %.14g by derivatives", servers, need, sum, want)
			}
		}
	}
}

// TestImplied: prices alone gain most of what the best reservation gains in larger systems, a
// search from them on finds no less than one from none on, and jobs that are alike are all let in.
func TestImplied(t *testing.T) {
	reward := func(r *Reserved) func(keep []int) (float64, error) {
		return func(keep []int) (float64, error) {
			v, _ := r.Approximate(keep)
			return v, nil
		}
	}
	for name, r := range map[string]*Reserved{
		"two":   {Servers: 12, Classes: []Class{of(1, 4), of(4, 1.2)}, Means: []float64{1, 1.5}, Worths: []float64{1, 30}},
		"four":  {Servers: 100, Classes: []Class{of(1, 60), of(2, 15), of(8, 3), of(16, 1)}, Means: []float64{1, 2, 1, 4}, Worths: []float64{1, 3, 30, 200}},
		"large": {Servers: 2000, Classes: []Class{of(1, 1400), of(8, 60), of(64, 6)}, Means: []float64{1, 2, 5}, Worths: []float64{1, 20, 2000}},
	} {
		keep, err := r.Implied(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		none := make([]int, len(keep))
		got, _ := r.Approximate(keep)
		without, _ := r.Approximate(none)
		_, best, _ := r.Best(t.Context(), none, reward(r))
		if part := (got - without) / (best - without); !(part > 0.85) && (name != "two" || !(part > 0.15)) {
			t.Errorf("%s: prices reserve %v and carry %v, without %v, best %v", name, keep, got, without, best)
		}
		if _, from, _ := r.Best(t.Context(), keep, reward(r)); from < best*(1-1e-9) {
			t.Errorf("%s: %v from the prices on, %v from none on", name, from, best)
		}
	}
	fair := &Reserved{Servers: 40, Classes: []Class{of(1, 20), of(1, 25)}, Means: []float64{1, 1}, Worths: []float64{2, 2}}
	if keep, _ := fair.Implied(t.Context()); keep[0] != 0 || keep[1] != 0 {
		t.Errorf("jobs that are alike are kept out: %v", keep)
	}
}
