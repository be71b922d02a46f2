package method

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// Unbiased estimates moments by randomised truncation of Loynes' increasing sequence
// (Rhee and Glynn, Operations Research 63, 2015).
var Unbiased = &Method{
	Name: "Unbiased", About: unbiasedAbout,
	Takes: N | Window | PathLength | RelErr | HalfWidth | Device,
	what:  "unbiased sampling", source: "Rhee and Glynn, randomised truncation of Loynes' sequence",
	keeps: 300e3, holds: 150e3,
	seed: seedUnbiased, usual: unbiasedSamples, by: telescoped, fits: couplingFaults,
	plan: func(f *check.Faults, _ *Problem, o *Options) {
		n := o.drawing(N, unbiasedSamples)
		f.That(n != 1, "Samples %d: at least two samples are needed for an interval", n)
	},
	solver: func(*Options) string { return "unbiased" },
	total:  func(_ *Problem, o *Options) float64 { return float64(o.drawing(N, unbiasedSamples)) },
	draw:   drawUnbiased,
	beyond: coupled,
}

// unbiasedAbout is what it answers under any policy.
const unbiasedAbout = "means and variances without bias, near the limit"

// unbiasedSamples is the default number of samples.
const unbiasedSamples = 2000

func drawUnbiased(ctx context.Context, x *run) error {
	const method = "unbiased samples"
	o, r, level := x.o, x.r, x.o.Level
	samples, path := int(o.drawing(N, unbiasedSamples)), o.int(PathLength, 0)
	window := o.int(Window, x.unbiasedWindow(r.Rate/r.Limit.Rate, path))
	u := sampling.Unbiased{System: x.sys, Samples: samples, Window: window,
		Follow: path, Level: level}
	known := x.expose(false, false)
	u.Few = known.fewOf(o, int64(samples), path)
	known.controlled = path > 0 && !u.Few
	u.Enough = known.enough(o, firstLook(path), followedPaths(path))
	res := u.Run(ctx, x.report)
	if res.Failed != nil {
		return res.Failed
	}
	r.Run.Samples, r.Run.Steps, r.Run.Window, r.Run.MaxWindow, r.Run.Jobs = res.Done, res.Steps, window, res.MaxWindow, u.Follow
	x.finish(res.Done == samples || ctx.Err() == nil)
	for c := range r.Classes {
		w := &r.Classes[c].Waiting
		*w = result.Metric{Mean: res.Classes[c].Mean(level, method), Variance: res.Classes[c].Variance(level, method), Level: level}
	}
	r.All.Waiting.Mean, r.All.Waiting.Variance = res.All.Mean(level, method), res.All.Variance(level, method)
	hol, kinds := res.HOL.Mean(level, method), means(res.Kinds, level, method)
	if path > 0 {
		hol = useControls(r, res.Fit, method)
		useControlsByKind(kinds, res.Fit, level, method+", followed"+controlled(res.Fit))
	}
	x.finalize(r, hol, math.NaN())
	x.closeResources(r, kinds)
	x.shortWindow(window, path)
	followedPaths(path)(&known, res.Done)
	x.exposed = &known
	if res.Done < 2 {
		r.All.Waiting.Mean = result.Unknown()
	}
	return nil
}

// unbiasedWindow is the first window without being told.
func (m *Problem) unbiasedWindow(load float64, path int64) int64 {
	window := float64(m.RareJobs(2)) / math.Pow(max(0.01, 1-load), 1.4)
	return int64(math.Ceil(max(window, min(m.leastWindow(load, path), 8*window))))
}

// leastWindow is a window of half the time in which the queue forgets. From a shorter one
// on few samples, of large weight, carry what is far back, and runs that lack them are too
// low with narrow intervals. What weighs 2^(3k/2) after k doublings counts on a path for
// the part of it that the queue takes to forget. It is 0 where that time is not known.
func (m *Problem) leastWindow(load float64, path int64) float64 {
	forget := m.Relaxation(load)
	if !m.Plain() || math.IsInf(forget, 1) {
		return 0
	}
	return forget / 2 * math.Pow(min(1, forget/float64(max(1, path))), 2./3)
}

// How many samples are enough, however short the window, that go back twice the time in
// which the queue forgets and still find a difference there, as e^-2 of them do.
const fewestDeep, fewestDeepVariance = 50, 150

// shortWindow takes from a result whose window is too short the intervals of the variances
// and, unless there are very many samples, all others, and says so.
func (x *run) shortWindow(window, path int64) {
	r := x.r
	load := r.Rate / r.Limit.Rate
	least, forget := x.leastWindow(load, path), 2*x.leastWindow(load, 0)
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
			withhold(&m.Mean, means, false)
			withhold(&m.Variance, false, false)
		}
	}
	withhold(&r.MeanJobs, means, false)
	withhold(&r.WastedHOL, means, false)
	what := "There are no intervals"
	if means {
		what = "Variances have no intervals"
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s: what happened farther back than the first window of %d jobs is in few samples, with a large weight, and this queue takes about %.2g jobs to forget. Ask for a Window of at least %d, or leave it out.",
		what, window, forget, int64(math.Ceil(least))))
}
