// Package turned solves exactly queues of which not all jobs are served: those that turn jobs
// away, and those whose jobs give up. It chooses among the solvers of packages loss, queue and
// patience, and makes a result of what they find.
package turned

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// solver finds what becomes of the jobs of a queue.
type solver struct {
	source string
	solve  func(ctx context.Context, s *spec.Spec, most chain.Limits) (*answer, error)
	size   func(s *spec.Spec) chain.Size
}

// SizeOf is about what the solution of a queue takes that Faults lets pass.
func SizeOf(s *spec.Spec) chain.Size { return route(nil, s).size(s) }

// Faults says why the queue is not solved exactly, each with the remedy.
func Faults(f *check.Faults, s *spec.Spec) { route(f, s) }

// route is the solver for a queue, or the faults; without a list of them it is one that has
// none.
func route(f *check.Faults, s *spec.Spec) *solver {
	if f == nil {
		f = new(check.Faults)
	}
	switch {
	case s.OnNodes():
		placedFaults(f, s)
		return placed
	case s.Impatient():
		return impatient(f, s)
	case *s.Room == 0 && !s.Keeps() && (s.Poisson() || s.Arrivals == nil):
		return productForm
	}
	chainFaults(f, s)
	f.That(*s.Room == 0 || s.FirstCome(), "policy %v along with Room(%d): a queue with room is solved exactly under FCFS; use mjq.Simulation{}", s.Policy, *s.Room)
	f.That(*s.Room == 0 || !problem.Marked(s), "arrivals %v along with Room(%d): jobs of marked classes that wait have to be told apart; use mjq.Simulation{}", s.Arrivals, *s.Room)
	return undrawn
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
			f.Join(problem.NotPhaseType(c, "mjq.Simulation{}"))
		}
		f.That(c.Service.Survival(0) > 1-1e-12, "class %q has no service time at all with probability %.3g; it must be positive", c.Name, 1-c.Service.Survival(0))
		if c.Think != nil {
			_, ok := law.MemorylessRate(c.Think)
			f.That(ok, "class %q: users who think for times that are not exponential are solved exactly without Keep; use mjq.Simulation{}", c.Name)
		}
	}
}

// impatient is the solver for jobs that give up.
func impatient(f *check.Faults, s *spec.Spec) *solver {
	if !s.FirstCome() {
		countedFaults(f, s)
		return counted
	}
	rates, all := leaving(s)
	if all && alike(rates) {
		chainFaults(f, s)
		f.That(!problem.Marked(s), "arrivals %v along with Patience: jobs of marked classes that wait have to be told apart; use mjq.Simulation{}", s.Arrivals)
		return undrawn
	}
	if oneNeed(s) {
		return general
	}
	chainFaults(f, s)
	f.That(all, "patience: classes of several needs are solved exactly if every patience is exponential; use mjq.Simulation{}")
	f.That(s.Room != nil, "patience: classes that give up at different rates are solved exactly with a small Room(n), for which the order of the line is listed; use mjq.Simulation{}")
	f.That(s.Poisson(), "arrivals %v: with rates of giving up by class only Poisson arrivals are solved exactly; use mjq.Simulation{}", s.ArrivalName())
	f.That(!s.Keeps(), "Keep along with rates of giving up by class is not solved exactly; use mjq.Simulation{}")
	return ordered
}

// leaving are the rates at which the classes give up, 0 for never; all reports whether every
// patience is exponential.
func leaving(s *spec.Spec) (rates []float64, all bool) {
	all = true
	for _, c := range s.Classes {
		rate, ok := 0.0, true
		if c.Patience != nil {
			rate, ok = law.MemorylessRate(c.Patience)
		}
		rates, all = append(rates, rate), all && ok
	}
	return rates, all
}

func alike(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// oneNeed reports whether the queue is M/M/c+G: one need, one exponential service, one law of
// patience, Poisson arrivals and no room.
func oneNeed(s *spec.Spec) bool {
	first := &s.Classes[0]
	rate, ok := law.MemorylessRate(first.Service)
	if !ok || !s.Poisson() || !s.Plain() || s.Room != nil || first.Patience == nil {
		return false
	}
	for _, c := range s.Classes {
		r, ok := law.MemorylessRate(c.Service)
		if !ok || r != rate || c.Need != first.Need || c.Patience == nil || c.Patience.String() != first.Patience.String() {
			return false
		}
	}
	return true
}

// tooLarge is the error of a chain beyond what may be spent.
func tooLarge(err error) error {
	return fmt.Errorf("Exact: %w; use mjq.Simulation{}, or raise MaxBytes", err)
}
