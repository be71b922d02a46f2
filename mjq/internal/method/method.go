package method

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Method is a way to find how long jobs wait. Each stands in a file of its own, which
// says what it takes; All lists them.
type Method struct {
	Name  string  // as the query calls it
	About string  // what it answers, in a line
	Takes Setting // settings beside seed, level, workers and progress

	what, source string    // in errors; in results
	seed         uint64    // by default; see seeds.go
	usual        int64     // number of samples by default; 0 where there are none
	by           averaging // what it averages
	anyPolicy    bool      // not only first come first served
	keeps, holds float64   // about how many bytes a class takes, and again for each goroutine
	beyond       *Method   // what it is under other policies; nil: itself

	fits   func(f *check.Faults, s *spec.Spec)                                       // why not, of the queue; its arrivals may be missing
	plan   func(f *check.Faults, p *Problem, o *Options)                             // faults of the settings for a queue that fits
	solver func(o *Options) string                                                   // as the result names it
	total  func(p *Problem, o *Options) float64                                      // what progress counts to
	draw   func(ctx context.Context, x *run) error                                   // fills the result
	aim    func(r *result.Result) (e result.Estimate, name string)                   // what a target is about; nil: the mean wait
	run    func(ctx context.Context, p *Problem, o *Options) (*result.Result, error) // instead of all this
	own    bool                                                                      // a user's function
}

// All are the methods, the exact ones first.
var All = []*Method{Exact, Dominated, Certified, Backward, Unbiased, Forward, Rare, Simulate}

// Fits says why the method is not for this queue, each fault with its remedy; nothing
// if it is. The queue must be valid; it may lack arrivals.
func (m *Method) Fits(s *spec.Spec) []error {
	var f check.Faults
	m.suits(&f, s)
	return f.List()
}

// suits says why not, of the policy and of the rest.
func (m *Method) suits(f *check.Faults, s *spec.Spec) {
	m = m.Under(s)
	f.That(m.anyPolicy || s.FirstCome(), "policy %v: %s takes first come first served only; use mjq.Unbiased{} or mjq.Simulation{}", s.Policy, m.Name)
	m.fits(f, s)
}

// check is all that keeps the method from running.
func (m *Method) check(p *Problem, o *Options) error {
	var f check.Faults
	o.faults(&f)
	m.taken(&f, o)
	p.drawingFaults(&f)
	p.PolicyFaults(&f)
	m.suits(&f, p.Spec)
	f.Memory(float64(len(p.Classes))*(m.keeps+m.holds), "%s of %d classes; make one class of those that need the same and have the same service times, or use mjq.Simulation{}", m.Name, len(p.Classes))
	if m.plan != nil {
		m.plan(&f, p, o)
	}
	return f.Err(m.what)
}

// taken names the settings that the method does not take.
func (m *Method) taken(f *check.Faults, o *Options) {
	for i := range settings.index() {
		if s := Setting(1) << i; o.has(s) && m.Takes&s == 0 {
			f.Add("%s(%v): %s does not take it; %s do", s, o.text(s), m.Name, takers(s))
		}
	}
}

// workers are as many goroutines as there is memory for.
func (m *Method) workers(p *Problem, o *Options) int {
	n := float64(len(p.Classes))
	return min(o.Workers, 1+int(max(0, check.MostMemory-n*(m.keeps+m.holds))/(1+n*m.holds)))
}

// takers are the methods that take a setting.
func takers(s Setting) string {
	var names []string
	for _, m := range All {
		if m.Takes&s != 0 {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 {
		return "Stability and Path"
	}
	return strings.Join(names, ", ")
}

// run is a method at work: the problem with its rate known, and the result so far.
type run struct {
	*Problem
	o       *Options
	r       *result.Result
	sys     sampling.System
	report  func(done, total float64)
	started time.Time
	alive   func() // says while it waits for the stability limit that it does
	waited  time.Duration
	exposed *exposed // what the run can know, once it has been made
}

// Run answers for the problem. When ctx ends it returns what it has, along with the
// error of the context. Beyond the stability limit it returns a result with Stable
// false.
func (m *Method) Run(ctx context.Context, p *Problem, o Options) (_ *result.Result, err error) {
	m = m.Under(p.Spec)
	defer Caught(m.what, &err)
	o.Seed = o.seed(m.seed)
	ask := func() *remember.Question { return p.Question(m.Name, &o) }
	if m.own || !o.memorable() {
		ask = nil
	}
	return remember.Answer(ask, o.Fresh, remembered, o.sound, func() (*result.Result, error) {
		r, err := m.answer(ctx, p, o)
		if r != nil && !m.own {
			r.Run.Method = m.Text(&o)
			r.SettleNoWait()
			if m.Takes&InTime != 0 && !o.has(InTime) {
				r.DropServiceLevels()
			}
		}
		return r, err
	})
}

// answer is Run without memory.
func (m *Method) answer(ctx context.Context, p *Problem, o Options) (*result.Result, error) {
	if m.run != nil {
		return m.run(ctx, p, &o)
	}
	if err := m.check(p, &o); err != nil {
		return nil, err
	}
	x, err := openRun(ctx, p, &o, m.total(p, &o))
	if err != nil {
		return nil, err
	}
	if p.Load != nil { // now that the rate is known
		if err := m.check(x.Problem, &o); err != nil {
			return nil, err
		}
	}
	x.sys = x.System(o.Seed, m.workers(p, &o))
	at, err := o.placeOn(&x.sys, "")
	if err != nil {
		return nil, err
	}
	defer at.end()
	ok, err := x.begin(ctx, m.solver(&o), m.source)
	if !ok {
		return x.r, err
	}
	if err := o.untargeted(ctx, x.Problem, x.r.Rate, x.r.Rate/x.r.Limit.Rate, m.by); err != nil {
		return nil, err
	}
	x.started, x.report = time.Now(), o.throttled()
	if err := m.draw(ctx, x); err != nil {
		return nil, err
	}
	if m.Takes&Device != 0 {
		at.record(x.r)
	}
	if x.exposed != nil {
		x.exposed.apply(x.r)
	}
	if !x.neverWaits() {
		estimate.NoneWaited(x.r, "Ask for more jobs, or use mjq.Exact{} or mjq.RareEvent{} where they fit.")
	}
	tails := x.heavyTails(ctx, x.r, m.by)
	if m.Takes&SlowdownThreshold != 0 {
		x.slowdownTails(&tails)
	}
	o.noteTarget(x.r, m.aim)
	return x.r, replicate.Interrupted(ctx, x.r)
}

// openRun begins a run by finding the rate of a problem at a load. While it waits for the
// limit, progress is none of total, the number that the method will count to.
func openRun(ctx context.Context, p *Problem, o *Options, total float64) (*run, error) {
	started := time.Now()
	x := &run{o: o}
	if report := o.throttled(); report != nil {
		x.alive = func() { report(0, total) }
	}
	var err error
	x.Problem, err = p.Resolve(ctx, x.alive)
	x.waited = time.Since(started)
	return x, err
}

// begin opens a result, and closes it at once (ok false) when the queue is unstable or
// ctx ends first.
func (x *run) begin(ctx context.Context, solver, source string) (ok bool, err error) {
	started := time.Now()
	st, err := x.Bound(ctx, x.alive)
	if err != nil {
		return false, err
	}
	rate, highest := x.Rate(), st.Rate
	if st.HalfWidth > 0 {
		highest += st.HalfWidth
	}
	r := &result.Result{Solver: solver, Source: source, Model: x.Headline(), Rate: rate, Limit: *st, Level: x.o.Level,
		Stable: rate < highest}
	x.r = r
	r.Run.Version, r.Run.Seed, r.Run.ElapsedLimit = result.Version, x.o.Seed, x.waited+time.Since(started)
	x.outline(r)
	r.Notes = append(r.Notes, x.Notes...)
	r.Notes = append(r.Notes, unproven(x.Spec)...)
	for _, note := range st.Notes {
		r.Notes = append(r.Notes, "Stability limit: "+note)
	}
	if math.Abs(rate-st.Rate) <= 2*st.HalfWidth {
		r.Notes = append(r.Notes, fmt.Sprintf("The rate %.6g is so near the stability limit %v that neither stability nor instability is certain.", rate, st.Estimate()))
	}
	if r.Stable {
		return true, nil
	}
	x.unstable(r)
	return false, nil
}

// unproven warns of what is not proven of the queue.
func unproven(s *spec.Spec) (notes []string) {
	if !s.Monotone() {
		notes = append(notes, "A class asks for servers by number and another for any: the recurrence is not monotone, so that the stability limit, though measured, is not proven by Theorem 5.1.")
	}
	if s.AsPrinted {
		notes = append(notes, "The recursion as printed lets a later job that needs only other servers start before a waiting one.")
	}
	return notes
}

// finish notes how long the run took and whether it is complete.
func (x *run) finish(complete bool) { replicate.Finish(x.r, x.started, complete) }
