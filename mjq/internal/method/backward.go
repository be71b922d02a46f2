package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Backward samples by coupling from the past: Algorithm 1 of Baccelli, Olliaro, Ajmone
// Marsan and Marin.
var Backward = &Method{
	Name: "Backward", About: "independent samples, coupled from the past; lower bounds",
	Takes: N | Window | MaxWindow | AgreeTogether | RelErr | HalfWidth | Device,
	what:  "backward sampling", source: "Baccelli, Olliaro, Ajmone Marsan, Marin: Algorithm 1",
	keeps: 140e3, holds: 30e3,
	seed: seedBackward, usual: usualSamples, by: overSamples, fits: couplingFaults,
	plan:  func(f *check.Faults, p *Problem, o *Options) { p.backwardPlan(o).faults(f, p, o) },
	total: func(p *Problem, o *Options) float64 { return float64(p.backwardPlan(o).samples) },
	solver: func(o *Options) string {
		if o.int(AgreeTogether, usualBatch) == 1 {
			return "backward, per-sample rule"
		}
		return "backward, batch rule"
	},
	draw: drawBackward,
}

// usualBatch is how many samples must agree together by default.
const usualBatch = 256

// usualSamples is how many independent samples there are by default.
const usualSamples = 10_000

// backwardPlan is the settings of a backward run.
type backwardPlan struct{ samples, batch, window, most int64 }

func (p *Problem) backwardPlan(o *Options) backwardPlan {
	return backwardPlan{o.drawing(N, usualSamples), o.int(AgreeTogether, usualBatch), o.int(Window, p.RareJobs(10)), o.int(MaxWindow, 1<<27)}
}

func (b backwardPlan) faults(f *check.Faults, p *Problem, o *Options) {
	f.That(b.batch >= 1, "AgreeTogether %d: at least one sample makes a batch", b.batch)
	f.That(b.most >= b.window, "MaxWindow %d: must be at least the first window, %d jobs", b.most, b.window)
	batches := (b.samples-1)/max(1, b.batch) + 1
	f.Memory(float64(min(b.batch, b.samples))*p.sampleBytes()*8*float64(min(int64(o.Workers), batches)),
		"AgreeTogether %d with Workers %d", b.batch, o.Workers)
}

func drawBackward(ctx context.Context, x *run) error {
	plan, level, r := x.backwardPlan(x.o), x.o.Level, x.r
	b := sampling.Backward{System: x.sys, Samples: int(plan.samples), Window: plan.window, MaxWindow: plan.most,
		Batch: int(plan.batch), Level: level}
	known := x.expose(false, false)
	b.Enough = known.enough(x.o, 512, manySamples)
	res := b.Run(ctx, x.report)
	if res.Failed != nil {
		return res.Failed
	}
	r.Run.Samples, r.Run.Steps, r.Run.Window = res.Done, res.Steps, plan.window
	r.Run.MinWindow, r.Run.MaxWindow, r.Run.NotCoalesced = res.MinWindow, res.MaxWindow, res.Unsettled
	x.finish(res.Done == int(plan.samples) || ctx.Err() == nil)
	known.samples, x.exposed = float64(res.Done), &known
	x.gathered(r, res.Classes, &res.All, "samples", x.o.Workers)
	x.finalize(r, res.HOL.Mean(level, "samples"), float64(res.Done))
	x.closeResources(r, means(res.Kinds, level, "samples"))
	if res.Done > 0 && res.Done < fewSamples {
		r.Notes = append(r.Notes, fmt.Sprintf("Where an interval is shown as ± ?, %d are too few samples for one: a mean needs at least 2, the 90 %% quantile about 100 and the 99 %% quantile about 1000. Ask for more Samples.", res.Done))
	}
	if plan.batch == 1 {
		r.Notes = append(r.Notes, "The per-sample rule is biased low at high load; prefer the batch rule.")
	}
	if slices.ContainsFunc(x.Classes, func(c spec.Class) bool { return heavy(c.Service) }) {
		r.Notes = append(r.Notes, "Windows into the past end before the rarest services of such a law: waits, and high quantiles most, are too low. Use Forward with many jobs.")
	}
	if res.Unsettled > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d samples still changed at the largest window of %d jobs: they are lower bounds.",
			res.Unsettled, res.Done, plan.most))
	}
	return nil
}

// fewSamples is below how many samples the table of a result lacks intervals of both
// quantiles.
const fewSamples = 100
