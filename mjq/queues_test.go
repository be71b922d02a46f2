package mjq

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/special"
)

// TestDominatedBrillGreen draws Figure 1 of Golovin's paper.
func TestDominatedBrillGreen(t *testing.T) {
	m := Servers(2).Poisson(2).Class("one", 1, 0.5, ExpRate(4)).Class("two", 2, 0.5, ExpRate(4))
	r := Must(m.Solve(context.Background(), Dominated{Samples: 100_000}))
	for _, v := range references(t, "D1", "tail_P(W>x)") {
		w := map[string]*result.Metric{"class1": &r.Classes[0].Waiting, "class2": &r.Classes[1].Waiting, "generic": &r.All.Waiting}[v.Parameters["who"].(string)]
		tail(t, v.Parameters["who"].(string), w, numbers(v.Parameters["x"]), numbers(v.Value))
	}
	q := BrillGreen(1, 1, 4)
	within(t, "class 1", r.Classes[0].Waiting.Mean, q.MeanWaiting1(), 4.5)
	within(t, "class 2", r.Classes[1].Waiting.Mean, q.MeanWaiting2(), 4.5)
}

// TestDominatedPareto is M/G/1 with heavy tails, exact tails by (15): one class
// of the stream alone, then two classes whose laws differ.
func TestDominatedPareto(t *testing.T) {
	x := []float64{0, 0.1, 1, 10}
	one := Servers(1).Poisson(2.25).Class("job", 1, 1, LomaxScaleShape(1, 3.5))
	two := Servers(1).Poisson(1.04).Class("a", 1, 0.8, LomaxScaleShape(1, 3.5)).Class("b", 1, 0.2, LomaxScaleShape(1, 4.1))
	for _, c := range []struct {
		m Model
		q *special.MPareto1
	}{
		{one, MPareto1(special.ParetoStream{Rate: 2.25, Shape: 3.5, Scale: 1})},
		{two, MPareto1(special.ParetoStream{Rate: 0.832, Shape: 3.5, Scale: 1}, special.ParetoStream{Rate: 0.208, Shape: 4.1, Scale: 1})},
	} {
		r := Must(c.m.Solve(context.Background(), Dominated{Samples: 20_000}))
		var want []float64
		for _, v := range x {
			want = append(want, c.q.Waiting(v))
		}
		tail(t, "M/Pareto/1", &r.All.Waiting, x, want)
		within(t, "its mean", r.All.Waiting.Mean, c.q.MeanWaiting(), 4.5)
	}
}

// TestDominatedCertified compares with certified samples where both apply.
func TestDominatedCertified(t *testing.T) {
	classes := []Class{{Name: "a", Need: 1, Prob: 0.6, Service: ExpMean(0.5)}, {Name: "b", Need: 3, Prob: 0.4, Service: ExpMean(0.4)}}
	m := Servers(4).Poisson(1.8).Classes(classes...)
	exact := Must(m.Solve(context.Background(), Dominated{Samples: 40_000}))
	other := Must(m.Solve(context.Background(), Certified{Samples: 10_000}, Seed(2)))
	for i := range classes {
		a, b := exact.Classes[i].Waiting, other.Classes[i].Waiting
		for what, e := range map[string][2]result.Estimate{"mean": {a.Mean, b.Mean}, "variance": {a.Variance, b.Variance}, "CDF": {a.CDF(1), b.CDF(1)}} {
			if se := math.Hypot(e[0].HalfWidth, e[1].HalfWidth) / 1.96; math.Abs(e[0].Value-e[1].Value) > 4.5*se || se > 0.1*e[0].Value {
				t.Errorf("%s of %s: %v exact, %v certified", what, classes[i].Name, e[0], e[1])
			}
		}
	}
}

// TestOneAndNPile: the throughput is the stability limit of the model, which
// the pile finds by simulation.
func TestOneAndNPile(t *testing.T) {
	s := OneAndN(16, 0.05, 1, 0.5)
	m := FromSpec(Must(s.Spec())).AtRate(0.5 * s.Throughput())
	if m.Spec().Servers != 16 || m.Spec().Classes[1].Need != 16 {
		t.Errorf("another model: %v", m)
	}
	st := Must(m.Stability(context.Background(), Pile{}, Seed(3), MaxJobs(4_000_000)))
	within(t, "pile", st.Estimate(), s.Throughput(), 4.5)
}

// parts is a divisible resource with the unit 1/30, and servers the same queue.
func parts() (divisible special.Divisible, servers Model) {
	divisible = Divisible(1).Class("third", 1./3, 0.5, ExpMean(1)).Class("tenth", 0.1, 0.3, ExpMean(0.5)).Class("half", 0.5, 0.2, ExpMean(2))
	return divisible, FromSpec(Must(divisible.Spec()))
}

// TestSojournAgainstSampling: fractional needs against exact samples of the
// equivalent queue with servers.
func TestSojournAgainstSampling(t *testing.T) {
	d, m := parts()
	if m.Spec().Servers != 30 || m.Spec().Classes[1].Need != 3 {
		t.Fatalf("%v", m)
	}
	rate := 0.8 * Must(d.Capacity().Run(background)).Rate
	exact := Must(d.Sojourn(rate).Run(background))
	r := Must(m.AtRate(rate).Solve(background, Backward{Samples: 5_000}, Seed(3)))
	for i, k := range exact.Classes {
		within(t, k.Name+" mean", r.Classes[i].Waiting.Mean, k.Waiting.Mean, 4.5)
		within(t, k.Name+" variance", r.Classes[i].Waiting.Variance, k.Waiting.Variance(), 4.5)
	}
	within(t, "amount blocked", result.Estimate{Value: r.WastedHOL.Value / 30, HalfWidth: r.WastedHOL.HalfWidth / 30}, exact.Blocked, 4.5)
}

// TestDivisibleIsTheSameQueue: its limit agrees with that of the queue with
// servers, from a chain that shares no code with this one, and with the pile.
func TestDivisibleIsTheSameQueue(t *testing.T) {
	d, m := parts()
	c := Must(d.Capacity().Run(background))
	relative(t, "limit of the chain", Must(m.Stability(background, Exact{})).Rate, c.Rate, 1e-12)
	st := Must(m.Stability(background, Pile{}, Seed(4), RelErr(0.003)))
	within(t, "limit", result.Estimate{Value: st.Rate, HalfWidth: st.HalfWidth}, c.Rate, 4.5)
}

// TestUnitAssignment holds the closed form of Appendix A against the piles of
// both disciplines.
func TestUnitAssignment(t *testing.T) {
	ctx := context.Background()
	for _, x := range []struct {
		n   int
		big float64
	}{{2, 0.5}, {4, 0.1}, {20, 0.3}} {
		a := special.NewUnitAssignment(x.n, x.big)
		m := Servers(x.n).Class("small", 1, 1-x.big, Deterministic(1)).Class("big", x.n, x.big, Deterministic(1))
		for _, st := range []struct {
			got  *result.Stability
			want float64
		}{{Must(m.Stability(ctx, RelErr(0.006))), a.FCFS},
			{Must(m.RandomAssignment().Stability(ctx, RelErr(0.006))), a.RandomAssignment}} {
			within(t, m.String(), st.got.Estimate(), st.want, 4.5)
		}
		if !(a.Ratio > 1) || math.Abs(a.Ratio-a.FCFS/a.RandomAssignment) > 1e-12 || a.RatioAsPrinted <= a.Ratio {
			t.Errorf("%+v: ratios %+v", x, a)
		}
	}
}
