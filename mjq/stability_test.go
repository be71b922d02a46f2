package mjq

import (
	"context"
	"math"
	"testing"
	"time"
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
		model Builder
		want  float64
		exact float64 // half-width of the reference itself
	}{
		{"five classes, exponential", FiveClassExponential(), limitExponential, 0},
		{"five classes, Erlang-3", FiveClassErlang(), limitErlang, 0},
		{"five classes, hyperexponential", FiveClassHyperExp(), limitHyperExp, 0},
		{"five classes, bounded Pareto", FiveClassBoundedPareto(), 1.71527, 0.00084},
		{"1 and 256", OneOrAll(256, 0.001, 1, 0.025), limitOneAnd256, 0},
	} {
		st, err := Must(c.model.Build()).Stability().Pile().RelErr(0.002).Seed(3).Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		e := st.Estimate()
		e.HalfWidth += c.exact
		within(t, c.name, e, c.want, 4)
		if st.Met && !(st.HalfWidth <= 0.002*st.Rate) {
			t.Errorf("%s: claims to have met 0.2 %% with %v", c.name, e)
		}
		if w := st.WastedInterval(); math.Abs(w.Value-float64(Must(c.model.Build()).Servers())*(1-st.Rate/st.IdealRate)) > 1e-9 {
			t.Errorf("%s: wasted %v", c.name, w)
		}
	}
}

// TestCellBLimit is the limit of the seventeen recovered classes: 2.38 in the
// paper, 2.36 to 2.40 in an independent pile.
func TestCellBLimit(t *testing.T) {
	st, err := Must(BorgCellB().Build()).Stability().RelErr(0.01).Run(context.Background())
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
	m := Must(OneOrAll(8, 0.05, 1, 0.2).Build())
	q, cycle := 0.95, 1/0.2
	for i := 1; i < 8; i++ {
		cycle += math.Pow(q, float64(i)) / float64(i)
	}
	cycle += math.Pow(q, 8) / (0.05 * 8)
	exact, held := 1/(0.05*cycle), 0
	for seed := range uint64(60) {
		st := Must(m.Stability().Pile().RelErr(0.005).Seed(seed).Run(context.Background()))
		if st.Estimate().Covers(exact) {
			held++
		}
	}
	if held < 50 {
		t.Errorf("the exact limit %v lies in %d of 60 intervals", exact, held)
	}
}

func TestClosedFormLimit(t *testing.T) {
	m := Must(Servers(10).Class("a", 3, 0.5, ExpMean(1)).Class("b", 3, 0.5, Deterministic(2)).Build())
	st := Must(m.Stability().Run(context.Background()))
	if st.Method != "closed form" || st.Rate != 2 || st.HalfWidth != 0 {
		t.Errorf("three groups of mean service 1.5: %v, want a rate of exactly 2", st)
	}
	if math.Abs(st.Wasted-1) > 1e-12 {
		t.Errorf("10 servers in groups of 3 waste one, not %v", st.Wasted)
	}
	within(t, "the same by the pile", Must(m.Stability().Pile().Run(context.Background())).Estimate(), 2, 4)
}

func TestStabilityStopsSoon(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var last float64
	q := Must(BorgCellB().Build()).Stability().RelErr(1e-6).MaxJobs(1e12).Progress(func(done, total float64) { last = done / total })
	time.AfterFunc(400*time.Millisecond, cancel)
	_, err := q.Run(ctx)
	if err == nil {
		t.Error("an interrupted run must say so")
	}
	if last > 1 {
		t.Errorf("progress went to %v of 1", last)
	}
}

func TestStabilityFaults(t *testing.T) {
	m := Must(FiveClassExponential().Build())
	_, err := m.Stability().Pile().Exact().RelErr(-1).Level(2).MaxJobs(0).Workers(0).Run(context.Background())
	mention(t, err, "Exact() and Pile()", "RelErr(-1)", "Level(2)", "MaxJobs(0)", "Workers(0)")
}
