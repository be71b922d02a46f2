package sampler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Certified samples by coupling from the past between an empty queue and one that lies
// above the stationary one, so that the probability of an error is known.
type Certified struct {
	Eps                 float64
	Samples, PathLength int
	Device              problem.Processor
}

var certified = run.Row{
	Name: "Certified", About: "samples that are exact except with probability eps each",
	Takes:  []string{"RelErr", "HalfWidth"},
	Source: "coupling from the past below a queue of blocks (external monotonicity, Lundberg's bound)",
	Keeps:  300e3, Holds: 150e3,
	Seed: problem.SeedCertified, Usual: usualSamples, By: interval.OverSamples, Serves: spec.Mixed | spec.Dependent | spec.Periodic | spec.Batched | spec.Interrupted, Refuse: certifiedFaults,
}

// Row is the row of the method.
func (m Certified) Row() *run.Row { return &certified }

// Solver names the error probability.
func (m Certified) Solver() string { return fmt.Sprintf("certified, ε = %g", m.eps()) }

// Total is the number of samples.
func (m Certified) Total(_ *problem.Problem, o *problem.Options) float64 {
	return float64(o.Drawing(m.Samples, usualSamples))
}

func (m Certified) eps() float64 { return cmp.Or(m.Eps, problem.CertifiedEps) }

// leastEps keeps the logarithms of error probabilities, and of parts of them,
// finite.
const leastEps = 1e-300

func certifiedFaults(f *check.Faults, s *spec.Spec) {
	for _, c := range s.Classes {
		f.That(problem.Light(c.Service), "class %q: %v has no exponential moments, or none by which mjq can draw, so its queue cannot be certified; use Unbiased or Backward", c.Name, c.Service)
	}
}

// Plan says what is wrong with the settings.
func (m Certified) Plan(f *check.Faults, _ *problem.Problem, _ *problem.Options) {
	eps := m.eps()
	f.That(eps > 0 && eps < 1, "Eps %v: the error probability must lie between 0 and 1, 1e-6 say", eps)
	f.That(!(eps > 0 && eps < leastEps), "Eps %v: an error probability below %v is no better; give 1e-12, say", eps, leastEps)
}

// firstLook is how many samples there are before the first look at the interval.
func firstLook(path int64) int {
	if path > 0 {
		return problem.FollowedFirst
	}
	return 512
}

// Draw samples.
func (m Certified) Draw(ctx context.Context, x *run.Run) error {
	o, r, eps := x.Options, x.Result, m.eps()
	samples, path := o.Drawing(m.Samples, usualSamples), problem.Count(m.PathLength, 0)
	load := r.Rate / r.Limit.Rate
	bound, err := majorant(ctx, x, eps, load)
	if err != nil {
		return err
	}
	c := sampling.Certified{System: x.Sampling, Majorant: *bound, Samples: int(samples), Eps: eps, Level: o.Level,
		Window: firstWindow(bound, eps, r.Rate, load), Follow: path}
	known := x.Expose(false, false)
	c.Few = known.FewOf(o, samples, path)
	known.Controlled = path > 0 && !c.Few
	c.Enough = known.Enough(o, firstLook(path), interval.FollowedPaths(path))
	res := c.Run(ctx, x.Report)
	if res.Failed != nil {
		return res.Failed
	}
	r.Run.Samples, r.Run.Steps, r.Run.Window = res.Done, res.Steps+bound.Steps, c.Window
	r.Run.MinWindow, r.Run.MaxWindow, r.Run.Jobs = res.MinWindow, res.MaxWindow, c.Follow
	r.Run.Theta, r.Run.Block, r.Run.Eps = bound.Theta, bound.Block, eps
	x.Finish(res.Done == int(samples) || ctx.Err() == nil)
	interval.FollowedPaths(path)(&known, res.Done)
	x.Exposed = &known
	reportCertified(x, res, path > 0)
	return nil
}

// reportCertified fills the result with what the samples have shown.
func reportCertified(x *run.Run, res *sampling.BackwardResult, followed bool) {
	const method = "certified samples"
	run.Gathered(x.Problem, x.Result, res.Classes, &res.All, method, x.Options.Workers)
	r, effective, hol := x.Result, float64(res.Done), res.HOL.Mean(x.Options.Level, method)
	if followed { // quantiles have no controls
		for i := range r.Classes {
			c := &r.Classes[i]
			c.Waiting.Effective = res.Classes[i].Waiting.Worth().Observations
			c.Response.Effective = c.Waiting.Effective
		}
		effective = res.All.Waiting.Worth().Observations
		hol = useControls(r, res.Fit, method, x.Options.Workers)
	}
	run.Finalize(x.Problem, r, hol, effective)
}

// majorant is the upper queue, calculated if it can be, else proved by simulation.
func majorant(ctx context.Context, x *run.Run, eps, load float64) (*sampling.Majorant, error) {
	if bound, exact := ExactMajorant(ctx, x.Problem, eps, load); exact {
		x.Result.Source += ", calculated"
		_, bound.Slack, _ = gapBound(x.Problem, bound.Theta)
		return bound, nil
	}
	charged := func(ctx context.Context) (*sampling.Charges, sampling.Tilted) { return Charged(ctx, x.Problem) }
	bound, err := x.Sampling.FindMajorant(ctx, Tilted(ctx, x.Problem, nil), charged, x.Result.Rate, load, eps/2)
	if errors.Is(err, sampling.ErrNoMajorant) && ctx.Err() == nil {
		return nil, fmt.Errorf("Certified: %w at rate %.6g, %.3g of the limit: no block of jobs is provably served faster than it arrives; use Unbiased, or a lower rate", err, x.Result.Rate, load)
	} else if err != nil {
		return nil, fmt.Errorf("Certified: interrupted while proving the bound: %w", err)
	}
	_, bound.Slack, _ = gapBound(x.Problem, bound.Theta)
	return bound, nil
}

// firstWindow is as many jobs as come in the time that the upper queue needs to
// come down, and half as much again: it then serves most samples (measured; see
// BenchmarkCertified).
func firstWindow(bound *sampling.Majorant, eps, rate, load float64) int64 {
	down := 1.5 * ((math.Log(1/eps)+bound.Slack)/bound.Theta + float64(bound.Block)*load/rate) / (1 - load)
	return check.Whole(down*rate, 256, 1<<50)
}

// gapBound is what the bound takes of the arrivals: by how much a gap shrinks an
// exponential moment, and what correlations may add at first.
func gapBound(p *problem.Problem, theta float64) (logGap, slack float64, ok bool) {
	if gap, independent := p.Gap(); independent {
		return math.Log(gap.Laplace(theta)), 0, true
	}
	return arrival.PastBound(p.Arrivals, theta)
}
