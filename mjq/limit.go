package mjq

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
)

// limit is the stability limit of a model and of all copies that differ in the
// arrivals only. It is found when it is first needed and then remembered, so
// that a sweep looks for it once.
type limit struct {
	mu    sync.Mutex // held for moments, never while the limit is being found
	st    *Stability // nil: not known yet
	going *search    // nil: nobody is looking for it
}

// search is one computation of a limit, shared by all that wait for it. It runs
// under a context of its own, which ends when the last of them has left, so that
// the end of one asker's context does not take the answer from another.
type search struct {
	stop    context.CancelFunc
	waiting int           // askers; guarded by the mutex of the limit
	done    chan struct{} // closed when st and err are final
	st      *Stability
	err     error
}

// finder finds a limit as long as its context lasts.
type finder func(context.Context) (*Stability, error)

// stillWaiting is how often an asker says so.
const stillWaiting = 100 * time.Millisecond

// wait returns the limit when it is known, the error of finding it, or, as soon
// as ctx ends, the error of ctx. Only the first of several askers has find
// called. Meanwhile alive, unless nil, is called now and then on the asker's
// goroutine. No error is remembered: who asks next tries anew.
func (l *limit) wait(ctx context.Context, find finder, alive func()) (*Stability, error) {
	l.mu.Lock()
	if l.st != nil {
		defer l.mu.Unlock()
		return l.st, nil
	}
	if ctx.Err() != nil {
		defer l.mu.Unlock()
		return nil, context.Cause(ctx)
	}
	if l.going == nil {
		l.going = l.start(find)
	}
	s := l.going
	s.waiting++
	l.mu.Unlock()
	defer l.leave(s)

	tick := time.NewTicker(stillWaiting)
	defer tick.Stop()
	for {
		select {
		case <-s.done:
			return s.st, s.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-tick.C:
			if alive != nil {
				alive()
			}
		}
	}
}

// start begins a computation.
func (l *limit) start(find finder) *search {
	ctx, stop := context.WithCancel(context.Background())
	s := &search{stop: stop, done: make(chan struct{})}
	go func() {
		var st *Stability
		err := errors.New("the goroutine that looked for it was ended by runtime.Goexit")
		defer func() { l.finish(s, st, err) }()
		st, err = find.safely(ctx)
	}()
	return s
}

// finish remembers what a search has found and tells all who wait for it.
func (l *limit) finish(s *search, st *Stability, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		s.err = err // st is what was found by then: too little to go by
	case l.st == nil:
		l.st, s.st = st, st
	default:
		s.st = l.st // found anew meanwhile, for the askers of this search had left
	}
	if l.going == s {
		l.going = nil
	}
	close(s.done)
}

// leave ends the wait of one asker, and with the last one the computation. Who
// asks after that does not wait for one that is being stopped.
func (l *limit) leave(s *search) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.waiting--; s.waiting > 0 {
		return
	}
	s.stop()
	if l.going == s {
		l.going = nil
	}
}

// safely is the finder with a panic turned into an error: on a goroutine that is
// not the user's, nobody else could recover from it.
func (find finder) safely(ctx context.Context) (st *Stability, err error) {
	defer panics.Catch(&err)
	return find(ctx)
}

// Limit is the stability limit with the default settings of Stability. It is
// found at the first call, or by the first verb that needs it, and remembered
// for all copies of the model that differ in the arrivals only; goroutines that
// ask at the same time share one computation. By the pile it may take some
// seconds. When ctx ends before it is found, Limit returns the error of ctx at
// once, and a computation for which nobody waits any more is stopped. For
// another precision use Stability.
func (m *Model) Limit(ctx context.Context) (*Stability, error) {
	return m.limitWithin(ctx, nil)
}

// limitWithin is Limit that calls alive now and then while it waits.
func (m *Model) limitWithin(ctx context.Context, alive func()) (*Stability, error) {
	st, err := m.limit.wait(ctx, m.Stability().Run, alive)
	if err != nil {
		return nil, fmt.Errorf("mjq: finding the stability limit: %w", err)
	}
	return st, nil
}

// Resolve is the model with its arrival rate known. For a model at a load
// (AtLoad) it finds the stability limit λ_c, which may take some seconds, as
// Limit does, and sets the rate to load times λ_c; any other model comes back as
// it is. Verbs do this by themselves. The error says that ctx ended, that the
// limit could not be found, or that the load is not positive and finite.
func (m *Model) Resolve(ctx context.Context) (*Model, error) {
	return m.resolve(ctx, nil)
}

func (m *Model) resolve(ctx context.Context, alive func()) (*Model, error) {
	if m.load == nil {
		return m, nil
	}
	var f faults
	m.arrivalFaults(&f)
	if err := f.err("arrivals"); err != nil {
		return nil, err
	}
	st, err := m.limitWithin(ctx, alive)
	if err != nil {
		return nil, err
	}
	known := m.AtRate(*m.load * st.Rate)
	known.arrivalFaults(&f)
	if err := f.err(fmt.Sprintf("AtLoad(%v) of the stability limit %v", *m.load, st.Rate)); err != nil {
		return nil, err
	}
	return known, nil
}
