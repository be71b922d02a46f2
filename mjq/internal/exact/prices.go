package exact

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/loss"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Prices are what a server and a job of each class are worth in a system without room.
func Prices(p *problem.Problem, worth map[string]float64) (*result.Prices, error) {
	r, err := reserved(p, worth, "Prices")
	if err != nil {
		return nil, err
	}
	x := loss.PricesFor(r.Servers, r.Classes, r.Worths, r.Means)
	out := &result.Prices{Model: p.Headline(), Reward: x.Reward, Server: x.Server}
	for k, c := range p.Classes {
		out.Classes = append(out.Classes, result.ClassPrice{Name: c.Name, Worth: r.Worths[k], Job: x.Job[k], Displaced: x.Displaced[k]})
	}
	return out, nil
}

// reserved is a system without room with the worths of its jobs.
func reserved(p *problem.Problem, worth map[string]float64, what string) (*loss.Reserved, error) {
	var f check.Faults
	p.ArrivalFaults(&f)
	f.That(p.Room != nil && *p.Room == 0 && !p.Features().Has(spec.Impatient), "it needs a queue that turns away every job that cannot start at once; use Loss() alone")
	f.That(!p.Features().Has(spec.Sent) && (p.Arrivals == nil || p.Poisson()), "arrivals: it needs Poisson arrivals; use Poisson(rate)")
	r := &loss.Reserved{Servers: p.Servers}
	left := maps.Clone(worth)
	for _, c := range p.Classes {
		w, given := worth[c.Name]
		if delete(left, c.Name); !given {
			w = 1
		}
		f.That(w >= 0 && !math.IsInf(w, 1), "worth of %q: %v; give a finite number that is not negative", c.Name, w)
		r.Worths, r.Means = append(r.Worths, w), append(r.Means, c.Service.Mean())
		r.Classes = append(r.Classes, loss.Class{Needs: []int{c.Need}, Load: p.Rate() * c.Prob * c.Service.Mean()})
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		f.Asked(false, "worth of %q: the model has no such class%s", name, p.Known(name))
	}
	return r, f.Err(what)
}

// What is solved by chains rather than approximately, and compared with the decision process.
const (
	mostReserved = 3000 // sets of jobs that fit together
	optimumTo    = 1e-7
	mostOfTurn   = 2e9 // operations that find prices, a second or two
)

// BestKeep searches for the servers to keep free of each class that carry the largest worth.
func BestKeep(ctx context.Context, p *problem.Problem, worth map[string]float64) (*result.Reservation, error) {
	r, err := reserved(p, worth, "BestKeep")
	if err != nil {
		return nil, err
	}
	out := &result.Reservation{Model: p.Headline(), Method: "chains"}
	small := r.Combinations(mostReserved) < mostReserved
	reward := func(keep []int) (float64, error) {
		v, _, err := chained(ctx, p.Spec, r, keep)
		return v, err
	}
	if !small {
		out.Method = "implied prices of Kelly and recursion of Roberts"
		out.Notes = append(out.Notes, "Rewards with servers kept free are approximate: their chain would be too large. Simulate the model with these Keeps to see how good they are.")
		reward = func(keep []int) (float64, error) {
			v, _ := r.Approximate(keep)
			return v, nil
		}
	}
	from := make([]int, len(r.Classes))
	if !small && r.ImpliedOperations() < mostOfTurn {
		if from, err = r.Implied(ctx); err != nil {
			return nil, fmt.Errorf("BestKeep: %w", err)
		}
	}
	keep, most, err := r.Best(ctx, from, reward)
	if err != nil {
		return nil, fmt.Errorf("BestKeep: %w", err)
	}
	out.Reward = most
	if out.Without, err = reward(make([]int, len(keep))); err != nil {
		return nil, err
	}
	_, blocked := r.Approximate(keep)
	if small {
		if _, blocked, err = chained(ctx, p.Spec, r, keep); err != nil {
			return nil, err
		}
	}
	for k, c := range p.Classes {
		out.Classes = append(out.Classes, result.ClassKeep{Name: c.Name, Worth: r.Worths[k], Keep: keep[k], Blocked: blocked[k]})
		if _, ok := law.MemorylessRate(c.Service); !ok {
			out.Notes = append(out.Notes, fmt.Sprintf("Rewards with servers kept free may be off: service times of class %s count as exponential with the same mean. Simulate the model with these Keeps to check.", c.Name))
		}
	}
	out.Bound, out.BoundBy = r.Fluid(), "work that the servers can do"
	if small {
		if _, out.Bound, err = r.Optimum(ctx, optimumTo); err != nil {
			return nil, err
		}
		out.BoundBy = "best rule that looks at the jobs in service"
	}
	return out, nil
}

// chained is the worth carried and the shares turned away with so many servers kept free, with
// exponential services.
func chained(ctx context.Context, s *spec.Spec, r *loss.Reserved, keep []int) (reward float64, blocked []float64, err error) {
	kept := s.WithKeep(keep)
	for k := range kept.Classes {
		kept.Classes[k].Service = law.ExpMean(r.Means[k])
	}
	x := queue.Of(problem.Compile(kept), false)
	sol, err := x.Solve(ctx, chain.Limits{States: 2 * mostReserved, Bytes: 1e9, Flops: mostOperations})
	var large *chain.TooLarge
	if errors.As(err, &large) {
		return 0, nil, tooLarge(err)
	} else if err != nil {
		return 0, nil, err
	}
	for k, rate := range sol.Arrived {
		reward += r.Worths[k] * rate * (1 - sol.Blocked[k])
	}
	return reward, sol.Blocked, nil
}
