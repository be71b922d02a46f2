package sampler

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// coupled is Unbiased under policies other than first come first served, and where
// arrivals say of which class a job is: each sample is a run of the queue coupled with itself one arrival later, averaged along the path.
type coupled Unbiased

var coupledRow = run.Row{
	Name: "Unbiased", About: unbiasedAbout,
	Takes: []string{"RelErr", "HalfWidth"}, Without: []string{"Device"},
	Source: "coupling with the queue one arrival later: Glynn and Rhee 2014, averaged as by Jacob, O'Leary and Atchadé 2020",
	Keeps:  300e3, Holds: 150e3,
	Seed: problem.SeedUnbiased, Usual: coupledSamples, By: interval.OverTime,
	Serves: spec.Every&^(spec.Picked|spec.Printed|spec.Sent|spec.Keeping|spec.Recalling) | spec.Failing | spec.Interrupted, Hits: true,
	Refuse: func(f *check.Faults, s *spec.Spec) {
		for i := range s.Failures {
			_, ok := law.MemorylessRate(s.Failures[i].Up)
			f.That(ok, "Failures %q: the time up is %v: the two queues of a sample must meet in the states of all clocks, which they do for exponential times only; use mjq.Simulation{}", s.Failures[i].Name, s.Failures[i].Up)
		}
		f.That(len(s.Reservations) == 0, "Reserve: what a job meets depends on the time that is left to the next window, which differs between the two queues of a sample; use mjq.Simulation{}")
	},
}

// Row is the row of the method.
func (m coupled) Row() *run.Row { return &coupledRow }

// Plan says what is wrong with the settings.
func (m coupled) Plan(f *check.Faults, _ *problem.Problem, _ *problem.Options) {
	f.That(m.Samples != 1, "Samples 1: at least two samples are needed for an interval")
}

// Solver is its name.
func (m coupled) Solver() string { return "unbiased, coupled" }

// Total is the number of samples.
func (m coupled) Total(_ *problem.Problem, o *problem.Options) float64 {
	return float64(o.Drawing(m.Samples, coupledSamples))
}

const (
	// coupledSamples is the default number of samples.
	coupledSamples = 512
	// coupledBudget is how many jobs they take in all by default.
	coupledBudget = 20_000_000
	// fewestOfClass are the jobs of a class that all paths must hold on average for an
	// interval.
	fewestOfClass = 100
)

// Draw samples.
func (m coupled) Draw(ctx context.Context, x *run.Run) error {
	o, r := x.Options, x.Result
	samples := int(o.Drawing(m.Samples, coupledSamples))
	plan := events.Coupling{System: x.Sampling.System, Rate: r.Rate,
		Samples: samples, Burn: problem.Count(m.Window, -1), Path: problem.Count(m.PathLength, 0), Budget: coupledBudget,
		Level: o.Level, Workers: o.Workers, Threshold: m.SlowdownThreshold, InTime: m.Within}
	known := x.Expose(false, false)
	plan.Enough = known.Enough(o, firstCoupled, interval.ManySamples)
	res := plan.Run(ctx, x.Report)
	r.Run.Samples, r.Run.Steps = res.Batches, res.Jobs
	r.Run.Window, r.Run.Jobs, r.Run.MinWindow, r.Run.MaxWindow = res.Burn, res.Path, res.First, res.Longest
	x.Finish(res.Hopeless || res.Batches == samples || ctx.Err() == nil)
	run.Measured(x.Problem, r, &res.Result)
	if res.Hopeless {
		r.Notes = append(r.Notes, fmt.Sprintf("No means: queues that started one job apart still differed after %d jobs. Under %v the rate %.6g is unstable or too close to the limit for this method. Use Simulation to see whether the queue grows.",
			res.Longest, x.Discipline(), r.Rate))
		return nil
	}
	exactParts(x, r)
	coupledNotes(x, r, res)
	known.Samples, known.Jobs = float64(res.Batches), float64(res.Batches)*float64(res.Path)
	x.Exposed = &known
	return nil
}

// firstCoupled samples are drawn before a target looks at their interval.
const firstCoupled = 128

// exactParts puts in what is known without drawing: unless jobs are killed, how busy the
// servers are and what the services add to the waits. Where preempted jobs lose service
// nothing is.
func exactParts(x *run.Run, r *result.Result) {
	if e, ok := x.Policy.(policy.Estimator); ok {
		if _, kills := e.Limits(); kills {
			return
		}
	}
	if x.Features().Has(spec.Turning) || x.Away() || x.Policy != nil && x.Policy.Properties().Loses {
		return
	}
	for i, c := range x.Classes {
		r.Classes[i].Response.Mean = estimate.Shifted(r.Classes[i].Waiting.Mean, c.Service.Mean())
	}
	r.All.Response.Mean = estimate.Shifted(r.All.Waiting.Mean, x.MeanService())
	r.MeanJobs = estimate.Scaled(r.All.Response.Mean, r.Rate)
	run.BusyServers(x.Problem, r)
	for j := range r.Resources {
		c := &r.Resources[j]
		busy := r.Rate * x.TypeWork(j)
		c.Idle = result.Exact(float64(c.Units)-busy, "Little's law")
		c.Utilization = result.Exact(busy/float64(c.Units), "Little's law")
	}
	run.MixedUnits(r)
}

// coupledNotes says which intervals cannot be trusted, and takes them away.
func coupledNotes(x *run.Run, r *result.Result, res *events.Coupled) {
	// Samples are unbiased whatever their length, but few of many short ones show the rare long
	// queues that turn jobs away: of 512 paths of 150 jobs, in a queue with room for 50 jobs at
	// load 0.9, one interval of Blocked in three held.
	if forget := x.Relaxation(r.Rate / r.Limit.Rate); x.Features().Has(spec.Turning) && float64(res.Path) < problem.LeastRelaxations*forget {
		interval.WithoutAll(r)
		r.Notes = append(r.Notes, fmt.Sprintf("There are no intervals: each path has %d jobs, and this queue forgets its state only after about %.0f. Set PathLength to at least %.0f.",
			res.Path, forget, math.Ceil(problem.LeastRelaxations*forget)))
	}
	for i := range r.Classes {
		c := &r.Classes[i]
		if jobs := float64(res.Batches) * float64(res.Path) * c.Prob; jobs < fewestOfClass {
			interval.WithoutIntervals(c)
			r.Notes = append(r.Notes, fmt.Sprintf("Some intervals are missing: the paths contain only %.2g jobs of class %s. Raise PathLength or Samples.", jobs, c.Name))
		}
	}
}
