package limit

import (
	"context"
	"errors"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// Numbers of replications without being told.
const (
	replicasUsual = 64
	replicasLeast = 16
)

// pile is the growth rate of the saturated system, which is 1/λ_c for any service laws
// of finite mean: Algorithm 2 and Theorem 5.1 of Baccelli, Olliaro, Ajmone Marsan and
// Marin, in independent replications.
type pile struct {
	*problem.Problem
	o        *problem.Options
	relErr   float64
	maxJobs  int64
	replicas int // 0: not set
	device   problem.Processor
}

func newPile(p *problem.Problem, o *problem.Options, how Pile) *pile {
	return &pile{p, o, o.RelErr.Or(0.002), o.MaxJobs.Or(100_000_000), how.Replications, how.Device}
}

func (q *pile) faults(f *check.Faults) {
	f.Asked(q.replicas == 0 || q.replicas >= replicasLeast, "Replications %d: the interval needs at least %d", q.replicas, replicasLeast)
	f.Memory(float64(q.replicas)*q.ChainBytes(), "Replications %d", q.replicas)
}

func (q *pile) run(ctx context.Context) (*result.Stability, error) {
	plan := q.planPile(ctx)
	if ctx.Err() != nil {
		return nil, errors.Join(errors.New("stopped before the pile began"), ctx.Err())
	}
	var f check.Faults
	f.Memory(float64(plan.replicas)*q.ChainBytes(), "%d replications of %d servers that are told apart", plan.replicas, q.Servers)
	if err := f.Err(""); err != nil {
		return nil, err
	}
	reason := ""
	if plan.Cut != nil || plan.Out != nil {
		reason = "services too rare and too long for a run of MaxJobs are cut, which only the processor does"
		if q.device == problem.GPU {
			return nil, errors.New(reason + "; use Device: mjq.CPU")
		}
	}
	sys := q.System(q.o.Seed, q.o.Workers)
	at, err := problem.PlaceOn(q.device, &sys, reason, problem.SlowerOnGPU(float64(plan.replicas), false))
	if err != nil {
		return nil, err
	}
	defer at.End()
	p := sampling.Pile{System: sys, Rare: plan.Rare, MeanWork: plan.meanWork, Replications: plan.replicas,
		WarmUp: plan.warm, Jobs: plan.jobs, MaxJobs: q.maxJobs, RelErr: q.relErr, Level: q.o.Level}
	res := p.Run(ctx, q.o.Throttled())
	if res.Failed != nil && ctx.Err() == nil {
		return nil, res.Failed
	}
	if math.IsNaN(res.Gamma.Value) {
		return nil, errors.Join(errors.New("stopped before the first round of the pile was complete"), ctx.Err())
	}
	st := q.limit(res)
	st.On, st.Note, st.Notes = at.Name, at.Note, plan.notes(q, res.Steps)
	if ctx.Err() != nil {
		st.Notes = append(st.Notes, "Interrupted: the interval is wider than requested. Ask again for the rest.")
	}
	return st, ctx.Err()
}

// limit is the inverse of the growth rate, with its interval.
func (q *pile) limit(res *sampling.PileResult) *result.Stability {
	gamma := res.Gamma
	rate := 1 / gamma.Value
	half := gamma.HalfWidth * rate * rate
	if res.Lo != gamma.Lo() || res.Hi != gamma.Hi() {
		rate, half = (1/res.Lo+1/res.Hi)/2, (1/res.Lo-1/res.Hi)/2
	}
	st := StabilityAt(q.Problem, rate, half, "pile", "Baccelli, Olliaro, Ajmone Marsan, Marin: Theorem 5.1 and Algorithm 2")
	st.Level, st.Jobs, st.Seed, st.Met = q.o.Level, res.Steps, q.o.Seed, res.Met
	return st
}
