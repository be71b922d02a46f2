package limit_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// counted is a law whose draws are counted.
type counted struct {
	law.Law
	draws *atomic.Int64
}

func (c counted) Scaled(by float64) law.Law { return counted{c.Law.Scaled(by), c.draws} }

func (c counted) Sample(rng rand.Source) float64 {
	c.draws.Add(1)
	return c.Law.Sample(rng)
}

// TestGoroutinesLeaveALimitBeingFound: while one run waits for a limit that takes seconds,
// another leaves when its own time is over, and when both have left the computation ends.
func TestGoroutinesLeaveALimitBeingFound(t *testing.T) {
	draws := new(atomic.Int64)
	m := atLoad(slowLimit(draws), 0.5)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	waits, ended := make(chan struct{}, 1), make(chan error, 1)
	o := problem.Defaults()
	o.Progress = func(float64, float64) {
		select {
		case waits <- struct{}{}:
		default:
		}
	}
	go func() {
		_, err := run.Solve(ctx, m, sampler.Forward{}, o)
		ended <- err
	}()
	<-waits
	for name, ask := range map[string]func(context.Context) error{
		"a verb": func(ctx context.Context) error {
			_, err := run.Solve(ctx, m, simulation.Method{}, problem.Defaults())
			return err
		},
		"Limit":   func(ctx context.Context) error { _, err := limit.Of(ctx, m, nil); return err },
		"Resolve": func(ctx context.Context) error { _, err := limit.Resolve(ctx, atLoad(m, 0.7), nil); return err },
	} {
		short, done := context.WithTimeout(context.Background(), 50*time.Millisecond)
		began := time.Now()
		err := ask(short)
		took := time.Since(began)
		done()
		t.Logf("%s came back after %v", name, took)
		if !errors.Is(err, context.DeadlineExceeded) || took > soon {
			t.Errorf("%s with 50 ms came back after %v with %v", name, took, err)
		}
	}
	select {
	case err := <-ended:
		t.Fatalf("the first run does not wait any more: %v", err)
	default:
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the first run ended with %v", err)
	}
	for left, before := time.Now(), int64(-1); draws.Load() != before; time.Sleep(200 * time.Millisecond) {
		if before = draws.Load(); time.Since(left) > soon {
			t.Fatal("the computation goes on although nobody waits for it")
		}
	}
}

// TestProgressWhileTheLimitIsFound: a run says that it is alive while it waits for the limit:
// nothing of what it will count to is done.
func TestProgressWhileTheLimitIsFound(t *testing.T) {
	m := atLoad(problem.New(&spec.Spec{Servers: 4, Classes: []spec.Class{
		{Name: "small", Need: 1, Prob: 0.7, Service: law.ExpRate(1)}, {Name: "big", Need: 4, Prob: 0.3, Service: law.ExpRate(1)},
	}}), 0.5)
	want, err := limit.Find(context.Background(), m, limit.Way{}, problem.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	looked, release := make(chan struct{}), make(chan struct{})
	go func() {
		_, _ = m.Limits().Wait(context.Background(), func(context.Context) (*result.Stability, error) {
			close(looked)
			<-release
			return want, nil
		}, nil)
	}()
	<-looked
	var totals []float64
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	o := problem.Defaults()
	o.Progress = func(done, total float64) {
		if totals = append(totals, total); len(totals) == 1 {
			if done != 0 {
				t.Errorf("%v of %v done before the limit is known", done, total)
			}
			close(release)
		}
	}
	r, err := run.Solve(ctx, m, sampler.Backward{Samples: 512}, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Limit.Rate != want.Rate {
		t.Errorf("the run had the limit %v", r.Limit)
	}
	for _, total := range totals {
		if total != 512 {
			t.Errorf("totals %v", totals)
		}
	}
	if r.Run.ElapsedLimit < 100*time.Millisecond {
		t.Errorf("the limit took %v by the result", r.Run.ElapsedLimit)
	}
}

// soon is long after anything of these tests has ended.
const soon = 10 * time.Second

// atLoad is the problem at a fraction of its limit.
func atLoad(p *problem.Problem, load float64) *problem.Problem {
	return p.WithArrivals(p.WithLoad(load))
}

// slowLimit is a queue whose limit takes seconds: services that are not phase-type, so that
// only the pile finds it.
func slowLimit(draws *atomic.Int64) *problem.Problem {
	return problem.New(&spec.Spec{Servers: 2048, Classes: []spec.Class{
		{Name: "small", Need: 1, Prob: 0.999, Service: counted{law.LogNormalMeanSCV(1, 4), draws}},
		{Name: "big", Need: 1024, Prob: 0.001, Service: counted{law.LogNormalMeanSCV(20, 4), draws}},
	}})
}
