package sampler

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Unbiased estimates moments by randomised truncation of Loynes' increasing sequence
// (Rhee and Glynn, Operations Research 63, 2015).
type Unbiased struct {
	Samples, Window, PathLength int
	SlowdownThreshold, Within   float64
	Device                      problem.Processor
}

var unbiased = run.Row{
	Name: "Unbiased", About: unbiasedAbout,
	Takes: []string{"RelErr", "HalfWidth"}, Without: []string{"SlowdownThreshold", "Within"},
	Source: "Rhee and Glynn, randomised truncation of Loynes' sequence",
	Keeps:  300e3, Holds: 150e3,
	Seed: problem.SeedUnbiased, Usual: unbiasedSamples, By: interval.Telescoped, Serves: spec.Typed | spec.Picked | spec.Printed | spec.Dependent | spec.Periodic | spec.Batched | spec.Interrupted,
}

// Row is the row of the method.
func (m Unbiased) Row() *run.Row { return &unbiased }

// Plan says what is wrong with the settings.
func (m Unbiased) Plan(f *check.Faults, p *problem.Problem, o *problem.Options) {
	coupled(m).Plan(f, p, o)
}

// Solver is its name.
func (m Unbiased) Solver() string { return "unbiased" }

// Total is the number of samples.
func (m Unbiased) Total(_ *problem.Problem, o *problem.Options) float64 {
	return float64(o.Drawing(m.Samples, unbiasedSamples))
}

// Beyond is what it is for other queues.
func (m Unbiased) Beyond() run.Method { return coupled(m) }

// unbiasedAbout is what it answers under any policy.
const unbiasedAbout = "means and variances without bias, near the limit"

// unbiasedSamples is the default number of samples.
const unbiasedSamples = 2000

// Draw samples.
func (m Unbiased) Draw(ctx context.Context, x *run.Run) error {
	const method = "unbiased samples"
	o, r, level := x.Options, x.Result, x.Options.Level
	samples, path := int(o.Drawing(m.Samples, unbiasedSamples)), problem.Count(m.PathLength, 0)
	window := problem.Count(m.Window, UnbiasedWindow(x.Problem, r.Rate/r.Limit.Rate, path))
	u := sampling.Unbiased{System: x.Sampling, Samples: samples, Window: window,
		Follow: path, Level: level}
	known := x.Expose(false, false)
	u.Few = known.FewOf(o, int64(samples), path)
	known.Controlled = path > 0 && !u.Few
	u.Enough = known.Enough(o, firstLook(path), interval.FollowedPaths(path))
	res := u.Run(ctx, x.Report)
	if res.Failed != nil {
		return res.Failed
	}
	r.Run.Samples, r.Run.Steps, r.Run.Window, r.Run.MaxWindow, r.Run.Jobs = res.Done, res.Steps, window, res.MaxWindow, u.Follow
	x.Finish(res.Done == samples || ctx.Err() == nil)
	for c := range r.Classes {
		w := &r.Classes[c].Waiting
		*w = result.Metric{Mean: res.Classes[c].Mean(level, method), Variance: res.Classes[c].Variance(level, method), Level: level}
	}
	r.All.Waiting.Mean, r.All.Waiting.Variance = res.All.Mean(level, method), res.All.Variance(level, method)
	hol, kinds := res.HOL.Mean(level, method), means(res.Kinds, level, method)
	if path > 0 {
		hol = useControls(r, res.Fit, method, x.Options.Workers)
		useControlsByKind(kinds, res.Fit, level, method+", followed"+controlled(res.Fit))
	}
	run.Finalize(x.Problem, r, hol, math.NaN())
	run.CloseResources(x.Problem, r, kinds)
	shortWindow(x, window, path)
	interval.FollowedPaths(path)(&known, res.Done)
	x.Exposed = &known
	if res.Done < 2 {
		r.All.Waiting.Mean = result.Unknown()
	}
	return nil
}

// UnbiasedWindow is the first window without being told.
func UnbiasedWindow(m *problem.Problem, load float64, path int64) int64 {
	window := float64(m.RareJobs(2)) / math.Pow(max(0.01, 1-load), 1.4)
	return check.Whole(math.Ceil(max(window, min(leastWindow(m, load, path), 8*window))), 1, 1<<40)
}

// leastWindow is a window of half the time in which the queue forgets. From a shorter one
// on few samples, of large weight, carry what is far back, and runs that lack them are too
// low with narrow intervals. What weighs 2^(3k/2) after k doublings counts on a path for
// the part of it that the queue takes to forget. It is 0 where that time is not known.
func leastWindow(m *problem.Problem, load float64, path int64) float64 {
	forget := m.Relaxation(load)
	if m.Features().Has(spec.Unlike|spec.Placed) || math.IsInf(forget, 1) {
		return 0
	}
	return forget / 2 * math.Pow(min(1, forget/float64(max(1, path))), 2./3)
}

// How many samples are enough, however short the window, that go back twice the time in
// which the queue forgets and still find a difference there, as e^-2 of them do.
const fewestDeep, fewestDeepVariance = 50, 150

// shortWindow takes from a result whose window is too short the intervals of the variances
// and, unless there are very many samples, all others, and says so.
func shortWindow(x *run.Run, window, path int64) {
	r := x.Result
	load := r.Rate / r.Limit.Rate
	least, forget := leastWindow(x.Problem, load, path), 2*leastWindow(x.Problem, load, 0)
	deep := float64(r.Run.Samples) * math.Pow(float64(window)/(2*forget), 1.5) * math.Exp(-2)
	if float64(window) >= least || deep >= fewestDeepVariance {
		return
	}
	means := deep >= fewestDeep
	classes := []*result.ClassResult{&r.All}
	for i := range r.Classes {
		classes = append(classes, &r.Classes[i])
	}
	for _, c := range classes {
		for _, m := range []*result.Metric{&c.Waiting, &c.Response} {
			interval.Withhold(&m.Mean, means, false)
			interval.Withhold(&m.Variance, false, false)
		}
	}
	interval.Withhold(&r.MeanJobs, means, false)
	interval.Withhold(&r.WastedHOL, means, false)
	what := "There are no intervals"
	if means {
		what = "Variances have no intervals"
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s: Window is %d, and this queue forgets its state only after about %.2g jobs. Only few samples, of large weight, look back that far. Set Window to at least %d, or leave it out.",
		what, window, forget, check.Whole(math.Ceil(least), 1, 1<<50)))
}
