package method

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/result"
)

// Simulate is a classical simulation by a list of future events, from an empty start
// (Law, Simulation Modeling and Analysis, chapters 1 and 9). It shares nothing with
// the recurrence behind the samplers but the random input.
var Simulate = &Method{
	Name: "Simulation", About: "event list, averages over time: checks the others",
	Takes: Jobs | WarmUp | Replications | BatchMeans | MaxJobs | RelErr | HalfWidth | SlowdownThreshold | InTime | Overtaking,
	what:  "simulation", source: "future-event-list simulation: Law, Simulation Modeling and Analysis",
	seed: seedSimulate, by: overTime, anyPolicy: true,
	fits: countedFaults,
	plan: func(f *check.Faults, p *Problem, o *Options) { p.simulatePlan(o).faults(f, p, o) },
	solver: func(o *Options) string {
		if o.has(BatchMeans) {
			return "event list, batch means"
		}
		return "event list"
	},
	total: func(p *Problem, o *Options) float64 { return p.simulatePlan(o).events(p, o).Total() },
	draw:  drawSimulate,
}

const (
	// fewestBatches is the fewest whose means may be taken for normal and whose
	// variance is known well enough (Schmeiser, Operations Research 30, 1982).
	fewestBatches = 10
	// fewestReplications are made before a target looks at their interval.
	fewestReplications = 32
)

// simulatePlan is the settings of a simulation.
type simulatePlan struct{ jobs, warm, reps, batches int64 }

// simulatePlan lays out a simulation of the standard length.
func (p *Problem) simulatePlan(o *Options) simulatePlan {
	jobs := o.int(Jobs, standardJobs)
	plan := simulatePlan{jobs, o.int(WarmUp, jobs/5), o.drawing(Replications, usualReplications), o.int(BatchMeans, 1)}
	if o.has(BatchMeans) {
		plan.reps = 1
	}
	return plan
}

func (s simulatePlan) faults(f *check.Faults, p *Problem, o *Options) {
	f.Memory(2*float64(s.batches)*(40*float64(len(p.Classes))+80), "BatchMeans %d", s.batches)
	s.memory(f, p, o)
	if !o.has(BatchMeans) {
		f.That(s.reps >= 2, "Replications %d: at least two are needed for an interval; for one long run use BatchMeans", s.reps)
		return
	}
	f.That(!o.has(Replications), "BatchMeans %d and Replications %d: one long run or several, choose one", s.batches, o.int(Replications, 0))
	f.That(s.batches >= fewestBatches, "BatchMeans %d: fewer than %d give no trustworthy interval; 20 to 30 are usual", s.batches, fewestBatches)
	f.That(s.jobs >= s.batches, "Jobs %d: fewer than the batches; give at least %d", s.jobs, s.batches)
}

// memory refuses a run whose classes would take too much. One with a target is refused
// for what it takes before it looks at the target.
func (s simulatePlan) memory(f *check.Faults, p *Problem, o *Options) {
	if s.batches < 1 {
		return // which is a fault by itself
	}
	plan, reps := s.events(p, o), s.reps
	if o.targeted() {
		reps = min(reps, fewestReplications)
	}
	plan.Workers = 1
	f.Memory(plan.Bytes(int(reps)), "%d classes in %d replications of %d jobs; give fewer Jobs or Replications, or make one class of those that need the same and have the same service times",
		plan.Classes, reps, s.jobs)
}

// events is the simulation for the engine, all but its input.
func (s simulatePlan) events(p *Problem, o *Options) *events.Plan {
	return &events.Plan{Servers: p.Servers, Classes: len(p.Classes), Policy: p.discipline(), Needs: p.needs(), Types: p.types(), Workers: o.Workers,
		Threshold: o.float(SlowdownThreshold, 0), InTime: o.float(InTime, 0), Overtaking: o.has(Overtaking),
		Replications: int(s.reps), Batches: int(s.batches), Level: o.Level,
		WarmUp: s.warm, Length: (s.jobs + s.batches - 1) / s.batches}
}

func drawSimulate(ctx context.Context, x *run) error {
	o, r := x.o, x.r
	settings := x.simulatePlan(o)
	if !o.has(Jobs) {
		settings.jobs = x.ReplicationJobs(r.Rate / r.Limit.Rate)
		settings.warm = o.int(WarmUp, settings.jobs/5)
		var f check.Faults
		if settings.memory(&f, x.Problem, o); !f.None() {
			return f.Err("simulation")
		}
	}
	if !o.has(BatchMeans) {
		settings.jobs, settings.warm, settings.reps = o.bounded(settings.jobs, settings.warm, settings.reps)
	}
	plan := settings.events(x.Problem, o)
	plan.Input = x.sys.Input
	known, first := x.expose(true, false), fewestReplications // before the first look at the target
	if o.has(BatchMeans) {
		first = int(settings.batches)
	}
	plan.Enough = known.enough(o, first, func(e *exposed, done int) { e.jobs = float64(done) * float64(plan.Length) })
	for plan.Workers > 1 && plan.Bytes(usualReplications) > check.MostMemory {
		plan.Workers-- // fewer where that is what fits
	}
	res := plan.Run(ctx, x.report)
	r.Run.Samples, r.Run.Steps = res.Batches, res.Jobs
	r.Run.WarmUp, r.Run.Jobs = plan.WarmUp, int64(plan.Batches)*plan.Length
	all := res.Batches == plan.Replications*plan.Batches
	if o.targeted() && o.has(BatchMeans) { // the run goes on beyond its first batches
		r.Run.Jobs = int64(res.Batches) * res.Length
		all = o.met(res.All.Waiting.Mean)
	}
	x.finish(all || o.targeted() && ctx.Err() == nil)
	x.measured(r, res)
	known.jobs = float64(res.Batches) * float64(plan.Length)
	known.path = float64(plan.Length) * float64(plan.Batches)
	if o.targeted() && o.has(BatchMeans) {
		known.jobs = float64(res.Batches) * float64(res.Length)
		known.path = known.jobs
	}
	x.exposed = &known
	if o.seen != nil {
		o.seen(res)
	}
	if o.has(BatchMeans) && res.Lag1 > 0.2 {
		r.Notes = append(r.Notes, fmt.Sprintf("The mean waits of successive batches have correlation %.2f, where independent ones have 0 ± %.2f: the batches may be too short and the intervals too narrow. Ask for more Jobs or fewer BatchMeans.",
			res.Lag1, 1/math.Sqrt(float64(res.Batches))))
	}
	return nil
}

// measured fills the result with what the simulation has measured.
func (p *Problem) measured(r *result.Result, res *events.Result) {
	estimate.Fill(r, res.Classes, &res.All, p.shares())
	r.Overtaking = res.Overtaking
	r.Notes = append(r.Notes, res.Violations...)
	if res.Unfinished > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d jobs are missing: they were not served within as many jobs again as planned.", res.Unfinished))
	}
	s := float64(p.Servers)
	r.WastedHOL, r.Idle, r.MeanJobs = res.Wasted, res.Idle, res.System
	r.Utilization = plus(times(res.Idle, -1/s), 1)
	r.Utilization.HalfWidth = res.Idle.HalfWidth / s
	p.measuredResources(r, res)
}
