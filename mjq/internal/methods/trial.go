package methods

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
)

// trial is a short forward run, from which efforts are estimated: always the same jobs,
// so that what follows from it does not depend on the machine, and the time they took,
// which does.
type trial struct {
	jobs         float64 // recorded
	mean, square float64 // of the wait: E[W], Var W / E[W]²
	step         float64 // seconds of a job, the least of several runs
	controlled   float64 // the same with control variates
	close        float64 // the same with close ones
	listed       float64 // the same by a list of events
}

// The runs of a trial, of which the quickest of each kind tells what a job costs.
const (
	trialRuns       = 4
	trialPaths      = 4
	trialJobs       = 60_000 // of a path, a fifth of them to warm up
	trialControlled = 30_000 // of a path with control variates
	trialListed     = 4_000  // of a path by a list of events
)

// try makes a trial, and with times tells what jobs cost; without it takes half as long. It
// lasts a tenth of a second or less, or until ctx ends.
func try(ctx context.Context, p *problem.Problem, times bool) (t trial, err error) {
	second := 0.0
	t.step, t.controlled, t.close, t.listed = math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)
	for i := range trialRuns {
		run := trialRun(p, uint64(i), trialJobs)
		res, each := timed(ctx, &run)
		if ctx.Err() != nil {
			return t, context.Cause(ctx)
		}
		t.step = min(t.step, each)
		mean := res.All.MeanW.Value
		t.mean += mean / trialRuns
		second += (res.All.VarianceW.Value + mean*mean) / trialRuns
		t.jobs += float64(trialPaths * run.Jobs)
		if !times {
			continue
		}
		run = trialRun(p, uint64(i), trialControlled)
		run.Controlled = true
		_, each = timed(ctx, &run)
		t.controlled = min(t.controlled, each)
		run.Close = true
		_, each = timed(ctx, &run)
		t.close = min(t.close, each)
		t.listed = min(t.listed, timedList(ctx, p, trialListed))
	}
	t.square = second/(t.mean*t.mean) - 1
	return t, nil
}

// trialRun is one of the runs.
func trialRun(p *problem.Problem, seed uint64, jobs int64) sampling.Forward {
	return sampling.Forward{System: p.System(problem.SeedTrial+seed, 1), Replications: trialPaths, WarmUp: jobs / 5, Jobs: jobs - jobs/5, Level: 0.95}
}

// timed runs and tells how many seconds of a processor a job took.
func timed(ctx context.Context, f *sampling.Forward) (res *sampling.ForwardResult, each float64) {
	from := processorTime()
	res = f.Run(ctx, nil)
	return res, (processorTime() - from).Seconds() / float64((f.WarmUp+f.Jobs)*int64(f.Replications))
}

// timedList is that of a simulation.
func timedList(ctx context.Context, p *problem.Problem, jobs int64) (each float64) {
	o := problem.Defaults()
	o.Workers = 1
	plan := simulation.Method{Jobs: int(jobs), Replications: trialPaths}.Events(p, &o)
	plan.Input = p.System(problem.SeedTrial, 1).Input
	from := processorTime()
	plan.Run(ctx, nil)
	return (processorTime() - from).Seconds() / float64((jobs+jobs/5)*trialPaths)
}

// seconds is what an effort takes at the cost of a job that the trial has shown.
func (t *trial) seconds(x *Effort) float64 {
	switch m := x.Method.(type) {
	case sampler.Forward:
		if m.Controls == problem.CloseControls {
			return x.Steps * t.close
		}
		return x.Steps * t.controlled
	case simulation.Method:
		return x.Steps * t.listed
	}
	return x.cost() * t.step
}
