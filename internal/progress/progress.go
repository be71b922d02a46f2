// Package progress has a context carry who wants to hear how far questions have come, as
// that of a notebook's cells does.
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

// Of returns who wants to hear by the context; nil if nobody does.
func Of(ctx context.Context) func(result.Step) {
	f, _ := ctx.Value(key{}).(func(result.Step))
	return f
}
