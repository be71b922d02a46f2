package method

import (
	"context"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/exposure"
	"github.com/mjqueue/mjq/mjq/internal/observe"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Forward runs the recurrence forward from an empty system in independent replications
// (F-MJSRE in the paper of Baccelli, Olliaro, Ajmone Marsan and Marin).
var Forward = &Method{
	Name: "Forward", About: "long runs from empty: cheapest",
	Takes: Jobs | WarmUp | Replications | ControlVariates | MaxJobs | RelErr | HalfWidth | Device,
	what:  "forward sampling", source: "Baccelli, Olliaro, Ajmone Marsan, Marin: equation (2) run forward",
	keeps: 350e3, holds: 500e3,
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
	f.That(reps >= 2, "Replications %d: at least two are needed for an interval", reps)
}

func drawForward(ctx context.Context, x *run) error {
	o, r, level := x.o, x.r, x.o.Level
	jobs := o.int(Jobs, x.ReplicationJobs(r.Rate/r.Limit.Rate))
	jobs, warm, most := o.bounded(jobs, o.int(WarmUp, jobs/5), o.drawing(Replications, usualReplications))
	reps := int(most)
	w := sampling.Forward{System: x.sys, Replications: reps, WarmUp: warm, Jobs: jobs,
		Controlled: o.has(ControlVariates), Close: o.int(ControlVariates, 0) == closely && x.sys.Device == nil && x.sys.Variant == nil,
		Level: level}
	known := x.expose(true, false)
	x.few(&w, &known)
	known.controlled = w.Controlled
	w.Enough = known.enough(o, fewestReplications, func(e *exposed, done int) { e.jobs = float64(done) * float64(jobs) })
	if w.Close && w.Controlled {
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
	x.gathered(r, res.Classes, &res.All, "replications", o.Workers)
	fit, by := res.Fit, "replications"
	if fit != nil {
		by += controlled(fit)
		replicate.Each(len(r.Classes), o.Workers, func(c int) {
			if c < fittedAtOnce || ctx.Err() == nil { // or it keeps what it has without controls
				w := &r.Classes[c].Waiting // the number of jobs of a class is random
				w.Mean, w.Variance = fit.Ratios(fit.Row.Class(observe.Jobs, c), level, by)
			}
		})
	}
	hol, kinds := res.HOL, res.Kinds
	if fit != nil {
		hol = useControlsAll(r, fit, by)
		useControlsByKind(kinds, fit, level, by)
	}
	x.finalize(r, hol, res.All.Effective)
	x.closeResources(r, kinds)
	known.jobs, known.path = float64(res.Done)*float64(jobs), float64(jobs)
	x.exposed = &known
	return nil
}

// fewestFitted is how many squared waits, in the sense of Effective, the jobs of a class must
// tell of before its controls get coefficients: those are fitted to the longest waits.
const fewestFitted = 4

// few decides on the control variates of a run. Coefficients for squares of works are
// fitted only where the run holds many of the jobs that make them; else the controls are
// those of a martingale. Where there are none of these, on a GPU and where gaps depend on
// each other, there are none.
func (x *run) few(w *sampling.Forward, known *exposed) {
	reps := w.Replications
	if x.o.targeted() {
		reps = fewestReplications
	}
	jobs := float64(reps) * float64(w.Jobs)
	if !w.Controlled || known.of.Over(jobs).Effective(4) >= exposure.FewEffective {
		return
	}
	w.Few = true
	w.Controlled = x.sys.Device == nil && w.HasMartingale()
	for i := range x.Classes {
		s := known.samplesOf(jobs * x.Classes[i].Prob)
		known.alone = append(known.alone, s.Effective(2) < fewestFitted)
	}
	w.Alone = known.alone
}

// fittedAtOnce is how many classes get their controls within the 100 ms that an interrupted run
// has left.
const fittedAtOnce = 16

// closely is the setting of ControlVariates that has looks closer and knows squares.
const closely = 2
