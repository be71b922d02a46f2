package method

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/remember"
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
func Choose(ctx context.Context, p *Problem, o Options) (_ *result.Result, err error) {
	defer Caught("the choice of a method", &err)
	return remember.Answer(func() *remember.Question { return p.Question("chosen", &o) }, o.Fresh, remembered, o.sound,
		func() (*result.Result, error) { return p.chosen(ctx, o) })
}

// chosen is Choose without memory.
func (p *Problem) chosen(ctx context.Context, o Options) (*result.Result, error) {
	why := p.inexact(ctx, &o)
	if why == "" {
		aimed := o.targeted()
		o.drop(RelErr | HalfWidth | MaxJobs)
		r, err := Exact.Run(ctx, p, o)
		if r != nil {
			r.Run.Met = aimed && r.Stable
		}
		return noted(r, "Exact, chosen by mjq: it fits and is quick."), err
	}
	if !o.has(MaxJobs) {
		o.Set(MaxJobs, usualBudget)
	}
	known, err := p.Resolve(ctx, nil)
	if err != nil {
		return nil, err
	}
	m, given := Simulate, o.targeted()
	if p.FirstCome() {
		m = Forward
	}
	if !given {
		o.SetReal(RelErr, usualTarget)
	}
	if m == Forward {
		o, err = known.suited(ctx, o)
	} else {
		o, err = known.short(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	r, err := m.Run(ctx, known, o)
	if r == nil && !given && ctx.Err() == nil { // the mean has no interval that could become so narrow
		o.drop(RelErr)
		r, err = m.Run(ctx, known, o)
	} else if err == nil && !given {
		r, err = known.everyClass(ctx, m, o, r)
	}
	return noted(r, fmt.Sprintf("%s, chosen by mjq: %s.", m.words(), why)), err
}

// words are the method as a sentence begins with it.
func (m *Method) words() string {
	if m == Forward {
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
func (p *Problem) inexact(ctx context.Context, o *Options) string {
	if faults := Exact.Fits(p.Spec); len(faults) > 0 {
		return "for an exact solution, " + strings.TrimSuffix(faults[0].Error(), ".")
	}
	if p.Arrivals == nil && p.Load == nil {
		return "there are no arrivals"
	}
	size, err := SizeOf(ctx, p, *o)
	switch {
	case err != nil:
		return "for an exact solution, " + err.Error()
	case size.Bytes > exactBytes || exactOperations(&size) > exactMost:
		return fmt.Sprintf("an exact solution would take long (%v)", size)
	}
	return ""
}

// suited has forward runs take the control variates and lengths that suit the target.
func (p *Problem) suited(ctx context.Context, o Options) (Options, error) {
	if Forward.check(p, &o) != nil {
		return o, nil // Forward says what is wrong
	}
	st, err := p.Limit(ctx, nil)
	if err != nil {
		return o, err
	}
	load := p.Rate() / st.Rate
	if !p.foreseeable(load) {
		return o, nil
	}
	t, err := p.try(ctx, false)
	if err != nil {
		return o, err
	}
	best := newEfforts(ctx, p, load, &t, &o).forward()
	for s, n := range best.Set {
		if s == Jobs {
			n = min(n, max(1, o.int(MaxJobs, usualBudget)*5/6/fewestReplications))
		}
		o.Set(s, n)
	}
	return o, nil
}

// short has the simulation make replications no longer than the queue needs to forget its
// state many times, so that a target is looked at soon.
func (p *Problem) short(ctx context.Context, o Options) (Options, error) {
	if Simulate.check(p, &o) != nil {
		return o, nil // Simulation says what is wrong
	}
	st, err := p.Bound(ctx, nil)
	if err != nil {
		return o, err
	}
	if load := p.Rate() / st.Rate; load < 1 {
		o.Set(Jobs, int64(min(max(shortestRun, relaxations*p.Relaxation(load)), standardJobs)))
	}
	return o, nil
}

// shortestRun is the least length of a replication that is chosen.
const shortestRun = 20_000

// everyClass goes on until the mean wait of every class is as narrow as usual, within the
// budget: again, with as many more replications as the widest interval needs.
func (p *Problem) everyClass(ctx context.Context, m *Method, o Options, r *result.Result) (*result.Result, error) {
	worst, name := widest(r)
	if !r.Stable || worst <= usualTarget {
		return r, nil
	}
	cost := float64(r.Run.Jobs + r.Run.WarmUp)
	more := math.Min(math.Ceil(1.1*float64(r.Run.Samples)*math.Pow(worst/usualTarget, 2)), float64(o.int(MaxJobs, usualBudget))/cost)
	if more > 1.2*float64(r.Run.Samples) {
		o.drop(RelErr)
		o.Set(Replications, int64(more))
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
			said = fmt.Sprintf("is known within %.2g %%", 100*worst)
		}
		r.Notes = append([]string{fmt.Sprintf("Of class %s the mean wait %s and not within %g %% after %.2g jobs; MaxJobs gives more.",
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

// drop forgets settings.
func (o *Options) drop(s Setting) {
	for i := range settings.index() {
		if s>>i&1 != 0 {
			o.whole[i], o.real[i] = 0, 0
		}
	}
	o.given &^= s
}

// foreseeable reports whether something is known of how long a run takes: below the limit
// and where gaps and services have a variance.
func (p *Problem) foreseeable(load float64) bool {
	forget := p.Relaxation(load)
	return load < 1 && forget > 0 && forget < 1e12
}

// cost is the steps in those of a forward run.
func (e *Effort) cost() float64 { return e.Steps*e.kind + e.extra }

// Query is how the method is asked for, without the target.
func (e *Effort) Query() string {
	o := e.Options(Options{})
	return e.Method.Text(&o)
}

// Text is the method with the settings given as it is written in Go, and the target after it.
func (m *Method) Text(o *Options) string {
	var fields, options []string
	for i, name := range settingNames {
		s := Setting(1) << i
		if !o.has(s) {
			continue
		}
		value := fmt.Sprint(o.text(s))
		switch s {
		case RelErr, HalfWidth, MaxJobs:
			options = append(options, fmt.Sprintf(", mjq.%s(%s)", name, value))
			continue
		case ControlVariates:
			value = "mjq.PlainControls"
			if o.int(s, 0) == closely {
				value = "mjq.CloseControls"
			}
		case Device:
			value = "mjq." + o.Device.String()
		case MomentsOnly, Overtaking:
			value = "true"
		case WarmUp, PathLength:
			if o.int(s, 0) == 0 {
				value = "mjq.None"
			}
		}
		fields = append(fields, name+": "+value)
	}
	return fmt.Sprintf("mjq.%s{%s}%s", m.Name, strings.Join(fields, ", "), strings.Join(options, ""))
}

// Own is a method that a user has written, a function; it is not remembered.
func Own(name string, f func(ctx context.Context, p *Problem, seed uint64) (*result.Result, error)) *Method {
	m := &Method{Name: name, what: name, seed: SweepSeed, own: true, anyPolicy: true}
	m.run = func(ctx context.Context, p *Problem, o *Options) (*result.Result, error) {
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
