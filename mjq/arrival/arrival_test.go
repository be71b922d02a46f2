package arrival

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) && !(got == want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

var (
	bursty    = MMPP([]float64{0.3, 1.2}, [][]float64{{-0.2, 0.2}, {0.3, -0.3}})
	twoPhases = MAP([][]float64{{-2, 0.5}, {0.1, -0.6}}, [][]float64{{1.2, 0.3}, {0.1, 0.4}})
	marked    = MarkedMAP([][]float64{{-0.6, 0.1}, {0.1, -0.5}},
		map[string][][]float64{"a": {{0.3, 0.1}, {0.05, 0.05}}, "b": {{0.05, 0.05}, {0.1, 0.2}}})
	turns = MarkedMAP([][]float64{{-1, 0}, {0, -2}},
		map[string][][]float64{"a": {{0, 1}, {0, 0}}, "b": {{0, 0}, {2, 0}}})
	inBatches = BatchMAP([][]float64{{-0.4, 0.2}, {0.3, -0.8}}, [][]float64{{0.15, 0}, {0, 0.3}}, [][]float64{{0.05, 0}, {0, 0.2}})
	erlang    = Renewal{law.ErlangMeanPhases(2, 3)}
	office    = Profile{Period: 24, Rates: []float64{0, 1, 4, 2}}
)

// all are processes of every kind.
func all() []Process {
	return []Process{
		Poisson(1.4), erlang, Renewal{law.Uniform{Lo: 1, Hi: 2}}, bursty, twoPhases, marked, turns, inBatches,
		Batches{Poisson(0.3), Sizes{0.6, 0.3, 0.1}}, Batches{Renewal{law.Deterministic{X: 2}}, FixedSize(3)},
		Batches{marked, Sizes{0.5, 0, 0.5}}, Batches{inBatches, Sizes{0.2, 0.8}},
		Superposition{bursty, erlang}, Superposition{marked, Poisson(0.2), inBatches},
		office, Profile{Period: 10, Rates: []float64{1, 3}, Of: twoPhases}, Batches{office, Sizes{0, 1}},
		Profile{Period: 5, Rates: []float64{2, 2}},
	}
}

// TestChainsAreConsistent checks of every process that its chain is stationary,
// that what is known of it agrees with the chain, and what AtRate keeps.
func TestChainsAreConsistent(t *testing.T) {
	for _, p := range all() {
		if err := p.Validate(); err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		c := p.Chain()
		next := make([]float64, len(c.Start))
		for i, row := range c.Move {
			sum := 0.0
			for k, q := range row {
				sum += q
				next[k] += c.Start[i] * q
			}
			near(t, p.String()+": a row of the chain", sum, 1, 1e-14)
		}
		for k, q := range next {
			near(t, p.String()+": a state after a step", q, c.Start[k], 1e-14)
		}
		speed := 1.0
		if c.Clock != nil {
			speed = 0
			for _, rate := range c.Clock.Rates {
				speed += rate / float64(len(c.Clock.Rates))
			}
		}
		near(t, p.String()+": the mean gap", renewal(p).Interval()*p.Rate(), speed, 1e-13)
		q := p.AtRate(2.5)
		near(t, p.String()+": the new rate", q.Rate(), 2.5, 1e-14)
		near(t, p.String()+": the dispersion of the same shape", Dispersion(q), Dispersion(p), 1e-11)
		if c.Clock == nil {
			near(t, p.String()+": the transform at 0", Laplace(p, 0), 1, 1e-13)
		} else if !math.IsNaN(Laplace(p, 0)) {
			t.Errorf("%v has a transform", p)
		}
	}
}

// TestMatricesAgreeWithChains finds dispersion and rate by counting in time and by
// summing gaps: two formulas on two representations.
func TestMatricesAgreeWithChains(t *testing.T) {
	found := 0
	for _, p := range all() {
		m, ok := AsMarkov(p)
		if !ok {
			continue
		}
		found++
		if err := m.Validate(); err != nil {
			t.Errorf("%v: %v", p, err)
		}
		near(t, p.String()+": the rate by matrices", m.Rate(), p.Rate(), 1e-13)
		near(t, p.String()+": the dispersion by matrices", m.counts().Dispersion(), Dispersion(p), 1e-11)
		near(t, p.String()+": the dispersion late", DispersionAt(p, 1e6), Dispersion(p), 1e-4)
		near(t, p.String()+": the scv by matrices", SCV(m), SCV(p), 1e-11)
		for j, rho := range Correlations(m, 3) {
			near(t, p.String()+": a correlation by matrices", rho, Correlations(p, 3)[j], 1e-11)
		}
		near(t, p.String()+": the transform by matrices", Laplace(m, 0.7), Laplace(p, 0.7), 1e-13)
	}
	if found != 13 {
		t.Errorf("%d processes are Markov", found)
	}
}

// TestPoissonInDisguise: every type has Poisson as a special case, and its chain is
// then that of Poisson, to the last bit.
func TestPoissonInDisguise(t *testing.T) {
	for _, p := range []Process{
		MAP([][]float64{{-1.4}}, [][]float64{{1.4}}), MMPP([]float64{1.4}, [][]float64{{0}}),
		Batches{Poisson(1.4), FixedSize(1)}, Superposition{Poisson(1.4)}, Superposition{Poisson(0.9), Poisson(0.5)},
		Profile{Period: 24, Rates: []float64{1.4, 1.4}}, Batches{Profile{Period: 1, Rates: []float64{1.4}}, Sizes{1, 0}},
		MarkedMAP([][]float64{{-1.4}}, map[string][][]float64{"": {{1.4}}}),
	} {
		if err := p.Validate(); err != nil {
			t.Errorf("%v: %v", p, err)
		}
		rate, ok := IsPoisson(p)
		if !ok || p.Chain().Gap != law.ExpRate(1.4) {
			t.Errorf("%v is Poisson of rate %v: %v", p, rate, ok)
		}
		near(t, p.String()+": the scv", SCV(p), 1, 1e-14)
		near(t, p.String()+": the dispersion", Dispersion(p), 1, 1e-14)
	}
	for _, p := range all()[1:17] {
		if _, ok := IsPoisson(p); ok {
			t.Errorf("%v is Poisson", p)
		}
	}
}

// TestClosedForms holds what has one against it.
func TestClosedForms(t *testing.T) {
	// Two phases: Fischer and Meier-Hellstern, Performance Evaluation 18 (1993).
	a, b, r, s := 0.3, 1.2, 0.2, 0.3
	det := a*b + a*s + b*r
	scv := 1 + 2*r*s*(a-b)*(a-b)/((r+s)*(r+s)*det)
	near(t, "the rate", bursty.Rate(), (a*s+b*r)/(r+s), 1e-14)
	near(t, "the scv", SCV(bursty), scv, 1e-13)
	near(t, "the first correlation", Correlations(bursty, 1)[0], a*b*(a-b)*(a-b)*r*s/(scv*(r+s)*(r+s)*det*det), 1e-12)
	near(t, "the dispersion", Dispersion(bursty), 1+2*(a-b)*(a-b)*r*s/((r+s)*(r+s)*(a*s+b*r)), 1e-12)
	// Jobs of a in turn with jobs of b: gaps of mean 1 and 1/2, alternating.
	near(t, "the rate of a", ClassRates(turns)["a"], 1/1.5, 1e-14)
	near(t, "the correlation of turns", Correlations(turns, 2)[1], (1.25/2-0.5625)/(2.5/2-0.5625), 1e-13)
	// Compound Poisson counts: E B² / E B.
	compound := Batches{Poisson(2), Sizes{0.5, 0, 0.5}}
	near(t, "the dispersion of batches", Dispersion(compound), (0.5+4.5)/2, 1e-13)
	near(t, "the same in time", DispersionAt(compound, 0.1), 2.5, 1e-13)
	near(t, "the scv of batches", SCV(compound), 2*2-1, 1e-13)
	// Renewal batches: the dispersion of batches times their mean size, and the
	// variance of the size over its mean.
	near(t, "the dispersion of renewal batches", Dispersion(Batches{erlang, Sizes{0.5, 0, 0.5}}), 2./3+0.5, 1e-12)
	near(t, "the dispersion of gaps", Dispersion(Renewal{law.LogNormalMeanSCV(2, 7)}), 7, 1e-13)
	near(t, "the transform of gaps", Laplace(erlang, 1.5), math.Pow(1.5/3, 3), 1e-14)
	if TailIndex(Renewal{law.Lomax{Shape: 2.5, Scale: 1}}) != 2.5 || !math.IsInf(TailIndex(bursty), 1) {
		t.Error("tail indices")
	}
	if rho := Correlations(erlang, 2); rho[0] != 0 || rho[1] != 0 {
		t.Errorf("gaps of a renewal process correlate: %v", rho)
	}
	near(t, "the dispersion of one gap", IntervalDispersion(bursty, 1), SCV(bursty), 1e-14)
	near(t, "the dispersion of many gaps", IntervalDispersion(bursty, 4000), Dispersion(bursty), 2e-3)
	m, _ := bursty.Markov()
	near(t, "the dispersion of ten gaps", IntervalDispersion(bursty, 10), mam.MAP{D0: dense(m.D0), D1: dense(m.Events[0].Rates)}.IntervalDispersion(10), 1e-13)
	if !math.IsNaN(IntervalDispersion(bursty, 0)) {
		t.Error("no gaps have a dispersion")
	}
	near(t, "a mean size", GeometricSize(3).Mean(), 3, 1e-12)
}

// TestSuperpositionAdds: rates and variances of counts are sums, marks are kept.
func TestSuperpositionAdds(t *testing.T) {
	parts := []Process{marked, Poisson(0.2), inBatches}
	both := Superposition(parts)
	variance := 0.0
	for _, p := range parts {
		variance += p.Rate() * DispersionAt(p, 3)
	}
	near(t, "the variance", both.Rate()*DispersionAt(both, 3), variance, 1e-12)
	rates, alone := ClassRates(both), ClassRates(marked)
	near(t, "the rate of a", rates["a"], alone["a"], 1e-13)
	near(t, "the rate of b", rates["b"], alone["b"], 1e-13)
	near(t, "the rate of the rest", rates[""], 0.2+inBatches.Rate(), 1e-13)
	if !math.IsNaN(SCV(Batches{office, FixedSize(2)})) || !math.IsNaN(Correlations(Batches{office, FixedSize(2)}, 1)[0]) {
		t.Error("batches of a profile have moments of gaps")
	}
	if ClassRates(bursty) != nil {
		t.Error("a process without marks has classes")
	}
}

// TestReverse: what is symmetric in time is kept, twice is once.
func TestReverse(t *testing.T) {
	r := marked.Reverse()
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	near(t, "the rate of a", ClassRates(r)["a"], ClassRates(marked)["a"], 1e-14)
	for j, rho := range Correlations(r, 3) {
		near(t, "a correlation", rho, Correlations(marked, 3)[j], 1e-13)
	}
	again := r.Reverse()
	for k, e := range marked.Events {
		for i, row := range e.Rates {
			for j, rate := range row {
				near(t, "a rate reversed twice", again.Events[k].Rates[i][j], rate, 1e-14)
			}
		}
	}
}

// TestRoundingIsNoRate: rows of decimal numbers sum to 0 but for rounding, which may
// be as large as the rates of changing phase.
func TestRoundingIsNoRate(t *testing.T) {
	p := BatchMAP([][]float64{{-0.42}}, [][]float64{{0.252}}, [][]float64{{0.126}}, [][]float64{{0.042}})
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	near(t, "the rate of batches", p.Rate(), 0.63, 1e-14)
	fast := MMPP([]float64{3e9, 1e9}, [][]float64{{-1e-9, 1e-9}, {3e-9, -3e-9}})
	if err := fast.Validate(); err != nil {
		t.Error(err)
	}
	near(t, "the rate of fast bursts", fast.Rate(), 2.5e9, 1e-14)
	near(t, "the dispersion of fast bursts", Dispersion(fast), 1.5e17, 1e-9) // by the closed form
	near(t, "the same by counts", fast.counts().Dispersion(), 1.5e17, 1e-9)
}

// TestPhaseTypeGaps: phases that are never entered are left out, and gaps of 0
// have none.
func TestPhaseTypeGaps(t *testing.T) {
	m, ok := Renewal{law.PhaseType([]float64{0, 1}, [][]float64{{-1, 0}, {0, -2}})}.Markov()
	if !ok || len(m.D0) != 1 || m.Validate() != nil {
		t.Errorf("a phase that is never entered: %v %v", m, ok)
	}
	if _, ok := (Renewal{law.PhaseType([]float64{0.5}, [][]float64{{-1}})}).Markov(); ok {
		t.Error("gaps of 0 are of phases")
	}
}

func ExampleMMPP() {
	// Quiet for three hours on average, then six times as many jobs for one.
	p := MMPP([]float64{10, 60}, [][]float64{{-1. / 3, 1. / 3}, {1, -1}})
	fmt.Printf("%.1f jobs an hour; a gap's scv %.3f, its correlation with the next %.3f\n", p.Rate(), SCV(p), Correlations(p, 1)[0])
	fmt.Printf("dispersion of counts: %.2f over an hour, %.2f in the long run\n", DispersionAt(p, 1), Dispersion(p))
	// Output:
	// 22.5 jobs an hour; a gap's scv 2.488, its correlation with the next 0.285
	// dispersion of counts: 14.99 over an hour, 32.25 in the long run
}

func ExampleProfile() {
	day := Profile{Period: 24, Rates: []float64{2, 10, 6}, Of: Batches{Poisson(1), Sizes{0.8, 0.2}}}
	fmt.Println(day.Rate(), day.AtRate(12))
	fmt.Println(Profile{Period: -1, Rates: []float64{2, -1}}.Validate())
	// Output:
	// 6 Profile{Period: 24, Rates: []float64{4, 20, 12}, Of: Batches{Poisson(1), Sizes{0.8, 0.2}}}
	// Profile{Period: -1, Rates: []float64{2, -1}}: the period is -1; give a time from 1e-100 to 1e+100
	// rate 2 is -1; give 0 or a number from 1e-100 to 1e+100
}

func ExampleSuperposition() {
	// A steady source and one in bursts, whose jobs are marked.
	bursts := MarkedMAP([][]float64{{-4, 1}, {0.1, -0.1}}, map[string][][]float64{"wide": {{3, 0}, {0, 0}}})
	p := Superposition{Poisson(2), bursts}
	rates := ClassRates(p)
	fmt.Printf("wide %.4f, left open %.4f\n", rates["wide"], rates[""])
	fmt.Printf("dispersion %.3f and %.3f, together %.3f\n", Dispersion(Poisson(2)), Dispersion(bursts), Dispersion(p))
	// Output:
	// wide 0.2727, left open 2.0000
	// dispersion 1.000 and 5.959, together 1.595
}
