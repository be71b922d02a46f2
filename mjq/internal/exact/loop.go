package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/spec"
)

// usersInOrder is for users who wait, of several classes and with arrivals beside them.
var usersInOrder = &solver{
	needs: spec.Looped, serves: spec.Sent | spec.Marked | spec.Dependent | spec.Batched,
	refuses: spec.Typed | spec.Ordered | spec.Dropping | spec.Bounded | spec.Impatient | spec.Keeping | spec.Periodic,
	faults: func(f *check.Faults, s *spec.Spec) {
		chainFaults(f, s)
		has := s.Features()
		f.That(!has.Has(spec.Ordered), "policy %v along with Users who wait: they are solved exactly under FCFS; use mjq.Simulation{}", s.Policy)
		f.That(!has.Has(spec.Bounded), "Users along with Room are not solved exactly; leave the room out, or use mjq.Simulation{}")
		f.That(!has.Has(spec.Impatient), "Users along with Patience are not solved exactly; use mjq.Simulation{}")
		f.That(!has.Has(spec.Keeping), "Users who wait along with Keep are not solved exactly; use mjq.Simulation{}")
	},
	size: func(_ context.Context, w *work) (Size, error) {
		n, jobs := lines(w.Spec, openCut(w.Spec))
		layer := n / (jobs + 1)
		return sizeOf(chain.Size{States: n, Bytes: 24 * n * layer, Flops: min(8*n*layer*layer, 3000*n*math.Sqrt(n))}), nil
	},
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "chain of the jobs in service and of the queue in order") {
			return nil, nil
		}
		for cut := openCut(w.Spec); ; cut = cut*3/2 + 1 {
			x, most := orderedSystem(w.Problem, cut), w.limits(1)
			most.Tolerance, most.Flops = sweptTo, quickly
			sol, err := x.Solve(ctx, most)
			if err != nil {
				return nil, err
			}
			beyond := slices.Max(sol.Blocked)
			if beyond > cutAt {
				continue
			}
			a := chainAnswer(sol, false)
			a.Blocked, a.BlockedTime = nil, nil
			a.Notes = []string{fmt.Sprintf("There is no truncation error: the chain has all %d states of the queue.", sol.States)}
			if w.Arrivals != nil {
				a.Notes = []string{fmt.Sprintf("The truncation error is negligible: the chain of %d states ends at %d waiting jobs, and a job finds so many with a probability of at most %.1g.", sol.States, x.Room, max(beyond, 1e-16))}
			}
			return a, a.loopWaits(ctx, w, sol)
		}
	},
}

const (
	cutAt   = 1e-12 // the share of the jobs that may find the chain at its end
	sweptTo = 1e-14 // relative residual of sweeps
	quickly = 2e10  // operations of an elimination above which the chain is swept
)

// orderedSystem is the queue with its line in order, in which at most so many jobs of no user wait.
func orderedSystem(p *problem.Problem, cut int) *queue.System {
	x := queue.Of(p.Compiled(), true)
	x.Room = cut
	for _, c := range x.Classes {
		x.Room += c.Users
	}
	return x
}

// openCut is about how many jobs of no user have to be followed: the numbers that wait fall at
// least about as those of a queue as loaded.
func openCut(s *spec.Spec) int {
	if s.Arrivals == nil {
		return 0
	}
	busy := s.Rate() * s.Work()
	for _, c := range s.Classes {
		if c.Users > 0 {
			busy += float64(c.Users*c.Need) * c.Service.Mean() / (c.Service.Mean() + c.Think.Mean())
		}
	}
	load := min(max(busy/float64(s.Servers), 0.1), 0.98)
	return int(check.Whole(math.Ceil(math.Log(cutAt)/math.Log(load)), 1, mostServed))
}

// lines is about how many states there are, and how many jobs at most: what can be in service,
// times the orders of what may wait behind it.
func lines(s *spec.Spec, cut int) (states, jobs float64) {
	most := make([]int, len(s.Classes))
	for i, c := range s.Classes {
		if most[i] = c.Users; c.Users == 0 {
			most[i] = cut + s.Servers/c.Need
		}
		jobs += float64(most[i])
	}
	served, seen := make([]int, len(most)), 0
	var each func(class, free int)
	each = func(class, free int) {
		if seen++; seen > mostServed {
			return
		}
		if class < len(most) {
			for n := 0; n <= most[class] && n*s.Classes[class].Need <= free; n++ {
				served[class] = n
				each(class+1, free-n*s.Classes[class].Need)
			}
			served[class] = 0
			return
		}
		states++
		for head, c := range s.Classes {
			if c.Need > free && most[head] > served[head] {
				states += orders(most, served, head)
			}
		}
	}
	if each(0, s.Servers); seen > mostServed {
		return math.Inf(1), jobs
	}
	return states, jobs
}

// mostServed is how many combinations in service are looked at.
const mostServed = 20_000

// orders is how many lines begin with a class, of what is not in service.
func orders(most, served []int, head int) (sum float64) {
	ways := []float64{1} // by length, over the factorial of the length
	for k, n := range most {
		if n -= served[k]; k == head {
			n--
		}
		next, part := make([]float64, len(ways)+n), 1.0
		for j := range n + 1 {
			if j > 0 {
				part /= float64(j)
			}
			for i, w := range ways {
				next[i+j] += w * part
			}
		}
		ways = next
	}
	factorial := 1.0
	for n, w := range ways {
		factorial *= max(1, float64(n))
		sum += w * factorial
	}
	return sum
}

// loopWaits are the waits; the means alone by Little's law where the chain of a wait is too large.
func (a *Answer) loopWaits(ctx context.Context, w *work, sol *queue.Solution) error {
	err := a.waits(w, sol.AtOnce, func(k int) (*queue.Wait, error) { return sol.Wait(ctx, k, w.how.Bytes()) })
	var large *chain.TooLarge
	if !errors.As(err, &large) {
		return err
	}
	a.Second, a.curves = nil, nil
	for k, rate := range a.Rates {
		a.Wait[k] = a.Queue[k] / rate
	}
	a.Notes = append(a.Notes, "There are means but no variances and distributions: they take more memory than MaxBytes.")
	return nil
}
