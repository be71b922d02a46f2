package deferred

import "context"

// Solve finds the stationary means. It fails with *mam.Unstable beyond the limit of
// stability, with *TooLarge, and with the error of ctx.
func (q *Queue) Solve(ctx context.Context) (*Measures, error) {
	b := q.rule.(bounded)
	return q.byLevels(ctx, b.sees())
}
