package exact

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/nodes"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// placed is for jobs on nodes that all are served.
var placed = &solver{
	needs: spec.Placed, refuses: spec.Serving | spec.TypedNodes | spec.Dropping | spec.Arriving,
	faults: func(f *check.Faults, s *spec.Spec) {
		placedArrivals(f, s)
		_, _, err := problem.SizedNodes(s, math.Inf(1))
		f.Join(err)
	},
	size: placedSize,
	most: func(*spec.Spec) string { return "mjq.Simulation{}" },
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "quasi-birth-and-death process of what is on the nodes, as multisets") {
			return nil, nil
		}
		s, err := problem.NodeSystem(w.Spec)
		if err != nil {
			return nil, err
		}
		m, err := s.Queue(ctx, w.Result.Rate, w.how.Bytes(), w.report(0, 1, 1))
		if err != nil {
			return nil, err
		}
		a := placedAnswer(m)
		a.MeanJobs, a.Jobs = m.Mean, result.Count{Factorial: []float64{m.Mean, m.Square}, P: m.Jobs, Decay: m.Decay}
		for k := range w.Classes {
			mean, second := m.Wait(k)
			a.Wait, a.Second = append(a.Wait, mean), append(a.Second, second)
		}
		a.Notes = []string{fmt.Sprintf("There are means and variances but no distributions: on nodes Exact solves a chain with %d configurations while jobs wait. Use mjq.Simulation{} for distributions.", m.States)}
		return a, nil
	},
}

// placedArrivals refuses arrivals that are not Poisson.
func placedArrivals(f *check.Faults, s *spec.Spec) {
	if s.Arrivals != nil && !s.Poisson() {
		f.Add("arrivals %v on nodes: only Poisson arrivals are solved exactly; use mjq.Simulation{}", s.ArrivalName())
	}
}

// placedAnswer is what the chains on nodes tell alike.
func placedAnswer(m *nodes.Measures) *Answer {
	f := m.Fragmentation()
	return &Answer{NoWait: m.AtOnce, Scattered: m.Scattered, Busy: m.Busy, Wasted: m.Wasted, Fragmentation: &f}
}

// placedSize is as if jobs could wait in every configuration, and as
// many configurations had each number of jobs.
func placedSize(_ context.Context, w *work) (Size, error) {
	_, n, err := problem.SizedNodes(w.Spec, math.Inf(1))
	if err != nil {
		return Size{}, err
	}
	z := Size{Phases: int(n.Configs), Levels: n.Jobs + 1, Bytes: 100 * n.Configs * n.Configs, Flops: 160 * math.Pow(n.Configs, 3)}
	for i := range z.Levels {
		upTo := n.Configs * float64(i+1) / float64(z.Levels)
		z.Bytes += 40 * upTo * upTo
		z.Flops += 5 * upTo * upTo * upTo
	}
	return z, nil
}

// placedRoom is for jobs on nodes with room for some that wait.
var placedRoom = &solver{
	needs: spec.Placed, serves: spec.Bounded | spec.Serving, refuses: spec.Impatient | spec.TypedNodes | spec.Dropping | spec.Arriving,
	fits: func(s *spec.Spec) bool { return s.Features().Has(spec.Turning) },
	faults: func(f *check.Faults, s *spec.Spec) {
		_, err := problem.NodeSystem(s)
		f.Join(err)
		placedArrivals(f, s)
	},
	size: func(_ context.Context, w *work) (Size, error) { return sizeOf(placedChain(w.Spec)), nil },
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "chain of what is on the nodes, as multisets, and of how many wait") {
			return nil, nil
		}
		x, err := problem.NodeSystem(w.Spec)
		if err != nil {
			return nil, err
		}
		most := w.limits(placedChain(w.Spec).Flops)
		most.Tolerance = placedTolerance
		m, err := x.Rooms(ctx, w.Rate(), *w.Room, most)
		if err != nil {
			return nil, err
		}
		a := placedAnswer(m)
		a.Blocked, a.BlockedTime, a.Queue, a.Served, a.Jobs = m.Blocked, m.Blocked, m.Queue, m.Served, result.Count{P: m.Jobs}
		a.NoWait = nil
		a.startAtOnce(m.AtOnce)
		for k, c := range w.Classes {
			rate := w.Rate() * c.Prob
			a.Rates = append(a.Rates, rate)
			a.Wait, a.Second = append(a.Wait, m.Queue[k]/(rate*(1-m.Blocked[k]))), append(a.Second, math.NaN())
		}
		a.Notes = []string{fmt.Sprintf("There is no truncation error: the chain has all %d states of the queue.", m.States)}
		if *w.Room == 0 {
			a.neverWait(len(a.Wait))
			return a, nil
		}
		a.Notes = append(a.Notes, "There are means of the waits but no distributions: use mjq.Simulation{} for these.")
		return a, nil
	},
}

// placedTolerance is the relative residual up to which sweeps go where elimination takes too
// long.
const placedTolerance = 1e-13

// placedChain counts the states.
func placedChain(s *spec.Spec) chain.Size {
	x, err := problem.NodeSystem(s)
	if err != nil {
		return chain.Size{}
	}
	z, err := x.Size()
	if err != nil {
		return endless
	}
	n := z.Configs * float64(1+*s.Room)
	layer := 3 * n / float64(z.Jobs+*s.Room+1)
	return chain.Size{States: n, Bytes: min(24*n*layer, 2000*n), Flops: min(8*n*layer*layer, 1e5*n)}
}
