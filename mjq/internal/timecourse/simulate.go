package timecourse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// transientReplications are made from a given state on, by default: each is short.
const transientReplications = 10_000

// courseBytes is about what one part keeps of a class while a group of replications is
// on its way: two histograms of some octaves.
const courseBytes = 2 * 24 * 256 * 8

// runs are how long the runs of the simulation are, as its settings say.
func (x *course) runs() problem.Length {
	m := x.method.(simulation.Method)
	return problem.Length{Jobs: m.Jobs, WarmUp: m.WarmUp, Replications: m.Replications}
}

// plan lays out the simulation.
func (x *course) plan(ctx context.Context) (*events.Course, error) {
	p := &events.Course{System: x.System(x.o.Seed, 1).System, Width: x.width, Parts: x.ask.Parts,
		Rounds: 1, Level: x.o.Level, Replications: int(problem.Count(x.runs().Replications, transientReplications))}
	p.Input = p.Input.From(x.at())
	if x.ask.Start != nil {
		p.Start = x.begun()
	} else if err := x.rounds(ctx, p); err != nil {
		return nil, err
	}
	bytes := float64(x.ask.Parts) * float64(len(x.Classes)+1) * courseBytes
	var f check.Faults
	f.That(p.Replications >= 2, "Replications %d: at least two are needed for an interval", p.Replications)
	f.That(x.ask.Start == nil || x.runs().Jobs == 0 && x.runs().WarmUp == 0, "Jobs and WarmUp are for a period that repeats; from a state on there are Until and Replications")
	f.Memory(8*bytes, "%d parts of %d classes", x.ask.Parts, len(x.Classes))
	p.Workers = max(1, min(x.o.Workers, int(check.MostMemory/(8*bytes)))) // fewer where that is what fits
	return p, f.Err(x.ask.verb())
}

// rounds finds how many periods are left out and observed.
func (x *course) rounds(ctx context.Context, p *events.Course) error {
	st, err := limit.Bound(ctx, x.Problem, nil)
	if err != nil {
		return err
	}
	jobs, warm := x.runs().Of(x.ReplicationJobs(x.Rate() / st.Rate))
	day := x.Rate() * x.day.Period
	periods := func(jobs int64) int { return int(check.Whole(math.Ceil(float64(jobs)/day), 0, 1e9)) }
	p.Replications = int(problem.Count(x.runs().Replications, problem.UsualReplications))
	p.Rounds, p.Skip = max(1, periods(jobs)), periods(warm)
	return nil
}

// simulate is the course by the event list.
func (x *course) simulate(ctx context.Context, c *result.Transient) error {
	plan, err := x.plan(ctx)
	if err != nil {
		return err
	}
	res := plan.Run(ctx, x.o.Throttled())
	if res.Refused {
		return fmt.Errorf("%s: policy %v would not serve these jobs together; let some of them wait", x.ask.verb(), x.Policy)
	}
	c.Solver = "discrete-event simulation"
	c.Run.Samples, c.Run.Jobs, c.Run.Steps = res.Replications, res.Jobs, res.Jobs
	c.Run.Complete = res.Replications == plan.Replications
	if res.Replications == 0 {
		return nil
	}
	rarity := interval.Rarity(x.Problem, x.load, 0, false)
	for k := range c.Parts {
		x.fill(&c.Parts[k], &res.Spans[k])
		estimate.FewDelayed(&c.Parts[k], rarity, c.Level, float64(res.Replications))
		estimate.NoneDelayed(&c.Parts[k])
	}
	for i := range c.Line {
		c.Line[i] = x.metric(&res.Line[i])
	}
	if x.ask.Start != nil {
		c.Clear = x.metric(&res.Clear)
		if res.Cleared < 1 {
			c.Clear = result.Metric{Mean: result.Unknown(), Variance: result.Unknown(), Level: c.Level}
			c.Notes = append(c.Notes, fmt.Sprintf("The mean time until nobody waits is unknown: in a share %.3g of the replications somebody waited all the time. Raise Until; Part.Cleared has the probabilities.", 1-res.Cleared))
		}
	}
	if res.Unfinished > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Waits leave out %d jobs: they did not start within the length of the run again. Raise Jobs, or lower the rate.", res.Unfinished))
	}
	x.seen(c, float64(res.Replications), float64(plan.Rounds))
	x.tails(ctx, c)
	return nil
}

func (x *course) metric(t *estimate.Times) result.Metric {
	return t.Metric(x.o.Level)
}

// fill fills in what has been seen of a part.
func (x *course) fill(p *result.Part, s *events.SpanResult) {
	estimate.FillPart(p, s.Classes, &s.All, x.o.Level)
	servers := float64(x.Servers)
	p.MeanJobs, p.MeanQueue, p.Idle, p.WastedHOL = s.System, s.Queue, s.Idle, s.Wasted
	p.Utilization = estimate.Shifted(estimate.Scaled(s.Idle, -1/servers), 1)
	p.Utilization.HalfWidth = s.Idle.HalfWidth / servers
	if x.ask.Start != nil {
		p.Cleared = s.Cleared
	}
}

// tails leaves what heavy tails leave without an interval without one. From a state on
// a wait has as many moments as the services that others are in.
func (x *course) tails(ctx context.Context, c *result.Transient) {
	t := interval.BegunTails(x.Problem)
	if x.ask.Start == nil {
		t = interval.TailsOf(ctx, x.Problem, x.Rate(), [...]interval.Averaging{interval.OverTime, interval.OverSamples, interval.OverSamples}[x.by])
	}
	interval.PartTails(x.Problem, c, &t)
}

// begun is the state at the start as the engine takes it.
func (x *course) begun() *events.Start {
	type given struct {
		class, need int32
		left        law.Sampler
	}
	var all []given
	for i := range x.ask.Start.Running {
		r := &x.ask.Start.Running[i]
		c := x.ClassIndex(r.Class)
		left := law.Prepare(x.left(r))
		for range r.Count() {
			all = append(all, given{int32(c), int32(x.Classes[c].Need), left})
		}
	}
	running := len(all)
	for _, name := range x.ask.Start.Line {
		c := x.ClassIndex(name)
		all = append(all, given{int32(c), int32(x.Classes[c].Need), law.Prepare(x.Classes[c].Service)})
	}
	return &events.Start{Running: running, Waiting: len(all) - running, Jobs: func(r *stream.Reader, dst []events.Job) []events.Job {
		for n, g := range all {
			left := r.Remaining(n, g.left)
			dst = append(dst, events.Job{Service: left, Estimate: left, Class: g.class, Need: g.need})
		}
		return dst
	}}
}

// left is what remains of a job in service.
func (x *course) left(r *spec.Running) law.Law {
	if r.Remaining != nil {
		return r.Remaining
	}
	return remaining(x.Classes[x.ClassIndex(r.Class)].Service, r.Age)
}

// remaining is what remains of a service that has lasted for age.
func remaining(l law.Law, age float64) law.Law {
	if _, forgets := law.MemorylessRate(l); forgets || age == 0 {
		return l
	}
	if ph, ok := law.Remaining(l, age); ok {
		return ph
	}
	return aged{l, age}
}

// aged is the law of what remains, as far as it is drawn from.
type aged struct {
	law.Law
	age float64
}

// Survival is that of what remains.
func (a aged) Survival(x float64) float64 { return a.Law.Survival(a.age+x) / a.Law.Survival(a.age) }

// Sample inverts the survival function by halving.
func (a aged) Sample(rng rand.Source) float64 {
	want := fastmath.Unit(rng.Uint64()) * a.Law.Survival(a.age)
	lo, hi := a.age, 2*a.age
	for a.Law.Survival(hi) > want && !math.IsInf(hi, 1) {
		lo, hi = hi, 2*hi
	}
	for range 100 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if a.Law.Survival(mid) > want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi - a.age
}

// interruptedCourse is the error of a course that ctx ended.
func interruptedCourse(ctx context.Context, c *result.Transient) error {
	if c.Run.Complete {
		return nil
	}
	c.Notes = append(c.Notes, "Interrupted: the results are of the jobs completed until then, and intervals are wider. Ask again for all.")
	return errors.Join(errors.New("interrupted; the course holds what was completed"), context.Cause(ctx))
}
