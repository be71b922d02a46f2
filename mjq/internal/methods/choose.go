package methods

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// What Choose spends and aims at where nothing else is asked for.
const (
	// usualBudget is how many jobs a target may take that is given.
	usualBudget = 200_000_000
	// exactMost is how many operations an exact solution may take that is chosen: the reference
	// machine does as many products of small matrices in eight seconds.
	exactMost = 2.4e10
)

// Choose answers by the method that suits: the exact solution where it fits and is quick, else
// forward runs with control variates, or the simulation under other policies than first come
// first served, to the target given or else to 2 % of the mean wait of every class. The choice
// depends on the queue, the target and the budget of jobs, and not on the machine. Notes say
// why, and what was not reached.
func Choose(ctx context.Context, p *problem.Problem, o problem.Options) (_ *result.Result, err error) {
	defer problem.Caught("Solve", &err)
	return cache.Answer(func() *cache.Question { return p.Question("chosen", &o, nil) }, o.Fresh, run.Remembered, o.Sound,
		func() (*result.Result, error) { return chosen(ctx, p, o) })
}

// chosen is Choose without memory.
func chosen(ctx context.Context, p *problem.Problem, o problem.Options) (*result.Result, error) {
	var f check.Faults
	o.Check(&f)
	if err := f.Err("Solve"); err != nil {
		return nil, err
	}
	exactly := o.Unbounded() // an exact answer meets every target
	why := inexact(ctx, p, exactly)
	if why != "" && p.Interrupts() {
		return run.Interrupted(ctx, p, func(ctx context.Context, q *problem.Problem) (*result.Result, error) { return chosen(ctx, q, o) })
	}
	if why == "" {
		r, err := run.Solve(ctx, p, exact.Method{}, exactly)
		return remark(r, "Exact, chosen by mjq: it fits and is quick."), err
	}
	known, err := limit.Resolve(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	m := run.Method(simulation.Method{})
	if run.Serves(sampler.Forward{}, p.Spec) {
		m = sampler.Forward{}
	}
	if err := run.Check(m, known, &o); err != nil {
		return nil, err
	}
	answer := usual
	if o.Targeted() {
		answer = aimed
	}
	r, err := answer(ctx, known, m, o)
	return remark(r, fmt.Sprintf("%s, chosen by mjq: %s.", words(m), why)), err
}

// aimed answers to the target given.
func aimed(ctx context.Context, p *problem.Problem, m run.Method, o problem.Options) (*result.Result, error) {
	o.MaxJobs = problem.Give(o.MaxJobs.Or(usualBudget))
	fit := short
	if isForward(m) {
		fit = suited
	}
	m, err := fit(ctx, p, o)
	if err != nil {
		return nil, err
	}
	return run.Solve(ctx, p, m, o)
}

// isForward reports whether the method is forward runs.
func isForward(m run.Method) bool {
	_, is := m.(sampler.Forward)
	return is
}

// words are the method as a sentence begins with it.
func words(m run.Method) string {
	if isForward(m) {
		return "Forward runs with control variates"
	}
	return m.Row().Name
}

// inexact says why the exact solution is not chosen; nothing if it is.
func inexact(ctx context.Context, p *problem.Problem, o problem.Options) string {
	if faults := run.Fits(exact.Method{}, p.Spec); len(faults) > 0 {
		return "for an exact solution, " + check.First(faults[0])
	}
	if p.Arrivals == nil && p.Load == nil && !p.Features().Has(spec.Sent) {
		return "there are no arrivals"
	}
	m := exact.Method{}
	if p.Interrupts() {
		p, _ = problem.Uninterrupted(p)
		m.MomentsOnly = true
	}
	size, err := exact.SizeOf(ctx, p, m, o)
	switch {
	case err != nil:
		return "for an exact solution, " + check.First(err)
	case size.Bytes > problem.UsualBytes || size.Flops > exactMost:
		return fmt.Sprintf("an exact solution would take long (%v)", size)
	}
	return ""
}

// suited has forward runs take the control variates and lengths that suit the target.
func suited(ctx context.Context, p *problem.Problem, o problem.Options) (run.Method, error) {
	st, err := limit.Of(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	load := p.Rate() / st.Rate
	if !foreseeable(p, load) {
		return sampler.Forward{}, nil
	}
	t, err := try(ctx, p, false)
	if err != nil {
		return nil, err
	}
	m := newEfforts(ctx, p, load, &t, &o).forward().Method.(sampler.Forward)
	m.Jobs = max(1, min(m.Jobs, int(o.MaxJobs.Or(usualBudget)*5/6/problem.FewestReplications)))
	return m, nil
}

// short has the simulation make replications no longer than the queue needs to forget its
// state many times, so that a target is looked at soon.
func short(ctx context.Context, p *problem.Problem, o problem.Options) (run.Method, error) {
	st, err := limit.Bound(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	load := p.Rate() / st.Rate
	if !(load < 1) {
		return simulation.Method{}, nil
	}
	jobs := check.Whole(problem.Relaxations*p.Relaxation(load), shortestRun, problem.StandardJobs)
	if fill := p.Filling(); fill > float64(jobs) {
		jobs = check.Whole(fill, shortestRun, problem.LongestJobs)
	}
	return simulation.Method{Jobs: int(jobs)}, nil
}

// shortestRun is the least length of a replication that is chosen.
const shortestRun = 20_000

// foreseeable reports whether something is known of how long a run takes: below the limit
// and where gaps and services have a variance.
func foreseeable(p *problem.Problem, load float64) bool {
	forget := p.Relaxation(load)
	return load < 1 && forget > 0 && forget < 1e12
}

// cost is the steps in those of a forward run.
func (e *Effort) cost() float64 { return e.Steps*e.kind + e.extra }

// Query is how the method is asked for, without the target.
func (e *Effort) Query() string { return run.Text(e.Method, new(problem.Options)) }
