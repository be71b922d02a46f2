package method

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// waited is what an asker got.
type waited struct {
	st  *result.Stability
	err error
}

// ask has a goroutine wait for the limit, and returns when it is among those who
// wait.
func ask(t *testing.T, l *Limits, ctx context.Context, find finder) <-chan waited {
	t.Helper()
	out, before := make(chan waited, 1), l.waiting()
	go func() {
		st, err := l.wait(ctx, find, nil)
		out <- waited{st, err}
	}()
	for deadline := time.Now().Add(soon); l.waiting() == before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the asker does not wait")
		}
	}
	return out
}

// waiting is how many askers wait for the search that is going.
func (l *Limits) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.going == nil {
		return 0
	}
	return l.going.waiting
}

// got is what arrives on out before long.
func got(t *testing.T, out <-chan waited) waited {
	t.Helper()
	select {
	case w := <-out:
		return w
	case <-time.After(soon):
		t.Fatal("an asker still waits")
		return waited{}
	}
}

// Two askers share one computation, the end of the first one's context takes
// the answer from nobody else, and who comes later gets the same one.
func TestGoroutinesAskForOneLimit(t *testing.T) {
	var l Limits
	var calls atomic.Int32
	release := make(chan struct{})
	find := func(ctx context.Context) (*result.Stability, error) {
		calls.Add(1)
		select {
		case <-release:
			return &result.Stability{Rate: 2}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	early, leave := context.WithCancel(context.Background())
	first := ask(t, &l, early, find)
	second, third := ask(t, &l, context.Background(), find), ask(t, &l, context.Background(), find)
	leave()
	if w := got(t, first); w.st != nil || !errors.Is(w.err, context.Canceled) {
		t.Errorf("the cancelled asker got %v, %v", w.st, w.err)
	}
	close(release)
	a, b := got(t, second), got(t, third)
	if a.err != nil || a.st == nil || a.st.Rate != 2 || a.st != b.st {
		t.Errorf("the others got %v (%v) and %v (%v)", a.st, a.err, b.st, b.err)
	}
	later, err := l.wait(early, find, nil) // known by now: no context is needed
	if err != nil || later != a.st || calls.Load() != 1 {
		t.Errorf("a later asker got %v, %v after %d computations", later, err, calls.Load())
	}
}

// A computation stops when the last asker has left. Who comes while it is
// stopping begins anew, and what the old one may still find does no harm.
func TestLimitStopsWhenNobodyWaits(t *testing.T) {
	var l Limits
	stopped, release := make(chan time.Time, 1), make(chan struct{})
	old := func(ctx context.Context) (*result.Stability, error) {
		<-ctx.Done()
		stopped <- time.Now()
		<-release
		return nil, ctx.Err()
	}
	one, leaveOne := context.WithCancel(context.Background())
	two, leaveTwo := context.WithCancel(context.Background())
	first, second := ask(t, &l, one, old), ask(t, &l, two, old)
	leaveOne()
	got(t, first)
	select {
	case <-stopped:
		t.Fatal("stopped although an asker waits")
	case <-time.After(30 * time.Millisecond):
	}
	left := time.Now()
	leaveTwo()
	got(t, second)
	select {
	case at := <-stopped:
		t.Logf("stopped %v after the last asker left", at.Sub(left))
	case <-time.After(soon):
		t.Fatal("it goes on although nobody waits")
	}
	want := &result.Stability{Rate: 3}
	st, err := l.wait(context.Background(), func(context.Context) (*result.Stability, error) { return want, nil }, nil)
	if st != want || err != nil {
		t.Errorf("a fresh asker got %v, %v", st, err)
	}
	close(release)
	if st, _ = l.wait(context.Background(), old, nil); st != want {
		t.Errorf("then %v", st)
	}
	if st, err = new(Limits).wait(one, old, nil); st != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended gives %v, %v", st, err)
	}
}

// Errors and panics reach all who wait, and nobody after them.
func TestLimitFailuresReachAllGoroutines(t *testing.T) {
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("out of luck") },
		"panic": func() error { panic("out of luck") },
	} {
		var l Limits
		release := make(chan struct{})
		find := func(context.Context) (*result.Stability, error) {
			<-release
			return &result.Stability{}, fail()
		}
		outs := []<-chan waited{ask(t, &l, context.Background(), find), ask(t, &l, context.Background(), find)}
		close(release)
		for _, out := range outs {
			w := got(t, out)
			if w.st != nil {
				t.Errorf("%s: an asker got %v", name, w.st)
			}
			if w.err == nil || !strings.Contains(w.err.Error(), "out of luck") {
				t.Errorf("%s: an asker got the error %v", name, w.err)
			}
		}
		want := &result.Stability{Rate: 1}
		if st, err := l.wait(context.Background(), func(context.Context) (*result.Stability, error) { return want, nil }, nil); st != want || err != nil {
			t.Errorf("%s: the next asker got %v, %v", name, st, err)
		}
	}
}

// While one run waits for a limit that takes seconds, another leaves when its
// own time is over, and when both have left the computation ends.
func TestGoroutinesLeaveALimitBeingFound(t *testing.T) {
	m := atLoad(slowLimit(), 0.5)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := Forward.Run(ctx, m, Defaults())
		ended <- err
	}()
	for m.known.waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	m.known.mu.Lock()
	s := m.known.going
	m.known.mu.Unlock()
	for name, ask := range map[string]func(context.Context) error{
		"a verb":  func(ctx context.Context) error { _, err := Simulate.Run(ctx, m, Defaults()); return err },
		"Limit":   func(ctx context.Context) error { _, err := m.Limit(ctx, nil); return err },
		"Resolve": func(ctx context.Context) error { _, err := atLoad(m, 0.7).Resolve(ctx, nil); return err },
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
	if m.known.waiting() != 1 {
		t.Fatal("the first run does not wait any more")
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the first run ended with %v", err)
	}
	left := time.Now()
	select {
	case <-s.done:
		t.Logf("the computation ended %v after the last run", time.Since(left))
	case <-time.After(soon):
		t.Error("the computation goes on although nobody waits for it")
	}
}

// A run says that it is alive while it waits for the limit: nothing of what it
// will count to is done.
func TestProgressWhileTheLimitIsFound(t *testing.T) {
	m := atLoad(New(&spec.Spec{Servers: 4, Classes: []spec.Class{
		{Name: "small", Need: 1, Prob: 0.7, Service: law.ExpRate(1)}, {Name: "big", Need: 4, Prob: 0.3, Service: law.ExpRate(1)},
	}}), 0.5)
	want, err := m.FindLimit(context.Background(), BestLimit, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	first := ask(t, m.known, context.Background(), func(context.Context) (*result.Stability, error) { <-release; return want, nil })
	var totals []float64
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	o := Defaults()
	o.Set(N, 512)
	o.Progress = func(done, total float64) {
		if totals = append(totals, total); len(totals) == 1 {
			if done != 0 {
				t.Errorf("%v of %v done before the limit is known", done, total)
			}
			close(release)
		}
	}
	r, err := Backward.Run(ctx, m, o)
	if err != nil {
		t.Fatal(err)
	}
	if got(t, first).st != want || r.Limit.Rate != want.Rate {
		t.Errorf("the run had the limit %v, the first asker %v", r.Limit, want)
	}
	for _, total := range totals {
		if total != 512 {
			t.Errorf("totals %v", totals)
		}
	}
	if r.Run.ElapsedLimit < stillWaiting {
		t.Errorf("the limit took %v by the result", r.Run.ElapsedLimit)
	}
}

// soon is long after anything of these tests has ended, and so short that a test which
// waits for nothing does not hold up the others.
const soon = 10 * time.Second

// atLoad is the problem at a fraction of its limit.
func atLoad(p *Problem, load float64) *Problem { return p.WithArrivals(p.WithLoad(load)) }

// slowLimit is a queue whose limit takes seconds: services that are not phase-type, so that
// only the pile finds it.
func slowLimit() *Problem {
	return New(&spec.Spec{Servers: 2048, Classes: []spec.Class{
		{Name: "small", Need: 1, Prob: 0.999, Service: law.LogNormalMeanSCV(1, 4)},
		{Name: "big", Need: 1024, Prob: 0.001, Service: law.LogNormalMeanSCV(20, 4)},
	}})
}
