package workload

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// TestWorkloads checks the papers' workloads against what the papers say.
func TestWorkloads(t *testing.T) {
	for name, m := range map[string]mjq.Model{"exponential": FiveClassExponential(), "Erlang": FiveClassErlang(),
		"hyperexponential": FiveClassHyperExp(), "bounded Pareto": FiveClassBoundedPareto()} {
		for i, mean := range []float64{0.5, 0.83, 1.25, 3.33, 10} {
			if got := m.Spec().Classes[i].Service.Mean(); math.Abs(got-mean) > 2e-3*mean {
				t.Errorf("%s: class %d has mean %v, Table 2 says %v", name, i, got, mean)
			}
		}
	}
	for i, want := range []float64{12.38, 34.10, 77.35, 548.96, 4950.51} { // Table 2
		if got := FiveClassHyperExp().Spec().Classes[i].Service.Variance(); math.Abs(got-want) > 2e-3*want {
			t.Errorf("hyperexponential class %d: variance %v, Table 2 says %v", i, got, want)
		}
	}
	if s := BorgCellB().Spec(); len(s.Classes) != 17 || s.Servers != 2048 {
		t.Errorf("Cell B has %d classes on %d servers", len(s.Classes), s.Servers)
	}
	if n := len(BorgCellB26().Spec().Classes); n != 26 {
		t.Errorf("the whole of Cell B has %d classes", n)
	}
}

// TestLimits holds the stability limits against those that the papers print, λ_c of the
// exponential mix 1.80086 (Table 3 rounds it) and of 1-and-256 20.448071665897.
func TestLimits(t *testing.T) {
	for what, c := range map[string]struct {
		m    mjq.Model
		want float64
	}{"five classes": {FiveClassExponential(), 1.80086}, "one or all": {OneOrAll(256, 0.001, 1, 0.025), 20.448071665897}} {
		st, err := c.m.Stability(t.Context(), mjq.Exact{})
		if err != nil || math.Abs(st.Rate/c.want-1) > 3e-6 {
			t.Errorf("%s: %v, %v; want %v", what, st, err, c.want)
		}
	}
}
