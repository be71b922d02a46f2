package policychain

import "context"

// Options are what SolveWithin is asked for.
type Options struct {
	// Tolerance is the absolute error of the means at which a chain that has to be
	// cut is large enough; 0 stands for 1e-8. Error of Measures says what it became.
	Tolerance float64
	// Bytes is the most memory to take; 0 stands for 1e9.
	Bytes float64
}

func (o Options) defaults() Options {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-8
	}
	if o.Bytes == 0 {
		o.Bytes = 1e9
	}
	return o
}

// Solve is SolveWithin with the default options.
func (q *Queue) Solve(ctx context.Context) (*Measures, error) { return q.SolveWithin(ctx, Options{}) }

// SolveWithin finds the stationary means. It fails with *mam.Unstable beyond the limit
// of stability, where that is known, with *chain.TooLarge, and with the error of ctx.
func (q *Queue) SolveWithin(ctx context.Context, o Options) (*Measures, error) {
	o = o.defaults()
	if b, ok := q.rule.(bounded); ok && !q.leaving {
		return q.byLevels(ctx, b.sees(), o)
	}
	return q.byCuts(ctx, o)
}
