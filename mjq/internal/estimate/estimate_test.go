package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// coverage is how often an interval holds the truth over many repetitions.
func coverage(reps int, run func(rng *rand.Rand) (result.Estimate, float64)) float64 {
	in := 0
	for r := range reps {
		if e, truth := run(rand.New(rand.NewPCG(uint64(r), 5))); e.Covers(truth) {
			in++
		}
	}
	return float64(in) / float64(reps)
}

// TestCoverage checks that 90 % intervals hold the truth nine times in ten.
// With 2000 repetitions the standard error is 0.0067; the bound is 0.03. The
// narrow case divides by n where √n is due, the slip that one of the field's
// simulators has: it must fail the same bound.
func TestCoverage(t *testing.T) {
	const reps, level = 2000, 0.9
	wait := func(rng *rand.Rand) float64 { // an atom at 0 and a tail
		if rng.Float64() < 0.3 {
			return 0
		}
		return rng.ExpFloat64()
	}
	pair := func(n int, of func(p *Pair) result.Estimate) func(rng *rand.Rand) result.Estimate {
		return func(rng *rand.Rand) result.Estimate {
			var p Pair
			for range n {
				x := wait(rng)
				p.Add(x, x*x)
			}
			return of(&p)
		}
	}
	controlled := func(rng *rand.Rand) result.Estimate {
		ys, xs, idle := make([]float64, 20), make([]float64, 20), make([]float64, 20)
		for i := range ys {
			xs[i] = rng.NormFloat64()
			ys[i] = 0.7 + 3*xs[i] + 0.5*rng.NormFloat64()
			idle[i] = 4
		}
		return Controlled(ys, [][]float64{xs, idle}, []float64{0, 4}, level, "")
	}
	mean := func(p *Pair) result.Estimate { return p.Mean(level, "") }
	for _, c := range []struct {
		name  string
		run   func(rng *rand.Rand) result.Estimate
		truth float64
		good  bool
	}{
		{"mean", pair(200, mean), 0.7, true},
		{"variance", pair(2000, func(p *Pair) result.Estimate { return p.Variance(level, "") }), 1.4 - 0.49, true},
		{"controlled mean", controlled, 0.7, true},
		{"too narrow by √n", func(rng *rand.Rand) result.Estimate {
			e := pair(200, mean)(rng)
			e.HalfWidth /= math.Sqrt(200)
			return e
		}, 0.7, false},
	} {
		got := coverage(reps, func(rng *rand.Rand) (result.Estimate, float64) { return c.run(rng), c.truth })
		if ok := math.Abs(got-level) < 0.03; ok != c.good {
			t.Errorf("%s: a 90 %% interval holds the truth in %.1f %% of the cases", c.name, 100*got)
		}
	}
}

func TestControlsNarrowTheInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	ys, xs := make([]float64, 50), make([]float64, 50)
	for i := range ys {
		xs[i] = rng.NormFloat64()
		ys[i] = xs[i] + 0.1*rng.NormFloat64()
	}
	plain := OfReplications(ys, 0.95, "")
	with := Controlled(ys, [][]float64{xs}, []float64{0}, 0.95, "")
	if !(with.HalfWidth < plain.HalfWidth/5) {
		t.Errorf("half-width %v with a control of correlation 0.995, %v without", with.HalfWidth, plain.HalfWidth)
	}
}

// TestPairDoesNotCancel: numbers around 10^6 whose spread is 0.3.
func TestPairDoesNotCancel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var p Pair
	for range 1000 {
		x := 1e6 + rng.Float64()
		p.Add(x, x*x)
	}
	if e := p.Mean(0.95, ""); math.Abs(e.HalfWidth-1.96*math.Sqrt(1./12/1000)) > 0.001 {
		t.Errorf("half-width %v of 1000 uniform numbers around 10^6", e.HalfWidth)
	}
}

// TestHistogram holds quantiles and CDF against the sorted sample.
func TestHistogram(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var h, part Histogram
	const n = 200_000
	for i := range n {
		x := 0.0
		if rng.Float64() < 0.75 {
			x = math.Exp(3 * rng.NormFloat64())
		}
		if i%3 == 0 {
			h.Add(x)
		} else {
			part.Add(x)
		}
	}
	h.Merge(&part)
	d := h.Distribution()
	if d.Total != n {
		t.Fatalf("%v of %d observations", d.Total, n)
	}
	normal := func(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }
	for _, x := range []float64{0, 1e-3, 0.1, 1, 10, 1000} {
		want := 0.25 + 0.75*normal(math.Log(x)/3)
		if got := d.CDF(x); math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/n) {
			t.Errorf("CDF(%v) = %v, law %v", x, got, want)
		}
		if p := d.CDF(x); x > 0 && math.Abs(d.Quantile(p)-x) > 1e-6*x {
			t.Errorf("Quantile(CDF(%v)) = %v", x, d.Quantile(p))
		}
	}
	if d.Quantile(0.2) != 0 || d.CDF(-1) != 0 || d.CDF(math.Inf(1)) != 1 || !math.IsNaN(d.Quantile(1.5)) {
		t.Error("the atom at 0 or the ends are wrong")
	}
	edges := []float64{0, 1, 2, 4}
	area := 0.0
	for i, f := range d.Density(edges) {
		area += f * (edges[i+1] - edges[i])
	}
	if want := d.CDF(4) - d.CDF(0); math.Abs(area-want) > 1e-12 {
		t.Errorf("the density has area %v, the CDF says %v", area, want)
	}
	m := result.Mix([]result.Distribution{d, {Zero: 5, Total: 5}}, []float64{0.25, 0.75})
	if got := m.CDF(1); math.Abs(got-(0.25*d.CDF(1)+0.75)) > 1e-12 {
		t.Errorf("mixture CDF(1) = %v", got)
	}
}

// TestHistogramUnits: in a unit of 2^k all cells move by k octaves, as far as
// numbers reach, and cells counted elsewhere land where Add puts them.
func TestHistogramUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	var xs []float64
	for range 2000 {
		xs = append(xs, math.Exp(5*rng.NormFloat64()))
	}
	var one Histogram
	cells := make([]uint64, 104*octave)
	for _, x := range xs {
		one.Add(x)
		cells[int(math.Float64bits(x)>>cellShift)-lowest*octave]++
	}
	want := one.Distribution()
	for _, k := range []int{-900, -80, -45, -1, 0, 1, 60, 900} {
		var h, part, there Histogram
		for i, x := range xs {
			if i%2 == 0 {
				h.Add(math.Ldexp(x, k))
			} else {
				part.Add(math.Ldexp(x, k))
			}
		}
		h.Merge(&part)
		there.AddCells(0, cells, k)
		a, b := h.Distribution(), there.Distribution()
		if !slices.Equal(a.Cells, b.Cells) || !slices.Equal(a.Weights, b.Weights) || a.Total != want.Total {
			t.Errorf("times 2^%d: cells counted elsewhere differ", k)
		}
		for _, p := range []float64{0.001, 0.2, 0.5, 0.999} {
			if got := a.Quantile(p); got != math.Ldexp(want.Quantile(p), k) {
				t.Errorf("times 2^%d: %v-quantile %v, should be %v", k, p, got, math.Ldexp(want.Quantile(p), k))
			}
		}
		if got := a.CDF(math.Ldexp(2, k)); got != want.CDF(2) {
			t.Errorf("times 2^%d: distribution function %v, should be %v", k, got, want.CDF(2))
		}
	}
}

func TestEstimateString(t *testing.T) {
	for _, c := range []struct {
		e    result.Estimate
		want string
	}{
		{result.Unknown(), "–"}, {result.Infinite(""), "∞"}, {result.Exact(2.1068, ""), "2.1068"},
		{result.Estimate{Value: 9.4567, HalfWidth: 0.0213}, "9.457 ± 0.021"},
		{result.Estimate{Value: 1234.5, HalfWidth: 345}, "1234 ± 345"}, // half to even
		{result.Estimate{Value: 3, HalfWidth: math.NaN()}, "3 ± ?"},
	} {
		if got := c.e.String(); got != c.want {
			t.Errorf("%+v prints %q, want %q", c.e, got, c.want)
		}
	}
}
