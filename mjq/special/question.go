package special

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
)

// question is one that takes a while to answer by an R.
type question[R any] struct {
	name string
	key  func() *cache.Question
	find func(ctx context.Context, progress func(done, total float64)) (*R, error)
	mark func(r *R, written time.Time)
}

// answer stops within 100 ms of the end of the context, whose cause is then its error: part
// of an answer would be of no use here.
func (q question[R]) answer(ctx context.Context, opts []mjq.Option) (r *R, err error) {
	defer func() {
		if err != nil {
			r, err = nil, fmt.Errorf("%s: %w", q.name, err)
		}
	}()
	defer panics.Catch(&err)
	o, faults := problem.Read(ctx, q.name, opts)
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	report := replicate.Throttled(o.Progress)
	if report == nil {
		report = silent
	}
	return cache.Answer(q.key, o.Fresh, q.mark, func(*R) bool { return true }, func() (*R, error) { return q.find(ctx, report) })
}

// silent is the progress of which nobody wants to hear.
func silent(done, total float64) {}
