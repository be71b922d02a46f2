package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// solver is a way to solve the queues that go to it.
type solver struct {
	needs   spec.Features           // what a queue must have to go here
	serves  spec.Features           // what it may have beside
	refuses spec.Features           // what faults refuses
	fits    func(s *spec.Spec) bool // what else must be so; nil: nothing

	faults func(f *check.Faults, s *spec.Spec)                 // why a queue is beyond it, whose arrivals may be missing; nil: none is
	size   func(ctx context.Context, w *work) (Size, error)    // of what faults lets pass
	most   func(s *spec.Spec) string                           // what to use instead of a solution above MaxBytes; nil: solve keeps to them
	solve  func(ctx context.Context, w *work) (*Answer, error) // nil without an error: the result is complete
}

// solvers are all of them. A queue goes to the first that fits.
var solvers = []*solver{
	onFailing,
	machineRepair, usersInOrder, sleepy, // users wait, servers sleep
	placedRoom, counted, impatientAlike, general, ordered, productForm, undrawn, // not all jobs are served
	placed, resizing,
	serviceRates, prioritized, policies, // in another order than first come, first served
	formula, phases,
}

// unlike are the features of servers that are not alike.
const unlike = spec.Typed | spec.Picked | spec.Mixed | spec.Printed

// takes are the features of the queues on which the solver has a say.
func (x *solver) takes() spec.Features { return x.needs | x.serves | x.refuses }

// suits reports whether a queue goes to the solver.
func (x *solver) suits(s *spec.Spec, has spec.Features) bool {
	return has&x.needs == x.needs && (x.fits == nil || x.fits(s))
}

// refuse says why a queue is beyond the solver.
func (x *solver) refuse(f *check.Faults, s *spec.Spec) {
	if x.faults != nil {
		x.faults(f, s)
	}
}

// route is the solver of a queue: the first that suits all that it has, or else the first that suits it.
func route(s *spec.Spec) (first *solver) {
	has := s.Features()
	for _, x := range solvers {
		if !x.suits(s, has) {
			continue
		}
		if has&^x.takes() == 0 {
			return x
		}
		if first == nil {
			first = x
		}
	}
	return first
}

// work is a queue at its solver.
type work struct {
	*run.Run
	solver  *solver
	how     Method
	stopped error // why the result could not be begun
}

// asked is a question that has passed all checks.
func asked(p *problem.Problem, m Method, o *problem.Options) (*work, error) {
	var f check.Faults
	o.Check(&f)
	run.Settings(&f, m)
	p.ArrivalFaults(&f)
	p.PolicyFaults(&f)
	f.Asked(m.Bytes() > 0, "MaxBytes %v: give a positive number of bytes", m.Bytes())
	f.Join(run.Fits(m, p.Spec)...)
	if err := f.Err("Exact"); err != nil {
		return nil, err
	}
	return &work{Run: &run.Run{Problem: p, Method: m, Options: o}, solver: route(p.Spec), how: m}, nil
}

// solve solves a queue. When ctx ends there is nothing to keep but the moments.
func solve(ctx context.Context, p *problem.Problem, m Method, o *problem.Options) (*result.Result, error) {
	w, err := asked(p, m, o)
	if err != nil {
		return nil, err
	}
	if w.solver.most != nil {
		if z, err := w.solver.size(ctx, w); err != nil {
			return nil, err
		} else if most := m.Bytes(); z.Bytes > most {
			return nil, fmt.Errorf("Exact: the solution would have %v, more than the %.2g MB allowed; use MaxBytes, or %s", z, most/1e6, w.solver.most(p.Spec))
		}
	}
	if w.Run, err = run.Open(ctx, p, m, o, 1); err != nil {
		return nil, err
	}
	if p.Load != nil && route(w.Spec) != w.solver { // now that the rate is known
		return solve(ctx, w.Problem, m, o)
	}
	a, err := w.solver.solve(ctx, w)
	var unstable *mam.Unstable
	var large *chain.TooLarge
	switch {
	case w.stopped != nil:
		return w.Result, w.stopped
	case errors.As(err, &unstable) && w.Result != nil:
		w.Result.Stable = false
		run.Unstable(w.Problem, w.Result)
		return w.Result, nil
	case errors.As(err, &large) && large.Remedy == "":
		return nil, tooLarge(err)
	case err != nil:
		return nil, fmt.Errorf("Exact: %w", err)
	case a == nil:
		return w.Result, nil
	}
	a.fill(w.Problem, w.Result)
	if a.then != nil {
		if err := a.then(ctx); err != nil {
			return nil, err
		}
	}
	if a.curves != nil && !m.MomentsOnly {
		if err := w.distributions(ctx, a); err != nil {
			return w.Result, err
		}
	}
	w.Finish(true)
	return w.Result, nil
}

// begin opens the result. Where it returns false there is nothing to solve: solve returns nil.
func (w *work) begin(ctx context.Context, solver, source string) (ok bool) {
	ok, w.stopped = w.Begin(ctx, solver, source)
	w.Started = time.Now()
	return ok
}

// report is told what part is done of a part of the work, which begins and ends there.
func (w *work) report(from, to, total float64) func(part float64) {
	report := w.Options.Throttled()
	return func(part float64) {
		if report != nil {
			report((from+part*(to-from))*total, total)
		}
	}
}

// mostOperations is what a chain may take: some minutes of one core.
const mostOperations = 5e11

// limits are what a chain of the given size may take.
func (w *work) limits(flops float64) chain.Limits {
	return chain.Limits{States: 2_000_000, Bytes: w.how.Bytes(), Flops: mostOperations, ReportSolving: w.report(0, 1, flops)}
}

// tooLarge is the error of a chain beyond what may be spent.
func tooLarge(err error) error {
	return fmt.Errorf("Exact: %w; use mjq.Simulation{}, or raise MaxBytes", err)
}

// sizeOf is the size of a chain that is not one of levels.
func sizeOf(z chain.Size) Size {
	return Size{Phases: int(check.Whole(z.States, 0, 1<<62)), Levels: 1, Bytes: z.Bytes, Flops: z.Flops, Sparse: true}
}

// endless is the size of a chain that is too large.
var endless = chain.Size{States: math.Inf(1), Bytes: math.Inf(1), Flops: math.Inf(1)}
