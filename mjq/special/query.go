package special

import (
	"context"
	"fmt"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/remember"
)

// Query is a question that takes a while to answer by an R, such as
// Divisible.Capacity. Nothing is computed before Run.
type Query[R any] struct {
	what     string
	run      func(ctx context.Context, progress func(done, total float64)) (*R, error)
	progress func(done, total float64)
	ask      func() *remember.Question
	mark     func(r *R, written time.Time)
	fresh    bool
}

// Progress has f called with how much of how much is done, at most 20 times a second,
// one call at a time.
func (q *Query[R]) Progress(f func(done, total float64)) *Query[R] {
	q.progress = f
	return q
}

// Fresh computes the answer anew, even if it is remembered; see mjq.Remember.
func (q *Query[R]) Fresh() *Query[R] {
	q.fresh = true
	return q
}

// Run computes the answer. It stops within 100 ms of the end of the context, whose
// cause is then its error: part of an answer would be of no use here.
func (q *Query[R]) Run(ctx context.Context) (r *R, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", q.what, err)
		}
	}()
	defer panics.Catch(&err)
	return remember.Answer(q.ask, q.fresh, q.mark, func(*R) bool { return true },
		func() (*R, error) { return q.run(ctx, q.throttled()) })
}

// silent is the progress of which nobody wants to hear.
func silent(done, total float64) {}

// throttled is the progress callback at no more than 20 calls a second, plus the
// last one.
func (q *Query[R]) throttled() func(done, total float64) {
	if q.progress == nil {
		return silent
	}
	var last time.Time
	return func(done, total float64) {
		if now := time.Now(); done >= total || now.Sub(last) > 50*time.Millisecond {
			last = now
			q.progress(done, total)
		}
	}
}
