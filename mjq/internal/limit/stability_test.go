package limit_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/workload"
)

// Exact stability limits: reference/math A.1 and A.3 by two independent chains.
const (
	limitExponential = 1.8008553591
	limitErlang      = 1.8437053664
	limitHyperExp    = 1.5055103956
	limitOneAnd256   = 20.448071665897
)

func TestStabilityLimits(t *testing.T) {
	for _, c := range []struct {
		name  string
		model mjq.Model
		want  float64
		exact float64 // half-width of the reference itself
	}{
		{"five classes, exponential", workload.FiveClassExponential(), limitExponential, 0},
		{"five classes, Erlang-3", workload.FiveClassErlang(), limitErlang, 0},
		{"five classes, hyperexponential", workload.FiveClassHyperExp(), limitHyperExp, 0},
		{"five classes, bounded Pareto", workload.FiveClassBoundedPareto(), 1.71527, 0.00084},
		{"1 and 256", workload.OneOrAll(256, 0.001, 1, 0.025), limitOneAnd256, 0},
	} {
		st, err := c.model.Stability(context.Background(), mjq.Pile{}, mjq.RelErr(0.002), mjq.Seed(3))
		if err != nil {
			t.Fatal(err)
		}
		e := st.Estimate()
		e.HalfWidth += c.exact
		oracle.Within(t, c.name, e, c.want, 4)
		if st.Met && !(st.HalfWidth <= 0.002*st.Rate) {
			t.Errorf("%s: claims to have met 0.2 %% with %v", c.name, e)
		}
		if w := st.WastedInterval(); math.Abs(w.Value-float64(c.model.Spec().Servers)*(1-st.Rate/st.IdealRate)) > 1e-9 {
			t.Errorf("%s: wasted %v", c.name, w)
		}
	}
}

// TestCellBLimit is the limit of the seventeen recovered classes: 2.38 in the
// paper, 2.36 to 2.40 in an independent pile.
func TestCellBLimit(t *testing.T) {
	oracle.Long(t, "TestStabilityLimits")
	st, err := workload.BorgCellB().Stability(context.Background(), mjq.RelErr(0.01))
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(st.Rate-2.38) < 0.03) || !(st.HalfWidth < 0.035) {
		t.Errorf("Cell B: %v, want 2.38 ± 0.03", st)
	}
}

// TestPileCoverage runs the pile with many seeds: its 95 % intervals must hold
// the exact limit in 83 % or more of 60 runs (four standard errors below).
func TestPileCoverage(t *testing.T) {
	m := workload.OneOrAll(8, 0.05, 1, 0.2)
	q, cycle := 0.95, 1/0.2
	for i := 1; i < 8; i++ {
		cycle += math.Pow(q, float64(i)) / float64(i)
	}
	cycle += math.Pow(q, 8) / (0.05 * 8)
	exact, held, runs := 1/(0.05*cycle), 0, oracle.Sized(12, 60)
	for seed := range uint64(runs) {
		st := mjq.Must(m.Stability(context.Background(), mjq.Pile{}, mjq.RelErr(0.005), mjq.Seed(seed)))
		if st.Estimate().Covers(exact) {
			held++
		}
	}
	if held < runs*5/6 {
		t.Errorf("the exact limit %v lies in %d of %d intervals", exact, held, runs)
	}
}

func TestClosedFormLimit(t *testing.T) {
	m := mjq.Servers(10).Class("a", 3, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.Deterministic(2))
	st := mjq.Must(m.Stability(context.Background()))
	if st.Method != "closed form" || st.Rate != 2 || st.HalfWidth != 0 {
		t.Errorf("three groups of mean service 1.5: %v, want a rate of exactly 2", st)
	}
	if math.Abs(st.Wasted-1) > 1e-12 {
		t.Errorf("10 servers in groups of 3 waste one, not %v", st.Wasted)
	}
	oracle.Within(t, "the same by the pile", mjq.Must(m.Stability(context.Background(), mjq.Pile{})).Estimate(), 2, 4)
}

func TestStabilityStopsSoon(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var last float64
	time.AfterFunc(400*time.Millisecond, cancel)
	_, err := workload.BorgCellB().Stability(ctx, mjq.RelErr(1e-6), mjq.MaxJobs(1e12), mjq.Progress(func(s mjq.Step) { last = s.Done / s.Total }))
	if err == nil {
		t.Error("an interrupted run must say so")
	}
	if last > 1 {
		t.Errorf("progress went to %v of 1", last)
	}
}

func TestStabilityFaults(t *testing.T) {
	m := workload.FiveClassExponential()
	_, err := m.Stability(context.Background(), mjq.Exact{}, mjq.RelErr(-1), mjq.Level(2), mjq.MaxJobs(0), mjq.Workers(0))
	oracle.Mention(t, err, "RelErr(-1)", "Level(2)", "MaxJobs(0)", "Workers(0)")
}
