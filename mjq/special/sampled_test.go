package special

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// tail holds P(W > x) of exact samples against known values, within four and a half binomial
// standard errors.
func tail(t *testing.T, what string, w *result.Metric, x, want []float64) {
	t.Helper()
	for i := range x {
		se := math.Sqrt(want[i] * (1 - want[i]) / w.Effective)
		if got := 1 - w.CDF(x[i]).Value; math.Abs(got-want[i]) > 4.5*se+0.004*want[i]/10 {
			t.Errorf("%s: P(W > %v) = %.5g, want %.5g: %.1f standard errors", what, x[i], got, want[i], (got-want[i])/se)
		}
	}
}

// TestSampledBrillGreen draws Figure 1 of Golovin's paper.
func TestSampledBrillGreen(t *testing.T) {
	q := BrillGreen{Lambda1: 1, Lambda2: 1, Mu: 4}
	r := mjq.Must(q.Model().Solve(t.Context(), mjq.Dominated{Samples: 100_000}))
	for _, v := range oracle.Values(t, "D1", "tail_P(W>x)") {
		w := map[string]*result.Metric{"class1": &r.Classes[0].Waiting, "class2": &r.Classes[1].Waiting, "generic": &r.All.Waiting}[v.Parameters["who"].(string)]
		tail(t, v.Parameters["who"].(string), w, numbers(v.Parameters["x"]), numbers(v.Value))
	}
	oracle.Within(t, "class 1", r.Classes[0].Waiting.Mean, q.MeanWaiting1(), 4.5)
	oracle.Within(t, "class 2", r.Classes[1].Waiting.Mean, q.MeanWaiting2(), 4.5)
}

// TestSampledPareto is M/G/1 with heavy tails, exact tails by (15): one class of the stream
// alone, then two classes whose laws differ.
func TestSampledPareto(t *testing.T) {
	x := []float64{0, 0.1, 1, 10}
	for _, q := range []MPareto1{{{Rate: 2.25, Shape: 3.5, Scale: 1}}, {{Rate: 0.832, Shape: 3.5, Scale: 1}, {Rate: 0.208, Shape: 4.1, Scale: 1}}} {
		r := mjq.Must(q.Model().Solve(t.Context(), mjq.Dominated{Samples: 20_000}))
		var want []float64
		for _, v := range x {
			want = append(want, q.Waiting(v))
		}
		tail(t, "M/Pareto/1", &r.All.Waiting, x, want)
		oracle.Within(t, "its mean", r.All.Waiting.Mean, q.MeanWaiting(), 4.5)
	}
}

// TestOneAndNPile: the throughput is the stability limit of the model, which the pile finds
// by simulation.
func TestOneAndNPile(t *testing.T) {
	q := OneAndN{N: 16, BigProb: 0.05, SmallRate: 1, BigRate: 0.5}
	m := q.Model().AtRate(0.5 * q.Throughput())
	if s := m.Spec(); s.Servers != 16 || s.Classes[1].Need != 16 {
		t.Errorf("another model: %v", m)
	}
	st := mjq.Must(m.Stability(t.Context(), mjq.Pile{}, mjq.Seed(3), mjq.MaxJobs(4_000_000)))
	oracle.Within(t, "pile", st.Estimate(), q.Throughput(), 4.5)
}

// TestSojournAgainstSampling: fractional needs against exact samples of the equivalent queue
// with servers.
func TestSojournAgainstSampling(t *testing.T) {
	d, m := fractions(), mjq.Must(fractions().Model())
	if s := m.Spec(); s.Servers != 30 || s.Classes[1].Need != 3 {
		t.Fatalf("%v", m)
	}
	rate := 0.8 * mjq.Must(d.Capacity(t.Context())).Rate
	exact := mjq.Must(d.Sojourn(t.Context(), rate))
	r := mjq.Must(m.AtRate(rate).Solve(t.Context(), mjq.Backward{Samples: 5_000}, mjq.Seed(3)))
	for i, k := range exact.Classes {
		oracle.Within(t, k.Name+" mean", r.Classes[i].Waiting.Mean, k.Waiting.Mean, 4.5)
		oracle.Within(t, k.Name+" variance", r.Classes[i].Waiting.Variance, k.Waiting.Variance(), 4.5)
	}
	oracle.Within(t, "amount blocked", result.Estimate{Value: r.WastedHOL.Value / 30, HalfWidth: r.WastedHOL.HalfWidth / 30}, exact.Blocked, 4.5)
}

// TestDivisibleIsTheSameQueue: its limit agrees with that of the queue with servers, from a
// chain that shares no code with this one, and with the pile.
func TestDivisibleIsTheSameQueue(t *testing.T) {
	m, c := mjq.Must(fractions().Model()), mjq.Must(fractions().Capacity(t.Context()))
	oracle.Relative(t, "limit of the chain", mjq.Must(m.Stability(t.Context(), mjq.Exact{})).Rate, c.Rate, 1e-12)
	st := mjq.Must(m.Stability(t.Context(), mjq.Pile{}, mjq.Seed(4), mjq.RelErr(0.003)))
	oracle.Within(t, "limit", st.Estimate(), c.Rate, 4.5)
}

// TestUnitAssignmentPiles holds the closed form of Appendix A against the piles of both
// disciplines.
func TestUnitAssignmentPiles(t *testing.T) {
	for _, a := range []UnitAssignment{{2, 0.5}, {4, 0.1}, {20, 0.3}} {
		plain := mjq.Must(a.Model().Stability(t.Context(), mjq.RelErr(0.006)))
		random := mjq.Must(a.Model().RandomAssignment().Stability(t.Context(), mjq.RelErr(0.006)))
		oracle.Within(t, a.String(), plain.Estimate(), a.FCFS(), 4.5)
		oracle.Within(t, a.String()+", random assignment", random.Estimate(), a.RandomAssignment(), 4.5)
		if !(a.Ratio() > 1) || math.Abs(a.Ratio()-a.FCFS()/a.RandomAssignment()) > 1e-12 || a.RatioAsPrinted() <= a.Ratio() {
			t.Errorf("%+v: ratios %v, %v", a, a.Ratio(), a.RatioAsPrinted())
		}
	}
}
