package estimate

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// observations with ties and a zero, and what goes with them.
var (
	xs = []float64{0, 1.5, 4, 1.5, 2.25, 9}
	ys = []float64{1, 0.5, 7, 3, 2, 40}
)

func mean(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// spread is the standard error of the mean of v.
func spread(v []float64) float64 {
	m, sum := mean(v), 0.0
	for _, x := range v {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(v)-1) / float64(len(v)))
}

func alike(a, b float64) bool {
	return math.Abs(a-b) <= 1e-12*(math.Abs(a)+math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
}

// TestStudent: with one degree of freedom the law is Cauchy's, with two and four
// its quantiles are algebraic, with many normal.
func TestStudent(t *testing.T) {
	for _, level := range []float64{0.5, 0.9, 0.95, 0.999} {
		if got, want := result.StudentT(level, 1), math.Tan(math.Pi*level/2); !(math.Abs(got-want) <= 1e-8*want) {
			t.Errorf("T(%v, 1) = %v, want %v", level, got, want)
		}
		if got, want := result.StudentT(level, 2), level*math.Sqrt(2/(1-level*level)); !(math.Abs(got-want) <= 1e-8*want) {
			t.Errorf("T(%v, 2) = %v, want %v", level, got, want)
		}
	}
	const z = 1.959963984540054
	for range 2 { // 514 and 1026 share a place where they are kept; by Cornish and Fisher
		for _, degrees := range []int{514, 1026} {
			n := float64(degrees)
			want := z + (z*z*z+z)/(4*n) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*n*n)
			if got := result.StudentT(0.95, degrees); !(math.Abs(got-want) <= 1e-6) {
				t.Errorf("T(0.95, %d) = %v, want %v", degrees, got, want)
			}
		}
	}
	if got := result.StudentT(0.95, 1<<30); !(math.Abs(got-1.9599639845) <= 1e-6) {
		t.Errorf("T(0.95, ∞) = %v", got)
	}
	if !math.IsNaN(result.StudentT(0.95, 0)) || !math.IsNaN(result.StudentT(0.95, -1)) {
		t.Error("no degree of freedom gives a quantile")
	}
}

// TestPairByHand holds both intervals against their definitions.
func TestPairByHand(t *testing.T) {
	var p Pair
	for i := range xs {
		p.Add(xs[i], ys[i])
	}
	n := len(xs)
	m, second := mean(xs), mean(ys)
	// The corrections for skewness are tested by themselves, in TestInterval.
	scv := float64(n) * spread(xs) * spread(xs) / (m * m)
	half := result.StudentT(0.9, n-1) * spread(xs) * widening(xs[:], 0.9, exponentialMean.prior(0.9, float64(n), scv))
	if e := p.Mean(0.9, "so"); !alike(e.Value, m) || !alike(e.HalfWidth, half) || e.Level != 0.9 || e.N != n || e.Method != "so" {
		t.Errorf("mean %+v, by hand %v ± %v", e, m, half)
	}
	influence := make([]float64, n)
	for i := range xs {
		influence[i] = ys[i] - 2*m*xs[i]
	}
	value := second - m*m + spread(xs)*spread(xs)
	half = result.StudentT(0.9, n-1) * spread(influence) * widening(influence, 0.9, exponentialVariance.prior(0.9, float64(n), value/(m*m)))
	if e := p.Variance(0.9, "so"); !alike(e.Value, value) || !alike(e.HalfWidth, half) || e.Level != 0.9 || e.N != n || e.Method != "so" {
		t.Errorf("variance %+v, by hand %v ± %v", e, value, half)
	}
	if e, r := p.Mean(0.8, "r"), OfReplications(xs, 0.8, "r"); !alike(e.Value, r.Value) || !alike(e.HalfWidth, r.HalfWidth) || r.N != n {
		t.Errorf("replications %+v, a pair %+v", r, e)
	}
	var none, one, two Pair
	one.Add(3, 9)
	if e := one.Mean(0.9, ""); e.Value != 3 || !math.IsNaN(e.HalfWidth) {
		t.Errorf("one observation of 3 gives %+v", e)
	}
	if e := one.Variance(0.9, ""); e.Value != 0 || !math.IsNaN(e.HalfWidth) {
		t.Errorf("one observation of 3 has the variance %+v", e)
	}
	two = one
	two.Add(5, 25)
	if e := two.Variance(0.9, ""); !alike(e.Value, 2) {
		t.Errorf("3 and 5 have the variance %+v", e)
	}
	if !math.IsNaN(none.Mean(0.9, "").Value) || !math.IsNaN(none.Variance(0.9, "").Value) || !math.IsNaN(OfReplications(nil, 0.9, "").Value) {
		t.Error("what was never observed has a mean")
	}
}

// TestBatchesByHand: ratios of sums, by the influence of each batch.
func TestBatchesByHand(t *testing.T) {
	batches := []Batch{{3, 4, 7}, {1, 0.5, 0.25}, {0, 0, 0}, {5, 12, 60}}
	m, second := 16.5/9, 67.25/9
	var ofMean, ofVariance []float64
	for _, b := range batches {
		ofMean = append(ofMean, (b.X-m*b.N)/9*4)
		ofVariance = append(ofVariance, (b.X2-second*b.N-2*m*(b.X-m*b.N))/9*4)
	}
	mean, variance, worth := OfBatches(batches, 0.9, "so")
	v := second - m*m
	want := Worth{v / (spread(ofMean) * spread(ofMean)), v / (m * m)}
	half := result.StudentT(0.9, 3) * spread(ofMean) * widening(ofMean, 0.9, OfMean.prior(0.9, want))
	wide := result.StudentT(0.9, 3) * spread(ofVariance) * widening(ofVariance, 0.9, OfVariance.prior(0.9, want))
	if !alike(mean.Value, m) || !alike(mean.HalfWidth, half) || mean.N != 4 || mean.Level != 0.9 || mean.Method != "so" {
		t.Errorf("mean %+v, by hand %v ± %v", mean, m, half)
	}
	if !alike(variance.Value, second-m*m) || !alike(variance.HalfWidth, wide) || variance.N != 4 {
		t.Errorf("variance %+v, by hand %v ± %v", variance, v, wide)
	}
	if !alike(worth.Observations, want.Observations) || !alike(worth.SCV, want.SCV) {
		t.Errorf("worth %+v, by hand %+v", worth, want)
	}
	if mean, variance, worth := OfBatches([]Batch{{}, {}}, 0.9, ""); !math.IsNaN(mean.Value) || !math.IsNaN(variance.Value) || !math.IsNaN(worth.Observations) {
		t.Errorf("nothing observed gives %v, %v, %v", mean, variance, worth)
	}
}

// TestEstimateEnds by hand, and the digits of the text.
func TestEstimateEnds(t *testing.T) {
	e := result.Estimate{Value: -4, HalfWidth: 0.5}
	if e.Lo() != -4.5 || e.Hi() != -3.5 || e.RelErr() != 0.125 || !e.Covers(-4.5) || !e.Covers(-3.5) || e.Covers(-4.51) || e.Covers(-3.49) {
		t.Errorf("%v: from %v to %v, relative %v", e, e.Lo(), e.Hi(), e.RelErr())
	}
	for _, c := range []struct {
		e    result.Estimate
		want string
	}{
		{result.Estimate{Value: 1.23456, HalfWidth: 0.1}, "1.23 ± 0.10"},
		{result.Estimate{Value: 1.23456, HalfWidth: 0.0999}, "1.235 ± 0.100"},
		{result.Estimate{Value: 123.456, HalfWidth: 1}, "123.5 ± 1.0"},
		{result.Estimate{Value: 123.456, HalfWidth: 10}, "123 ± 10"},
		{result.Estimate{Value: 123.456, HalfWidth: 1000}, "123 ± 1000"},
		{result.Estimate{Value: 1, HalfWidth: 1e-30}, "1 ± 1e-30"},
		{result.Estimate{Value: 3, HalfWidth: math.Inf(1)}, "3 ± ?"},
		{result.Estimate{Value: math.Inf(-1)}, "∞"},
		{result.Estimate{Value: 1. / 3}, "0.333333"},
	} {
		if got := c.e.String(); got != c.want {
			t.Errorf("%v ± %v prints %q, want %q", c.e.Value, c.e.HalfWidth, got, c.want)
		}
	}
}
