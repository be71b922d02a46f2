package method

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Certified samples by coupling from the past between an empty queue and one that lies
// above the stationary one, so that the probability of an error is known.
var Certified = &Method{
	Name: "Certified", About: "samples that are exact but for a probability of eps each",
	Takes: Eps | N | PathLength | RelErr | HalfWidth | Device,
	what:  "certified sampling", source: "coupling from the past below a queue of blocks (external monotonicity, Lundberg's bound)",
	keeps: 300e3, holds: 150e3,
	seed: seedCertified, usual: usualSamples, by: overSamples, fits: certifiedFaults, plan: certifiedPlan,
	solver: func(o *Options) string { return fmt.Sprintf("certified, ε = %g", o.eps()) },
	total:  func(_ *Problem, o *Options) float64 { return float64(o.drawing(N, usualSamples)) },
	draw:   drawCertified,
}

// leastEps keeps the logarithms of error probabilities, and of parts of them,
// finite.
const leastEps = 1e-300

func certifiedFaults(f *check.Faults, s *spec.Spec) {
	plainFaults(f, s)
	unmarkedFaults(f, s)
	for _, c := range s.Classes {
		f.That(light(c.Service), "class %q: %v has no exponential moments, so its queue cannot be certified; use Unbiased or Backward", c.Name, c.Service)
	}
}

func certifiedPlan(f *check.Faults, _ *Problem, o *Options) {
	f.That(o.eps() > 0 && o.eps() < 1, "Eps %v: the error probability must lie between 0 and 1, 1e-6 say", o.eps())
	f.That(!(o.eps() < leastEps), "Eps %v: an error probability below %v is no better; give 1e-12, say", o.eps(), leastEps)
}

// followedFirst is how many followed samples there are before the first look at
// their interval: means over long paths are nearer to normal than single waits.
const followedFirst = 128

// firstLook is how many samples there are before the first look at the interval.
func firstLook(path int64) int {
	if path > 0 {
		return followedFirst
	}
	return 512
}

func drawCertified(ctx context.Context, x *run) error {
	o, r := x.o, x.r
	samples, path := o.drawing(N, usualSamples), o.int(PathLength, 0)
	load := r.Rate / r.Limit.Rate
	bound, err := x.bound(ctx, load)
	if err != nil {
		return err
	}
	c := sampling.Certified{System: x.sys, Majorant: *bound, Samples: int(samples), Eps: o.eps(), Level: o.Level,
		Window: firstWindow(bound, o.eps(), r.Rate, load), Follow: path}
	known := x.expose(false, false)
	c.Few = known.fewOf(o, samples, path)
	known.controlled = path > 0 && !c.Few
	c.Enough = known.enough(o, firstLook(path), followedPaths(path))
	res := c.Run(ctx, x.report)
	if res.Failed != nil {
		return res.Failed
	}
	r.Run.Samples, r.Run.Steps, r.Run.Window = res.Done, res.Steps+bound.Steps, c.Window
	r.Run.MinWindow, r.Run.MaxWindow, r.Run.Jobs = res.MinWindow, res.MaxWindow, c.Follow
	r.Run.Theta, r.Run.Block, r.Run.Eps = bound.Theta, bound.Block, o.eps()
	x.finish(res.Done == int(samples) || ctx.Err() == nil)
	followedPaths(path)(&known, res.Done)
	x.exposed = &known
	x.reportCertified(res, path > 0)
	return nil
}

// reportCertified fills the result with what the samples have shown.
func (x *run) reportCertified(res *sampling.BackwardResult, followed bool) {
	const method = "certified samples"
	x.gathered(x.r, res.Classes, &res.All, method, x.o.Workers)
	r, effective, hol := x.r, float64(res.Done), res.HOL.Mean(x.o.Level, method)
	if followed { // quantiles have no controls
		for i := range r.Classes {
			c := &r.Classes[i]
			c.Waiting.Effective = res.Classes[i].Waiting.Worth().Observations
			c.Response.Effective = c.Waiting.Effective
		}
		effective = res.All.Waiting.Worth().Observations
		hol = useControls(r, res.Fit, method)
	}
	x.finalize(r, hol, effective)
}

// bound is the upper queue, calculated if it can be, else proved by simulation.
func (x *run) bound(ctx context.Context, load float64) (*sampling.Majorant, error) {
	if bound, exact := x.ExactMajorant(ctx, x.o.eps(), load); exact {
		x.r.Source += ", calculated"
		_, bound.Slack, _ = x.gapBound(bound.Theta)
		return bound, nil
	}
	bound, err := x.sys.FindMajorant(ctx, x.Tilted(ctx, nil), x.Charged, x.r.Rate, load, x.o.eps()/2)
	if errors.Is(err, sampling.ErrNoMajorant) && ctx.Err() == nil {
		return nil, fmt.Errorf("certified sampling: %w at rate %.6g, %.3g of the limit: no block of jobs is provably served faster than it arrives; use Unbiased, or a lower rate", err, x.r.Rate, load)
	} else if err != nil {
		return nil, fmt.Errorf("certified sampling: interrupted while proving the bound: %w", err)
	}
	_, bound.Slack, _ = x.gapBound(bound.Theta)
	return bound, nil
}

// firstWindow is as many jobs as come in the time that the upper queue needs to
// come down, and half as much again: it then serves most samples (measured; see
// BenchmarkCertified).
func firstWindow(bound *sampling.Majorant, eps, rate, load float64) int64 {
	down := 1.5 * ((math.Log(1/eps)+bound.Slack)/bound.Theta + float64(bound.Block)*load/rate) / (1 - load)
	return max(256, int64(down*rate))
}

// gapBound is what the bound takes of the arrivals: by how much a gap shrinks an
// exponential moment, and what correlations may add at first.
func (p *Problem) gapBound(theta float64) (logGap, slack float64, ok bool) {
	if gap, independent := p.Gap(); independent {
		return math.Log(gap.Laplace(theta)), 0, true
	}
	return arrival.PastBound(p.Arrivals, theta)
}
