package sampler

import (
	"context"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Forward runs the recurrence forward from an empty system in independent replications
// (F-MJSRE in the paper of Baccelli, Olliaro, Ajmone Marsan and Marin).
type Forward struct {
	Jobs, WarmUp, Replications int
	Controls                   problem.Controls
	Device                     problem.Processor
}

var forward = run.Row{
	Name: "Forward", About: "long runs from empty: cheapest",
	Takes:  []string{"RelErr", "HalfWidth", "MaxJobs"},
	Source: "Baccelli, Olliaro, Ajmone Marsan, Marin: equation (2) run forward",
	Keeps:  350e3, Holds: 500e3,
	Seed: problem.SeedForward, By: interval.OverJobs,
	Serves: spec.Typed | spec.Picked | spec.Mixed | spec.Printed | spec.Marked | spec.Dependent | spec.Periodic | spec.Batched | spec.Interrupted,
}

// Row is the row of the method.
func (m Forward) Row() *run.Row { return &forward }

// Solver is its name.
func (m Forward) Solver() string { return "forward" }

func (m Forward) length() problem.Length {
	return problem.Length{Jobs: m.Jobs, WarmUp: m.WarmUp, Replications: m.Replications}
}

// Total is the number of jobs.
func (m Forward) Total(_ *problem.Problem, o *problem.Options) float64 {
	jobs, warm := m.length().Of(problem.StandardJobs)
	return float64(jobs+warm) * float64(o.Drawing(m.Replications, problem.UsualReplications))
}

// Plan says what is wrong with the settings.
func (m Forward) Plan(f *check.Faults, _ *problem.Problem, o *problem.Options) {
	reps := o.Drawing(m.Replications, problem.UsualReplications)
	f.That(reps >= 2, "Replications %d: at least two are needed for an interval", reps)
}

// Draw runs.
func (m Forward) Draw(ctx context.Context, x *run.Run) error {
	o, r, level := x.Options, x.Result, x.Options.Level
	jobs, warm := m.length().Of(x.ReplicationJobs(r.Rate / r.Limit.Rate))
	jobs, warm, most := o.Bounded(m.length(), jobs, warm, o.Drawing(m.Replications, problem.UsualReplications))
	reps := int(most)
	w := sampling.Forward{System: x.Sampling, Replications: reps, WarmUp: warm, Jobs: jobs,
		Controlled: m.Controls != "", Close: m.Controls == problem.CloseControls && x.Sampling.Device == nil && x.Sampling.Alike(),
		Level: level}
	known := x.Expose(true, false)
	few(x, &w, &known)
	known.Controlled, known.Path = w.Controlled, float64(jobs)
	w.Enough = known.Enough(o, problem.FewestReplications, func(e *interval.Exposed, done int) { e.Jobs = float64(done) * float64(jobs) })
	if w.Close && w.Controlled {
		if n := Near(ctx, x.Problem, r.Rate/r.Limit.Rate); n != nil {
			w.Nearby = n.solved(ctx, len(x.Classes))
		}
	}
	res := w.Run(ctx, x.Report)
	if res.Failed != nil {
		return res.Failed
	}
	r.Run.Samples, r.Run.Steps, r.Run.WarmUp, r.Run.Jobs = res.Done, res.Steps, warm, w.Jobs
	x.Finish(res.Done == reps && w.Jobs == jobs || ctx.Err() == nil)
	run.Gathered(x.Problem, r, res.Classes, &res.All, "replications", o.Workers)
	fit, by := res.Fit, "replications"
	if fit != nil {
		by += controlled(fit)
		replicate.Each(len(r.Classes), o.Workers, func(c int) {
			if c < fittedAtOnce || ctx.Err() == nil { // or it keeps what it has without controls
				w := &r.Classes[c].Waiting // the number of jobs of a class is random
				w.Mean, w.Variance = fit.Ratios(fit.Row.Class(sampling.Jobs, c), level, by)
			}
		})
	}
	hol, kinds := res.HOL, res.Kinds
	if fit != nil {
		hol = useControlsAll(r, fit, by)
		useControlsByKind(kinds, fit, level, by)
	}
	run.Finalize(x.Problem, r, hol, res.All.Effective)
	run.CloseResources(x.Problem, r, kinds)
	known.Path, known.Jobs = float64(w.Jobs), float64(res.Done)*float64(w.Jobs)
	x.Exposed = &known
	return nil
}

// fewestFitted is how many squared waits, in the sense of Effective, the jobs of a class must
// tell of before its controls get coefficients: those are fitted to the longest waits.
const fewestFitted = 4

// few decides on the control variates of a run. Coefficients for squares of works are
// fitted only where the run holds many of the jobs that make them; else the controls are
// those of a martingale. Where there are none of these, on a GPU and where gaps depend on
// each other, there are none.
func few(x *run.Run, w *sampling.Forward, known *interval.Exposed) {
	reps := w.Replications
	if x.Options.Targeted() {
		reps = problem.FewestReplications
	}
	jobs := float64(reps) * float64(w.Jobs)
	if !w.Controlled || known.Exposure.Over(jobs).Fitted() >= scarcity.FewEffective {
		return
	}
	w.Few = true
	w.Controlled = x.Sampling.Device == nil && w.HasMartingale()
	for i := range x.Classes {
		s := known.SamplesOf(jobs * x.Classes[i].Prob)
		known.Alone = append(known.Alone, s.Effective(2) < fewestFitted)
	}
	w.Alone = known.Alone
}

// fittedAtOnce is how many classes get their controls within the 100 ms that an interrupted run
// has left.
const fittedAtOnce = 16
