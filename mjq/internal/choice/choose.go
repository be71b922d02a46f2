// Package choice chooses among the methods: it foresees what each takes for a target.
package choice

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/result"
)

// What Choose spends and aims at where nothing else is asked for.
const (
	usualTarget = 0.02 // of the mean wait of every class
	usualBudget = 200_000_000
	// exactMost is how many operations an exact solution may take that is chosen: the reference
	// machine does as many products of small matrices in ten seconds.
	exactMost = 3e10
)

// Choose answers by the method that suits: the exact solution where it fits and is quick, else
// forward runs with control variates, or the simulation under other policies than first come
// first served, to the target given or else to 2 % of the mean wait of every class. The choice
// depends on the queue, the target and the budget of jobs, and not on the machine. Notes say
// why, and what was not reached.
func Choose(ctx context.Context, p *problem.Problem, o problem.Options) (_ *result.Result, err error) {
	defer problem.Caught("Solve", &err)
	return remember.Answer(func() *remember.Question { return p.Question("chosen", &o) }, o.Fresh, run.Remembered, o.Sound,
		func() (*result.Result, error) { return chosen(ctx, p, o) })
}

// chosen is Choose without memory.
func chosen(ctx context.Context, p *problem.Problem, o problem.Options) (*result.Result, error) {
	var f check.Faults
	o.Check(&f)
	if err := f.Err("Solve"); err != nil {
		return nil, err
	}
	exactly := o
	exactly.Drop(problem.RelErr | problem.HalfWidth | problem.MaxJobs) // which an exact answer meets
	why := inexact(ctx, p, exactly)
	if why == "" {
		r, err := exact.Method.Run(ctx, p, exactly)
		return noted(r, "Exact, chosen by mjq: it fits and is quick."), err
	}
	if !o.Has(problem.MaxJobs) {
		o.Set(problem.MaxJobs, usualBudget)
	}
	known, err := limit.Resolve(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	m, given := simulation.Method, o.Targeted()
	if p.FirstCome() && !p.Turns() {
		m = sampler.Forward
	}
	if !given {
		o.SetReal(problem.RelErr, usualTarget)
	}
	if m == sampler.Forward {
		o, err = suited(ctx, known, o)
	} else {
		o, err = short(ctx, known, o)
	}
	if err != nil {
		return nil, err
	}
	r, err := m.Run(ctx, known, o)
	if r == nil && !given && ctx.Err() == nil { // the mean has no interval that could become so narrow
		o.Drop(problem.RelErr)
		r, err = m.Run(ctx, known, o)
	} else if err == nil && !given {
		r, err = everyClass(ctx, known, m, o, r)
	}
	return noted(r, fmt.Sprintf("%s, chosen by mjq: %s.", words(m), why)), err
}

// words are the method as a sentence begins with it.
func words(m *run.Method) string {
	if m == sampler.Forward {
		return "Forward runs with control variates"
	}
	return m.Name
}

// noted puts a note before the others.
func noted(r *result.Result, note string) *result.Result {
	if r != nil {
		r.Notes = append([]string{note}, r.Notes...)
	}
	return r
}

// inexact says why the exact solution is not chosen; nothing if it is.
func inexact(ctx context.Context, p *problem.Problem, o problem.Options) string {
	if faults := exact.Method.Fits(p.Spec); len(faults) > 0 {
		return "for an exact solution, " + strings.TrimSuffix(faults[0].Error(), ".")
	}
	if p.Arrivals == nil && p.Load == nil && !p.HasUsers() {
		return "there are no arrivals"
	}
	size, err := exact.SizeOf(ctx, p, o)
	switch {
	case err != nil:
		return "for an exact solution, " + err.Error()
	case size.Bytes > problem.UsualBytes || exactOperations(&size) > exactMost:
		return fmt.Sprintf("an exact solution would take long (%v)", size)
	}
	return ""
}

// suited has forward runs take the control variates and lengths that suit the target.
func suited(ctx context.Context, p *problem.Problem, o problem.Options) (problem.Options, error) {
	if sampler.Forward.Check(p, &o) != nil {
		return o, nil // Forward says what is wrong
	}
	st, err := limit.Of(ctx, p, nil)
	if err != nil {
		return o, err
	}
	load := p.Rate() / st.Rate
	if !foreseeable(p, load) {
		return o, nil
	}
	t, err := try(ctx, p, false)
	if err != nil {
		return o, err
	}
	best := newEfforts(ctx, p, load, &t, &o).forward()
	for s, n := range best.Set {
		if s == problem.Jobs {
			n = min(n, max(1, o.Int(problem.MaxJobs, usualBudget)*5/6/problem.FewestReplications))
		}
		o.Set(s, n)
	}
	return o, nil
}

// short has the simulation make replications no longer than the queue needs to forget its
// state many times, so that a target is looked at soon.
func short(ctx context.Context, p *problem.Problem, o problem.Options) (problem.Options, error) {
	if simulation.Method.Check(p, &o) != nil {
		return o, nil // Simulation says what is wrong
	}
	st, err := limit.Bound(ctx, p, nil)
	if err != nil {
		return o, err
	}
	if load := p.Rate() / st.Rate; load < 1 {
		o.Set(problem.Jobs, int64(min(max(shortestRun, problem.Relaxations*p.Relaxation(load)), problem.StandardJobs)))
		if fill := p.Filling(); fill > float64(o.Int(problem.Jobs, 0)) {
			o.Set(problem.Jobs, int64(min(fill, problem.LongestJobs)))
		}
	}
	return o, nil
}

// shortestRun is the least length of a replication that is chosen.
const shortestRun = 20_000

// everyClass goes on until the mean wait of every class is as narrow as usual, within the
// budget: again, with as many more replications as the widest interval needs.
func everyClass(ctx context.Context, p *problem.Problem, m *run.Method, o problem.Options, r *result.Result) (*result.Result, error) {
	worst, name := widest(r)
	if !r.Stable || worst <= usualTarget {
		return r, nil
	}
	cost := float64(r.Run.Jobs + r.Run.WarmUp)
	more := math.Min(math.Ceil(1.1*float64(r.Run.Samples)*math.Pow(worst/usualTarget, 2)), float64(o.Int(problem.MaxJobs, usualBudget))/cost)
	if more > 1.2*float64(r.Run.Samples) {
		o.Drop(problem.RelErr)
		o.Set(problem.Replications, int64(more))
		longer, err := m.Run(ctx, p, o)
		if longer != nil {
			r = longer
		}
		if err != nil {
			return r, err
		}
		worst, name = widest(r)
	}
	r.Run.Met = worst <= usualTarget
	if !r.Run.Met {
		said := "has no interval"
		if !math.IsInf(worst, 1) {
			said = fmt.Sprintf("has a relative half-width of %.2g %%", 100*worst)
		}
		r.Notes = append([]string{fmt.Sprintf("The mean wait of class %[1]s %[2]s after %.2[4]g jobs; the target is %[3]g %%. Raise MaxJobs to reach it.",
			name, said, 100*usualTarget, cost*float64(r.Run.Samples))}, r.Notes...)
	}
	return r, nil
}

// widest is the largest relative error of the mean wait of a class, infinite where there is no
// interval.
func widest(r *result.Result) (worst float64, class string) {
	for _, c := range r.Classes {
		e := c.Waiting.Mean
		err := e.HalfWidth / math.Abs(e.Value)
		if e.Value == 0 && e.HalfWidth == 0 {
			err = 0
		}
		if math.IsNaN(err) {
			err = math.Inf(1)
		}
		if err > worst {
			worst, class = err, c.Name
		}
	}
	return worst, class
}

// foreseeable reports whether something is known of how long a run takes: below the limit
// and where gaps and services have a variance.
func foreseeable(p *problem.Problem, load float64) bool {
	forget := p.Relaxation(load)
	return load < 1 && forget > 0 && forget < 1e12
}

// cost is the steps in those of a forward run.
func (e *Effort) cost() float64 { return e.Steps*e.kind + e.extra }

// Query is how the method is asked for, without the target.
func (e *Effort) Query() string {
	o := e.Options(problem.Options{})
	return e.Method.Text(&o)
}
