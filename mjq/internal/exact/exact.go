package exact

import (
	"cmp"
	"context"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Method solves queues without simulation, by the solvers of the table.
type Method struct {
	MomentsOnly bool
	MaxBytes    float64
}

var row = run.Row{
	Name: "Exact", About: "formulas of classic queues; Poisson or Markovian arrivals, phase-type services: all moments, distributions",
}

func init() { // the solvers ask for the row
	for _, x := range solvers {
		row.Serves |= x.takes()
	}
	row.Serves |= spec.Interrupted // by way of the queue without failures: see package run
	row.Served = func(s *spec.Spec) spec.Features { return route(s).takes() | spec.Interrupted }
	row.Refuse = func(f *check.Faults, s *spec.Spec) { route(s).refuse(f, s) }
}

// Row is the row of the method.
func (m Method) Row() *run.Row { return &row }

// Bytes is how much memory the solution may take.
func (m Method) Bytes() float64 { return cmp.Or(m.MaxBytes, problem.UsualBytes) }

// Moments is the method without distributions.
func (m Method) Moments() run.Method {
	m.MomentsOnly = true
	return m
}

// Answer solves. An exact answer meets every target, and is held against the work that jobs
// bring.
func (m Method) Answer(ctx context.Context, p *problem.Problem, o *problem.Options) (*result.Result, error) {
	r, err := solve(ctx, p, m, o)
	if r != nil {
		r.Run.Met = err == nil
		balance(p, r)
	}
	if r != nil && r.Stable && p.Policy != nil && !p.Features().Has(spec.Ordered|spec.Placed) && p.Policy.Properties().Preemptive {
		neverStopped(&r.All)
		for i := range r.Classes {
			neverStopped(&r.Classes[i])
		}
	}
	return r, err
}

// neverStopped adds what is told of preemptive policies, of which this one stops no job.
func neverStopped(c *result.ClassResult) {
	none := result.Exact(0, c.Waiting.Mean.Method)
	c.Preemptions, c.Lost, c.FirstStart, c.AtOnce = none, none, c.Waiting.Mean, c.Waiting.NoWait
	if !c.AtOnce.Known() {
		c.AtOnce = c.Waiting.CDF(0)
	}
}

// Size is the size of an exact solution: phases, boundary levels, bytes and
// floating-point operations.
type Size = open.Size

// SizeOf is how large the exact solution is, found by counting, at no cost; of a chain that
// a policy has cut estimated from its first levels. It fails
// where the queue is not one that can be solved.
func SizeOf(ctx context.Context, p *problem.Problem, m Method, o problem.Options) (_ Size, err error) {
	defer problem.Caught("Exact", &err)
	w, err := asked(p, m, &o)
	if err != nil {
		return Size{}, err
	}
	return w.solver.size(ctx, w)
}
