package exact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/optimum"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// Iteration is the settings of the search for the optimal policy.
type Iteration struct {
	Preemptive bool
	Weights    map[string]float64 // by class; 1 where it has none
	MaxBytes   float64
}

func (m *Iteration) bytes() float64 { return cmp.Or(m.MaxBytes, problem.UsualBytes) }

// optimumError is the relative error of the optimum by default.
const optimumError = 1e-6

// Optimum finds the optimal policy.
func Optimum(ctx context.Context, p *problem.Problem, m Iteration, o problem.Options) (_ *result.Optimum, err error) {
	defer problem.Caught("Optimum", &err)
	return cache.Answer(func() *cache.Question {
		return p.Question("optimum", &o, m)
	}, o.Fresh, func(r *result.Optimum, at time.Time) { r.Run.Remembered = at },
		func(r *result.Optimum) bool { return r.Run.Complete },
		func() (*result.Optimum, error) { return findOptimum(ctx, p, &m, &o) })
}

// findOptimum is Optimum without memory.
func findOptimum(ctx context.Context, p *problem.Problem, m *Iteration, o *problem.Options) (_ *result.Optimum, err error) {
	if p, err = limit.Resolve(ctx, p, nil); err != nil {
		return nil, err
	}
	started := time.Now()
	sys, err := optimumSystem(p, m, o)
	if err != nil {
		return nil, err
	}
	r := optimumResult(p, sys)
	capacity, err := limit.Capacity(ctx, p)
	if err != nil {
		return nil, err
	}
	if r.Stable = r.Rate < capacity.Rate; !r.Stable {
		r.beyond(capacity.Rate)
		return r.Optimum, nil
	}
	sol, err := sys.Solve(ctx, optimum.Options{Tolerance: o.RelErr.Or(optimumError), Bytes: m.bytes(), Report: o.Throttled()})
	var large *chain.TooLarge
	switch {
	case errors.As(err, &large):
		return nil, fmt.Errorf("Optimum: the chain would have %w; allow more by MaxBytes, or give a larger mjq.RelErr", err)
	case sol == nil:
		return nil, fmt.Errorf("Optimum: %w", err)
	}
	r.solved(sol, sys, p)
	r.Run.Version, r.Run.Elapsed, r.Run.Complete = result.Version, time.Since(started), err == nil
	if err != nil {
		r.Notes = append(r.Notes, "Interrupted: the result is that of the last complete truncation level. Ask again for a finer one.")
		return r.Optimum, errors.Join(errors.New("interrupted; the result holds what was completed"), err)
	}
	return r.Optimum, nil
}

// optimumSystem is the queue for the search, or all that keeps it from being one.
func optimumSystem(p *problem.Problem, m *Iteration, o *problem.Options) (*optimum.System, error) {
	var f check.Faults
	o.Check(&f)
	p.ArrivalFaults(&f)
	if p.Arrivals != nil {
		f.That(p.Poisson(), "arrivals %v: the optimal policy is found for Poisson arrivals only", p.ArrivalName())
	}
	f.Asked(m.bytes() > 0, "MaxBytes %v: give a positive number of bytes", m.bytes())
	f.That(len(p.Classes) <= optimum.MostClasses, "%d classes: the optimal policy is found for at most %d", len(p.Classes), optimum.MostClasses)
	sys := &optimum.System{Servers: p.Servers, Preemptive: m.Preemptive}
	weights := maps.Clone(m.Weights)
	for _, c := range p.Classes {
		weight, given := weights[c.Name]
		if delete(weights, c.Name); !given {
			weight = 1
		}
		f.That(weight >= 0 && !math.IsInf(weight, 1), "Weights[%q] %v: give a finite number that is not negative", c.Name, weight)
		mu, exponential := law.MemorylessRate(c.Service)
		f.That(exponential, "class %q: the service time %v is not exponential, so its age matters; use ExpMean, or compare policies by mjq.Compare", c.Name, c.Service)
		sys.Classes = append(sys.Classes, optimum.Class{Need: c.Need, Rate: p.Rate() * c.Prob, Mu: mu, Weight: weight})
	}
	for name := range weights {
		f.Asked(false, "Weights[%q]: the model has no such class%s", name, p.Known(name))
	}
	if f.None() {
		f.Join(sys.Validate())
	}
	return sys, f.Err("Optimum")
}

// optimumRun is a result in the making.
type optimumRun struct{ *result.Optimum }

func optimumResult(p *problem.Problem, sys *optimum.System) optimumRun {
	r := &result.Optimum{Model: p.Headline(), Servers: p.Servers, Rate: p.Rate(), Preemptive: sys.Preemptive, Stable: true, Notes: p.Notes}
	for i, c := range p.Classes {
		r.Classes = append(r.Classes, result.OptimumClass{Name: c.Name, Need: c.Need, Rate: sys.Classes[i].Rate, Weight: sys.Classes[i].Weight})
	}
	return optimumRun{r}
}

// beyond fills in what holds beyond the capacity.
func (r optimumRun) beyond(capacity float64) {
	inf := result.Infinite("no policy is stable")
	for i := range r.Classes {
		r.Classes[i].Waiting, r.Classes[i].Response = inf, inf
	}
	r.Wait, r.Cost, r.Lower = inf, inf, math.Inf(1)
	r.Run.Complete = true
	r.Notes = append(r.Notes, fmt.Sprintf("Unstable under every policy: the rate %.6g is not below the capacity %.6g. Lower the rate or add servers.", r.Rate, capacity))
}

// solved fills in a solution.
func (r optimumRun) solved(sol *optimum.Solution, sys *optimum.System, p *problem.Problem) {
	known := func(v, scale float64) result.Estimate {
		e := result.Exact(v, "policy iteration")
		e.HalfWidth = sol.Error * scale
		return e
	}
	r.Cost, r.Lower, r.States = known(sol.Cost, 1), sol.Low, sol.States
	jobs, service := 0.0, 0.0
	for k := range r.Classes {
		c, s := &r.Classes[k], &sys.Classes[k]
		c.Response = known(sol.Jobs[k]/s.Rate, 1/s.Rate)
		c.Waiting = estimate.Shifted(c.Response, -1/s.Mu)
		jobs += sol.Jobs[k]
		service += s.Rate / s.Mu
		r.Decisions.Classes, r.Decisions.Needs = append(r.Decisions.Classes, c.Name), append(r.Decisions.Needs, c.Need)
	}
	r.Wait = known((jobs-service)/r.Rate, 1/r.Rate)
	r.Decisions.Servers, r.Decisions.Preemptive = r.Servers, r.Preemptive
	r.Decisions.Schedules, r.Decisions.Most, r.Decisions.Choice = sol.Schedules, sol.Decided, sol.Choice
	r.Notes = append(r.Notes, fmt.Sprintf("Half-widths follow from comparing truncation levels and are not proved; the lower bound is. The chain is truncated at %d jobs, which have probability %.2g. Lower RelErr for a higher level.", sol.Cut, sol.AtCut))
}

// OptimalPolicy is the optimal policy as one that can be simulated.
func OptimalPolicy(o *result.Optimum) policy.Policy {
	d, name := &o.Decisions, "Optimal"
	if o.Preemptive {
		name = "OptimalPreemptive"
	}
	return policy.NewTable(name, o.Preemptive, o.Servers, d.Needs, d.Serves)
}
