package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

func near9(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// TestCorrection: by hand, with z = 1.959963985 at 0.95, z² = 3.841458821 and
// z⁴ = 14.75680586: 1.079984640 γ² - 0.070121568 κ.
func TestCorrection(t *testing.T) {
	for _, c := range []struct {
		s    shape
		want float64
	}{
		{shape{1, 0, 0}, 1.0799846395}, {shape{1, 1, 0}, 1.0799846395 - 0.0701215684},
		{exponentialMean, 4*1.0799846395 - 6*0.0701215684},
		{shape{0, 3, 0}, 0}, // never narrower
	} {
		if got := c.s.correction(0.95); math.Abs(got-c.want) > 1e-7 {
			t.Errorf("%+v: %v, by hand %v", c.s, got, c.want)
		}
	}
	// 0, 0, 0, 1: central moments 3/16, 3/32, 21/256.
	if s := shapeOf([]float64{0, 0, 0, 1}); !near9(s.skewness2, 4./3) || !near9(s.kurtosis, -2./3) {
		t.Errorf("shape of 0, 0, 0, 1: %+v", s)
	}
	for _, x := range [][]float64{nil, {1}, {0, 0, 1}, {5, 5, 5, 5, 5}} {
		if s := shapeOf(x); s != (shape{}) {
			t.Errorf("shape of %v: %+v", x, s)
		}
	}
	c := exponentialMean.correction(0.95)
	nan := math.NaN()
	for _, x := range []struct{ effective, scv, want float64 }{
		{100, 1, c / 100}, {100, 7, 4 * c / 100}, {100, 0.25, c / 400}, {1, 1, most},
		{0, 1, 0}, {-5, 1, 0}, {nan, 1, 0}, {math.Inf(1), 1, 0}, {100, nan, 0}, {0, nan, 0},
	} {
		if got := exponentialMean.prior(0.95, x.effective, x.scv); !near9(got, x.want) {
			t.Errorf("%v exponential observations, SCV %v: %v, want %v", x.effective, x.scv, got, x.want)
		}
	}
	if got, want := exponentialVariance.prior(0.95, 1000, 2), exponentialVariance.correction(0.95)/1000; !near9(got, want) {
		t.Errorf("variance, SCV 2: %v, want %v", got, want)
	}
	if a, b := OfMean.prior(0.95, Worth{1000, 1}), OfVariance.prior(0.95, Worth{1000, 1}); !near9(a, 5*c/1000) || !near9(b, 2.5*exponentialVariance.correction(0.95)/1000) {
		t.Errorf("of paths: %v, %v", a, b)
	}
}

// TestExponentialShape: the shape of (X - 1)² for exponential X, from the moments of
// X about 1, which are the numbers of derangements: 1, 2, 9, 44, 265, 1854, 14833.
func TestExponentialShape(t *testing.T) {
	variance := 9. - 1
	third := 265. - 3*9 + 2
	fourth := 14833. - 4*265 + 6*9 - 3
	if got := (shape{third * third / (variance * variance * variance), fourth/(variance*variance) - 3, exponentialVariance.rare}); got != exponentialVariance {
		t.Errorf("%+v, want %+v", exponentialVariance, got)
	}
}

// TestInterval: five numbers by hand, without an effective number: mean 3, sum of
// squares 64, t with 4 degrees of freedom 2.776445, corrected for skewness.
func TestInterval(t *testing.T) {
	influence := []float64{-3, -2, -1, -1, 7} // of 0, 1, 2, 2, 10
	m2, m3, m4 := 64./5, (-27.-8-1-1+343)/5, (81.+16+1+1+2401)/5
	e := (1.0799846395*m3*m3/(m2*m2*m2) - 0.0701215684*(m4/m2/m2-3)) / 5
	student := 2.7764451 * math.Sqrt(64./4/5)
	for _, c := range []struct {
		effective, want float64
		of              Statistic
	}{
		{0, student * (1 + 1.5*e), OfMean},
		{200, student * (1 + 1.5*e + 5*exponentialMean.correction(0.95)/200), OfMean},
		{200, student * (1 + 1.5*e + 2.5*exponentialVariance.correction(0.95)/200), OfVariance},
	} {
		got := Interval(3, influence, 5, 0.95, c.of, Worth{c.effective, 1}, "m")
		if got.Value != 3 || got.N != 5 || got.Method != "m" || got.Level != 0.95 || math.Abs(got.HalfWidth-c.want) > 1e-5 {
			t.Errorf("%+v, by hand ± %v", got, c.want)
		}
	}
	if e := Interval(3, []float64{1}, 1, 0.95, OfMean, Worth{}, ""); !math.IsNaN(e.HalfWidth) {
		t.Errorf("one observation: %v", e)
	}
}

// TestPairInterval: of at most 512 observations it is that of all their influences,
// of more that of their sections.
func TestPairInterval(t *testing.T) {
	for _, n := range []int{300, 512, 513, 5000} {
		rng := rand.New(rand.NewPCG(5, uint64(n)))
		var p Pair
		var xs []float64
		for range n {
			x := rng.ExpFloat64() * float64(rng.IntN(2))
			xs = append(xs, x)
			p.Add(x, x*x)
		}
		width := 1
		for n > 512*width {
			width *= 2
		}
		var mean, variance []float64
		for i := 0; i+width <= n; i += width {
			a, b := 0.0, 0.0
			for _, x := range xs[i : i+width] {
				a += x - p.X
				b += (x-p.X)*(x-p.X) - (p.Y - p.X*p.X)
			}
			mean, variance = append(mean, a), append(variance, b)
		}
		var squares, fourth float64
		for _, x := range xs {
			d := x - p.X
			squares += d * d
			fourth += (d*d - (p.Y - p.X*p.X)) * (d*d - (p.Y - p.X*p.X))
		}
		scv := squares / float64(n-1) / p.X / p.X // about 3
		scale := func(d []float64, sum float64, s shape, more float64) float64 {
			student := result.StudentT(0.95, n-1) * math.Sqrt(sum/float64(n-1)/float64(n))
			return student * (1 + 1.5*shapeOf(d).correction(0.95)/float64(len(d)) + more*s.correction(0.95)/float64(n))
		}
		if got, want := p.Mean(0.95, "").HalfWidth, scale(mean, squares, exponentialMean, (1+scv)/2); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%d: mean ± %v, by hand %v", n, got, want)
		}
		if got, want := p.Variance(0.95, "").HalfWidth, scale(variance, fourth, exponentialVariance, 1); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%d: variance ± %v, by hand %v", n, got, want)
		}
		v := p.Y - p.X*p.X
		if got, want := p.Worth(), (Worth{v * float64(n) * float64(n-1) / squares, v / p.X / p.X}); !near9(got.Observations/want.Observations, 1) || !near9(got.SCV, want.SCV) {
			t.Errorf("%d: worth %v, by hand %v", n, got, want)
		}
	}
}

// stretches are the waits of a single server at load 0.8, whose relaxation time is 100
// jobs, in a given number of stretches of 2000 from an empty queue.
func stretches(rng *rand.Rand, n int) (batches []Batch) {
	for range n {
		b, wait := Batch{}, 0.0
		for i := range 2300 {
			if i >= 300 {
				b.N++
				b.X += wait
				b.X2 += wait * wait
			}
			wait = max(0, wait+rng.ExpFloat64()-rng.ExpFloat64()/0.8)
		}
		batches = append(batches, b)
	}
	return batches
}

// TestSkewedCoverage: 95 % intervals of skewed observations hold the truth in 0.93 to
// 0.985 of the repetitions, and Student's do not. The standard error is 0.006 of 1500
// repetitions.
func TestSkewedCoverage(t *testing.T) {
	const level = 0.95
	of := func(n int, draw func(x float64) float64, variance bool) func(rng *rand.Rand) (e result.Estimate, student float64) {
		return func(rng *rand.Rand) (result.Estimate, float64) {
			var p Pair
			for range n {
				x := draw(rng.ExpFloat64())
				p.Add(x, x*x)
			}
			student := result.StudentT(level, n-1) / math.Sqrt(float64(n)*float64(n-1))
			if variance {
				return p.Variance(level, ""), student * math.Sqrt(p.YY-4*p.X*p.XY+4*p.X*p.X*p.XX)
			}
			return p.Mean(level, ""), student * math.Sqrt(p.XX)
		}
	}
	onPaths := func(rng *rand.Rand) (result.Estimate, float64) {
		batches := stretches(rng, 32)
		_, e, _ := OfBatches(batches, level, "")
		var sum Batch
		for _, b := range batches {
			sum.N, sum.X, sum.X2 = sum.N+b.N, sum.X+b.X, sum.X2+b.X2
		}
		squares, m := 0.0, sum.X/sum.N
		for _, b := range batches {
			d := b.X2 - sum.X2/sum.N*b.N - 2*m*(b.X-m*b.N)
			squares += d * d
		}
		return e, result.StudentT(level, 31) * math.Sqrt(squares*32/31) / sum.N
	}
	same, square := func(x float64) float64 { return x }, func(x float64) float64 { return x * x }
	for _, c := range []struct {
		name  string
		reps  int
		truth float64
		run   func(rng *rand.Rand) (e result.Estimate, student float64)
	}{
		{"mean of 100 squares of exponentials", 1500, 2, of(100, square, false)},
		{"variance of 256 exponentials", 1500, 1, of(256, same, true)},
		{"variance on paths", 600, 0.8 * 1.2 / 0.04, onPaths},
	} {
		held, before := 0, 0
		for r := range c.reps {
			e, student := c.run(rand.New(rand.NewPCG(uint64(r), 9)))
			if e.Covers(c.truth) {
				held++
			}
			if e.HalfWidth = student; e.Covers(c.truth) {
				before++
			}
		}
		got, plain := float64(held)/float64(c.reps), float64(before)/float64(c.reps)
		t.Logf("%s: %.3f, Student's %.3f", c.name, got, plain)
		if got < 0.93 || got > 0.985 {
			t.Errorf("%s: 95 %% intervals hold the truth in %.3f of the cases", c.name, got)
		}
		if plain >= 0.93 {
			t.Errorf("%s: so do Student's, %.3f: this test shows nothing", c.name, plain)
		}
	}
}

// TestNormal: what is kept is that of the level asked for, whatever was asked for before.
func TestNormal(t *testing.T) {
	for range 2 {
		for level, want := range map[float64]float64{0.5: 0.674489750196082, 0.9: 1.6448536269514722, 0.95: 1.959963984540054} {
			if got := normal(level); math.Abs(got-want) > 1e-12 {
				t.Errorf("at %v: %v, want %v", level, got, want)
			}
		}
	}
}
