package method

import (
	"context"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/observe"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Forward runs the recurrence forward from an empty system in independent replications
// (F-MJSRE in the paper of Baccelli, Olliaro, Ajmone Marsan and Marin).
var Forward = &Method{
	Name: "Forward", About: "long runs from empty: cheapest",
	Takes: Jobs | WarmUp | Replications | ControlVariates | RelErr | HalfWidth | Device,
	what:  "forward sampling", source: "Baccelli, Olliaro, Ajmone Marsan, Marin: equation (2) run forward",
	seed: seedForward, by: overJobs, fits: func(*check.Faults, *spec.Spec) {}, plan: forwardPlan,
	solver: func(*Options) string { return "forward" },
	total: func(_ *Problem, o *Options) float64 {
		jobs := o.int(Jobs, standardJobs)
		return float64(jobs+o.int(WarmUp, jobs/5)) * float64(o.drawing(Replications, usualReplications))
	},
}

func init() { Forward.draw = drawForward } // it finds limits, whose settings name Forward

// usualReplications is the default number of replications.
const usualReplications = 32

func forwardPlan(f *check.Faults, _ *Problem, o *Options) {
	reps := o.drawing(Replications, usualReplications)
	f.That(reps >= 2, "Replications(%d): at least two are needed for an interval", reps)
}

func drawForward(ctx context.Context, x *run) error {
	o, r, level := x.o, x.r, x.o.Level
	reps := int(o.drawing(Replications, usualReplications))
	jobs := o.int(Jobs, x.ReplicationJobs(r.Rate/r.Limit.Rate))
	warm := o.int(WarmUp, jobs/5)
	w := sampling.Forward{System: x.sys, Replications: reps, WarmUp: warm, Jobs: jobs,
		Controlled: o.has(ControlVariates), Close: o.int(ControlVariates, 0) == closely && x.sys.Device == nil && x.sys.Variant == nil,
		Level: level, Enough: o.enough(fewestReplications)}
	if w.Close {
		if n := x.near(ctx, r.Rate/r.Limit.Rate); n != nil {
			w.Nearby = n.solved(ctx, len(x.Classes))
		}
	}
	res := w.Run(ctx, x.report)
	if res.Failed != nil {
		return res.Failed
	}
	r.Run.Samples, r.Run.Steps, r.Run.WarmUp, r.Run.Jobs = res.Done, res.Steps, warm, jobs
	x.finish(res.Done == reps || ctx.Err() == nil)
	for c := range r.Classes {
		setClass(&r.Classes[c], &res.Classes[c], level, "replications")
	}
	setPrecision(&r.All, &res.All)
	r.All.Waiting.Mean, r.All.Waiting.Variance = res.All.MeanW, res.All.VarianceW
	hol, kinds := res.HOL, res.Kinds
	if fit := res.Fit; fit != nil {
		method := "replications" + controlled(fit)
		for i := range r.Classes { // the number of jobs of a class is random
			w := &r.Classes[i].Waiting
			w.Mean, w.Variance = fit.Ratios(fit.Row.Class(observe.Jobs, i), level, method)
		}
		hol = useControlsAll(r, fit, method)
		useControlsByKind(kinds, fit, level, method)
	}
	x.finalize(r, hol, res.All.Effective)
	x.closeResources(r, kinds)
	x.shortNotes(r, jobs, "replication")
	return nil
}

// closely is the setting of ControlVariates that has looks closer and knows squares.
const closely = 2
