package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// laws are instances of every law: the extremes of their shapes, and the examples with which
// the others are registered.
func laws() []Law {
	all := []Law{
		ExpMean(2), ExpRate(4), ErlangMeanPhases(1, 1), ErlangMeanPhases(0.83, 3), ErlangMeanPhases(5, 40),
		HyperExpMeans(25, 0.2525, 0.01), HyperExpMeans(1, 1, 0.5), HyperExpMeanSCV(2, 9), HyperExpMeanSCV(1, 1),
		Cox2(1, 2, 0.3), Cox2(2, 0.5, 1), Cox2(1, 1, 0.5), Cox2(1, 3, 0),
		BoundedPareto{0.1492, 400, 1.4}, BoundedPareto{1, 10, 1}, BoundedPareto{1, 10, 2}, BoundedPareto{2, 3, 0.5},
		Lomax{5, 2}, Lomax{2.5, 1},
		PhaseType([]float64{0.3, 0.5}, [][]float64{{-1, 0.5}, {0.2, -2}}),
		PhaseType([]float64{1, 0, 0}, [][]float64{{-3, 3, 0}, {0, -3, 2}, {1, 0, -3}}),
		Deterministic{1.5}, Uniform{0, 2}, Uniform{3, 4}, LogNormalMeanSCV(1, 0.5), LogNormalMeanSCV(3, 4),
		WeibullMeanShape(1, 0.7), WeibullMeanShape(2, 1), WeibullMeanShape(0.5, 3), NewEmpirical([]float64{3, 1, 1, 2.5, 0}),
	}
	listed := map[reflect.Type]bool{}
	for _, l := range all {
		listed[reflect.TypeOf(l)] = true
	}
	for _, f := range Examples() {
		if l := known.by[f.Name].read(f); !listed[reflect.TypeOf(l)] && l.Validate() == nil {
			all = append(all, l)
		}
	}
	return all
}

// TestLaws puts every law through the harness, and scales it.
func TestLaws(t *testing.T) {
	for _, l := range laws() {
		if err := l.Validate(); err != nil {
			t.Errorf("%v: %v", l, err)
		}
		faults := append(checkMoments(l), checkTail(l)...)
		faults = append(faults, checkSample(l, l)...)
		scaled := l.Scaled(3)
		if !close(scaled.Mean(), 3*l.Mean(), 1e-12) || !close(scaled.Variance(), 9*l.Variance(), 1e-9) ||
			!close(scaled.Survival(1.2), l.Survival(0.4), 1e-9) || scaled.Validate() != nil {
			faults = append(faults, fmt.Sprintf("%v scaled by 3 is %v", l, scaled))
		}
		for _, f := range faults {
			t.Error(f)
		}
	}
}

// TestPhases rebuilds every phase-type law from its representation.
func TestPhases(t *testing.T) {
	for _, l := range laws() {
		alpha, a, ok := Phases(l)
		if !ok {
			continue
		}
		p := PhaseType(alpha, a)
		if err := p.Validate(); err != nil {
			t.Errorf("%v as phases: %v", l, err)
		}
		for _, x := range []float64{0.1, 1, 4} {
			if !close(p.Survival(x), l.Survival(x), 1e-9) {
				t.Errorf("%v: Survival(%v) = %v, by phases %v", l, x, l.Survival(x), p.Survival(x))
			}
		}
		if !close(p.Mean(), l.Mean(), 1e-10) || !close(p.Variance(), l.Variance(), 1e-9) || !close(p.Laplace(0.7), l.Laplace(0.7), 1e-10) {
			t.Errorf("%v: moments or transform by phases differ", l)
		}
	}
	if _, _, ok := Phases(Deterministic{1}); ok {
		t.Error("a constant has no phases")
	}
}

// TestLaplaceBeyondZero is the exponential moment, which light tails have up
// to their abscissa.
func TestLaplaceBeyondZero(t *testing.T) {
	for _, c := range []struct {
		l    Law
		s    float64
		want float64
	}{
		{ExpMean(2), -0.25, 2}, {ExpMean(2), -0.5, math.Inf(1)}, {ErlangMeanPhases(1, 2), -1, 4}, {ErlangMeanPhases(1, 2), -2, math.Inf(1)},
		{PhaseType([]float64{1}, [][]float64{{-1}}), -0.5, 2}, {PhaseType([]float64{1}, [][]float64{{-1}}), -1.5, math.Inf(1)},
		{Cox2(1, 1, 1), -0.5, 4}, {HyperExpMeans(1, 2, 0.5), -0.6, math.Inf(1)}, {HyperExpMeans(100, 1, 0), -0.5, 2},
		{Deterministic{3}, -1, math.Exp(3)}, {Uniform{0, 1}, -1, math.E - 1}, {Lomax{3, 1}, -1e-9, math.Inf(1)},
		{LogNormalMeanSCV(1, 1), -1e-9, math.Inf(1)}, {WeibullMeanShape(1, 0.5), -0.1, math.Inf(1)}, {WeibullMeanShape(1, 1), -0.5, 2},
		{WeibullMeanShape(math.Sqrt(math.Pi)/2, 2), -1, 1 + math.Sqrt(math.Pi)/2*math.Exp(0.25)*(1+math.Erf(0.5))},
		{BoundedPareto{1, 2, 1}, -0.001, 1 + 0.001*2*math.Ln2 + 1e-6 + 0.001*0.001*0.001/6*3},
	} {
		if got := c.l.Laplace(c.s); !close(got, c.want, 1e-8) {
			t.Errorf("%v: Laplace(%v) = %v, want %v", c.l, c.s, got, c.want)
		}
	}
}

// TestPaperParetos are the five bounded Pareto laws of the MJSRE paper: with
// the bounds as printed the means are these, with the authors' own bounds they
// are those of its Table 2.
func TestPaperParetos(t *testing.T) {
	printed := []float64{0.5026326, 0.8292804, 1.2478602, 3.3346910, 10.0063337}
	for i, lo := range []float64{0.15, 0.25, 0.38, 1.05, 3.35} {
		if got := (BoundedPareto{lo, 400, 1.4}).Mean(); !close(got, printed[i], 1e-6) {
			t.Errorf("bounds (%v, 400): mean %v, want %v", lo, got, printed[i])
		}
	}
	for i, lo := range []float64{0.1492, 0.250222, 0.380669, 1.04846, 3.34773} {
		want := []float64{0.5, 0.83, 1.25, 3.33, 10}[i]
		if got := (BoundedPareto{lo, 400, 1.4}).Mean(); !close(got, want, 2e-4) {
			t.Errorf("bounds (%v, 400): mean %v, want %v", lo, got, want)
		}
	}
}

// TestLowerTails asks for quantiles where 1 - Survival has no digits left.
func TestLowerTails(t *testing.T) {
	for _, c := range []struct {
		l    Law
		p, x float64
	}{
		{ErlangMeanPhases(1, 3), 1e-12, 6.05734382e-05}, {ExpMean(2), 1e-15, 2e-15}, {Lomax{2, 1}, 1e-15, 5e-16},
		{WeibullMeanShape(math.Sqrt(math.Pi)/2, 2), 1e-12, 1e-6},
		{Cox2(1, 2, 1), 1e-18, 2e-9 + 1e-18}, {Cox2(3, 3, 1), 1e-18, 3 * math.Sqrt2 * 1e-9}, {Cox2(4, 1, 0.5), 1e-12, 8e-12},
		{HyperExpMeans(1, 3, 0.25), 1e-14, 2e-14},
	} {
		if got := c.l.Quantile(c.p); !close(got, c.x, 1e-8) {
			t.Errorf("%v: Quantile(%v) = %v, want %v", c.l, c.p, got, c.x)
		}
	}
}

// TestUnits measures time in other units: every number follows.
func TestUnits(t *testing.T) {
	for _, l := range append(laws(), Spread(Lomax{3.5, 1}), Spread(WeibullMeanShape(1, 0.7)), Spread(BoundedPareto{1, 10, 1.2})) {
		for _, c := range []float64{0x1p-30, 0x1p30} {
			scaled := l.Scaled(c)
			check := func(name string, got, want float64) {
				if !close(got, want, 1e-9) {
					t.Errorf("%v in units of %v: %s is %v, want %v", l, 1/c, name, got, want)
				}
			}
			check("mean", scaled.Mean(), c*l.Mean())
			check("variance", scaled.Variance(), c*c*l.Variance())
			check("SCV", SCV(scaled), SCV(l))
			for _, p := range []float64{0.03, 0.4, 0.97} {
				x := l.Quantile(p)
				check("quantile", scaled.Quantile(p), c*x)
				check("survival", scaled.Survival(1.01*c*x), l.Survival(1.01*x))
			}
			for _, s := range []float64{0.3, 5} {
				check("transform", scaled.Laplace(s/c), l.Laplace(s))
			}
			if got, want := scaled.Sample(rand.NewPCG(1, 3)), c*l.Sample(rand.NewPCG(1, 3)); !close(got, want, 1e-12) {
				check("draw", got, want)
			}
		}
	}
}

// TestSCV by hand, also where there is no number.
func TestSCV(t *testing.T) {
	for _, c := range []struct {
		l    Law
		want float64
	}{
		{ExpMean(3), 1}, {ErlangMeanPhases(7, 4), 0.25}, {Uniform{0, 6}, 1.0 / 3}, {HyperExpMeanSCV(2, 9), 9}, {Deterministic{2}, 0}, {Deterministic{0}, 0},
		{Lomax{1.5, 1}, math.Inf(1)}, {Lomax{0.5, 1}, math.Inf(1)}, {Lomax{4, 9}, 2},
	} {
		if got := SCV(c.l); !close(got, c.want, 1e-12) {
			t.Errorf("%v: SCV %v, want %v", c.l, got, c.want)
		}
	}
}

// TestEmpirical by hand: quantiles where p·n is rounded up past a whole number,
// a variance of large values that lie close together, and both kinds of text.
func TestEmpirical(t *testing.T) {
	var hundred []float64
	for i := range 100 {
		hundred = append(hundred, float64(i+1))
	}
	l := NewEmpirical(hundred)
	for i := 1; i <= 100; i++ {
		p := float64(i) / 100
		if got := l.Quantile(p); got != float64(i) {
			t.Errorf("Quantile(%v) of 1 to 100 is %v", p, got)
		}
		if got := l.Quantile(p - 1e-9); got != float64(i) {
			t.Errorf("Quantile(%v) of 1 to 100 is %v", p-1e-9, got)
		}
	}
	if got := NewEmpirical([]float64{1e9, 1e9 + 1, 1e9 + 3}).Variance(); !close(got, 14.0/9, 1e-9) {
		t.Errorf("the variance of three neighbours is %v", got)
	}
	if got := NewEmpirical([]float64{6, 5, 4, 3, 2, 0.125}).String(); got != "Empirical([]float64{0.125, 2, 3, 4, 5, 6})" {
		t.Errorf("six values are %s", got)
	}
	seven, other := NewEmpirical(hundred[:7]).String(), NewEmpirical([]float64{1, 2, 3, 4, 5.5, 6, 7}).String()
	if !strings.HasPrefix(seven, "Empirical(7 values from 1 to 7, checksum ") || other == seven {
		t.Errorf("seven values are %s, seven others %s", seven, other)
	}
	if text := NewEmpirical(append(hundred, -1)).Validate().Error(); !strings.Contains(text, "-1 is not") {
		t.Error(text)
	}
}

// TestExpm1Rest holds e^y - 1 - y against its beginning, where nothing else has
// digits, and ends at 0.
func TestExpm1Rest(t *testing.T) {
	for _, y := range []float64{0, 1e-200, 1e-9, -1e-9, 1e-4} {
		if got, want := expm1Rest(y), y*y/2+y*y*y/6; !close(got, want, 1e-8) {
			t.Errorf("at %v: %v, want %v", y, got, want)
		}
	}
}

// TestWalk: from which phases a chain can end, and whether it may take no time.
func TestWalk(t *testing.T) {
	l := PhaseType([]float64{0.6, 0.2, 0}, [][]float64{{-1.1, 0.4, 0.7}, {0, -1, 0.5}, {0, 0, -0.5}})
	if atom, ends := l.Walk(); !atom || !slices.Equal(ends, []bool{false, true, true}) {
		t.Errorf("the walk of %v: time 0 %v, ends %v", l, atom, ends)
	}
	if atom, _ := PhaseType([]float64{0.6, 0.4}, [][]float64{{-1, 0}, {0, -1}}).Walk(); atom {
		t.Error("a chain that always begins may take no time")
	}
	if got := l.Survival(0); !close(got, 0.8, 1e-12) {
		t.Errorf("a time above 0 has probability %v", got)
	}
}
