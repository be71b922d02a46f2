package exact

import (
	"context"
	"fmt"

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
		most := w.limits(x.size().Flops)
		graph, err := chain.Explore(ctx, x.rule(), most, awake{0, x.least})
		if err != nil {
			return nil, err
		}
		law, err := graph.Unending(ctx, x.lambda, most)
		if err != nil {
			return nil, err
		}
		a, n := &Answer{Notes: []string{fmt.Sprintf("There is no truncation error: the chain of %d states repeats without end above %d jobs.", len(graph.States), x.full+1)}}, len(w.Classes)
		a.Jobs = result.Count{P: law.Layered(listedLevels, 1e-18), Decay: law.Decay}
		jobs, atOnce, served := 0.0, 0.0, 0.0
		graph.Each(law, func(s awake, p, above, _ float64) {
			running := min(s.jobs, s.on/x.need)
			jobs, served = jobs+p*float64(s.jobs)+above, served+p*float64(running)
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

// awake is a state: jobs, and servers that are on.
type awake struct{ jobs, on int }

// sleeper is the chain.
type sleeper struct {
	servers, need, least, full int
	lambda, rate, setup        float64
}

func newSleeper(s *spec.Spec) *sleeper {
	x := &sleeper{servers: s.Servers, need: s.Classes[0].Need, least: s.Awake, lambda: s.Rate()}
	x.rate, _ = law.MemorylessRate(s.Classes[0].Service)
	x.setup, _ = law.MemorylessRate(s.Sleep.Setup)
	x.full = s.Servers / x.need
	return x
}

// wanted is how many servers are needed for so many jobs.
func (x *sleeper) wanted(jobs int) int { return max(min(jobs, x.full)*x.need, x.least) }

func (x *sleeper) size() chain.Size {
	phases, levels := float64(x.wanted(x.full)-x.least+1), float64(x.full+1)
	return chain.Size{States: levels * phases, Bytes: (80 + 6*levels) * phases * phases, Flops: (160 + 2*levels) * phases * phases * phases}
}

func (x *sleeper) rule() chain.Rule[awake, awake] {
	return chain.Rule[awake, awake]{Key: func(s awake) awake { return s }, Layer: func(s awake) int { return s.jobs },
		Repeat: &chain.Repeat[awake]{From: x.full + 1, Shift: func(s awake, by int) awake { return awake{s.jobs + by, s.on} }},
		Moves: func(_ context.Context, s awake, to func(awake, float64)) {
			to(awake{s.jobs + 1, s.on}, x.lambda)
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
