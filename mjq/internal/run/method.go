package run

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Method is a way to find how long jobs wait. Each stands in a file of its own, which
// says what it takes; package method lists them.
type Method struct {
	Name  string          // as the query calls it
	About string          // what it answers, in a line
	Takes problem.Setting // settings beside seed, level, workers and progress

	Source       string             // in results
	Seed         uint64             // by default; see package problem
	Usual        int64              // number of samples by default; 0 where there are none
	By           interval.Averaging // what it averages
	AnyPolicy    bool               // not only first come first served
	Turned       bool               // also queues that turn jobs away or lose them
	Nodes        bool               // also jobs that are placed on nodes
	Keeps, Holds float64            // about how many bytes a class takes, and again for each goroutine
	Beyond       *Method            // what it is under other policies; nil: itself

	Refuse  func(f *check.Faults, s *spec.Spec)                                                       // why not, of the queue; its arrivals may be missing
	Plan    func(f *check.Faults, p *problem.Problem, o *problem.Options)                             // faults of the settings for a queue that fits
	Solver  func(o *problem.Options) string                                                           // as the result names it
	Total   func(p *problem.Problem, o *problem.Options) float64                                      // what progress counts to
	Draw    func(ctx context.Context, x *Run) error                                                   // fills the result
	Aim     func(r *result.Result) (e result.Estimate, name string)                                   // what a target is about; nil: the mean wait
	Instead func(ctx context.Context, p *problem.Problem, o *problem.Options) (*result.Result, error) // instead of all this
	own     bool                                                                                      // a user's function
}

// Fits says why the method is not for this queue, each fault with its remedy; nothing
// if it is. The queue must be valid; it may lack arrivals.
func (m *Method) Fits(s *spec.Spec) []error {
	var f check.Faults
	m.Suits(&f, s)
	return f.List()
}

// Under is the method that answers for the queue: another one where its policy is not first come
// first served, it does not serve all jobs, its servers are on nodes, or its arrivals say of which
// class a job is.
func (m *Method) Under(s *spec.Spec) *Method {
	if m.Beyond != nil && (!s.FirstCome() || s.Turns() || s.OnNodes() || s.Plain() && problem.Marked(s)) {
		return m.Beyond
	}
	return m
}

// Suits says why not, of the policy and of the rest.
func (m *Method) Suits(f *check.Faults, s *spec.Spec) {
	if m = m.Under(s); s.OnNodes() && !m.Nodes {
		f.Add("%s is for servers that are one pool, and jobs here must fit on nodes; use mjq.Simulation{}", m.Name)
		return
	}
	f.That(m.AnyPolicy || s.FirstCome(), "policy %v: %s takes first come first served only; use mjq.Unbiased{} or mjq.Simulation{}", s.Policy, m.Name)
	f.That(m.Turned || !s.Turns(), "%s is for queues that serve all jobs, and this one turns jobs away or lets them give up; use mjq.Exact{}, mjq.Simulation{} or mjq.Unbiased{}", m.Name)
	m.Refuse(f, s)
}

// Check is all that keeps the method from running.
func (m *Method) Check(p *problem.Problem, o *problem.Options) error {
	var f check.Faults
	o.Check(&f)
	m.Taken(&f, o)
	p.DrawingFaults(&f)
	p.PolicyFaults(&f)
	m.Suits(&f, p.Spec)
	f.Memory(float64(len(p.Classes))*(m.Keeps+m.Holds), "%s of %d classes; make one class of those that need the same and have the same service times, or use mjq.Simulation{}", m.Name, len(p.Classes))
	if m.Plan != nil {
		f.Settings(func(f *check.Faults) { m.Plan(f, p, o) })
	}
	return f.Err(m.Name)
}

// Taken names the settings that the method does not take.
func (m *Method) Taken(f *check.Faults, o *problem.Options) {
	for _, s := range o.Given(m.Takes) {
		f.Asked(false, "%s: %s does not take it; %s", o.Said(s), m.Name, problem.Takers(s))
	}
}

// workers are as many goroutines as there is memory for.
func (m *Method) workers(p *problem.Problem, o *problem.Options) int {
	n := float64(len(p.Classes))
	return min(o.Workers, 1+int(max(0, check.MostMemory-n*(m.Keeps+m.Holds))/(1+n*m.Holds)))
}

// Run answers for the problem. When ctx ends it returns what it has, along with the
// error of the context. Beyond the stability limit it returns a result with Stable
// false.
func (m *Method) Run(ctx context.Context, p *problem.Problem, o problem.Options) (_ *result.Result, err error) {
	m = m.Under(p.Spec)
	defer problem.Caught(m.Name, &err)
	o.Seed = o.SeedOr(m.Seed)
	ask := func() *remember.Question { return p.Question(m.Name, &o) }
	if m.own || !o.Memorable() {
		ask = nil
	}
	return remember.Answer(ask, o.Fresh, Remembered, o.Sound, func() (*result.Result, error) {
		r, err := m.answer(ctx, p, o)
		if r != nil && err == nil && !r.Stable && !m.own {
			r, err = m.levels(ctx, p, o, r)
		}
		if r != nil && !m.own {
			r.Run.Method = m.Text(&o)
			r.Derive()
			oneRow(r)
		}
		return r, err
	})
}

// answer is Run without memory.
func (m *Method) answer(ctx context.Context, p *problem.Problem, o problem.Options) (*result.Result, error) {
	if m.Instead != nil {
		return m.Instead(ctx, p, &o)
	}
	if err := m.Check(p, &o); err != nil {
		return nil, err
	}
	x, err := Open(ctx, p, &o, m.Total(p, &o))
	if err != nil {
		return nil, err
	}
	if p.Load != nil { // now that the rate is known
		if err := m.Check(x.Problem, &o); err != nil {
			return nil, err
		}
	}
	x.Sampling = x.System(o.Seed, m.workers(p, &o))
	at, err := o.PlaceOn(&x.Sampling, "")
	if err != nil {
		return nil, err
	}
	defer at.End()
	ok, err := x.Begin(ctx, m.Solver(&o), m.Source)
	if !ok {
		return x.Result, err
	}
	if o.Targeted() {
		known := x.Expose(false, false)
		if err := known.Untargeted(ctx, &o, x.Result.Rate, m.By); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	x.Started, x.Report = time.Now(), o.Throttled()
	if err := m.Draw(ctx, x); err != nil {
		return nil, err
	}
	if m.Takes&problem.Device != 0 {
		at.Record(x.Result)
	}
	if replicate.Nothing(ctx, x.Result) {
		return x.Result, replicate.Interrupted(ctx, x.Result)
	}
	rarity := x.rarity()
	estimate.FewEvents(x.Result, rarity)
	if x.Exposed != nil {
		x.Exposed.Apply(x.Result)
	}
	if neverWaits(x.Problem) {
		noWait(x.Result)
	} else {
		estimate.NoneWaited(x.Result, rarity, "Ask for more jobs, or use mjq.Exact{} or mjq.RareEvent{} where they fit.")
	}
	interval.NoteQuantiles(x.Result, rarity)
	tails := interval.HeavyTails(ctx, x.Problem, x.Result, m.By)
	if m.Takes&problem.SlowdownThreshold != 0 {
		interval.SlowdownTails(x.Problem, x.Result, x.Options.Real(problem.SlowdownThreshold, 0), &tails)
	}
	oneClass(x.Result)
	if !x.meets(&o) {
		o.NoteTarget(x.Result, unserved(p, m.Aim))
	}
	return x.Result, replicate.Interrupted(ctx, x.Result)
}

// oneClass has the only class of a queue be all jobs: two estimates of one number would differ.
func oneClass(r *result.Result) {
	if len(r.Classes) == 1 && r.All.Waiting.Mean.Known() {
		c := r.All
		c.Name, c.Need, c.Prob = r.Classes[0].Name, r.Classes[0].Need, r.Classes[0].Prob
		r.Classes[0] = c
	}
}

// meets reports whether a run in which no job waited meets its target for what it is: no job can
// wait, or so few that their waits, taken for services, are within HalfWidth.
func (x *Run) meets(o *problem.Options) bool {
	e := x.Result.All.Waiting.Mean
	if !o.Targeted() || e.Value != 0 || x.Room != nil && *x.Room == 0 {
		return false
	}
	bound := math.NaN()
	if seen := float64(x.Result.Run.Samples) * float64(x.Result.Run.Jobs); !o.Has(problem.RelErr) && seen > 0 {
		bound = -math.Log(1-o.Level) / seen * x.MeanService()
	}
	x.Result.Run.Met = x.NeverWaits() || bound <= o.Real(problem.HalfWidth, 0)
	return x.Result.Run.Met
}

// Remembered notes when an answer was kept.
func Remembered(r *result.Result, at time.Time) { r.Run.Remembered = at }
