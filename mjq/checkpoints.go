package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Checkpoints returns how often jobs of each class should write a checkpoint where servers fail,
// and what other intervals cost: Young's, half and twice the best, and that of the model.
//
//	c, err := m.Checkpoints(ctx)
//	c.Class("hero").Best, c.Class("hero").Interval("half the best").ETTR
//
// The best interval of a long job is (1 + W(-exp(-1-φc)))/φ, where a running job is hit at the
// rate φ, a checkpoint takes c, and W is Lambert's function. ETTR is the effective share of the
// time of a job that never ends: of as many such jobs as the class has Users, else of one alone.
// It is NaN where no formula is known: with a Detection, or with fewer Crews than servers unless
// all repairs have one exponential distribution.
//
// Times up must be exponential. All is exact and computes at once. It fails where no server
// fails, and where no class writes checkpoints (see After).
//
// Source: Daly, Future Generation Computer Systems 22 (2006); Young, Communications of the ACM
// 17 (1974).
func (m Model) Checkpoints(ctx context.Context, opts ...Option) (_ *result.Checkpoints, err error) {
	defer problem.Caught("mjq: Checkpoints", &err)
	_, p, err := m.request(ctx, "Checkpoints", opts)
	if err != nil {
		return nil, err
	}
	c, err := exact.Checkpoints(ctx, p)
	return c, prefixed(err)
}
