package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/internal/fastmath"
)

// spreadable are the laws whose spread has finite moments, so that every check
// of a law applies to it.
func spreadable() []Law {
	return append(slices.DeleteFunc(laws(), func(l Law) bool {
		return TailIndex(l) <= 3
	}), Lomax{3.5, 1}, Lomax{4.1, 0.5})
}

// TestSpreadIsALaw puts the spread of every law through the checks of a law:
// moments and transform against its own tail, quantiles, draws.
func TestSpreadIsALaw(t *testing.T) {
	for _, l := range spreadable() {
		h := Spread(l)
		if err := h.Validate(); err != nil {
			t.Errorf("%v: %v", l, err)
		}
		faults := append(checkMoments(h), checkTail(h)...)
		faults = append(faults, checkSample(h, h)...)
		if c := h.Scaled(3); !close(c.Mean(), 3*h.Mean(), 1e-12) || !close(c.Survival(1.2), h.Survival(0.4), 1e-9) {
			faults = append(faults, fmt.Sprintf("scaled by 3 it is %v", c))
		}
		for _, f := range faults {
			t.Errorf("spread of %v: %s", l, f)
		}
	}
}

// spreadFaults holds h against the spread of l by its definition: equation (6)
// with the tail of l integrated by numbers, and the mean E[X²]/E[X].
func spreadFaults(l, h Law) (faults []string) {
	mean := l.Mean()
	want := (l.Variance() + mean*mean) / mean
	if !close(h.Mean(), want, 1e-9) {
		faults = append(faults, fmt.Sprintf("mean %v, want %v", h.Mean(), want))
	}
	for _, p := range []float64{0.01, 0.3, 0.7, 0.95, 0.9999} {
		x := h.Quantile(p)
		if !continuous(l) {
			x += 1e-9 // beside the jumps
		}
		// Up to x: beyond it, the step of the integrand would cost digits.
		if tail := (x*l.Survival(x) + mean - upTo(l, x)) / mean; math.Abs(h.Survival(x)-tail) > 1e-7 {
			faults = append(faults, fmt.Sprintf("P(H > %v) = %v, equation (6) gives %v", x, h.Survival(x), tail))
		}
	}
	return faults
}

// upTo is ∫_0^x P(X > y) dy, cut at the quantiles of X below x.
func upTo(l Law, x float64) float64 {
	cuts := []float64{0}
	for p := 0.0; p < 1; p += 1.0 / 64 {
		cuts = append(cuts, min(x, l.Quantile(p)))
	}
	cuts = append(cuts, min(x, l.Quantile(0.999)), min(x, l.Quantile(1)))
	if values := steps(l); values != nil {
		cuts = []float64{0}
		for _, v := range values {
			cuts = append(cuts, min(x, v))
		}
	}
	sum := 0.0
	for i := 1; i < len(cuts); i++ {
		if cuts[i] > cuts[i-1] {
			sum += segment(l.Survival, cuts[i-1], cuts[i])
		}
	}
	return sum
}

func TestSpreadByDefinition(t *testing.T) {
	for _, l := range append(laws(), Lomax{3, 1}) {
		for _, f := range spreadFaults(l, Spread(l)) {
			t.Errorf("spread of %v: %s", l, f)
		}
	}
	if len(spreadFaults(Lomax{3.5, 1}, Spread(Lomax{3.6, 1}))) == 0 || len(spreadFaults(ExpMean(1), ErlangMeanPhases(2.01, 2))) == 0 {
		t.Error("the spread of another law passes")
	}
}

// hidden is a law that Spread does not know.
type hidden struct{ Law }

// TestSpreadByNumbers compares the tabulated spread with the closed one.
func TestSpreadByNumbers(t *testing.T) {
	for _, l := range laws() {
		if alpha, _, _ := Phases(l); !continuous(l) || len(alpha) == 3 {
			continue // its jumps would have to be known; it takes long
		}
		h, n := Spread(l), Spread(hidden{l})
		if _, is := n.(tabulated); !is {
			t.Fatalf("%v is not hidden", l)
		}
		if !close(n.Mean(), h.Mean(), 1e-10) || !close(n.Variance(), h.Variance(), 1e-6) || !close(n.Laplace(0.7), h.Laplace(0.7), 1e-8) {
			t.Errorf("%v: mean %v, variance %v, transform %v by numbers; %v, %v, %v",
				l, n.Mean(), n.Variance(), n.Laplace(0.7), h.Mean(), h.Variance(), h.Laplace(0.7))
		}
		for _, p := range []float64{1e-6, 0.1, 0.5, 0.9, 0.9999, 1 - 1e-9} {
			if !close(n.Quantile(p), h.Quantile(p), 1e-6) {
				t.Errorf("%v: Quantile(%v) = %v by numbers, %v", l, p, n.Quantile(p), h.Quantile(p))
			}
		}
	}
	// One word a draw, inverted.
	h, n, rng := Spread(Lomax{3.5, 1}), Spread(hidden{Lomax{3.5, 1}}), rand.New(rand.NewPCG(4, 4))
	for range 300 {
		word := rng.Uint64() >> rng.IntN(40)
		if x, u := n.Sample(&fixed{word}), fastmath.Unit(word); math.Abs(h.Survival(x)-u) > 1e-9*u+1e-17 {
			t.Errorf("the word for %v draws %v by numbers, beyond which lies %v", u, x, h.Survival(x))
		}
	}
}

// TestExcess draws a uniform fraction of the spread: what is left of an
// interval, whose mean is E[X²]/2E[X] and whose tail is the integrated one.
func TestExcess(t *testing.T) {
	for _, l := range spreadable() {
		h, rng := Spread(l), rand.NewPCG(3, 5)
		sum, below, x := 0.0, 0.0, l.Mean()
		const n = 20_000
		for range n {
			left := unit(rng) * h.Sample(rng)
			sum += left / n
			if left <= x {
				below += 1.0 / n
			}
		}
		mean := h.Mean() / 2
		if se := math.Sqrt((h.Variance()/3 + mean*mean/3) / n); !heavy(h) && math.Abs(sum-mean) > 5*se {
			t.Errorf("%v: mean excess %v, want %v ± %v", l, sum, mean, se)
		}
		if p := upTo(l, x) / l.Mean(); math.Abs(below-p) > 5*math.Sqrt(p*(1-p)/n)+1e-6 {
			t.Errorf("%v: excess up to the mean in %v of cases, want %v", l, below, p)
		}
	}
}

func TestSpreadOfTheImpossible(t *testing.T) {
	for _, c := range []struct {
		l    Law
		text string
	}{{Lomax{1, 1}, "mean is +Inf"}, {Deterministic{0}, "mean is 0"}, {ExpMean(-1), "mean is -1"}} {
		if err := Spread(c.l).Validate(); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("the spread of %v: %v does not mention %q", c.l, err, c.text)
		}
	}
	if h := Spread(Lomax{2.5, 1}); h.Mean() != 4 || !math.IsInf(h.Variance(), 1) {
		t.Errorf("spread of a Lomax law without a third moment: mean %v, variance %v", h.Mean(), h.Variance())
	}
	if h := Spread(hidden{Lomax{2.5, 1}}); !math.IsInf(h.Variance(), 1) {
		t.Errorf("by numbers its variance is %v", h.Variance())
	}
}

// TestSpreadTransforms: E[exp(-sH)] is E[X exp(-sX)]/E[X], the derivative of the
// transform of X, also for s < 0 as far as it exists.
func TestSpreadTransforms(t *testing.T) {
	for _, l := range append(laws(), Lomax{3, 1}) {
		h := Spread(l)
		for _, s := range []float64{-0.3, -0.1, 0.2, 4} {
			if math.IsInf(l.Laplace(1.1*s), 1) {
				if got := h.Laplace(s); s < -0.2 && !math.IsInf(got, 1) && math.IsInf(l.Laplace(s/2), 1) {
					t.Errorf("%v: transform %v at %v", h, got, s)
				}
				continue
			}
			step := 1e-4
			if hi := l.Quantile(1); s < 0 && !math.IsInf(hi, 1) { // what is large decides
				step /= 1 + hi
			}
			want := (l.Laplace(s-step) - l.Laplace(s+step)) / (2 * step * l.Mean())
			if got := h.Laplace(s); !close(got, want, 1e-5) {
				t.Errorf("%v: transform %v at %v, the derivative of that of the law says %v", h, got, s, want)
			}
		}
		if got := h.Laplace(0); !close(got, 1, 1e-12) {
			t.Errorf("%v: transform %v at 0", h, got)
		}
	}
	// Far out the ends of [1, 3] decide, where nothing may under- or overflow.
	h := Spread(Uniform{1, 3})
	if got, want := h.Laplace(500), math.Exp(-500)*(1+1.0/500)/500/4; !close(got/want, 1, 1e-9) {
		t.Errorf("%v: transform %v at 500, want %v", h, got, want)
	}
	if got, want := h.Laplace(-200), math.Exp(600)*(3-1.0/200)/200/4; !close(got/want, 1, 1e-9) {
		t.Errorf("%v: transform %v at -200, want %v", h, got, want)
	}
}

// TestSpreadTransformsFarOut: where the upper end of a bounded law tells nothing, however
// far below it the lower one is, against the closed form of powers of 2 and the integral
// over another variable of bounded Pareto laws, which negative powers are.
func TestSpreadTransformsFarOut(t *testing.T) {
	for _, lo := range []float64{0, 1e-70, 1e-5, 0.3, 1} {
		for _, s := range []float64{30, 49.9, 50.1, 400, 1e4, 1e9} {
			got := boundedPower{lo, 2 + lo, 2}.Laplace(s)
			if want := 2 * math.Exp(-s*lo) * (1 + s*lo) / (s * s * (4 + 4*lo)); !(math.Abs(got-want) <= 1e-9*want) {
				t.Errorf("power 2 on [%v, %v]: transform %v at %v, want %v", lo, 2+lo, got, s, want)
			}
			for _, shape := range []float64{0.4, 1, 2.5} {
				if lo == 0 {
					continue
				}
				got, want := boundedPower{lo, 2 + lo, -shape}.Laplace(s), BoundedPareto{lo, 2 + lo, shape}.Laplace(s)
				if !(math.Abs(got-want) <= 1e-8*want) {
					t.Errorf("power %v on [%v, %v]: transform %v at %v, want %v", -shape, lo, 2+lo, got, s, want)
				}
			}
		}
	}
	narrow, wide := boundedPower{100, 102, -1.5}.Laplace(1), BoundedPareto{100, 102, 1.5}.Laplace(1)
	if !(math.Abs(narrow-wide) <= 1e-8*wide) { // both ends tell, far from 0
		t.Errorf("power -1.5 on [100, 102]: transform %v at 1, want %v", narrow, wide)
	}
	// Of density x^(-1/2)/2 on [0, 1] it is √(π/s)/2.
	for _, s := range []float64{1e3, 1e250} {
		if got, want := (boundedPower{0, 1, 0.5}).Laplace(s), math.Sqrt(math.Pi/s)/2; !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("power 1/2: transform %v at %v, want %v", got, s, want)
		}
	}
}

// TestSpreadNames, as they are printed.
func TestSpreadNames(t *testing.T) {
	for _, c := range []struct {
		l    Law
		want string
	}{
		{Uniform{1, 3}, "Spread(Uniform(1, 3))"}, {BoundedPareto{1, 4, 1.25}, "Spread(BoundedPareto(1, 4, 1.25))"}, {Lomax{3, 1}, "Spread(LomaxScaleShape(1, 3))"},
		{WeibullMeanShape(1, 2), "Spread(WeibullMeanShape(1, 2))"}, {ErlangMeanPhases(3, 1), "ErlangMeanPhases(6, 2)"}, {hidden{Lomax{3, 1}}, "Spread(LomaxScaleShape(1, 3))"},
	} {
		if got := Spread(c.l).String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestSpreadByNumbersFarOut: the tabulated spread at large s, beyond its table,
// and of a law whose tail hardly falls.
func TestSpreadByNumbersFarOut(t *testing.T) {
	l := Lomax{3.5, 1}
	h, n := Spread(l), Spread(hidden{l})
	for _, s := range []float64{0, 0.01, 30, 2000} {
		if got, want := n.Laplace(s), h.Laplace(s); !close(got, want, 1e-7) {
			t.Errorf("transform %v at %v by numbers, %v", got, s, want)
		}
	}
	if !math.IsInf(n.Laplace(-0.1), 1) {
		t.Errorf("transform %v at -0.1", n.Laplace(-0.1))
	}
	bounded := BoundedPareto{0.5, 4, 1.2}
	if got, want := Spread(hidden{bounded}).Laplace(-2), Spread(bounded).Laplace(-2); !close(got, want, 1e-7) {
		t.Errorf("of a bounded law transform %v at -2 by numbers, %v", got, want)
	}
	for _, x := range []float64{1e9, 1e12} {
		if got, want := n.Survival(x), h.Survival(x); got > want || got < want/2 {
			t.Errorf("P(H > %v) = %v by numbers, %v", x, got, want)
		}
	}
	if n.Survival(0) != 1 || n.Survival(-1) != 1 || !(n.Quantile(0) < 1e-8) {
		t.Errorf("at 0: %v, %v, %v", n.Survival(0), n.Survival(-1), n.Quantile(0))
	}
	if x := Spread(hidden{Lomax{1.01, 1}}).Quantile(1 - 1e-9); !(x > 1e249) || math.IsInf(x, 1) {
		t.Errorf("a tail that hardly falls has the quantile %v", x)
	}
}

// counted counts calls of Survival.
type counted struct {
	hidden
	calls *int
}

func (c counted) Survival(x float64) float64 { *c.calls++; return c.hidden.Survival(x) }

// TestSpreadByNumbersCosts: a transform looks no more often than cells of two units of
// 1/s need, also where a cell is long against that, and edges are never twice the same.
func TestSpreadByNumbersCosts(t *testing.T) {
	calls := 0
	l := Lomax{1.3, 1}
	n := Spread(counted{hidden{l}, &calls})
	cells := len(n.(tabulated).edges)
	for _, s := range []float64{1e-9, 1e-3, 0.3, 5, 300} {
		calls = 0
		got, want := n.Laplace(s), Spread(l).Laplace(s)
		if !close(got, want, 1e-7) {
			t.Errorf("transform %v at %v, want %v", got, s, want)
		}
		if most := 16 * (2*cells + 76); calls > most {
			t.Errorf("transform at %v takes %d calls, more than %d", s, calls, most)
		}
	}
	for _, l := range []Law{NewEmpirical([]float64{1, 1, 2, 7}), Uniform{1, 3}, Lomax{1.5, 1}, ExpMean(1)} {
		edges := cellEdges(hidden{l})
		for i := 1; i < len(edges); i++ {
			if !(edges[i] > edges[i-1]) {
				t.Errorf("%v: edge %d is %v after %v", l, i, edges[i], edges[i-1])
			}
		}
	}
}
