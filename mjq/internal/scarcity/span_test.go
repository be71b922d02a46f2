package scarcity

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// TestSpan: a part that is long against what a large job holds up is a path, and one in which
// a single job comes is a sample.
func TestSpan(t *testing.T) {
	l := law.HyperExpMeanSCV(5, 30)
	e := Of(rare(16, l), 0.42)
	for k := MeanWait; k <= VarianceWait; k++ {
		if got, want := e.Span(Visits{N: 10, Within: 1e6}).Effective(k), e.Over(1e7).Effective(k); !close(got, want, 0.02) {
			t.Errorf("power %d: ten long parts hold %v, a path %v", k, got, want)
		}
		got, want := e.Span(Visits{N: 1e5, Before: math.Inf(1), Within: 1}).Effective(k), e.Samples(1e5).Effective(k-1)
		if !(got > want/2 && got < 2*want) { // that sample is somewhere in the wait that the job makes
			t.Errorf("power %d: parts of one job hold %v, samples %v", k, got, want)
		}
	}
	few, many := e.Span(Visits{N: 100, Within: 60}), e.Span(Visits{N: 1e6, Within: 60})
	if x := few.Effective(MeanWait); !(x < 2) || !math.IsInf(many.Fraction(0.1), 1) || !(few.Fraction(0.04) < 1000) {
		t.Errorf("%v, fractions %v and %v", x, few.Fraction(0.04), many.Fraction(0.1))
	}
	if got := e.Span(Visits{N: 100 * few.Enough(MeanWait, Plenty), Within: 60}).Effective(MeanWait); !close(got, Plenty, 0.05) {
		t.Errorf("%v are enough for %v", got, float64(Plenty))
	}
	if s := few.Largest(MeanWait); s.Class != 1 || !close(s.Expected, 6000*0.001*l.Survival(s.Service), 0.2) {
		t.Errorf("largest %+v", s)
	}
}

// TestDays: a job that is longer than a day is met by the visits of several days, and days
// hold no more such jobs than a path through all of them.
func TestDays(t *testing.T) {
	e := Of(rare(16, law.ExpMean(1000)), 0.9)
	day := Visits{N: 1000, Before: 90, Within: 10, Again: true}
	if got, want := e.Span(day).Effective(MeanWait), e.Over(1e5).Effective(MeanWait); !close(got, want, 0.1) {
		t.Errorf("%v, a path of as many jobs %v", got, want)
	}
}

// TestBegun: of a job that has begun n replications show n, of which the exponential phase
// that matters counts half as often as it comes for the mean.
func TestBegun(t *testing.T) {
	l := law.HyperExpMeanSCV(5, 1000)
	const n = 1e6
	long := n * min(l.P, 1-l.P)
	s := Of(rare(16, law.ExpMean(1)), 0.5).Begun(n, Begun{Class: 1, Need: 16, Left: l})
	if got := s.Effective(MeanWait); !(got > long/2 && got < 3*long) {
		t.Errorf("%v of %v long ones", got, long)
	}
	if s.Largest(MeanWait).Class != 1 || !math.IsInf(Of(rare(16, l), 0.5).Begun(n).Effective(MeanWait), 1) {
		t.Errorf("largest %+v", s.Largest(MeanWait))
	}
}
