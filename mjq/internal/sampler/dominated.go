package sampler

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Dominated draws exact samples by dominated coupling from the past: Algorithms 1 to 3
// of Golovin, "Exact sampling for heterogeneous multiserver job model", after Sigman's
// for the M/G/c queue.
type Dominated struct{ Samples int }

var dominated = run.Row{
	Name: "Dominated", About: "exact samples, at loads at which one job at a time would do",
	Takes:  []string{"RelErr", "HalfWidth"},
	Source: "Golovin: Algorithms 1 to 3, dominated coupling from the past",
	Keeps:  140e3, Holds: 30e3,
	Seed: problem.SeedDominated, Usual: usualSamples, By: interval.OverSamples, Serves: spec.Mixed | spec.Marked | spec.Dependent | spec.Periodic | spec.Batched, Refuse: dominatedFaults,
}

// Row is the row of the method.
func (m Dominated) Row() *run.Row { return &dominated }

// Plan finds nothing wrong with the settings.
func (m Dominated) Plan(*check.Faults, *problem.Problem, *problem.Options) {}

// Solver is its name.
func (m Dominated) Solver() string { return "dominated, exact" }

// Total is the number of samples.
func (m Dominated) Total(_ *problem.Problem, o *problem.Options) float64 {
	return float64(o.Drawing(m.Samples, usualSamples))
}

// dominatedFaults says what keeps the dominating queue from being drawn in
// equilibrium.
func dominatedFaults(f *check.Faults, s *spec.Spec) {
	if s.Arrivals != nil {
		f.That(s.Poisson(), "the time between arrivals is %v: the dominating queue needs Poisson arrivals, as of .Poisson(rate); use Certified or Backward", s.ArrivalName())
		load := dominatingLoad(s)
		f.That(!(load >= 1), "the load of the dominating queue, in which every job takes all servers, is λ E[σ] = %.4g; it must be below 1; use mjq.Certified{} or mjq.Backward{}, or a rate below %.6g", load, 1/s.MeanService())
	}
	for _, c := range s.Classes {
		f.That(!math.IsInf(c.Service.Variance(), 1), "class %q: %v has an infinite variance, so a sample would take infinitely long on average; use Forward", c.Name, c.Service)
	}
}

// dominatingLoad is ρ = λ E[σ], the load of the dominating queue.
func dominatingLoad(s *spec.Spec) float64 { return s.Rate() * s.MeanService() }

// DominatedCost is the expected number of jobs a sample, each simulated in both
// queues: with ρ = λ E[σ] it is ρ/(1-ρ) present at time 0 and λ times the mean time
// λ E[σ²]/(2(1-ρ)²) that the dominating queue takes from equilibrium to empty. +Inf
// where Dominated does not apply, NaN without a rate.
func DominatedCost(s *spec.Spec) float64 {
	rho := dominatingLoad(s)
	if rho >= 1 {
		return math.Inf(1)
	}
	rate := s.Rate()
	return rho/(1-rho) + rate*rate*s.SecondMoment()/(2*(1-rho)*(1-rho))
}

// Draw samples.
func (m Dominated) Draw(ctx context.Context, x *run.Run) error {
	r, level, samples := x.Result, x.Options.Level, int(x.Options.Drawing(m.Samples, usualSamples))
	d := sampling.Dominated{System: x.Sampling, Initial: spreads(x.Spec, x.Options.Seed), Load: dominatingLoad(x.Spec),
		Samples: samples, Level: level}
	known := x.Expose(false, false)
	d.Enough = known.Enough(x.Options, 512, interval.ManySamples)
	res := d.Run(ctx, x.Report)
	r.Run.Samples, r.Run.Steps, r.Run.MinWindow, r.Run.MaxWindow = res.Done, res.Steps, res.MinWindow, res.MaxWindow
	x.Finish(res.Done == samples || ctx.Err() == nil)
	known.Samples, x.Exposed = float64(res.Done), &known
	const method = "exact samples"
	run.Gathered(x.Problem, x.Result, res.Classes, &res.All, method, x.Options.Workers)
	run.Finalize(x.Problem, r, res.HOL.Mean(level, method), float64(res.Done))
	return nil
}

// spreads are the customers that the dominating queue holds in equilibrium:
// class k with probability ρ_k/ρ, equation (12), its whole service by the spread
// of its law and, for a gap, the fraction still to be served.
func spreads(s *spec.Spec, seed uint64) *stream.Source {
	var classes []stream.Class
	mean := s.MeanService()
	for _, c := range s.Classes {
		classes = append(classes, stream.Class{Need: c.Need, Prob: c.Prob * c.Service.Mean() / mean, Service: law.Spread(c.Service)})
	}
	return stream.New(seed, law.Uniform{Lo: 0, Hi: 1}, classes)
}
