package mam

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// closed are the closed forms of the Poisson process whose rate is a, left at
// rate r, or b, left at rate s: Heffes and Lucantoni, IEEE JSAC 4 (1986), and
// Fischer and Meier-Hellstern, Performance Evaluation 18 (1993).
func closed(a, b, r, s float64) (scv, lag1, decay, limit float64, at func(t float64) float64) {
	det := a*b + a*s + b*r
	scv = 1 + 2*r*s*(a-b)*(a-b)/((r+s)*(r+s)*det)
	lag1 = a * b * (a - b) * (a - b) * r * s / (scv * (r + s) * (r + s) * det * det)
	more := 2 * (a - b) * (a - b) * r * s / ((r + s) * (r + s) * (a*s + b*r))
	return scv, lag1, a * b / det, 1 + more, func(t float64) float64 {
		x := (r + s) * t
		if x < 1e-5 {
			return 1 + more*(x/2-x*x/6)
		}
		return 1 + more*(1+math.Expm1(-x)/x)
	}
}

func agrees(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestTwoPhases holds counts and gaps against the closed forms, in both ways in
// which they are found.
func TestTwoPhases(t *testing.T) {
	for _, c := range [][4]float64{{3, 0.2, 0.05, 0.1}, {0.3, 1.2, 0.2, 0.3}, {5, 0, 1, 2}, {1, 1, 1, 1}, {100, 1e-3, 1e-4, 1e-6}, {3e9, 1e9, 1e-9, 3e-9}} {
		m := MMPP2(c[0], c[1], c[2], c[3])
		scv, lag1, decay, limit, at := closed(c[0], c[1], c[2], c[3])
		agrees(t, "the scv", m.SCV(), scv, 1e-11)
		agrees(t, "the dispersion", m.Dispersion(), limit, 1e-9)
		for _, x := range []float64{1e-3, 0.1, 1, 10, 1e4} {
			agrees(t, "the dispersion in time", m.DispersionAt(x), at(x), 1e-9)
		}
		for j, rho := range m.LagCorrelations(5) {
			agrees(t, "a lag correlation", rho, lag1*math.Pow(decay, float64(j)), 1e-10)
		}
		s, err := m.MarkovRenewal()
		if err != nil {
			t.Fatal(err)
		}
		agrees(t, "the mean gap", s.Interval()*m.Rate(), 1, 1e-13)
		agrees(t, "the scv of gaps", s.SCV(), scv, 1e-11)
		agrees(t, "the dispersion of gaps", s.Dispersion(), limit, 1e-9)
		for j, rho := range s.LagCorrelations(5) {
			agrees(t, "a lag correlation of gaps", rho, lag1*math.Pow(decay, float64(j)), 1e-10)
		}
		n := 40.0
		sum := 1.0
		for j := 1.0; j < n; j++ {
			sum += 2 * (1 - j/n) * lag1 * math.Pow(decay, j-1)
		}
		agrees(t, "the dispersion of 40 gaps", m.IntervalDispersion(40), scv*sum, 1e-10)
	}
}

// TestRenewalCounts uses that the limit of the dispersion of a renewal process is
// the squared coefficient of variation of its gaps, which do not correlate.
func TestRenewalCounts(t *testing.T) {
	for _, p := range []PH{Exponential(2), Erlang(3, 1), {[]float64{0.2, 0.8}, mat.NewDense(2, 2, []float64{-0.1, 0, 0, -4})}} {
		m, err := Renewal(p)
		if err != nil {
			t.Fatal(err)
		}
		agrees(t, "the dispersion", m.Dispersion(), p.SCV(), 1e-12)
		agrees(t, "the dispersion late", m.DispersionAt(1e7), p.SCV(), 1e-5)
		agrees(t, "the dispersion early", m.DispersionAt(1e-6), 1, 1e-4)
		agrees(t, "the dispersion of intervals", m.IntervalDispersion(30), p.SCV(), 1e-12)
	}
}

// TestReverseLooksBack holds the reversed process against what time reversal
// keeps, and against the process itself when reversed again.
func TestReverseLooksBack(t *testing.T) {
	m := MAP{mat.NewDense(3, 3, []float64{-2, 0.5, 0, 0, -1, 0.3, 0.2, 0, -4}),
		mat.NewDense(3, 3, []float64{1, 0.5, 0, 0.1, 0.2, 0.4, 0, 0, 3.8})}
	r, err := m.Reverse()
	if err != nil {
		t.Fatal(err)
	}
	agrees(t, "the rate", r.Rate(), m.Rate(), 1e-13)
	agrees(t, "the scv", r.SCV(), m.SCV(), 1e-12)
	agrees(t, "the dispersion", r.DispersionAt(2), m.DispersionAt(2), 1e-12)
	for j, rho := range r.LagCorrelations(4) {
		agrees(t, "a lag correlation", rho, m.LagCorrelations(4)[j], 1e-12)
	}
	if mat.EqualApprox(r.D1, m.D1, 1e-3) {
		t.Error("the process is its own reverse")
	}
	again, err := r.Reverse()
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(again.D0, m.D0, 1e-13) || !mat.EqualApprox(again.D1, m.D1, 1e-13) {
		t.Error("reversed twice it is another process")
	}
	// The phase before an arrival of m: pi_i (D1 1)_i / rate.
	pi, _ := m.Phases()
	alpha, _ := r.AtArrivals()
	for i, row := range []float64{1.5, 0.7, 3.8} {
		agrees(t, "a phase before an arrival", alpha[i], pi[i]*row/m.Rate(), 1e-13)
	}
	m.D0.Set(2, 0, 0)
	m.D0.Set(2, 2, -3.8)
	if _, err := m.Reverse(); err == nil {
		t.Error("phases that are left for good have a reverse")
	}
}

// TestSuperposeAddsCounts uses that counts of independent processes add: rates
// and variances do.
func TestSuperposeAddsCounts(t *testing.T) {
	x := MMPP2(3, 0.2, 0.05, 0.1)
	y, err := Renewal(Erlang(2, 0.7))
	if err != nil {
		t.Fatal(err)
	}
	z, err := Superpose(x, y)
	if err != nil {
		t.Fatal(err)
	}
	agrees(t, "the rate", z.Rate(), x.Rate()+y.Rate(), 1e-13)
	for _, at := range []float64{0.3, 5} {
		agrees(t, "the variance", z.DispersionAt(at)*z.Rate(), x.DispersionAt(at)*x.Rate()+y.DispersionAt(at)*y.Rate(), 1e-11)
	}
	pp, _ := Superpose(Poisson(1), Poisson(2))
	if pp.D0.At(0, 0) != -3 || pp.D1.At(0, 0) != 3 {
		t.Errorf("Poisson processes of rates 1 and 2 make %v, %v", pp.D0, pp.D1)
	}
	if _, err := Superpose(x, MAP{}); err == nil {
		t.Error("half a process is superposed")
	}
}

// TestMarkovRenewalFaults names what keeps a sequence from being one.
func TestMarkovRenewalFaults(t *testing.T) {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	for what, m := range map[string]MarkovRenewal{
		"nothing":           {},
		"no second moments": {one(1), one(1), nil},
		"a negative mean":   {one(1), one(-1), []float64{1}},
		"a negative square": {one(1), one(1), []float64{-1}},
		"no transition":     {one(0.5), one(1), []float64{1}},
	} {
		if m.Validate() == nil || !math.IsNaN(m.SCV()) || !math.IsNaN(m.LagCorrelations(1)[0]) {
			t.Errorf("%s passes", what)
		}
	}
	heavy := MarkovRenewal{one(1), one(1), []float64{math.Inf(1)}}
	if !math.IsInf(heavy.SCV(), 1) || !math.IsInf(heavy.Dispersion(), 1) || !math.IsNaN(heavy.LagCorrelations(1)[0]) {
		t.Error("times of infinite variance")
	}
	if !math.IsNaN(Poisson(1).DispersionAt(0)) || !math.IsNaN(Poisson(1).IntervalDispersion(0)) || !math.IsNaN((MAP{}).Dispersion()) {
		t.Error("no time, no gaps, no process")
	}
	agrees(t, "the dispersion of a Poisson process", Poisson(3).Dispersion(), 1, 0)
}
