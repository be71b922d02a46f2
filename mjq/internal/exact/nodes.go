package exact

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/nodes"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/queue"
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
		s, err := nodes.Of(w.Compiled())
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
			mean, second := m.Little(k)
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

// placedRoom is for jobs on nodes with room for some that wait, or that give up at one rate.
var placedRoom = &solver{
	needs: spec.Placed, serves: spec.Bounded | spec.Impatient | spec.Serving, refuses: spec.TypedNodes | spec.Dropping | spec.Arriving,
	fits: func(s *spec.Spec) bool { return s.Features().Has(spec.Turning) },
	faults: func(f *check.Faults, s *spec.Spec) {
		_, err := nodes.Of(problem.Compile(s))
		f.Join(err)
		placedArrivals(f, s)
	},
	size: func(_ context.Context, w *work) (Size, error) { return sizeOf(placedChain(w.Spec)), nil },
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "chain of what is on the nodes, as multisets, and of how many wait") {
			return nil, nil
		}
		x, err := nodes.Of(w.Compiled())
		if err != nil {
			return nil, err
		}
		most := w.limits(placedChain(w.Spec).Flops)
		most.Tolerance = placedTolerance
		q := *queue.Of(w.Compiled(), false)
		m, err := x.Rooms(ctx, q, most)
		if err != nil {
			return nil, err
		}
		a := placedAnswer(m)
		a.Blocked, a.BlockedTime, a.Queue, a.Served, a.Jobs = m.Blocked, m.BlockedTime, m.Queue, m.Served, result.Count{P: m.Jobs}
		for _, c := range w.Classes {
			a.Rates = append(a.Rates, w.Rate()*c.Prob)
		}
		a.Notes = []string{fmt.Sprintf("There is no truncation error: the chain has all %d states of the queue.", m.States)}
		if q.Leave > 0 {
			a.Left = m.Left
			if w.Room == nil {
				a.Notes, a.Blocked, a.BlockedTime = []string{cutByPatience(m.States, q.Room)}, nil, nil
			}
		}
		a.startAtOnce(m.AtOnce)
		return a, a.placedWaits(ctx, w, m)
	},
}

// mostOfWaits is up to how many operations of the elimination of a chain its waits are solved for as well.
const mostOfWaits = 2e10

// placedWaits adds the waits, of which the means follow from Little's law in chains that are too
// large for more.
func (a *Answer) placedWaits(ctx context.Context, w *work, m *nodes.Measures) error {
	if w.Room != nil && *w.Room == 0 {
		a.neverWait(len(w.Classes))
		return nil
	}
	if n, layer := placedStates(w.Spec); 8*n*layer*layer < mostOfWaits {
		err := a.waits(w, m.AtOnce, func(k int) (*queue.Wait, error) { return m.Wait(ctx, k, w.how.Bytes()) })
		if large := new(chain.TooLarge); !errors.As(err, &large) {
			return err
		}
		a.Wait, a.Second = nil, nil
	}
	if a.Left != nil {
		a.Notes = append(a.Notes, "There are no waits of the jobs that start: the chain is too large for them. Use InLine, the mean time in the queue of all jobs let in, or mjq.Simulation{}.")
		return nil
	}
	for k, rate := range a.Rates {
		a.Wait, a.Second = append(a.Wait, m.Queue[k]/(rate*(1-m.Blocked[k]))), append(a.Second, math.NaN())
	}
	a.Notes = append(a.Notes, "There are means of the waits but no distributions: the chain is too large for them. Use mjq.Simulation{} for these.")
	return nil
}

// placedTolerance is the relative residual up to which sweeps go where elimination takes too
// long.
const placedTolerance = 1e-13

// placedChain is what the chain takes, by elimination or by sweeps.
func placedChain(s *spec.Spec) chain.Size {
	n, layer := placedStates(s)
	return chain.Size{States: n, Bytes: min(24*n*layer, 2000*n), Flops: min(8*n*layer*layer, 1e5*n)}
}

// placedStates counts the states, and about those of a layer.
func placedStates(s *spec.Spec) (all, layer float64) {
	q := problem.Compile(s)
	x, err := nodes.Of(q)
	if err != nil {
		return 0, 0
	}
	z, err := x.Size()
	if err != nil {
		return math.Inf(1), math.Inf(1)
	}
	room := float64(queue.Of(q, false).Room)
	all = z.Configs * (1 + room)
	return all, 3 * all / (float64(z.Jobs) + room + 1)
}
