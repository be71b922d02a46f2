package timecourse

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// transientBytes is about what a state of a chain followed through time takes.
const transientBytes = 800

// exact is the course by uniformisation.
func (x *course) exact(ctx context.Context, c *result.Transient) error {
	sys, start, err := x.chain()
	if err != nil {
		return err
	}
	bytes := x.method.(exact.Method).Bytes()
	o := queue.Bounds{States: int(bytes / transientBytes), Bytes: bytes}
	var r *queue.Course
	if x.ask.Start != nil {
		r, err = sys.From(ctx, start, x.rates, x.width, x.ask.Parts, o)
	} else {
		r, err = sys.Over(ctx, x.rates, x.width, x.ask.Parts, o)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", x.ask.verb(), err)
	}
	c.Solver = fmt.Sprintf("uniformisation, %d states", r.States)
	c.Run.Complete, c.Error = true, r.Error
	for k := range c.Parts {
		x.solved(&c.Parts[k], &r.Parts[k])
	}
	if x.ask.Start == nil {
		c.Error = max(c.Error, x.unbalanced(c))
	}
	return nil
}

// unbalanced is how far the utilization of a whole period is off the work that its jobs bring; of what
// digits are lost it tells. From a given state on the jobs that are left at the end hold part of it.
func (x *course) unbalanced(c *result.Transient) float64 {
	busy, brought := 0.0, 0.0
	for k := range c.Parts {
		p := &c.Parts[k]
		busy += p.Utilization.Value / float64(len(c.Parts))
		brought += p.Rate * x.Work() / float64(x.Servers) / float64(len(c.Parts))
	}
	return math.Abs(busy - brought)
}

// chain is the queue and its start as package queue takes them.
func (x *course) chain() (sys queue.System, start queue.Start, err error) {
	var f check.Faults
	poisson := x.Spec.Poisson()
	if x.day != nil {
		poisson = x.day.Of == nil
	}
	f.That(poisson, "arrivals %s: mjq.Exact{} follows Poisson arrivals through time, with a Profile or without; use mjq.Simulation{}", x.arrivalsText())
	for _, class := range x.Classes {
		if _, ok := law.PhaseCount(class.Service); !ok {
			f.Add("%w", states.NotPhaseType(class.Name, class.Service, "mjq.Simulation{}"))
		}
	}
	sys = *queue.Of(x.Compiled(), false)
	sys.Arrives = nil // they have the rates of the parts
	if x.ask.Start == nil || !f.None() {
		return sys, start, f.Err(x.ask.verb())
	}
	for i := range x.ask.Start.Running {
		r := &x.ask.Start.Running[i]
		k := x.ClassIndex(r.Class)
		left, ok := law.Remaining(x.Classes[k].Service, r.Age)
		f.That(ok, "Running %d (%q): its service lasts for %v with a probability that vanishes", i+1, r.Class, r.Age)
		f.That(r.Remaining == nil, "Running %d (%q): mjq.Exact{} knows what remains from the Age alone; use mjq.Simulation{}", i+1, r.Class)
		for range r.Count() {
			start.Running = append(start.Running, queue.Running{Class: k, Alpha: left.Alpha})
		}
	}
	for _, name := range x.ask.Start.Line {
		start.Line = append(start.Line, x.ClassIndex(name))
	}
	return sys, start, f.Err(x.ask.verb())
}

// rates is the rate of arrivals from a time on.
func (x *course) rates(from float64) (rate, until float64) {
	if x.day == nil {
		return x.Rate(), math.Inf(1)
	}
	part := x.day.Period / float64(len(x.day.Rates))
	n := math.Floor((x.at() + from) / part)
	if until = (n+1)*part - x.at(); until <= from*(1+1e-12) { // what rounding leaves of a part
		n++
		until = (n+1)*part - x.at()
	}
	return x.day.Rates[int(math.Mod(n, float64(len(x.day.Rates))))], until
}

// solved fills in what is known of a part.
func (x *course) solved(p *result.Part, from *queue.Part) {
	known := func(v float64) result.Estimate { return result.Exact(v, "uniformisation") }
	p.MeanJobs, p.MeanQueue, p.Idle, p.WastedHOL = known(from.Jobs), known(from.Queue), known(from.Idle), known(from.Wasted)
	p.Utilization = known(1 - from.Idle/float64(x.Servers))
	if x.ask.Start != nil {
		p.Cleared = known(from.Cleared)
	}
	if from.Arrivals == 0 {
		return
	}
	a := exact.Answer{By: "uniformisation"}
	for _, c := range from.Classes {
		a.Wait, a.Second, a.NoWait = append(a.Wait, c.Mean), append(a.Second, c.Square), append(a.NoWait, 1-c.Delayed)
	}
	classes, all := a.Tallies(x.Spec, 1)
	estimate.FillPart(p, classes, &all, x.o.Level)
}
