package exact

import (
	"context"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// undrawn is for rooms, servers kept free, and arrivals that remember.
var undrawn = &solver{
	needs: spec.Bounded, serves: spec.Serving | spec.Keeping | spec.Sent | spec.Marked | spec.Dependent | spec.Batched, refuses: spec.Typed | spec.Periodic,
	faults: func(f *check.Faults, s *spec.Spec) {
		chainFaults(f, s)
		f.That(*s.Room == 0 || !s.Features().Has(spec.Ordered), "policy %v along with Room(%d): a queue with room is solved exactly under FCFS; use mjq.Simulation{}", s.Policy, *s.Room)
		f.That(*s.Room == 0 || !s.Features().Has(spec.Marked), "arrivals %v along with Room(%d): jobs of marked classes that wait have to be told apart; use mjq.Simulation{}", s.Arrivals, *s.Room)
	},
	size: undrawnSize, solve: solveUndrawn,
}

// impatientAlike is for jobs that all give up at one rate, with room or without.
var impatientAlike = &solver{
	needs: spec.Impatient, serves: spec.Bounded | spec.Keeping | spec.Sent | spec.Dependent | spec.Batched, refuses: spec.Typed | spec.Marked | spec.Periodic,
	fits: func(s *spec.Spec) bool {
		_, alike := states.OneLeave(problem.Compile(s))
		return alike
	},
	faults: func(f *check.Faults, s *spec.Spec) {
		chainFaults(f, s)
		f.That(!s.Features().Has(spec.Marked), "arrivals %v along with Patience: jobs of marked classes that wait have to be told apart; use mjq.Simulation{}", s.Arrivals)
	},
	size: undrawnSize, solve: solveUndrawn,
}

// chainFaults says why no chain of the numbers in service describes the queue.
func chainFaults(f *check.Faults, s *spec.Spec) {
	f.That(len(s.Resources) == 0, "types of resources: several are solved exactly with Loss() and Poisson arrivals; use mjq.Simulation{}")
	if s.Arrivals != nil && !s.Poisson() {
		_, ok := arrival.AsMarkov(s.Arrivals)
		f.That(ok, "arrivals %v: only Poisson and Markovian arrivals are solved exactly; use mjq.Simulation{}", s.ArrivalName())
	}
	for _, c := range s.Classes {
		if _, ok := law.PhaseCount(c.Service); !ok {
			f.Join(states.NotPhaseType(c.Name, c.Service, "mjq.Simulation{}"))
		}
		f.That(c.Service.Survival(0) > 1-1e-12, "class %q has no service time at all with probability %.3g; it must be positive", c.Name, 1-c.Service.Survival(0))
		if c.Think != nil {
			_, ok := law.MemorylessRate(c.Think)
			f.That(ok, "class %q: users who think for times that are not exponential are solved exactly without Keep; use mjq.Simulation{}", c.Name)
		}
	}
}

// solveUndrawn solves the chain of the jobs in service and of how many wait.
func solveUndrawn(ctx context.Context, w *work) (*Answer, error) {
	if !w.begin(ctx, "exact", "chain of the jobs in service and of how many wait, whose classes are drawn at the head of the queue") {
		return nil, nil
	}
	x := undrawnSystem(w.Spec)
	sol, err := x.Solve(ctx, w.limits(undrawnChain(w.Spec).Flops))
	if err != nil {
		return nil, err
	}
	a := chainAnswer(sol, x.Leave > 0)
	a.Notes = []string{fmt.Sprintf("There is no truncation error: the chain has all %d states of the queue.", sol.States)}
	if x.Leave > 0 && w.Room == nil {
		a.Notes = []string{cutByPatience(sol.States, x.Room)}
		a.Blocked, a.BlockedTime = nil, nil
	}
	return a, a.waits(w, sol.AtOnce, func(k int) (*queue.Wait, error) { return sol.Wait(ctx, k, w.how.Bytes()) })
}

// cutByPatience says that a chain which ends at so many waiting jobs is as good as endless.
func cutByPatience(states, waiting int) string {
	return fmt.Sprintf("The truncation error is negligible: the chain of %d states ends at %d waiting jobs, and more wait with a probability below 1e-16, by a proof that compares with M/M/∞.", states, waiting)
}

// chainAnswer is what a chain tells of a queue, in which jobs may give up.
func chainAnswer(sol *queue.Solution, leave bool) *Answer {
	a := &Answer{Rates: sol.Arrived, Blocked: sol.Blocked, BlockedTime: sol.BlockedTime,
		Queue: sol.Queue, Served: sol.Served, Busy: sol.Busy, Wasted: sol.Wasted, Jobs: result.Count{P: sol.Jobs}}
	if leave {
		a.Left = sol.Left
	}
	a.startAtOnce(sol.AtOnce)
	return a
}

// startAtOnce has these shares of the jobs that come start at once.
func (a *Answer) startAtOnce(of []float64) {
	a.NoWait = nil
	for k, v := range of {
		a.NoWait = append(a.NoWait, v/(1-at(a.Blocked, k)-at(a.Left, k)))
	}
}

// undrawnSystem is the queue whose waiting jobs are drawn at the head.
func undrawnSystem(s *spec.Spec) *queue.System { return queue.Of(problem.Compile(s), false) }

// undrawnSize is the size of the chain.
func undrawnSize(_ context.Context, w *work) (Size, error) { return sizeOf(undrawnChain(w.Spec)), nil }

// undrawnChain counts the combinations in service.
func undrawnChain(s *spec.Spec) chain.Size {
	x := undrawnSystem(s)
	var needs []int
	least := x.Servers
	for _, c := range x.Classes {
		needs = append(needs, slices.Repeat([]int{c.Need}, len(c.A))...)
		least = min(least, c.Need)
	}
	served, phases := sum(chain.Ways(x.Servers, needs...)), 1.0
	if x.Arrives != nil {
		phases = float64(len(x.Arrives.D0))
	}
	layers := float64(x.Servers/least + 1)
	n := phases * served * (1 + float64(x.Room)/2)
	layers += float64(x.Room)
	layer := n / layers
	jobs, joined := batches(x.Arrives)
	up := min(jobs, layers) // layers that an arrival passes
	return chain.Size{States: n, Bytes: 8 * n * layer * (2 + up), Flops: 4*n*layer*layer*(1+up) + 100*n*min(joined, served*jobs)}
}

// batches are the most jobs that come at once, and all that have to be let in one by one to
// follow the arrivals in a state.
func batches(in *states.Arrivals) (most, all float64) {
	if in == nil {
		return 1, 1
	}
	for _, e := range in.Events {
		size := float64(e.Size)
		most, all = max(most, size), all+size*size/2
	}
	return max(1, most), all
}
