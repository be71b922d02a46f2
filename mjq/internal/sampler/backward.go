// Package sampler has the methods that draw waits: independent samples from the past, paths
// that follow them, and runs forward. Their algorithms stand in package sampling.
package sampler

import (
	"context"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Backward samples by coupling from the past: Algorithm 1 of Baccelli, Olliaro, Ajmone
// Marsan and Marin.
type Backward struct {
	Samples, Window, MaxWindow, AgreeTogether int
	Device                                    problem.Processor
}

var backward = run.Row{
	Name: "Backward", About: "independent samples, coupled from the past; lower bounds",
	Takes:  []string{"RelErr", "HalfWidth"},
	Source: "Baccelli, Olliaro, Ajmone Marsan, Marin: Algorithm 1",
	Keeps:  140e3, Holds: 30e3,
	Seed: problem.SeedBackward, Usual: usualSamples, By: interval.OverSamples, Serves: spec.Typed | spec.Picked | spec.Printed | spec.Dependent | spec.Periodic | spec.Batched | spec.Interrupted,
}

// Row is the row of the method.
func (m Backward) Row() *run.Row { return &backward }

// Plan says what is wrong with the settings.
func (m Backward) Plan(f *check.Faults, p *problem.Problem, o *problem.Options) {
	m.Lay(p, o).Faults(f, p, o)
}

// Total is the number of samples.
func (m Backward) Total(p *problem.Problem, o *problem.Options) float64 {
	return float64(m.Lay(p, o).Samples)
}

// Solver names the rule by which samples agree.
func (m Backward) Solver() string {
	if m.AgreeTogether == 1 {
		return "backward, per-sample rule"
	}
	return "backward, batch rule"
}

// usualBatch is how many samples must agree together by default.
const usualBatch = 256

// usualSamples is how many independent samples there are by default.
const usualSamples = 10_000

// Layout is the settings of a backward run.
type Layout struct{ Samples, Batch, Window, Most int64 }

// Lay is the settings of a run, by default where they are not given.
func (m Backward) Lay(p *problem.Problem, o *problem.Options) Layout {
	return Layout{o.Drawing(m.Samples, usualSamples), problem.Count(m.AgreeTogether, usualBatch), problem.Count(m.Window, p.RareJobs(10)), problem.Count(m.MaxWindow, 1<<27)}
}

// Faults says what is wrong with the settings.
func (b Layout) Faults(f *check.Faults, p *problem.Problem, o *problem.Options) {
	f.That(b.Batch >= 1, "AgreeTogether %d: at least one sample makes a batch", b.Batch)
	f.That(b.Most >= b.Window, "MaxWindow %d: must be at least the first window, %d jobs", b.Most, b.Window)
	batches := (b.Samples-1)/max(1, b.Batch) + 1
	f.Memory(float64(min(b.Batch, b.Samples))*sampleBytes(p)*8*float64(min(int64(o.Workers), batches)),
		"AgreeTogether %d with Workers %d", b.Batch, o.Workers)
}

// Draw samples.
func (m Backward) Draw(ctx context.Context, x *run.Run) error {
	plan, level, r := m.Lay(x.Problem, x.Options), x.Options.Level, x.Result
	b := sampling.Backward{System: x.Sampling, Samples: int(plan.Samples), Window: plan.Window, MaxWindow: plan.Most,
		Batch: int(plan.Batch), Level: level}
	known := x.Expose(false, false)
	b.Enough = known.Enough(x.Options, 512, interval.ManySamples)
	res := b.Run(ctx, x.Report)
	if res.Failed != nil {
		return res.Failed
	}
	r.Run.Samples, r.Run.Steps, r.Run.Window = res.Done, res.Steps, plan.Window
	r.Run.MinWindow, r.Run.MaxWindow, r.Run.NotCoalesced = res.MinWindow, res.MaxWindow, res.Unsettled
	x.Finish(res.Done == int(plan.Samples) || ctx.Err() == nil)
	known.Samples, x.Exposed = float64(res.Done), &known
	run.Gathered(x.Problem, r, res.Classes, &res.All, "samples", x.Options.Workers)
	run.Finalize(x.Problem, r, res.HOL.Mean(level, "samples"), float64(res.Done))
	run.CloseResources(x.Problem, r, means(res.Kinds, level, "samples"))
	if res.Done > 0 && res.Done < fewSamples {
		r.Notes = append(r.Notes, fmt.Sprintf("Some intervals are missing (± ?): there are %d samples, and a mean needs at least 2, the 90 %% quantile about 100 and the 99 %% quantile about 1000. Raise Samples.", res.Done))
	}
	if plan.Batch == 1 {
		r.Notes = append(r.Notes, "Waits are too low at high load: with AgreeTogether 1 each sample stops on its own. Leave AgreeTogether out for the batch rule.")
	}
	if slices.ContainsFunc(x.Classes, func(c spec.Class) bool { return problem.Heavy(c.Service) }) {
		r.Notes = append(r.Notes, "Waits are too low, high quantiles most: windows end before the rarest service times of infinite variance. Use Forward with many jobs.")
	}
	if res.Unsettled > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Waits may be too low: %d of %d samples still changed at the largest window of %d jobs. Raise MaxWindow.",
			res.Unsettled, res.Done, plan.Most))
	}
	return nil
}

// fewSamples is below how many samples the table of a result lacks intervals of both
// quantiles.
const fewSamples = 100

// means are the means of several quantities.
func means(pairs []estimate.Pair, level float64, method string) (list []result.Estimate) {
	for i := range pairs {
		list = append(list, pairs[i].Mean(level, method))
	}
	return list
}

// sampleBytes is about what a sample takes until its batch is complete.
func sampleBytes(m *problem.Problem) float64 {
	return 100 + 8*float64(len(m.Classes)*(3+len(m.Resources)))
}
