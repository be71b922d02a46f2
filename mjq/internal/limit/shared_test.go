package limit_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// gated is a uniform law whose draws wait until the gate is open, and are counted.
type gated struct {
	of    mjq.Law
	open  <-chan struct{}
	draws *atomic.Int64
}

func (g gated) Validate() error { return g.of.Validate() }

func (g gated) Mean() float64 { return g.of.Mean() }

func (g gated) Variance() float64 { return g.of.Variance() }

func (g gated) Survival(x float64) float64 { return g.of.Survival(x) }

func (g gated) Quantile(p float64) float64 { return g.of.Quantile(p) }

func (g gated) Laplace(s float64) float64 { return g.of.Laplace(s) }

func (g gated) Scaled(c float64) mjq.Law { return gated{g.of.Scaled(c), g.open, g.draws} }

func (g gated) String() string { return g.of.String() }

func (g gated) Sample(rng rand.Source) float64 {
	<-g.open
	g.draws.Add(1)
	return g.of.Sample(rng)
}

// TestGoroutinesShareTheLimit: three verbs at loads of the same queue need its limit, which
// is found once for all. When the context of one ends it leaves, though the limit is far
// from found; the others get what they get alone.
func TestGoroutinesShareTheLimit(t *testing.T) {
	type answer struct {
		r   *result.Result
		err error
	}
	build := func(open <-chan struct{}) (mjq.Model, *atomic.Int64) {
		draws := new(atomic.Int64)
		law := gated{mjq.Uniform(0.5, 1.5), open, draws}
		return mjq.Servers(2).Class("one", 1, 0.5, law).Class("two", 2, 0.5, law), draws
	}
	ask := func(ctx context.Context, m mjq.Model, load float64, waits chan<- struct{}) answer {
		r, err := m.AtLoad(load).Solve(ctx, mjq.Forward{Jobs: 100, Replications: 4}, mjq.Progress(func(mjq.Step) {
			select {
			case waits <- struct{}{}:
			default:
			}
		}))
		return answer{r, err}
	}
	open := make(chan struct{})
	m, draws := build(open)
	short, leave := context.WithCancel(context.Background())
	defer leave()
	var waits [3]chan struct{}
	var answers [3]chan answer
	loads := []float64{0.5, 0.7, 0.8}
	for i, ctx := range []context.Context{short, context.Background(), context.Background()} {
		waits[i], answers[i] = make(chan struct{}, 1), make(chan answer, 1)
		go func() { answers[i] <- ask(ctx, m, loads[i], waits[i]) }()
	}
	deadline := time.After(time.Minute)
	wait := func(what string, i int) (a answer) {
		t.Helper()
		select {
		case a = <-answers[i]:
		case <-deadline:
			t.Fatal(what)
		}
		return a
	}
	for _, w := range waits { // both say that they are alive while they wait for the limit
		select {
		case <-w:
		case <-deadline:
			t.Fatal("an asker does not wait")
		}
	}
	leave()
	if a := wait("the one whose context has ended waits for the limit", 0); !errors.Is(a.err, context.Canceled) || a.r != nil {
		t.Errorf("the one whose context has ended got %v, %v", a.r, a.err)
	}
	if n := draws.Load(); n != 0 {
		t.Errorf("%d draws through a closed gate", n)
	}
	close(open)
	lone, alone := build(open)
	for i := 1; i < len(loads); i++ {
		a := wait("one who stayed has no answer", i)
		want := ask(context.Background(), lone, loads[i], nil)
		if a.err != nil || want.err != nil {
			t.Fatal(a.err, want.err)
		}
		if a.r.Rate != want.r.Rate || a.r.All.Waiting.Mean.Value != want.r.All.Waiting.Mean.Value || !a.r.Run.Complete {
			t.Errorf("load %v: together %v at rate %v, alone %v at rate %v", loads[i], a.r.All.Waiting.Mean, a.r.Rate, want.r.All.Waiting.Mean, want.r.Rate)
		}
	}
	if n, one := draws.Load(), alone.Load(); float64(n) > 1.5*float64(one) {
		t.Errorf("%d draws for those who asked together, %d for one after another: the limit was found twice", n, one)
	}
}
