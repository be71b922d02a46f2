// Package timecourse finds how a queue fares as time goes by: over the period of its arrivals,
// or from a state on.
package timecourse

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// By is a way to find how a queue fares as time goes by.
type By int

// The ways: the event list, independent samples from the past, and the chain.
const (
	Simulated By = iota
	Sampled
	Solved
)

// wayOf is the way of a method.
func wayOf(m run.Method) By {
	switch m.(type) {
	case exact.Method:
		return Solved
	case sampler.Backward:
		return Sampled
	}
	return Simulated
}

// Options say of what time a course is asked.
type Options struct {
	Parts int
	Start *spec.State // nil: over the period of the arrivals
	Until float64     // from now
}

// verb is the question as users ask it.
func (o *Options) verb() string {
	if o.Start != nil {
		return "Transient"
	}
	return "ByTime"
}

// mostCoursePhases is up to how many phases in service a course is solved by default.
const mostCoursePhases = 200

// smallCourse reports whether an exact course takes seconds.
func smallCourse(ctx context.Context, p *problem.Problem, o *problem.Options) bool {
	s := *p.Spec
	if p.Features()&^spec.Arriving != 0 {
		return false
	}
	if _, turns := s.Arrivals.(arrival.Profile); turns {
		s.Arrivals = arrival.Poisson(s.Rate())
	}
	if len(run.Fits(exact.Method{}, &s)) > 0 || !s.Poisson() {
		return false
	}
	size, err := exact.SizeOf(ctx, p.WithArrivals(&s), exact.Method{}, *o)
	return err == nil && size.Phases <= mostCoursePhases
}

// course is a course that is asked for.
type course struct {
	*problem.Problem
	o      *problem.Options
	by     By
	method run.Method
	ask    Options
	day    *arrival.Profile // of the arrivals; nil if their rate does not change
	width  float64          // of a part
	load   float64          // of the stability limit; from a state on, of all servers
}

// mostParts is more than anybody looks at.
const mostParts = 100_000

// Solve is Find by a method; nil is the exact one where it fits and is small, else the
// simulation.
func Solve(ctx context.Context, p *problem.Problem, m run.Method, ask Options, o problem.Options) (*result.Transient, error) {
	if m != nil {
		return Find(ctx, p, m, ask, o)
	}
	m, why := run.Method(exact.Method{}), "Exact, chosen by mjq: it fits and is small."
	if !smallCourse(ctx, p, &o) {
		m, why = simulation.Method{}, "Simulation, chosen by mjq: an exact solution is for Poisson arrivals, phase-type services, first come first served and few states."
	}
	c, err := Find(ctx, p, m, ask, o)
	if c != nil {
		c.Notes = append([]string{why}, c.Notes...)
	}
	return c, err
}

// Find is how the queue fares over the period of its arrivals, or from a state on.
// When ctx ends it returns what it has, along with the error of the context.
func Find(ctx context.Context, p *problem.Problem, m run.Method, ask Options, o problem.Options) (_ *result.Transient, err error) {
	defer problem.Caught(ask.verb(), &err)
	o.Seed = o.SeedOr(m.Row().Seed)
	x := &course{Problem: p, o: &o, by: wayOf(m), method: m, ask: ask}
	if err := x.check(); err != nil {
		return nil, err
	}
	return cache.Answer(x.question, o.Fresh, func(c *result.Transient, at time.Time) { c.Run.Remembered = at },
		func(c *result.Transient) bool { return c.Run.Complete },
		func() (*result.Transient, error) { return x.find(ctx) })
}

// question is the whole of what is asked, with what runs and waits at the start.
func (x *course) question() *cache.Question {
	q := x.Question("course", x.o, x.method).Numbers(uint64(x.by), uint64(x.ask.Parts)).Reals(x.ask.Until)
	if x.ask.Start == nil {
		return q
	}
	q.Text("from").Reals(x.ask.Start.At).Numbers(uint64(len(x.ask.Start.Running)))
	for _, r := range x.ask.Start.Running {
		q.Text(r.Class).Numbers(uint64(r.Jobs)).Reals(r.Age)
		if r.Remaining != nil {
			q.Written(law.Marshal(r.Remaining)).Code(r.Remaining)
		} else {
			q.Text("")
		}
	}
	for _, class := range x.ask.Start.Line {
		q.Text(class)
	}
	return q
}

// find is Find of settings without faults, without memory.
func (x *course) find(ctx context.Context) (_ *result.Transient, err error) {
	p, by, ask, o := x.Problem, x.by, x.ask, x.o
	if x.Problem, err = limit.Resolve(ctx, p, nil); err != nil {
		return nil, err
	}
	x.times()
	c := &result.Transient{Model: x.Headline(), Level: o.Level, Stable: true, Notes: x.Notes}
	c.Run.Version, c.Run.Seed = result.Version, o.Seed
	x.lay(c)
	if ask.Start == nil {
		if err := x.settles(ctx, c); err != nil || !c.Stable {
			return c, err
		}
	}
	started := time.Now()
	run := [...]func(context.Context, *result.Transient) error{x.simulate, x.sample, x.exact}[by]
	err = run(ctx, c)
	c.Run.Elapsed = time.Since(started)
	if err != nil {
		return nil, err
	}
	return c, interruptedCourse(ctx, c)
}

// check is all that keeps a course from being found.
func (x *course) check() error {
	var f check.Faults
	x.o.Check(&f)
	run.Settings(&f, x.method)
	x.DrawingFaults(&f)
	x.PolicyFaults(&f)
	f.Asked(x.ask.Parts >= 1 && x.ask.Parts <= mostParts, "%d parts of the time; give from 1 to %d", x.ask.Parts, mostParts)
	f.That(x.by == Simulated || !x.Features().Has(spec.Reordered), "policy %v: only mjq.Simulation{} follows it over time", x.Policy)
	if x.ask.Start != nil {
		x.StateFaults(&f, x.ask.Start)
		f.Asked(x.ask.Until > 0 && !math.IsInf(x.ask.Until, 1), "Horizon: Until %v: give a positive finite time", x.ask.Until)
	} else {
		_, turns := x.Arrivals.(arrival.Profile)
		f.That(turns, "the arrivals %v have no period; give them one by Profile", x.arrivalsText())
	}
	if x.by == Sampled {
		f.Join(run.Fits(x.method, x.Spec)...)
	}
	return f.Err(x.ask.verb())
}

func (x *course) arrivalsText() string {
	if x.Arrivals == nil {
		return "Poisson"
	}
	return x.ArrivalName()
}

// times finds the length of the parts.
func (x *course) times() {
	if p, is := x.Arrivals.(arrival.Profile); is {
		x.day = &p
	}
	x.width, x.load = x.ask.Until/float64(x.ask.Parts), x.OfferedLoad()
	if x.ask.Start == nil {
		x.width = x.day.Period / float64(x.ask.Parts)
	}
}

// at is the time of day at which time begins.
func (x *course) at() float64 {
	if x.ask.Start == nil {
		return 0
	}
	return x.ask.Start.At
}

// rateIn is the mean rate of arrivals between two times after the beginning.
func (x *course) rateIn(from, to float64) float64 {
	if x.day == nil {
		return x.Rate()
	}
	return x.day.Expected(x.at()+from, x.at()+to) / (to - from)
}

// lay divides time into parts of which nothing is known yet.
func (x *course) lay(c *result.Transient) {
	unknown := result.Metric{Level: c.Level}
	none := result.PartClass{Name: "all", Waiting: unknown, Response: unknown}
	c.Clear = unknown
	if x.ask.Start != nil {
		c.Start = x.ask.Start.String()
		for range x.ask.Start.Line {
			c.Line = append(c.Line, unknown)
		}
	} else {
		c.Period = x.day.Period
	}
	for k := range x.ask.Parts {
		p := result.Part{From: float64(k) * x.width, To: float64(k+1) * x.width, All: none}
		p.Rate = x.rateIn(p.From, p.To)
		for _, class := range x.Classes {
			one := none
			one.Name, one.Need = class.Name, class.Need
			p.Classes = append(p.Classes, one)
		}
		c.Parts = append(c.Parts, p)
	}
	result.MarkUnknown(c)
}

// settles judges whether the queue forgets from period to period.
func (x *course) settles(ctx context.Context, c *result.Transient) error {
	st, err := limit.Bound(ctx, x.Problem, nil)
	if err != nil {
		return err
	}
	c.Stable, x.load = x.Rate() < st.Rate+st.HalfWidth, x.Rate()/st.Rate
	for _, note := range st.Notes {
		c.Notes = append(c.Notes, "Stability limit: "+note)
	}
	if c.Stable {
		return nil
	}
	c.Run.Complete = true
	c.Notes = append(c.Notes, fmt.Sprintf("Unstable, so the queue grows from period to period: the mean rate %.6g exceeds the stability limit %v. Lower the rate, or use Transient from a state on.", x.Rate(), st.Estimate()))
	for k := range c.Parts {
		p := &c.Parts[k]
		for i := range p.Classes {
			grows(&p.Classes[i])
		}
		grows(&p.All)
		p.MeanJobs, p.MeanQueue = result.Infinite("unstable"), result.Infinite("unstable")
	}
	return nil
}

// grows sets what grows without bound.
func grows(c *result.PartClass) {
	for _, m := range []*result.Metric{&c.Waiting, &c.Response} {
		m.Mean, m.Variance = result.Infinite("unstable"), result.Infinite("unstable")
	}
}
