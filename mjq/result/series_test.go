package result

import (
	"math"
	"strings"
	"testing"
)

// TestSeriesOver divides values whose quotients and intervals are known by hand.
func TestSeriesOver(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	interval := func(v, half float64) Estimate { return Estimate{Value: v, HalfWidth: half, Level: 0.95, N: 9} }
	a := Series{Name: "a", X: x, Values: []Estimate{interval(6, 1), Exact(6, ""), interval(6, 1), Unknown()}}
	b := Series{Name: "b", X: x, Values: []Estimate{Exact(2, ""), interval(4, 1), interval(2, 1), Exact(1, "")}}
	q, err := a.Over(b)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Estimate{interval(3, 0.5), interval(1.5, 0.5), interval(3, math.NaN())} {
		if got := q.Values[i]; got.Value != want.Value || !equal(got.HalfWidth, want.HalfWidth) || got.Level != 0.95 {
			t.Errorf("quotient %d is %v, not %v", i, got, want)
		}
	}
	if q.Values[3].Known() {
		t.Error("an unknown value over 1 is known")
	}
	if part, err := (Series{X: x[1:2], Values: a.Values[1:2]}).Over(b); err != nil || part.Values[0].Value != 1.5 {
		t.Errorf("one of the places: %+v, %v", part, err)
	}
	for _, other := range []Series{{Name: "c"}, {Name: "c", X: []float64{1, 2, 3, 5}, Values: b.Values}} {
		if _, err := a.Over(other); err == nil || !strings.Contains(err.Error(), `"a" over "c"`) {
			t.Errorf("series at other places divide: %v", err)
		}
	}
}

// TestSweepAxis asks sweeps of rates, of loads and of servers along which axis they go.
func TestSweepAxis(t *testing.T) {
	nan := math.NaN()
	for want, points := range map[string][]SweepPoint{
		"arrival rate λ": {{Servers: 4, Rate: 1, Load: nan}, {Servers: 4, Rate: 2, Load: nan}},
		"load λ/λ_{c}":   {{Servers: 4, Rate: nan, Load: 1}, {Servers: 4, Rate: nan, Load: 2}},
		"servers":        {{Servers: 1, Rate: 3, Load: nan}, {Servers: 2, Rate: 3, Load: nan}},
	} {
		s := &Sweep{Points: points, Replications: 1}
		s.Jobs = []SweepJob{{Point: 1, Result: &Result{WastedHOL: Exact(7, "")}}}
		label, at := s.Axis()
		if label != want || at[0] != 1 || at[1] != 2 {
			t.Errorf("%s: axis %q at %v", want, label, at)
		}
		waste := s.Series("waste", func(r *Result) Estimate { return r.WastedHOL })
		if len(waste.X) != 1 || waste.X[0] != 2 || waste.Values[0].Value != 7 {
			t.Errorf("%s: the one finished point is %+v", want, waste)
		}
	}
}
