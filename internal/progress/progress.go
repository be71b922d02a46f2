// Package progress lets a context carry the function to which questions report their progress,
// as the context of a notebook's cells does.
package progress

import (
	"context"

	"github.com/mjqueue/mjq/mjq/result"
)

type key struct{}

// With returns a context whose questions report to f unless they are told otherwise.
func With(ctx context.Context, f func(result.Step)) context.Context {
	return context.WithValue(ctx, key{}, f)
}

// Of returns the function to which questions with this context report, or nil.
func Of(ctx context.Context) func(result.Step) {
	f, _ := ctx.Value(key{}).(func(result.Step))
	return f
}
