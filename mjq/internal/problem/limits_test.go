package problem

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

// waited is what an asker got.
type waited struct {
	st  *result.Stability
	err error
}

// ask has a goroutine wait for the limit, and returns when it is among those who
// wait.
func ask(t *testing.T, l *Limits, ctx context.Context, find Finder) <-chan waited {
	t.Helper()
	out, before := make(chan waited, 1), l.waiting()
	go func() {
		st, err := l.Wait(ctx, find, nil)
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
	later, err := l.Wait(early, find, nil) // known by now: no context is needed
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
	st, err := l.Wait(context.Background(), func(context.Context) (*result.Stability, error) { return want, nil }, nil)
	if st != want || err != nil {
		t.Errorf("a fresh asker got %v, %v", st, err)
	}
	close(release)
	if st, _ = l.Wait(context.Background(), old, nil); st != want {
		t.Errorf("then %v", st)
	}
	if st, err = new(Limits).Wait(one, old, nil); st != nil || !errors.Is(err, context.Canceled) {
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
		if st, err := l.Wait(context.Background(), func(context.Context) (*result.Stability, error) { return want, nil }, nil); st != want || err != nil {
			t.Errorf("%s: the next asker got %v, %v", name, st, err)
		}
	}
}

// soon is long after anything of these tests has ended, and so short that a test which
// waits for nothing does not hold up the others.
const soon = 10 * time.Second
