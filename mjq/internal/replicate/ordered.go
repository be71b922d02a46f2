// Package replicate runs independent replications of anything on several goroutines,
// and says when they are enough. Parts are merged in their order, so that the number of
// goroutines never shows in a digit.
package replicate

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/mjqueue/mjq/internal/panics"
)

// InOrder does tasks 0, 1, ..., n-1 on several goroutines and merges their parts
// strictly in that order, holding only a few parts at a time; a part merged may be
// handed out again. It stops when ctx ends, a task gives up by returning false, or
// merge has had enough. What has been merged is then a prefix of the tasks, so that
// quick tasks are not preferred to slow ones; parts that are ready when it stops are left
// out, for merging them takes time, unless they are the first. It returns how many were
// merged.
func InOrder[W, P any](ctx context.Context, n, workers int, newWorker func() W,
	do func(stop *atomic.Bool, w W, task int, part *P) bool, merge func(task int, part *P) (enough bool)) int {

	workers = max(1, min(workers, n))
	o := &turnstile[P]{ctx: ctx, n: n, ahead: 8 * workers, parts: map[int]*P{}, merge: merge}
	o.turn.L = &o.mu
	detach := context.AfterFunc(ctx, o.halt)
	defer detach()
	if ctx.Err() != nil {
		o.halt()
	}
	wg := panics.Group{Stop: o.halt}
	for range workers {
		wg.Go(func() {
			w := newWorker()
			for task, part, ok := o.claim(); ok; task, part, ok = o.claim() {
				o.deliver(task, part, do(&o.stop, w, task, part))
			}
		})
	}
	wg.Wait()
	return o.merged
}

// turnstile hands out tasks and takes their parts back in order.
type turnstile[P any] struct {
	ctx          context.Context
	mu           sync.Mutex
	turn         sync.Cond
	stop         atomic.Bool
	n, ahead     int
	next, merged int
	parts        map[int]*P
	spare        []*P
	merge        func(task int, part *P) bool
	full         bool
}

func (o *turnstile[P]) halt() {
	o.stop.Store(true) // before the lock: who merges holds it for long
	o.mu.Lock()
	defer o.mu.Unlock()
	o.turn.Broadcast()
}

// claim waits until a task may start, so that parts do not pile up behind a
// slow one.
func (o *turnstile[P]) claim() (task int, part *P, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.stop.Load() && o.next < o.n && o.next >= o.merged+o.ahead {
		o.turn.Wait()
	}
	if o.stop.Load() || o.next >= o.n {
		return 0, nil, false
	}
	task = o.next
	o.next++
	if k := len(o.spare); k > 0 {
		part, o.spare = o.spare[k-1], o.spare[:k-1]
	} else {
		part = new(P)
	}
	return task, part, true
}

// deliver takes a finished part and merges all that are now in turn.
func (o *turnstile[P]) deliver(task int, part *P, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !done {
		o.stop.Store(true)
	} else {
		o.parts[task] = part
	}
	for p := o.parts[o.merged]; p != nil && !o.full && (o.merged == 0 || o.ctx.Err() == nil); p = o.parts[o.merged] {
		o.full = o.merge(o.merged, p)
		delete(o.parts, o.merged)
		o.spare = append(o.spare, p)
		o.merged++
	}
	if o.full {
		o.stop.Store(true)
	}
	o.turn.Broadcast()
}

// Each calls do with 0, 1, ..., n-1 on several goroutines, or in turn on its own.
func Each(n, workers int, do func(i int)) {
	if min(workers, n) <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var group panics.Group
	for range min(workers, n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}
