package exact

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// sleepy is for servers that sleep and jobs that are alike: the chain of the jobs and of the servers that
// are on. From the number of jobs on that needs all servers its levels repeat.
var sleepy = &solver{
	needs: spec.Sleeping, serves: spec.Ordered,
	refuses: spec.Sent | spec.Looped | spec.Marked | spec.Dependent | spec.Periodic,
	faults: func(f *check.Faults, s *spec.Spec) {
		f.That(s.Arrivals == nil || s.Poisson(), "arrivals %v along with Sleep: Poisson arrivals are solved exactly; use mjq.Simulation{}", s.ArrivalName())
		f.That(!s.Features().Has(spec.Sent), "Users along with Sleep are not solved exactly; use mjq.Simulation{}")
		_, ok := law.MemorylessRate(s.Sleep.Setup)
		f.That(ok && s.Sleep.After.Mean() == 0, "Sleep: servers that go off at once, with an exponential setup, are solved exactly; use mjq.Simulation{}")
		first := &s.Classes[0]
		for i := range s.Classes {
			c := &s.Classes[i]
			rate, ok := law.MemorylessRate(c.Service)
			of, _ := law.MemorylessRate(first.Service)
			f.That(ok && rate == of && c.Need == first.Need, "Sleep: class %q: jobs of one need and one exponential service time are solved exactly; use mjq.Simulation{}", c.Name)
		}
	},
	size: func(_ context.Context, w *work) (Size, error) {
		x := newSleeper(w.Spec)
		return sizeOf(x.size()), nil
	},
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "chain of the jobs and of the servers that are on: Gandhi, Doroudi, Harchol-Balter and Scheller-Wolf (2013) for one server a job") {
			return nil, nil
		}
		x := newSleeper(w.Spec)
		graph, err := chain.Explore(ctx, x.rule(), w.limits(x.size().Flops), awake{0, x.least})
		if err != nil {
			return nil, err
		}
		law, err := graph.Stationary(ctx, w.limits(x.size().Flops))
		if err != nil {
			return nil, err
		}
		a, n := &Answer{Notes: []string{fmt.Sprintf("The truncation error is negligible: the chain of %d states ends at %d jobs, and more are there with a probability below %.0e.", len(graph.States), x.most, sleepCut)}}, len(w.Classes)
		jobs, atOnce, served := 0.0, 0.0, 0.0
		a.Jobs.P = make([]float64, x.most+1)
		graph.Each(law, func(s awake, p float64) {
			running := min(s.jobs, s.on/x.need)
			a.Jobs.P[s.jobs] += p
			jobs, served = jobs+p*float64(s.jobs), served+p*float64(running)
			a.On, a.Setup = a.On+p*float64(s.on), a.Setup+p*float64(x.wanted(s.jobs)-s.on)
			if s.on/x.need > s.jobs {
				atOnce += p
			}
			if s.jobs > running {
				a.Wasted += p * float64(x.servers-running*x.need)
			}
		})
		wait := jobs/w.Rate() - 1/x.rate
		for k := range n {
			share := w.Classes[k].Prob
			a.Wait, a.NoWait = append(a.Wait, wait), append(a.NoWait, atOnce)
			a.Queue, a.Served = append(a.Queue, share*(jobs-served)), append(a.Served, share*served)
		}
		a.Busy = served * float64(x.need)
		a.Notes = append(a.Notes, "There are means but no variances and distributions: the chain counts jobs. Use mjq.Simulation{} for distributions.")
		return a, nil
	},
}

// sleepCut is the probability of more jobs than the chain has.
const sleepCut = 1e-17

// awake is a state: jobs, and servers that are on.
type awake struct{ jobs, on int }

// sleeper is the chain.
type sleeper struct {
	servers, need, least, full, most int
	lambda, rate, setup              float64
}

func newSleeper(s *spec.Spec) *sleeper {
	x := &sleeper{servers: s.Servers, need: s.Classes[0].Need, least: s.Awake, lambda: s.Rate()}
	x.rate, _ = law.MemorylessRate(s.Classes[0].Service)
	x.setup, _ = law.MemorylessRate(s.Sleep.Setup)
	x.full = s.Servers / x.need
	x.most = x.full + int(check.Whole(math.Ceil(math.Log(sleepCut)/math.Log(x.decay())), 1, 1e7))
	return x
}

// decay is by which factor at most the probabilities of the numbers of jobs fall: each number of servers
// on, with the setups that go on, has a factor of its own, the least root of a quadratic.
func (x *sleeper) decay() (most float64) {
	for on := x.least; on <= x.wanted(x.full); on++ {
		serve := float64(on/x.need) * x.rate
		leave := float64(x.wanted(x.full)-on) * x.setup
		sum := x.lambda + serve + leave
		root := 2 * x.lambda / (sum + math.Sqrt(max(0, sum*sum-4*x.lambda*serve)))
		most = max(most, root)
	}
	return min(most, 1-1e-9)
}

// wanted is how many servers are needed for so many jobs.
func (x *sleeper) wanted(jobs int) int { return max(min(jobs, x.full)*x.need, x.least) }

func (x *sleeper) size() chain.Size {
	phases := float64(x.wanted(x.full) - x.least + 1)
	n := float64(x.most) * phases
	return chain.Size{States: n, Bytes: 24 * n * phases, Flops: 8 * n * phases * phases}
}

func (x *sleeper) rule() chain.Rule[awake, awake] {
	return chain.Rule[awake, awake]{Key: func(s awake) awake { return s }, Layer: func(s awake) int { return s.jobs },
		Moves: func(_ context.Context, s awake, to func(awake, float64)) {
			if s.jobs < x.most {
				to(awake{s.jobs + 1, s.on}, x.lambda)
			}
			if running := min(s.jobs, s.on/x.need); running > 0 {
				to(awake{s.jobs - 1, min(s.on, x.wanted(s.jobs-1))}, float64(running)*x.rate)
			}
			if off := x.wanted(s.jobs) - s.on; off > 0 {
				to(awake{s.jobs, s.on + 1}, float64(off)*x.setup)
			}
		}}
}

// energy tells a result how many servers are on.
func (a *Answer) energy(s *spec.Spec, r *result.Result) {
	if s.Sleep != nil {
		r.Energy.On, r.Energy.Setup = a.known(a.On), a.known(a.Setup)
	}
}
