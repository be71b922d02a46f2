package law

import (
	"math"
	"testing"
)

// untold is a law that says nothing of its tail.
type untold struct{ Law }

// rounded has a Survival that is 1 - CDF, as many laws from elsewhere do.
type rounded struct{ Law }

func (r rounded) Survival(x float64) float64 { return 1 - (1 - r.Law.Survival(x)) }

func TestTailIndex(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		law  Law
		want float64
	}{
		{Lomax{1.5, 3}, 1.5}, {Lomax{2.1, 1.1}, 2.1}, {Lomax{6, 1e-9}, 6},
		{Spread(Lomax{2.5, 2}), 1.5}, {Spread(untold{Lomax{2.5, 2}}), 1.5},
		{ExpMean(3), inf}, {ErlangMeanPhases(1, 3), inf}, {HyperExpMeans(5e5, 0.5, 1e-6), inf}, {Cox2(1, 4, 0.5), inf},
		{PhaseType([]float64{1}, [][]float64{{-2}}), inf}, {Deterministic{2}, inf}, {Uniform{1, 2}, inf},
		{BoundedPareto{1, 1e9, 1.1}, inf}, {NewEmpirical([]float64{1, 5}), inf},
		{LogNormalMeanSCV(1, 50), inf}, {WeibullMeanShape(1, 0.2), inf}, {Spread(WeibullMeanShape(1, 0.2)), inf},
	} {
		for _, unit := range []float64{1, 1e-12, 1e12} {
			if got := TailIndex(c.law.Scaled(unit)); math.Abs(got-c.want) > 1e-2*c.want && got != c.want {
				t.Errorf("%v in units of %v: %v, want %v", c.law, unit, got, c.want)
			}
		}
	}
}

// TestTailIndexByNumbers asks for what the laws know without letting them say it,
// from tails that reach 1e-250 and from such as end in rounding errors at 1e-16.
func TestTailIndexByNumbers(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		law  Law
		want float64
	}{
		{Lomax{1.5, 3}, 1.5}, {Lomax{2.1, 1.1}, 2.1}, {Lomax{3.5, 7}, 3.5}, {Lomax{5, 1e9}, 5}, {Spread(Lomax{3.5, 1}), 2.5},
		{ExpMean(3), inf}, {LogNormalMeanSCV(1, 4), inf}, {LogNormalMeanSCV(1, 50), inf}, {WeibullMeanShape(1, 0.3), inf}, {ErlangMeanPhases(1, 3), inf},
	} {
		for _, l := range []Law{untold{c.law}, rounded{c.law}} {
			got := TailIndex(l)
			if math.Abs(got-c.want) > 0.05*c.want && got != c.want {
				t.Errorf("%T of %v: %v, want %v", l, c.law, got, c.want)
			}
		}
	}
	if got := TailIndex(untold{Lomax{1, 1}}); got > 1 {
		t.Errorf("infinite mean: index %v", got)
	}
	if got := TailIndex(infiniteVariance{ExpMean(1)}); got > 2 {
		t.Errorf("infinite variance: index %v", got)
	}
}

// infiniteVariance says so, whatever its tail looks like.
type infiniteVariance struct{ Law }

func (infiniteVariance) Variance() float64 { return math.Inf(1) }

// stepped falls from 1 to first at 1 and from there to second at 2.
type stepped struct {
	Law
	first, second float64
}

func (s stepped) Survival(x float64) float64 {
	switch {
	case x < 1:
		return 1
	case x < 2:
		return s.first
	}
	return s.second
}

// TestTailAtAJump: a jump by more than a factor of two past a probability tells no slope.
func TestTailAtAJump(t *testing.T) {
	for _, c := range []struct {
		first, second float64
		ok            bool
	}{{1.9e-3, 0.6e-3, true}, {2.1e-3, 0.6e-3, false}, {1.9e-3, 0.4e-3, false}, {3e-3, 0, false}} {
		x, tail, ok := tailAt(stepped{nil, c.first, c.second}, 1e-3)
		if ok != c.ok || tail != c.first || !close(x, 2, 1e-9) {
			t.Errorf("from %v to %v: %v at %v, %v", c.first, c.second, tail, x, ok)
		}
	}
}
