package limit

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// TestMixtures holds the capacity against the bounds of every policy in
// policy_values.json.
func TestMixtures(t *testing.T) {
	data, err := os.ReadFile("../../testdata/policy_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Values []struct {
			ID, Model, Policy string
			Servers           int
			Value             float64
			Classes           []struct {
				Need              int
				Rate, Probability float64
			}
		}
	}
	_ = json.Unmarshal(data, &file) // other models have other fields
	n := 0
	for _, v := range file.Values {
		if v.Model != "stability" || v.Policy != "any" {
			continue
		}
		n++
		var kinds []Kind
		for _, c := range v.Classes {
			kinds = append(kinds, Kind{Need: []int{c.Need}, Work: c.Probability / c.Rate})
		}
		s := mixtureSolve(t, []int{v.Servers}, kinds)
		if math.Abs(s.Rate-v.Value) > 1e-12*v.Value {
			t.Errorf("%s: %.16g, want %.16g", v.ID, s.Rate, v.Value)
		}
	}
	if n != 6 {
		t.Errorf("%d values", n)
	}
}

// mixtureSolve also holds the mixture against the work, the units and the prices.
func mixtureSolve(t *testing.T, units []int, kinds []Kind) *Mixture {
	t.Helper()
	s, err := mixtureOfUnits(context.Background(), units, kinds)
	if err != nil {
		t.Fatal(err)
	}
	if !(s.Bound-s.Rate <= 1e-11*s.Rate) || s.Bound < s.Rate {
		t.Errorf("primal %.16g, dual %.16g", s.Rate, s.Bound)
	}
	share, served := 0.0, make([]float64, len(kinds))
	for _, x := range s.Schedules {
		share += x.Share
		price := 0.0
		for k, n := range x.Jobs {
			served[k] += x.Share * float64(n)
			price += float64(n) * s.Price[k]
		}
		if math.Abs(price-1) > 1e-10 {
			t.Errorf("a schedule of the mixture costs %v", price)
		}
		for j, u := range units {
			used := 0
			for k, n := range x.Jobs {
				used += n * kinds[k].Need[j]
			}
			if used > u {
				t.Errorf("schedule %v does not fit", x.Jobs)
			}
		}
	}
	if math.Abs(share-1) > 1e-12 {
		t.Errorf("shares sum to %v", share)
	}
	for k := range kinds {
		if math.Abs(served[k]-s.Rate*kinds[k].Work) > 1e-12*float64(units[0]) {
			t.Errorf("kind %d: %v served, %v comes", k, served[k], s.Rate*kinds[k].Work)
		}
	}
	return s
}

// TestMixturesAgainstAllSchedules: the simplex method of gonum on the list of all schedules finds
// the same, for one and for two types of resources.
func TestMixturesAgainstAllSchedules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		units := []int{2 + rng.IntN(12)}
		if rng.IntN(2) == 0 {
			units = append(units, 1+rng.IntN(5))
		}
		var kinds []Kind
		for range 1 + rng.IntN(4) {
			k := Kind{Need: []int{1 + rng.IntN(units[0])}, Work: math.Exp(3 * rng.NormFloat64())}
			if len(units) > 1 {
				k.Need = append(k.Need, rng.IntN(units[1]+1))
			}
			kinds = append(kinds, k)
		}
		var columns [][]int
		var list func(jobs []int)
		list = func(jobs []int) {
			if len(jobs) == len(kinds) {
				columns = append(columns, jobs)
				return
			}
			for n := 0; fit(units, kinds, append(jobs, n)); n++ {
				list(append(append([]int(nil), jobs...), n))
			}
		}
		list(nil)
		columns = columns[1:] // the first is empty
		a, cost, work := mat.NewDense(len(kinds), len(columns), nil), make([]float64, len(columns)), make([]float64, len(kinds))
		for j, x := range columns {
			cost[j] = 1
			for k, n := range x {
				a.Set(k, j, float64(n))
			}
		}
		for k, kind := range kinds {
			work[k] = kind.Work
		}
		least, _, err := lp.Simplex(cost, a, work, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s := mixtureSolve(t, units, kinds); math.Abs(s.Rate*least-1) > 1e-9 {
			t.Errorf("%v %v: %v, want %v", units, kinds, s.Rate, 1/least)
		}
	}
}

func fit(units []int, kinds []Kind, jobs []int) bool {
	for j, u := range units {
		used := 0
		for k, n := range jobs {
			used += n * kinds[k].Need[j]
		}
		if used > u || jobs[len(jobs)-1] > units[0] {
			return false
		}
	}
	return true
}

// TestMixturesOfManyKinds: forty needs on two thousand servers take a moment, and needs that divide the
// servers one after the other leave nothing idle.
func TestMixturesOfManyKinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var kinds []Kind
	for range 40 {
		kinds = append(kinds, Kind{Need: []int{1 + rng.IntN(700)}, Work: math.Exp(4 * rng.NormFloat64())})
	}
	began := time.Now()
	mixtureSolve(t, []int{2047}, kinds)
	t.Logf("40 needs on 2047 servers: %v", time.Since(began))

	work, kinds := 0.0, nil
	for need := 1; need <= 1024; need *= 2 {
		k := Kind{Need: []int{need}, Work: rng.Float64() / float64(need)}
		work += float64(need) * k.Work
		kinds = append(kinds, k)
	}
	if s := mixtureSolve(t, []int{2048}, kinds); math.Abs(s.Rate*work/2048-1) > 1e-11 {
		t.Errorf("powers of two: %v of the servers are busy", s.Rate*work/2048)
	}
}

// TestMixturesOfUnits: the capacity counts per unit of time, whatever that is, and does not mind
// servers sold by the thousand.
func TestMixturesOfUnits(t *testing.T) {
	a := mixtureSolve(t, []int{7}, []Kind{{Need: []int{2}, Work: 0.6}, {Need: []int{5}, Work: 0.8}})
	b := mixtureSolve(t, []int{7000}, []Kind{{Need: []int{2000}, Work: 0.6e-30}, {Need: []int{5000}, Work: 0.8e-30}})
	if math.Abs(b.Rate*1e-30/a.Rate-1) > 1e-13 {
		t.Errorf("%v and %v", a.Rate, b.Rate)
	}
	if _, err := mixtureOfUnits(context.Background(), []int{20_000_001}, []Kind{{Need: []int{1}, Work: 1}}); err == nil {
		t.Error("twenty million servers are not refused")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := mixtureOfUnits(ctx, []int{7}, []Kind{{Need: []int{1}, Work: 1}}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
