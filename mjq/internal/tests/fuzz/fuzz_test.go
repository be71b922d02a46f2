package fuzz

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// fuzzedLaw is a law with whatever parameters.
func fuzzedLaw(kind byte, a, b float64) mjq.Law {
	switch kind % 16 {
	case 0:
		return mjq.ExpMean(a)
	case 1:
		return mjq.ExpRate(a)
	case 2:
		return mjq.ErlangMeanPhases(a, int(int8(kind)))
	case 3:
		return mjq.HyperExpMeans(b, 1, a)
	case 4:
		return mjq.HyperExpMeanSCV(a, b)
	case 5:
		return mjq.BoundedPareto(a, b, 1.5)
	case 6:
		return mjq.LomaxScaleShape(b, a)
	case 7:
		return mjq.Cox2(a, 1, b)
	case 8:
		return mjq.Deterministic(a)
	case 9:
		return mjq.Uniform(a, b)
	case 10:
		return mjq.LogNormalMeanSCV(a, b)
	case 11:
		return mjq.WeibullMeanShape(b, a)
	case 12:
		return mjq.Empirical([]float64{a, b})
	case 13:
		return mjq.PhaseType([]float64{a, 1 - a}, [][]float64{{-b, b}, {0, -1}})
	case 14:
		return law.FitMeanSCV(a, b)
	}
	return nil
}

// FuzzBuild: whatever the description, Build does not panic and its error has
// a line for each faulty field; whatever it lets through is a model whose every
// description is finite.
func FuzzBuild(f *testing.F) {
	f.Add(20, 1.4, "small", 1, 0.8, byte(0), 0.5, 0., "big", 10, 0.2, byte(10), 3., 2.)
	f.Add(0, -1., "", 0, -1., byte(15), 0., 0., "", 9, math.NaN(), byte(6), 0.5, 1.)
	f.Add(4, math.Inf(1), "a", 5, 0.5, byte(2), -1., 0., "a", 4, 0.5, byte(13), 2., 0.)
	f.Add(1<<62, 1e300, "a\x00b", 1<<62, 1., byte(5), 1., 1., "<b>", -1<<63, 1e-320, byte(12), math.Inf(1), math.NaN())
	f.Fuzz(func(t *testing.T, servers int, rate float64, name1 string, need1 int, p1 float64, kind1 byte, a1, b1 float64,
		name2 string, need2 int, p2 float64, kind2 byte, a2, b2 float64) {
		service1, service2 := fuzzedLaw(kind1, a1, b1), fuzzedLaw(kind2, a2, b2)
		m := mjq.Servers(servers).Poisson(rate).Class(name1, need1, p1, service1).Class(name2, need2, p2, service2)
		err := m.Err()

		var want []string // what the error must speak of
		expect := func(fault bool, text string) {
			if fault {
				want = append(want, text)
			}
		}
		expect(servers < 1, "Servers(")
		expect(!(rate > 0 && rate <= math.MaxFloat64), "Poisson(")
		expect(name1 == "", "class 1 has no name")
		expect(name2 == "", "class 2 has no name")
		expect(name2 != "" && name1 == name2, "taken by an earlier class")
		expect(need1 < 1 || need2 < 1, "below 1")
		expect(servers >= 1 && max(need1, need2) > servers, "exceeds")
		expect(!(p1 > 0) || !(p2 > 0), "not in (0, 1]")
		expect(!(math.Abs(p1+p2-1) <= 2e-6), "sum to")
		expect(!usable(service1), "class 1")
		expect(!usable(service2), "class 2")
		for _, text := range want {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("no word of %q in: %v", text, err)
			}
		}
		if err != nil {
			faultsCounted(t, err)
			return
		}
		checkBuilt(t, m)
	})
}

// usable reports whether a law may serve, by its own word.
func usable(l mjq.Law) bool {
	return l != nil && l.Validate() == nil && l.Mean() > 0 && !math.IsInf(l.Mean(), 1)
}

// faultsCounted: the error says in its first line how many faults it has and
// has each of them apart.
func faultsCounted(t *testing.T, err error) {
	var list interface{ Unwrap() []error }
	if !errors.As(err, &list) {
		t.Fatalf("no list of faults in: %v", err)
	}
	head, _, _ := strings.Cut(err.Error(), "\n")
	if n := len(list.Unwrap()); n == 0 || !strings.HasSuffix(head, " "+spec.Count(n, "fault")+":") {
		t.Errorf("%d faults, but %q", n, head)
	}
}

// checkBuilt looks at all that a model tells without being run.
func checkBuilt(t *testing.T, m mjq.Model) {
	sum := 0.0
	for _, c := range m.Spec().Classes {
		sum += c.Prob
		if c.Need < 1 || c.Need > m.Spec().Servers || !(c.Service.Mean() > 0) {
			t.Errorf("impossible class %+v", c)
		}
		if p := c.Service.Survival(0); !(p >= 0 && p <= 1) {
			t.Errorf("%v: P(X > 0) = %v", c.Service, p)
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("probabilities sum to %v", sum)
	}
	if !(m.IdealRate() >= 0) || !(m.Rate() > 0) {
		t.Errorf("ideal rate %v, rate %v", m.IdealRate(), m.Rate())
	}
	if m.String() == "" || strings.Contains(m.HTML(), "<b><b>") {
		t.Error("not described")
	}
	for _, rate := range []float64{2, 0, math.NaN()} {
		if m.AtRate(rate).String() == "" {
			t.Errorf("not described at rate %v", rate)
		}
	}
}
