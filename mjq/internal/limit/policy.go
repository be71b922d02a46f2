package limit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/policychain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// effort is how much is spent on an exact limit: the most phases of the walk by whose
// drifts it is found, bytes of a saturated chain and of one that is cut, and configurations
// of nodes.
type effort struct {
	phases         int
	saturated, cut float64
	configs        float64
	report         func(done, total float64) // nil: nobody listens
}

// What a method spends that only wants to know whether a queue is stable, a second or so;
// what Stability does, some ten seconds; and what it does if the limit must be exact.
var (
	passing  = effort{150, 1.3e7, 5e6, 10_000, nil}
	standard = effort{300, 1e9, 1e8, 100_000, nil}
	forced   = effort{policychain.MaxDense, 1e9, 1e9, problem.MostNodeConfigs, nil}
)

// Sources of the limits under policies.
const (
	sourceWorks = "no server is idle for long while enough jobs wait to fill them"
	sourceDrift = "drifts of the walk of two counts: Fayolle, Malyshev, Menshikov (1995)"
	sourceAlone = "favoured needs do not notice the others, which have the servers that these leave"
)

// policyLimit is the limit under another policy than first come first served: by a closed
// condition, the linear program, the saturated chain or drifts, and else, unless it must
// be exact, by a search with the simulation.
func policyLimit(ctx context.Context, p *problem.Problem, by Way, o *problem.Options) (*result.Stability, error) {
	if by.Piled {
		var f check.Faults
		spec.Refuse(&f, p.Spec, spec.Every&^(spec.Placed|spec.Serving), "mjq.Pile", func() string { return "leave it out" })
		return nil, f.Err("")
	}
	spend := standard
	if by.Exact {
		spend = forced
	}
	spend.report = o.Throttled()
	st, err := exactPolicyLimit(ctx, p, spend)
	if err == nil || ctx.Err() != nil {
		return st, err
	}
	if by.Exact {
		return nil, fmt.Errorf("policy %v: no exact stability limit is known, only the bound %.6g (%w); leave out mjq.Exact{} to search for the limit by simulation", p.Policy, mostRate(ctx, p), err)
	}
	return searched(ctx, p, o, err)
}

// exactPolicyLimit is the limit where theory has it.
func exactPolicyLimit(ctx context.Context, p *problem.Problem, spend effort) (*result.Stability, error) {
	if p.Features().Has(spec.Placed) {
		return placedLimit(ctx, p, spend)
	}
	if e, ok := p.Policy.(policy.Estimator); ok {
		if _, kill := e.Limits(); kill {
			return nil, errors.New("jobs may be killed before they are done, so less work is done than arrives; leave Exact out, or choose estimates without Kill")
		}
	}
	if st, err, ok := closedPolicyLimit(ctx, p); ok {
		return st, err
	}
	if p.Features().Has(spec.Marked) {
		return nil, errors.New("the arrivals mark classes, whose order matters, and the chains of policies have classes in random order; simulate it")
	}
	q, err := policychain.Of(p.Compiled(), 1, nil)
	if err != nil {
		return nil, err
	}
	rate, err := q.Limit(ctx, spend.saturated)
	if err == nil {
		return StabilityAt(p, rate, 0, "saturated-chain", policychain.Source), nil
	} else if !errors.Is(err, policychain.ErrUnbounded) {
		return nil, err
	}
	var open *policychain.Undetermined
	low, high, err := q.FavouredLimit(ctx, spend.cut)
	if err == nil {
		return between(p, low, high, "favoured first", sourceAlone), nil
	} else if !errors.As(err, &open) {
		return nil, err
	}
	if low, high, err = q.DriftLimit(ctx, mostRate(ctx, p), spend.phases); err != nil {
		return nil, err
	}
	return between(p, low, high, "drifts", sourceDrift), nil
}

// between is the limit between two rates, of which those that differ by rounding alone
// are one.
func between(p *problem.Problem, low, high float64, method, source string) *result.Stability {
	half := (high - low) / 2
	if half < 1e-11*high {
		half = 0
	}
	return StabilityAt(p, (low+high)/2, half, method, source)
}

// closedPolicyLimit is the limit by a condition on means alone, which holds for services
// of any law; ok says whether there is one.
func closedPolicyLimit(ctx context.Context, p *problem.Problem) (st *result.Stability, err error, ok bool) {
	known := p.Discipline().Properties()
	if m, ok := p.Policy.(policy.Switching); ok {
		return StabilityAt(p, msrLimit(p, m.Switches()), 0, "closed form", MsrSource), nil, true
	}
	if known.Optimal {
		c, err := Capacity(ctx, p)
		if err != nil {
			return nil, err, true
		}
		return StabilityAt(p, c.Rate, 0, "linear program", fmt.Sprintf("%v attains the capacity: %s", p.Policy, capacitySource)), nil, true
	}
	if known.Fills && !p.Features().Has(spec.Unlike|spec.Placed) && dividing(p) {
		return StabilityAt(p, p.IdealRate(), 0, "closed form", sourceWorks), nil, true
	}
	if s, ok := problem.New(p.WithRate(1)).Levels(); ok && (p.Arrivals == nil || p.Poisson()) {
		if rate, closed := s.Rate(); closed {
			return StabilityAt(p, rate, 0, "closed form", "every level has what those above leave"), nil, true
		}
	}
	if rate, alike := unblockedRate(p); alike && p.OneNeed() && known.Packs {
		return StabilityAt(p, rate, 0, "closed form", "G/G/k: no job blocks another of the same need"), nil, true
	}
	return nil, nil, false
}

// dividing reports whether each need divides the next larger one, and the largest the
// number of servers.
func dividing(p *problem.Problem) bool {
	needs := []int{p.Servers}
	for _, c := range p.Classes {
		needs = append(needs, c.Need)
	}
	slices.Sort(needs)
	for i := range needs[1:] {
		if needs[i+1]%needs[i] != 0 {
			return false
		}
	}
	return true
}

// manyServers are so many that needs far smaller hardly leave any idle: the linear program would
// take long and say next to nothing.
const manyServers = 20_000

// mostRate is a rate that no policy carries more than.
func mostRate(ctx context.Context, p *problem.Problem) float64 {
	if low, high, ok := Between(problem.New(p.WithPolicy(policy.FCFS{}))); ok && p.Servers >= manyServers && high-low < 2*near*low {
		return high
	}
	if c, err := Capacity(ctx, p); err == nil {
		return c.Rate + c.HalfWidth
	}
	return p.IdealRate()
}

// policyBound is the limit if theory has it soon, and else the capacity.
func policyBound(ctx context.Context, p *problem.Problem, _ func()) (*result.Stability, error) {
	st, err := exactPolicyLimit(ctx, p, passing)
	switch {
	case err == nil:
		return st, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return atMost(p, mostRate(ctx, p), "Under policy %v it is unknown, and at most the capacity.", p.Policy), nil
}
