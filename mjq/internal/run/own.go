package run

import (
	"context"
	"errors"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Own is a method that a user has written, a function; it is not remembered.
func Own(name string, f func(ctx context.Context, p *problem.Problem, seed uint64) (*result.Result, error)) *Method {
	m := &Method{Name: name, Seed: problem.SweepSeed, own: true, AnyPolicy: true}
	m.Instead = func(ctx context.Context, p *problem.Problem, o *problem.Options) (*result.Result, error) {
		r, err := f(ctx, p, o.Seed)
		if r != nil {
			result.MarkUnknown(r)
		} else if err == nil {
			err = errors.New("the function gave neither a result nor an error")
		}
		return r, err
	}
	return m
}
