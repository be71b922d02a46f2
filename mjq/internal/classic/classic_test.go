package classic

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) && got != want {
		t.Errorf("%s is %.14g, want %.14g", what, got, want)
	}
}

// queue has Poisson arrivals at a fraction of the limit, and one class or more of equal shares.
func queue(channels int, load float64, services ...law.Law) *Queue {
	q := &Queue{Channels: channels, Poisson: true, Services: services, Curves: true}
	for range services {
		q.Shares = append(q.Shares, 1/float64(len(services)))
	}
	q.Rate = load * float64(channels) / q.mean()
	q.Gap = law.ExpRate(q.Rate)
	return q
}

func answer(t *testing.T, f *Form, q *Queue) *Answer {
	t.Helper()
	a, err := f.Solve(context.Background(), q)
	if err != nil || a.Without != nil {
		t.Fatalf("%s: %v, %v", f.Name, err, a)
	}
	return a
}

// TestTwoFormulas: where two formulas are for one queue, they agree on all that both give.
func TestTwoFormulas(t *testing.T) {
	for _, load := range []float64{0.01, 0.3, 0.7, 0.95, 0.999} {
		exponential, constant := queue(1, load, law.ExpMean(2)), queue(1, load, law.Deterministic{X: 0.5})
		for _, c := range []struct {
			q     *Queue
			forms [2]*Form
		}{{exponential, [2]*Form{erlang, pollaczek}}, {exponential, [2]*Form{erlang, embedded}}, {constant, [2]*Form{crommelin, pollaczek}},
			{queue(7, load, law.ExpMean(2)), [2]*Form{erlang, embedded}}} {
			a, b := answer(t, c.forms[0], c.q), answer(t, c.forms[1], c.q)
			name := c.forms[0].Name + " and " + c.forms[1].Name
			near(t, name+": mean", b.Mean, a.Mean, 1e-9)
			near(t, name+": second moment", b.Second, a.Second, 1e-9)
			near(t, name+": no wait", b.NoWait, a.NoWait, 1e-11)
			near(t, name+": some job waits", b.Queued, a.Queued, 1e-11)
			for k := range a.Queue {
				near(t, name+": jobs that wait", b.Queue[k]/a.Queue[k], 1, 1e-8)
				if b.Jobs != nil {
					near(t, name+": jobs", b.Jobs[k]/a.Jobs[k], 1, 1e-8)
				}
			}
			for _, x := range []float64{0, 0.1, 0.49, 0.51, 1.3, 4, 25} {
				near(t, name+": waits", b.Waiting.Survival(x), a.Waiting.Survival(x), 1e-9)
				near(t, name+": responses", b.Response[0].Survival(x), a.Response[0].Survival(x), 1e-8)
			}
		}
	}
}

// integral is the mean of what a curve describes, in pieces of its panels and its tail.
func integral(c *result.Curve) (sum float64) {
	last := len(c.Edges) - 1
	for i := range last {
		sum += quad.Fixed(c.Survival, c.Edges[i], c.Edges[i+1], 24, nil, 0)
	}
	return sum + c.Survival(c.Edges[last])/c.Rate
}

// TestDistributions: the means of the distributions are those of the formula.
func TestDistributions(t *testing.T) {
	lognormal := law.LogNormalMeanSCV(1, 4)
	for k, load := range []float64{0.05, 0.6, 0.95} {
		for i, q := range []*Queue{
			queue(1, load, lognormal), queue(1, load, law.LogNormalMeanSCV(1, 0.01)), queue(1, load, law.Weibull{Shape: 0.5, M: 1}),
			queue(1, load, law.Weibull{Shape: 3, M: 1}), queue(1, load, law.Uniform{Lo: 0, Hi: 2}), queue(1, load, law.Uniform{Lo: 1, Hi: 1.5}),
			queue(1, load, law.Lomax{Shape: 4, Scale: 3}), queue(1, load, law.BoundedPareto{Lo: 1, Hi: 100, Shape: 1.5}),
			queue(1, load, law.Deterministic{X: 2}, lognormal), queue(1, load, law.Deterministic{X: 1}, law.Deterministic{X: 1.7}),
			queue(1, load, law.ErlangMeanPhases(1, 80)), queue(3, load, law.Deterministic{X: 2}), queue(40, load, law.Deterministic{X: 2}),
		} {
			if (i+k)%oracle.Sized(3, 1) != 0 { // each at one load
				continue
			}
			f := Of(q)
			a := answer(t, f, q)
			what := f.Name + " " + q.Services[0].String()
			near(t, what+": wait", integral(&a.Waiting), a.Mean, 2e-5)
			for i, s := range q.Services {
				near(t, what+": response", integral(&a.Response[i]), a.Mean+s.Mean(), 2e-5)
			}
			near(t, what+": no wait", a.Waiting.Survival(0), 1-a.NoWait, 1e-9)
			near(t, what+": Little's law", a.Queue[0], q.Rate*a.Mean, 1e-11)
			near(t, what+": all jobs", a.Jobs[0], q.Rate*(a.Mean+q.mean()), 1e-9)
		}
	}
}

// TestNear: what is found of M/D/c near its limit agrees with the sums by steps, and near 1 with
// M/G/1 and heavy traffic.
func TestNear(t *testing.T) {
	for _, c := range []struct {
		channels int
		load     float64
	}{{1, 0.9}, {2, 0.6}, {5, 0.95}, {30, 0.97}, {400, 0.98}, {10_000, 0.999}} {
		q := queue(c.channels, c.load, law.Deterministic{X: 1})
		s, apart := newSteady(q), newSteady(q)
		sums := s.byTerms(context.Background())
		s.line(sums)
		for k, f := range apart.apart() {
			near(t, "a cumulant", f/falling(sums)[k], 1, 1e-9)
		}
		for i, p := range s.waiting[:min(len(s.waiting), len(apart.waiting))] {
			near(t, "a probability", apart.waiting[i], p, 1e-12)
		}
		for _, x := range []float64{0, 0.3, 1, 2.5} {
			near(t, "P(W > x)", apart.waits(x), s.waits(x), 1e-11)
		}
	}
	for _, rest := range []float64{1e-3, 1e-5, 1e-6} {
		a, b := answer(t, crommelin, queue(1, 1-rest, law.Deterministic{X: 1})), answer(t, pollaczek, queue(1, 1-rest, law.Deterministic{X: 1}))
		near(t, "M/D/1 near its limit: mean", a.Mean/b.Mean, 1, 1e-8)
		near(t, "second moment", a.Second/b.Second, 1, 1e-8)
		near(t, "no wait", a.NoWait/rest, 1, 1e-8)
		for _, x := range []float64{0.5, 3, 1 / rest, 20 / rest} {
			near(t, "waits", a.Waiting.Survival(x)/b.Waiting.Survival(x), 1, 1e-7)
		}
		for _, c := range []int{2, 50, 3000} {
			q := queue(c, 1-rest, law.Deterministic{X: 1})
			a := answer(t, crommelin, q)
			near(t, "mean of the distribution", integral(&a.Waiting), a.Mean, 2e-5)
			if rest == 1e-6 {
				near(t, "heavy traffic", a.Mean*2*float64(c)*rest, 1, 1e-2)
			}
			if _, operations := crommelin.Cost(q); operations > 1e8 {
				t.Errorf("%d channels, %g below the limit: %g operations", c, rest, operations)
			}
		}
	}
}

// TestHeavyTails: moments of the wait are infinite from one below those of the service time on.
func TestHeavyTails(t *testing.T) {
	for _, c := range []struct{ shape, mean, second bool }{{}, {true, true, false}} {
		shape := 1.8
		if c.shape {
			shape = 2.5
		}
		a, err := pollaczek.Solve(context.Background(), queue(1, 0.5, law.Lomax{Shape: shape, Scale: 1}))
		if err != nil || math.IsInf(a.Mean, 1) == c.mean || math.IsInf(a.Second, 1) == c.second || a.NoWait != 0.5 {
			t.Errorf("Lomax of shape %v: %v, %+v", shape, err, a)
		}
	}
}

// TestInterrupted: a formula ends with its context.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, f := range []*Form{crommelin, pollaczek} {
		if _, err := f.Solve(ctx, queue(1, 0.9, law.Deterministic{X: 1})); err == nil {
			t.Errorf("%s does not hear its context", f.Name)
		}
	}
	if _, err := embedded.Solve(ctx, queue(5000, 0.9, law.ExpMean(1))); err == nil {
		t.Error("G/M/c does not hear its context")
	}
}
