package run

import (
	"context"
	"errors"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// own is a method that a user has written, a function; it is not remembered.
type own struct {
	name string
	f    func(ctx context.Context, p *problem.Problem, seed uint64) (*result.Result, error)
}

// Own is the method that is a user's function.
func Own(name string, f func(ctx context.Context, p *problem.Problem, seed uint64) (*result.Result, error)) Method {
	return own{name, f}
}

// Row has its name.
func (m own) Row() *Row { return &Row{Name: m.name, Seed: problem.SweepSeed, Serves: spec.Every} }

// Answer calls the function.
func (m own) Answer(ctx context.Context, p *problem.Problem, o *problem.Options) (*result.Result, error) {
	r, err := m.f(ctx, p, o.Seed)
	if r != nil {
		result.MarkUnknown(r)
	} else if err == nil {
		err = errors.New("the function gave neither a result nor an error")
	}
	return r, err
}
