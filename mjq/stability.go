package mjq

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// StabilityQuery asks for the stability limit.
type StabilityQuery struct {
	Query[StabilityQuery]
	Place[StabilityQuery]
	m        *Model
	pile     bool
	exact    bool
	relErr   float64
	maxJobs  int64
	replicas int // 0: not set
}

// Stability asks for the stability limit λ_c by the best method for the model:
// the closed formula if all jobs need the same number of servers, a product form
// if one is known, the saturated chain if services are phase-type and it has at
// most 100,000 states, and else the pile. All but the pile are exact, to about
// 12 digits. The result names the method.
func (m *Model) Stability() *StabilityQuery {
	q := &StabilityQuery{m: m, relErr: 0.002, maxJobs: 100_000_000}
	q.Query, q.Place = newQuery(q, seedPile), newPlace(q)
	return q
}

// Pile forces Algorithm 2 of Baccelli, Olliaro, Ajmone Marsan and Marin: the
// growth rate of the saturated system, which is 1/λ_c for any service laws of
// finite mean (their Theorem 5.1). Ours differs in that independent
// replications, a warm-up and control variates give it an interval, and in that
// it knows what it has not seen (see MaxJobs); theirs stops when two estimates
// agree, which says little about the error. The interval lies between what holds
// for any laws: jobs side by side as if all were as wide as the widest, and
// IdealRate.
func (q *StabilityQuery) Pile() *StabilityQuery {
	q.pile = true
	return q
}

// Exact forces an exact limit: product form, or the saturated chain up to
// MaxExactStates states. Run fails, naming what stands in the way and the way
// out, if a service is not phase-type or the chain is larger.
func (q *StabilityQuery) Exact() *StabilityQuery {
	q.exact = true
	return q
}

// RelErr asks the pile to go on until the half-width of the interval is at
// most r times the limit; the default is 0.002. The cost grows as 1/r².
func (q *StabilityQuery) RelErr(r float64) *StabilityQuery {
	q.relErr = r
	return q
}

// MaxJobs bounds the work of the pile, in jobs, of which every replication takes
// at least 2000; the default is 10^8, of the order of ten seconds. If the bound
// comes first, Met is false and the interval is as wide as it is. The bound also
// says what the run can see. Services so long and rare, or classes so rare, that
// it holds next to none of them are not sampled, for a sample without them tells
// nothing; what they do at most is part of the interval, and Notes name them.
func (q *StabilityQuery) MaxJobs(n int) *StabilityQuery {
	q.maxJobs = int64(n)
	return q
}

// Numbers of replications without being told.
const (
	replicasUsual = 64
	replicasLeast = 16
)

// Replications sets how many piles grow side by side, from which the interval
// comes, at least 16; the default is 64, or 16 where MaxJobs leaves too little time
// to each of more. A GPU wants thousands; each then has fewer jobs beside its
// warm-up for the same error.
func (q *StabilityQuery) Replications(n int) *StabilityQuery {
	q.replicas = n
	return q
}

// Run finds the limit. On cancellation it returns what it has, along with the
// error of the context.
func (q *StabilityQuery) Run(ctx context.Context) (_ *Stability, err error) {
	defer caught("stability", &err)
	var f faults
	q.Query.faults(&f)
	q.Place.faults(&f)
	f.check(!q.pile || !q.exact, "Exact() and Pile(): choose one of them")
	f.check(q.relErr > 0, "RelErr(%v): the relative error must be positive", q.relErr)
	f.check(q.maxJobs > 0, "MaxJobs(%d): must be positive", q.maxJobs)
	f.check(q.replicas == 0 || q.replicas >= replicasLeast, "Replications(%d): the interval needs at least %d", q.replicas, replicasLeast)
	f.memory(float64(q.replicas)*q.m.chainBytes(), "Replications(%d)", q.replicas)
	if err := f.err("stability"); err != nil {
		return nil, err
	}
	if q.pile {
		return q.runPile(ctx)
	}
	if rate, ok := q.m.unblockedRate(); ok {
		return q.m.stabilityAt(rate, 0, "closed form", "G/G/k: no job blocks another of the same need"), nil
	}
	if q.exact {
		st, err := q.exactLimit(ctx, MaxExactStates)
		if err != nil {
			err = fmt.Errorf("mjq: exact stability limit: %w", err)
		}
		return st, err
	}
	st, err := q.exactLimit(ctx, autoStates)
	if err == nil || ctx.Err() != nil {
		return st, err
	}
	pile, failed := q.runPile(ctx) // the model is beyond the exact methods
	if st != nil && pile != nil {
		pile.Notes = append(pile.Notes, fmt.Sprintf("This is not the exact limit, because: %v.", err))
	}
	return pile, failed
}

// unblockedRate is the limit when all jobs need the same number of servers: k
// of them fit, and then it is a plain queue of k servers.
func (m *Model) unblockedRate() (float64, bool) {
	need := m.classes[0].Need
	if m.variant != nil {
		return 0, false
	}
	for _, c := range m.classes {
		if c.Need != need {
			return 0, false
		}
	}
	return float64(m.servers/need) / m.meanService(), true
}

// stabilityAt fills the result for a limit.
func (m *Model) stabilityAt(rate, half float64, method, source string) *Stability {
	st := &Stability{Rate: rate, HalfWidth: half, Method: method, Source: source, IdealRate: m.IdealRate(),
		Work: m.work(), Wasted: float64(m.servers) - rate*m.work(), Met: true}
	m.resourceLimits(st)
	return st
}

func (q *StabilityQuery) runPile(ctx context.Context) (*Stability, error) {
	plan := q.planPile()
	var f faults
	f.memory(float64(plan.replicas)*q.m.chainBytes(), "%d replications of %d servers that are told apart", plan.replicas, q.m.servers)
	if err := f.err("stability"); err != nil {
		return nil, err
	}
	if plan.Cut != nil || plan.Out != nil {
		const why = "services too rare and too long for a run of MaxJobs are cut, which only the processor does"
		if q.on == GPU {
			return nil, errors.New("mjq: stability: " + why + "; use .On(mjq.CPU)")
		}
		q.stay(why)
	}
	sys := q.m.system(q.seed, q.workers)
	at, err := q.settle(&sys)
	if err != nil {
		return nil, err
	}
	defer at.end()
	p := sampling.Pile{System: sys, Rare: plan.Rare, MeanWork: plan.meanWork, Replications: plan.replicas,
		WarmUp: plan.warm, Jobs: plan.jobs, MaxJobs: q.maxJobs, RelErr: q.relErr, Level: q.level}
	res := p.Run(ctx, q.throttled())
	if res.Failed != nil && ctx.Err() == nil {
		return nil, res.Failed
	}
	gamma := res.Gamma
	if math.IsNaN(gamma.Value) {
		return nil, errors.Join(errors.New("mjq: stability: stopped before the first round of the pile was complete"), ctx.Err())
	}
	rate := 1 / gamma.Value
	half := gamma.HalfWidth * rate * rate
	if res.Lo != gamma.Lo() || res.Hi != gamma.Hi() {
		rate, half = (1/res.Lo+1/res.Hi)/2, (1/res.Lo-1/res.Hi)/2
	}
	st := q.m.stabilityAt(rate, half, "pile",
		"Baccelli, Olliaro, Ajmone Marsan, Marin: Theorem 5.1 and Algorithm 2")
	st.Level, st.Jobs, st.Seed, st.Met = q.level, res.Steps, q.seed, res.Met
	st.On, st.Note, st.Notes = at.name, at.note, plan.notes(q, res.Steps)
	return st, ctx.Err()
}

// rareJobs is a number of jobs that holds on average k of the rarest class,
// and at least 1000: long enough for a window to know every class (the advice
// of Section 7.1 of the paper).
func (m *Model) rareJobs(k float64) int64 {
	rarest := 1.0
	for _, c := range m.classes {
		rarest = min(rarest, c.Prob)
	}
	return int64(max(1000, min(k/rarest, 1e8)))
}

// system compiles the model for the samplers.
func (m *Model) system(seed uint64, workers int) sampling.System {
	sys := sampling.System{Servers: m.servers, Workers: workers, Light: true}
	var classes []stream.Class
	for _, c := range m.classes {
		sys.Needs, sys.Probs = append(sys.Needs, int32(c.Need)), append(sys.Probs, c.Prob)
		classes = append(classes, stream.Class{Need: c.Need, Prob: c.Prob, Service: c.Service})
		sys.Light = sys.Light && light(c.Service)
	}
	gap := m.arrivals
	if gap == nil {
		gap = ExpMean(1) // the pile does not look at it
	}
	sys.Input = stream.New(seed, gap, classes)
	if m.variant != nil {
		sys.Variant = m.variant.recurrence()
	}
	return sys
}

// chainBytes is about what one chain of a sampler takes: the jobs read ahead and
// the words they are made of, the groups in service, and accounts by class.
func (m *Model) chainBytes() float64 {
	bytes := 20e3 + 16*float64(len(m.classes))
	if v := m.variant; v != nil && v.resources == nil {
		bytes += toldBytes / 2 * float64(m.servers)
	}
	return bytes
}

// sampleBytes is about what a sample takes until its batch is complete.
func (m *Model) sampleBytes() float64 {
	kinds := 0
	if m.variant != nil {
		kinds = len(m.variant.resources)
	}
	return 100 + 8*float64(len(m.classes)*(3+kinds))
}
