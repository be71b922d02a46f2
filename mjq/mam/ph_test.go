package mam

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestErlangClosedForms(t *testing.T) {
	const k, mean = 5, 2.5
	p := Erlang(k, mean)
	rate := k / mean
	want := 1.0
	for m := 1; m <= 6; m++ {
		want *= float64(k+m-1) / rate
		near(t, "moment", p.Moment(m), want, 1e-14)
	}
	near(t, "variance", p.Variance(), mean*mean/k, 1e-13)
	near(t, "scv", p.SCV(), 1.0/k, 1e-13)
	for _, x := range []float64{1e-3, 0.1, 1, 2.5, 10, 60} {
		survival, term := 0.0, math.Exp(-rate*x)
		for i := range k {
			survival += term
			term *= rate * x / float64(i+1)
		}
		near(t, "survival", p.Survival(x), survival, 1e-13)
		near(t, "density", p.Density(x), math.Pow(rate*x, k-1)/24*rate*math.Exp(-rate*x), 1e-13)
		below := 0.0
		for i := k; i < 400; i++ {
			below += term
			term *= rate * x / float64(i+1)
		}
		near(t, "cdf", p.CDF(x), below, 1e-13)
	}
	s := complex(0.3, -4)
	if got, want := p.LST(s), cmplx.Pow(complex(rate, 0)/(complex(rate, 0)+s), k); cmplx.Abs(got-want) > 1e-14 {
		t.Errorf("transform %v, want %v", got, want)
	}
}

func TestPHValidate(t *testing.T) {
	for _, c := range []struct {
		p    PH
		want string
	}{
		{PH{}, "at least one phase"},
		{PH{[]float64{1}, mat.NewDense(2, 2, nil)}, "A is 2 by 2 and Alpha has 1 phases"},
		{PH{[]float64{2}, scalar(-1)}, "sum to 2"},
		{PH{[]float64{1, 0}, mat.NewDense(2, 2, []float64{-1, 1, 1, -1})}, "phase 0 never leads to absorption"},
		{PH{[]float64{1, 0}, mat.NewDense(2, 2, []float64{-1, -1, 0, 1})}, "A(0,1) is -1"},
		{PH{[]float64{math.NaN()}, scalar(1)}, "initial probability 0 is NaN"},
	} {
		if err := c.p.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if m := c.p.Mean(); !math.IsNaN(m) {
			t.Errorf("an invalid law has mean %v", m)
		}
	}
}

func TestFitTwoMoments(t *testing.T) {
	for _, scv := range []float64{0.002, 0.05, 0.2, 0.25, 0.3, 0.5, 0.7, 1 - 1e-13, 1, 1.5, 40, 1e6} {
		p, err := FitTwoMoments(3, scv)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "mean", p.Mean(), 3, 1e-13)
		near(t, "scv", p.SCV(), scv, 1e-10)
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range [][2]float64{{0, 1}, {1, 0}, {1, -1}, {1, 1e-9}, {math.NaN(), 1}, {1, math.NaN()}} {
		if _, err := FitTwoMoments(bad[0], bad[1]); err == nil {
			t.Errorf("%v is fitted", bad)
		}
	}
}

// randomAPH is a random acyclic law of n phases with rates over four decades.
func randomAPH(n int, rng *rand.Rand) PH {
	p := PH{make([]float64, n), mat.NewDense(n, n, nil)}
	total := 0.0
	for i := range n {
		p.Alpha[i] = rng.ExpFloat64() * math.Pow(rng.Float64(), 4)
		total += p.Alpha[i]
	}
	rate := 1.0
	for i := range n {
		p.Alpha[i] /= total
		p.chain(i, i+1, rate)
		if i+1 < n {
			p.A.Set(i, i+1, rate)
		}
		rate *= math.Pow(10, 1.3*rng.Float64())
	}
	return p
}

// TestFitThreeMoments: moments of a law of n phases are matched with n at most,
// and lie within the bounds for n.
func TestFitThreeMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 400 {
		n := 2 + trial%5
		x := randomAPH(n, rng)
		m1, m2, m3 := x.Moment(1), x.Moment(2), x.Moment(3)
		low, high := ThirdMomentBounds(m1, m2, n)
		if !(m3 >= low*(1-1e-9) && m3 <= high*(1+1e-9)) {
			t.Errorf("n %d: %v lies outside %v to %v", n, m3, low, high)
		}
		p, err := FitThreeMoments(m1, m2, m3, n)
		if err != nil {
			t.Error(err)
			continue
		}
		near(t, "first", p.Moment(1), m1, 1e-9)
		near(t, "second", p.Moment(2), m2, 1e-9)
		near(t, "third", p.Moment(3), m3, 1e-9)
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// TestFitThreeMomentsPublished: the examples of APHFrom3Moments and
// APH3rdMomentLowerBound in the documentation of BuTools
// (github.com/ghorvath78/butools, doc/source).
func TestFitThreeMomentsPublished(t *testing.T) {
	for _, c := range []struct {
		m1, m2, m3 float64
		phases     int
		first      float64 // a rate of the fit, printed with five digits
		other      float64
	}{
		{10, 125, 8400, 6, 0.0022936, 0.50029},
		{10, 525, 31400, 8, 0.15079, 5.9502},
	} {
		p, err := FitThreeMoments(c.m1, c.m2, c.m3, 100)
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.Alpha)
		if n != c.phases {
			t.Errorf("%d phases, want %d", n, c.phases)
		}
		near(t, "first rate", -p.A.At(0, 0), c.first, 4e-5)
		near(t, "last rate", -p.A.At(n-1, n-1), c.other, 4e-5)
		near(t, "third", p.Moment(3), c.m3, 1e-9)
	}
	for _, c := range []struct {
		n         int
		low, high float64
	}{{3, 16.577458090899107, 17.081405365964276}, {4, 16.079377140256387, math.Inf(1)}} {
		low, high := ThirdMomentBounds(1.9, 5, c.n)
		near(t, "least third moment", low, c.low, 1e-14)
		if high != c.high {
			near(t, "largest third moment", high, c.high, 1e-14)
		}
	}
	_, err := FitThreeMoments(1.9, 5, 17.2, 3)
	if err == nil || !strings.Contains(err.Error(), "m3 between 16.577458") {
		t.Errorf("got %v", err)
	}
	for _, bad := range [][3]float64{{1, 1, 2}, {1, 2, 3}, {-1, 2, 6}, {1, math.NaN(), 6}, {1, 2, math.Inf(1)}} {
		if _, err := FitThreeMoments(bad[0], bad[1], bad[2], 10); err == nil {
			t.Errorf("%v is fitted", bad)
		}
	}
}

func TestPHJoins(t *testing.T) {
	h, err := FitTwoMoments(1.5, 4)
	if err != nil {
		t.Fatal(err)
	}
	e := Erlang(3, 2)
	e.Alpha[0] = 0.9 // and 0 with probability 0.1
	sumOf, err := Convolve(e, h)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean of the sum", sumOf.Mean(), e.Mean()+h.Mean(), 1e-14)
	near(t, "variance of the sum", sumOf.Variance(), e.Variance()+h.Variance(), 1e-13)
	mixed, err := Mix([]float64{0.3, 0.7}, e, h)
	if err != nil {
		t.Fatal(err)
	}
	low, err := Min(e, h)
	if err != nil {
		t.Fatal(err)
	}
	high, err := Max(e, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0, 0.3, 2, 9} {
		near(t, "mixture", mixed.CDF(x), 0.3*e.CDF(x)+0.7*h.CDF(x), 1e-13)
		near(t, "minimum", low.Survival(x), e.Survival(x)*h.Survival(x), 1e-13)
		near(t, "maximum", high.CDF(x), e.CDF(x)*h.CDF(x), 1e-13)
	}
	near(t, "mean of both", low.Mean()+high.Mean(), e.Mean()+h.Mean(), 1e-14)
	if _, err := Mix([]float64{1}, e, h); err == nil {
		t.Error("one weight for two laws is taken")
	}
	if _, err := Mix([]float64{0.5, 0.6}, e, h); err == nil {
		t.Error("weights that sum to 1.1 are taken")
	}
}

// TestThirdMomentBoundsAreSharp: moments just inside the bounds of n phases are
// matched with n phases, and those just outside are not.
func TestThirdMomentBoundsAreSharp(t *testing.T) {
	for n := 2; n <= 12; n++ {
		least := float64(n+1) / float64(n)
		for _, above := range []float64{1e-3, 0.01, 0.05, 0.2, 0.4, 0.8, 3, 30} {
			m2 := least + above
			low, high := ThirdMomentBounds(1, m2, n)
			high = min(high, 50*low)
			for _, at := range []float64{0.001, 0.1, 0.5, 0.9, 0.999} {
				m3 := low + at*(high-low)
				if _, err := FitThreeMoments(1, m2, m3, n); err != nil {
					t.Errorf("n %d at %v of the range: %v", n, at, err)
				}
			}
			for _, m3 := range []float64{low * (1 - 1e-4), high * (1 + 1e-4)} {
				if l, h := ThirdMomentBounds(1, m2, n); m3 >= l && m3 <= h {
					continue
				}
				if p, err := FitThreeMoments(1, m2, m3, n); err == nil {
					t.Errorf("n %d: second moment %v, third %v outside %v to %v is matched with %d phases", n, m2, m3, low, high, len(p.Alpha))
				}
			}
		}
	}
}
