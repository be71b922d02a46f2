package method

import (
	"context"
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
	seed: seedUnbiased, usual: unbiasedSamples, by: telescoped, fits: couplingFaults,
	plan: func(f *check.Faults, _ *Problem, o *Options) {
		n := o.drawing(N, unbiasedSamples)
		f.That(n != 1, "N(%d): at least two samples are needed for an interval", n)
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
	left := max(0.01, 1-r.Rate/r.Limit.Rate)
	window := o.int(Window, int64(math.Ceil(float64(x.RareJobs(2))/math.Pow(left, 1.4))))
	u := sampling.Unbiased{System: x.sys, Samples: samples, Window: window,
		Follow: path, Enough: o.enough(firstLook(path)), Level: level}
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
	if res.Done < 2 {
		r.All.Waiting.Mean = result.Unknown()
	}
	return nil
}
