package problem

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/result"
)

// Limits is what is known of the stability of a queue whatever its arrivals. The limit is
// found when it is first needed and then remembered, so that a sweep looks for it once.
type Limits struct {
	mu    sync.Mutex        // held for moments, never while the limit is being found
	st    *result.Stability // nil: not known yet
	given bool              // not found but given; see WithLimit
	going *search           // nil: nobody is looking for it

	// By number of servers fewer; see package interval. A sync.Map is generic, and every program
	// that names a type which holds one compiles all of it.
	fewer map[int]float64
}

// search is one computation of a limit, shared by all that wait for it. It runs
// under a context of its own, which ends when the last of them has left, so that
// the end of one asker's context does not take the answer from another.
type search struct {
	stop    context.CancelFunc
	waiting int           // askers; guarded by the mutex of the limit
	done    chan struct{} // closed when st and err are final
	st      *result.Stability
	err     error
}

// Finder finds a limit as long as its context lasts.
type Finder func(context.Context) (*result.Stability, error)

// stillWaiting is how often an asker says so.
const stillWaiting = 100 * time.Millisecond

// Wait returns the limit when it is known, the error of finding it, or, as soon
// as ctx ends, the error of ctx. Only the first of several askers has find
// called. Meanwhile alive, unless nil, is called now and then on the asker's
// goroutine. No error is remembered: who asks next tries anew.
func (l *Limits) Wait(ctx context.Context, find Finder, alive func()) (*result.Stability, error) {
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

// With is what is remembered for so many servers fewer.
func (l *Limits) With(fewer int) (rate float64, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rate, known = l.fewer[fewer]
	return rate, known
}

// Keep remembers a rate for so many servers fewer.
func (l *Limits) Keep(fewer int, rate float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fewer == nil {
		l.fewer = map[int]float64{}
	}
	l.fewer[fewer] = rate
}

// Found is the limit if it is known.
func (l *Limits) Found() *result.Stability {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.st
}

// start begins a computation.
func (l *Limits) start(find Finder) *search {
	ctx, stop := context.WithCancel(context.Background())
	s := &search{stop: stop, done: make(chan struct{})}
	go func() {
		var st *result.Stability
		err := errors.New("the goroutine that looked for it was ended by runtime.Goexit")
		defer func() { l.finish(s, st, err) }()
		st, err = find.safely(ctx)
	}()
	return s
}

// finish remembers what a search has found and tells all who wait for it.
func (l *Limits) finish(s *search, st *result.Stability, err error) {
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
func (l *Limits) leave(s *search) {
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

// safely is the Finder with a panic turned into an error: on a goroutine that is
// not the user's, nobody else could recover from it.
func (find Finder) safely(ctx context.Context) (st *result.Stability, err error) {
	defer panics.Catch(&err)
	return find(ctx)
}
