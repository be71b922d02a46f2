package timecourse

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// sample is the course over a period by coupling from the past: for each part, job 0
// arrives in it, and all others are as they are given that. The replications of the
// parts share all randomness but that time.
func (x *course) sample(ctx context.Context, c *result.Transient) error {
	plan := x.method.(sampler.Backward).Lay(x.Problem, x.o)
	var f check.Faults
	f.That(x.ask.Start == nil, "Backward knows the stationary queue; from a state on use mjq.Simulation{} or mjq.Exact{}")
	plan.Faults(&f, x.Problem, x.o)
	if err := f.Err(x.ask.verb()); err != nil {
		return err
	}
	c.Solver, c.Run.Complete, c.Run.Window = "backward, batch rule, by the time of arrival", true, plan.Window
	report, total := x.o.Throttled(), float64(x.ask.Parts)*float64(plan.Samples)
	sys := x.System(x.o.Seed, x.o.Workers)
	input := sys.Input
	for k := range c.Parts {
		p := &c.Parts[k]
		if p.Rate == 0 {
			continue // nobody comes
		}
		sys.Input = input.During(p.From, p.To)
		b := sampling.Backward{System: sys, Samples: int(plan.Samples), Window: plan.Window, MaxWindow: plan.Most, Batch: int(plan.Batch), Level: x.o.Level}
		res := b.Run(ctx, func(done, _ float64) {
			if report != nil {
				report(float64(k)*float64(plan.Samples)+done, total)
			}
		})
		c.Run.Steps += res.Steps
		c.Run.Samples += res.Done
		c.Run.NotCoalesced += res.Unsettled
		if c.Run.MaxWindow = max(c.Run.MaxWindow, res.MaxWindow); res.Done < int(plan.Samples) {
			c.Run.Complete = false
			break
		}
		x.sampled(p, res)
	}
	if c.Run.NotCoalesced > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Waits may be too low: %d of %d samples still changed at the largest window of %d jobs. Raise MaxWindow.", c.Run.NotCoalesced, c.Run.Samples, plan.Most))
	}
	c.Notes = append(c.Notes, "There are no averages over time: samples show what jobs meet. Use Simulation for them.")
	x.drawn(c, float64(plan.Samples))
	x.tails(ctx, c)
	return nil
}

// sampled fills in what samples have shown of a part.
func (x *course) sampled(p *result.Part, res *sampling.BackwardResult) {
	const method = "samples"
	r := &result.Result{Level: x.o.Level, Rate: x.Rate()}
	for _, class := range x.Classes {
		r.Classes = append(r.Classes, result.ClassResult{Name: class.Name, Need: class.Need, Prob: class.Prob})
	}
	run.Gathered(x.Problem, r, res.Classes, &res.All, method, x.o.Workers)
	run.Finalize(x.Problem, r, res.HOL.Mean(r.Level, method), float64(res.Done))
	r.Derive()
	for i := range p.Classes {
		p.Classes[i].Waiting, p.Classes[i].Response = r.Classes[i].Waiting, r.Classes[i].Response
	}
	p.All.Waiting, p.All.Response = r.All.Waiting, r.All.Response
	estimate.NoneDelayed(p)
}
