package exact

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/policychain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// counted is for jobs that give up under policies that go by how many jobs there are.
var counted = &solver{
	needs: spec.Impatient | spec.Ordered, serves: spec.Leveled | spec.Preempting | spec.Marked | spec.Dependent | spec.Batched, refuses: spec.Bounded | spec.Keeping | spec.Periodic | spec.Dropping | unlike,
	faults: countedFaults,
	size:   func(_ context.Context, w *work) (Size, error) { return sizeOf(countedSize(w.Spec)), nil },
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", policychain.Source+"; each job that waits gives up at the rate of its class") {
			return nil, nil
		}
		q, err := countedQueue(w.Spec)
		if err != nil {
			return nil, err
		}
		m, err := q.SolveWithin(ctx, policychain.Options{Bytes: w.how.Bytes()})
		if err != nil {
			return nil, err
		}
		a := &Answer{Busy: m.Utilisation * float64(w.Servers), Wasted: math.NaN(), Jobs: result.Count{P: m.Levels}}
		for k, c := range m.Classes {
			a.Rates, a.Left = append(a.Rates, w.Rate()*w.Classes[k].Prob), append(a.Left, c.Left)
			a.Queue, a.Served = append(a.Queue, c.Queue), append(a.Served, c.Served)
			if !math.IsNaN(c.NoWait) {
				a.NoWait = append(a.NoWait, c.NoWait/(1-c.Left))
			}
		}
		a.Notes = []string{fmt.Sprintf("No mean should be off by more than %.1g: the chain of %d states is truncated at %d jobs, and comparing levels gives this bound without a proof. Compare with mjq.Simulation{}.", m.Error, m.States, m.Cut),
			"There are no waits of the jobs that start: the chain counts jobs and does not show them. Use InLine, the mean time in the queue of all jobs, or mjq.Simulation{}."}
		return a, nil
	},
}

// countedQueue is the queue as package policychain sees it.
func countedQueue(s *spec.Spec) (*policychain.Queue, error) {
	rate := 1.0
	if s.Arrivals != nil {
		rate = s.Rate()
	}
	return policyQueue(problem.Compile(s), rate)
}

// countedFaults says why no such chain describes the queue.
func countedFaults(f *check.Faults, s *spec.Spec) {
	f.That(s.Room == nil, "policy %v along with Room and Patience: a queue with room is solved exactly under FCFS; use mjq.Simulation{}", s.Policy)
	if s.Arrivals != nil && !s.Poisson() {
		if _, ok := arrival.AsMarkov(s.Arrivals); !ok {
			f.Add("arrivals %v: only Poisson and Markovian arrivals are solved exactly; use mjq.Simulation{}", s.ArrivalName())
			return
		}
		states.NeverComes(f, problem.Compile(s))
	}
	_, err := countedQueue(s)
	f.Join(err)
}

// countedSize is about how large the chain is: its levels reach some deviations beyond the
// mean number that would wait if no job were served.
func countedSize(s *spec.Spec) chain.Size {
	rate, least, jobs := s.Rate(), s.Servers, 0.0
	for _, c := range s.Classes {
		least = min(least, c.Need)
		if c.Patience != nil {
			jobs = max(jobs, rate*c.Patience.Mean())
		}
	}
	jobs += 6*math.Sqrt(jobs) + 16 + float64(s.Servers/least)
	q, err := countedQueue(s)
	if err != nil {
		return endless
	}
	z, err := q.Size(context.Background(), int(check.Whole(jobs, 0, 1e6)))
	if err != nil {
		return endless
	}
	return z
}
