// Package simulation has what the event engine answers under any policy: averages over
// time, comparisons with the same jobs, and paths job by job.
package simulation

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Method is a classical simulation by a list of future events, from an empty start
// (Law, Simulation Modeling and Analysis, chapters 1 and 9). It shares nothing with
// the recurrence behind the samplers but the random input.
type Method struct {
	Jobs, WarmUp, Replications, BatchMeans int
	SlowdownThreshold, Within              float64
	Overtaking                             bool
}

var row = run.Row{
	Name: "Simulation", About: "discrete-event simulation with averages over time; checks the others",
	Takes:  []string{"RelErr", "HalfWidth", "MaxJobs"},
	Source: "future-event-list simulation: Law, Simulation Modeling and Analysis",
	Seed:   problem.SeedSimulate, By: interval.OverTime, Serves: spec.All &^ (spec.Picked | spec.Printed), Hits: true,
	Refuse: func(f *check.Faults, s *spec.Spec) {
		f.That(!s.Features().Has(spec.Sent) || !s.Features().Has(spec.Reserving), "Users along with Spares or Reserve are not simulated on servers that are always up; let the jobs arrive in a Poisson process")
		f.That(!s.Features().Has(spec.Sent) || s.Arrivals == nil || !s.Interrupts(), "Users and other arrivals along with failures that only interrupt are not simulated; give repairs a time, or leave the users or the arrivals out")
		f.That(!s.Resizes() || s.Sleep == nil, "Elastic or Partial along with Sleep are not simulated: no rule says yet which servers go off; leave one of them out")
	},
}

// Row is the row of the method.
func (m Method) Row() *run.Row { return &row }

// Plan says what is wrong with the settings.
func (m Method) Plan(f *check.Faults, p *problem.Problem, o *problem.Options) {
	m.planned(o).faults(f, p, o)
	f.That(!m.Overtaking || !p.Features().Has(spec.Keeping) && !p.Features().Has(spec.Sent), "Overtaking along with Keep or Users: who overtakes whom is not counted there; leave it out")
}

// Solver names it.
func (m Method) Solver() string {
	if m.BatchMeans != 0 {
		return "discrete-event simulation, batch means"
	}
	return "discrete-event simulation"
}

// Total is the number of jobs.
func (m Method) Total(p *problem.Problem, o *problem.Options) float64 {
	return m.Events(p, o).Total()
}

// fewestBatches is the fewest whose means may be taken for normal and whose
// variance is known well enough (Schmeiser, Operations Research 30, 1982).
const fewestBatches = 10

// plan is the settings of a simulation.
type plan struct {
	Method
	jobs, warm, reps, batches int64
}

// Events is a simulation of the standard length for the engine, all but its input.
func (m Method) Events(p *problem.Problem, o *problem.Options) *events.Plan {
	return m.planned(o).events(p, o)
}

func (m Method) length() problem.Length {
	return problem.Length{Jobs: m.Jobs, WarmUp: m.WarmUp, Replications: m.Replications}
}

// planned lays out a simulation of the standard length.
func (m Method) planned(o *problem.Options) plan {
	jobs, warm := m.length().Of(problem.StandardJobs)
	s := plan{m, jobs, warm, o.Drawing(m.Replications, problem.UsualReplications), problem.Count(m.BatchMeans, 1)}
	if m.BatchMeans != 0 {
		s.reps = 1
	}
	return s
}

func (s plan) faults(f *check.Faults, p *problem.Problem, o *problem.Options) {
	f.Memory(2*float64(s.batches)*(40*float64(len(p.Classes))+80), "BatchMeans %d", s.batches)
	s.memory(f, p, o)
	if s.BatchMeans == 0 {
		f.That(s.reps >= 2, "Replications %d: at least two are needed for an interval; for one long run use BatchMeans", s.reps)
		return
	}
	f.That(s.Replications == 0, "BatchMeans %d and Replications %d: one long run or several, choose one", s.batches, s.Replications)
	f.That(s.batches >= fewestBatches, "BatchMeans %d: fewer than %d give no trustworthy interval; 20 to 30 are usual", s.batches, fewestBatches)
	f.That(s.jobs >= s.batches, "Jobs %d: fewer than the batches; give at least %d", s.jobs, s.batches)
}

// memory refuses a run whose classes would take too much. One with a target is refused
// for what it takes before it looks at the target.
func (s plan) memory(f *check.Faults, p *problem.Problem, o *problem.Options) {
	if s.batches < 1 {
		return // which is a fault by itself
	}
	plan, reps := s.events(p, o), s.reps
	if o.Targeted() {
		reps = min(reps, problem.FewestReplications)
	}
	plan.Workers = 1
	f.Memory(plan.Bytes(int(reps)), "%d classes in %d replications of %d jobs; give fewer Jobs or Replications, or make one class of those that need the same and have the same service times",
		plan.Classes, reps, s.jobs)
}

// events is the simulation for the engine, all but its input.
func (s plan) events(p *problem.Problem, o *problem.Options) *events.Plan {
	return &events.Plan{System: *p.Compiled(), Workers: o.Workers,
		Threshold: s.SlowdownThreshold, InTime: s.Within, Overtaking: s.Overtaking,
		Replications: int(s.reps), Batches: int(s.batches), Level: o.Level, Observed: o.Seen != nil,
		WarmUp: s.warm, Length: (s.jobs + s.batches - 1) / s.batches}
}

// bounded keeps a run within the budget of jobs, if there is one.
func (s plan) bounded(o *problem.Options) plan {
	if s.BatchMeans != 0 {
		s.jobs, s.warm = o.BoundedRun(s.length(), s.jobs, s.warm, s.batches)
	} else {
		s.jobs, s.warm, s.reps = o.Bounded(s.length(), s.jobs, s.warm, s.reps)
	}
	return s
}

// Draw runs.
func (m Method) Draw(ctx context.Context, x *run.Run) error {
	o, r := x.Options, x.Result
	settings := m.planned(o)
	if m.Jobs == 0 {
		settings.jobs, settings.warm = m.length().Of(x.ReplicationJobs(r.Rate / r.Limit.Rate))
		var f check.Faults
		if settings.memory(&f, x.Problem, o); !f.None() {
			return f.Err("Simulation")
		}
	}
	settings = settings.bounded(o)
	plan := settings.events(x.Problem, o)
	plan.Input = x.Sampling.Input
	known, first := x.Expose(true, false), problem.FewestReplications // before the first look at the target
	if m.BatchMeans != 0 {
		first = int(settings.batches)
	}
	known.Path = float64(plan.Length) * float64(plan.Batches)
	plan.Enough = known.Enough(o, first, func(e *interval.Exposed, done int) { e.Jobs = float64(done) * float64(plan.Length) })
	if most, goOn := o.MaxJobs.Or(0), plan.Enough; most > 0 && goOn != nil && m.BatchMeans != 0 {
		plan.Enough = func(done int, mean func() result.Estimate) bool {
			return goOn(done, mean) || plan.WarmUp+int64(done+1)*plan.Length > most
		}
	}
	for plan.Workers > 1 && plan.Bytes(problem.UsualReplications) > check.MostMemory {
		plan.Workers-- // fewer where that is what fits
	}
	res := plan.Run(ctx, x.Report)
	r.Run.Samples, r.Run.Steps = res.Batches, res.Jobs
	r.Run.WarmUp, r.Run.Jobs = plan.WarmUp, int64(plan.Batches)*plan.Length
	all := res.Batches == plan.Replications*plan.Batches
	if m.BatchMeans != 0 { // one run, which a target lengthens and an interrupt shortens
		r.Run.Jobs = int64(res.Batches) * res.Length
		known.Path = float64(r.Run.Jobs)
		if o.Targeted() {
			all = o.Met(res.All.Waiting.Mean)
		}
	}
	x.Finish(all || o.Targeted() && ctx.Err() == nil)
	run.Measured(x.Problem, r, res)
	known.Jobs = float64(res.Batches) * float64(res.Length)
	x.Exposed = &known
	if o.Seen != nil {
		o.Seen(res)
	}
	if m.BatchMeans != 0 && res.Lag1 > 0.2 {
		r.Notes = append(r.Notes, fmt.Sprintf("Intervals may be too narrow: the mean waits of successive batches have correlation %.2f, and independent ones 0 ± %.2f. Raise Jobs or lower BatchMeans.",
			res.Lag1, 1/math.Sqrt(float64(res.Batches))))
	}
	return nil
}
