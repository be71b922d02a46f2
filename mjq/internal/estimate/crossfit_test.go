package estimate

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// TestCrossfitWithoutControls: it is then what Pair and OfBatches give, with the
// correction for paths where Pair has that for independent observations.
func TestCrossfitWithoutControls(t *testing.T) {
	for _, n := range []int{50, 700} { // 700: sections are joined
		rng := rand.New(rand.NewPCG(1, 1))
		f := NewCrossfit(0, 5)
		f.Gauge = 0
		var p Pair
		var batches []Batch
		for range n {
			x, n := rng.ExpFloat64(), math.Ceil(5*rng.Float64())
			b := Batch{n, n * x, n * (x*x + 0.1)}
			batches = append(batches, b)
			p.Add(x, x*x)
			f.Add([]float64{x, x * x, b.N, b.X, b.X2})
		}
		same := func(what string, got, want result.Estimate, tolerance float64) {
			if math.Abs(got.Value-want.Value) > 1e-12*want.Value || math.Abs(got.HalfWidth-want.HalfWidth) > tolerance*want.HalfWidth || got.N != want.N {
				t.Errorf("%d: %s: %+v, want %+v", n, what, got, want)
			}
		}
		tolerance := 1e-9
		if n > mostSections {
			tolerance = 0.05 // other observations are joined, and the last are left out
		}
		if got, want := f.worth(0), p.Worth(); math.Abs(got.Observations/want.Observations-1) > 5*tolerance || math.Abs(got.SCV/want.SCV-1) > 5*tolerance {
			t.Errorf("%d: worth %v, want %v", n, got, want)
		}
		ofPath := func(e result.Estimate, d []float64, s Statistic) result.Estimate {
			was, scv := exponentialMean, p.XX/float64(n-1)/p.X/p.X
			if s == OfVariance {
				was, scv = exponentialVariance, e.Value/p.X/p.X
			}
			e.HalfWidth *= widening(d, 0.9, s.prior(0.9, p.Worth())) / widening(d, 0.9, was.prior(0.9, float64(n), scv))
			return e
		}
		same("mean", f.Mean(0, 0.9, ""), ofPath(p.Mean(0.9, ""), p.influence(nil, 1, 0), OfMean), tolerance)
		same("variance", f.Variance(0, 0.9, ""), ofPath(p.Variance(0.9, ""), p.influence(nil, -2*p.X, 1), OfVariance), tolerance)
		mean, variance := f.Ratios(2, 0.9, "")
		ofMean, ofVariance, _ := OfBatches(batches, 0.9, "")
		same("ratio", mean, ofMean, tolerance)
		same("variance by a ratio", variance, ofVariance, tolerance)
	}
}

// TestCrossfitHasNoBias: for few observations and a control that explains x
// badly, the coefficient and the mean of the control depend on each other, which
// shows in Controlled.
func TestCrossfitHasNoBias(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var fitted, regressed Pair
	for range 16_000 {
		f, xs, cs := NewCrossfit(1, 1), make([]float64, 16), make([]float64, 16)
		for i := range xs {
			cs[i] = rng.ExpFloat64() - 1
			xs[i] = cs[i] + cs[i]*cs[i] // of expectation 1
			f.Add([]float64{cs[i], xs[i]})
		}
		fitted.Add(f.Mean(0, 0.9, "").Value, 0)
		regressed.Add(Controlled(xs, [][]float64{cs}, []float64{0}, 0.9, "").Value, 0)
	}
	off := func(p *Pair) float64 { return math.Abs(p.X-1) / (p.Mean(0.95, "").HalfWidth / 1.96) }
	if off(&fitted) > 4 || off(&regressed) < 7 {
		t.Errorf("means %v fitted to others, %v fitted to all; expected 1 and something else", fitted.X, regressed.X)
	}
}

// observe adds n observations of three controls and of N, N w and N w², each the
// sum of several parts, where the controls explain most of w.
func observe(f *Crossfit, rng *rand.Rand, n, parts int) {
	for range n {
		whole := make([]float64, 6)
		for range parts {
			c := [3]float64{math.Sqrt(12) * (rng.Float64() - 0.5), rng.NormFloat64(), rng.Float64() - 0.5}
			w, jobs := 2+c[0]+0.5*c[1]+0.3*rng.NormFloat64(), 1+c[2]
			row := []float64{c[0], c[1], c[2], jobs, jobs * w, jobs * w * w}
			f.Part(row)
			for i, x := range row {
				whole[i] += x
			}
		}
		f.Add(whole)
	}
}

// TestCrossfitCovers: intervals hold the truth as often as they say, for many
// observations and for few that are made of parts, and controls narrow them. Those of
// variances allow for waits with tails, which these have not, and are wider.
func TestCrossfitCovers(t *testing.T) {
	const level, reps = 0.9, 2000
	for _, x := range []struct{ n, parts int }{{120, 1}, {8, 32}} {
		rng := rand.New(rand.NewPCG(3, uint64(x.n)))
		var held [2]int
		var ratio Pair
		for range reps {
			f, plain := NewCrossfit(3, 3), NewCrossfit(0, 6)
			observe(f, rng, x.n, x.parts)
			mean, variance := f.Ratios(0, level, "")
			for i, e := range []result.Estimate{mean, variance} {
				if e.Covers([]float64{2, 1 + 0.25 + 0.09}[i]) {
					held[i]++
				}
			}
			observe(plain, rng, x.n, x.parts)
			without, _ := plain.Ratios(3, level, "")
			ratio.Add(without.HalfWidth/mean.HalfWidth, 0)
		}
		for i, k := range held {
			if got := float64(k) / reps; got < level-0.02 || i == 0 && got > level+0.04 {
				t.Errorf("%d observations of %d parts: 90 %% intervals of %s hold the truth in %.1f %% of the cases", x.n, x.parts, []string{"mean", "variance"}[i], 100*got)
			}
		}
		if ratio.X < 2.3 { // √(1.45/0.20) = 2.7: what N times the controls adds, they do not explain
			t.Errorf("%d observations of %d parts: intervals are narrower by %.2f only", x.n, x.parts, ratio.X)
		}
	}
}

// TestCrossfitLeavesOut: controls that explain nothing, or that never vary, cost
// little, however many they are.
func TestCrossfitLeavesOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var ratio Pair
	for range 500 {
		f := NewCrossfit(20, 1)
		var p Pair
		for range 24 {
			row := make([]float64, 21)
			for i := range row {
				row[i] = rng.NormFloat64()
			}
			row[7] = -0.1
			f.Add(row)
			p.Add(row[20], 0)
		}
		ratio.Add(f.Mean(0, 0.9, "").HalfWidth/p.Mean(0.9, "").HalfWidth, 0)
	}
	if !(ratio.X < 1.15) {
		t.Errorf("20 controls that tell nothing widen the interval of 24 observations by a factor of %.2f", ratio.X)
	}
	one := NewCrossfit(1, 2)
	one.Add([]float64{0.3, 2, 7})
	if e := one.Variance(0, 0.9, ""); e.Value != 7-2*2 || !math.IsNaN(e.HalfWidth) {
		t.Errorf("one observation of 2 and 7 has the variance %v", e)
	}
	none := NewCrossfit(0, 3)
	for range 2 {
		none.Add([]float64{0, 1, 1})
	}
	if mean, variance := none.Ratios(0, 0.9, ""); !math.IsNaN(mean.Value) || !math.IsNaN(variance.Value) {
		t.Errorf("sums over no jobs have mean %v, variance %v", mean, variance)
	}
	empty := NewCrossfit(2, 3)
	if mean, _ := empty.Ratios(0, 0.9, ""); !math.IsNaN(mean.Value) || !math.IsNaN(empty.Variance(0, 0.9, "").Value) {
		t.Errorf("no observation gives %v", mean)
	}
}

// TestCrossfitRounding: controls that are constant but for rounding, in whatever unit,
// leave the others what they are: in estimates, and in what these are worth.
func TestCrossfitRounding(t *testing.T) {
	const n = 104
	for _, unit := range []float64{1e-6, 1, 1e6} {
		with, without := NewCrossfit(3, 1), NewCrossfit(1, 1)
		rng := rand.New(rand.NewPCG(4, 5))
		for range n {
			x, y := rng.NormFloat64(), rng.NormFloat64()
			with.Add([]float64{0, unit * (1 + 1e-13*y), x, 3 + x + y})
			without.Add([]float64{x, 3 + x + y})
		}
		got, want := with.Mean(0, 0.9, ""), without.Mean(0, 0.9, "")
		if !near9(got.Value, want.Value) || !near9(got.HalfWidth, want.HalfWidth) {
			t.Errorf("unit %g: with rounding errors %v ± %v, without %v ± %v", unit, got.Value, got.HalfWidth, want.Value, want.HalfWidth)
		}
	}
}

// TestCrossfitAnew: asking before the last observations changes nothing, nor do several ask
// at once.
func TestCrossfitAnew(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const controls, values = 3, 6
	asked, fresh := NewCrossfit(controls, values), NewCrossfit(controls, values)
	for i := range 90 {
		row := make([]float64, controls+values)
		for k := range row {
			row[k] = rng.NormFloat64() + row[k/2] + 1
		}
		for _, f := range []*Crossfit{asked, fresh} {
			if i%2 == 0 {
				f.Part(row)
			}
			f.Add(row)
		}
		asked.Mean(0, 0.95, "")
		if asked.Part(row); i > 50 {
			asked.Mean(1, 0.95, "")
		}
		fresh.Part(row)
	}
	var group sync.WaitGroup
	for at := range values - 2 {
		group.Go(func() {
			mean, variance := asked.Ratios(at, 0.95, "")
			m, v := fresh.Ratios(at, 0.95, "")
			if mean != m || variance != v || asked.Mean(at, 0.95, "") != fresh.Mean(at, 0.95, "") {
				t.Errorf("value %d: %v, %v; asked once %v, %v", at, mean, variance, m, v)
			}
		})
	}
	group.Wait()
}
