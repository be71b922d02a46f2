package turned

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/spec"
)

// placed is for jobs on nodes, with Poisson arrivals.
var placed = &solver{
	source: "chain of what is on the nodes, as multisets, and of how many wait",
	size:   placedSize,
	solve: func(ctx context.Context, s *spec.Spec, most chain.Limits) (*answer, error) {
		x, err := problem.NodeSystem(s)
		if err != nil {
			return nil, err
		}
		most.Tolerance = placedTolerance
		m, err := x.Rooms(ctx, s.Rate(), *s.Room, most)
		if err != nil {
			return nil, err
		}
		f := m.Fragmentation()
		a := &answer{blocked: m.Blocked, blockedTime: m.Blocked, atOnce: m.AtOnce, queue: m.Queue, served: m.Served, busy: m.Busy,
			wasted: m.Wasted, jobs: m.Jobs, scattered: m.Scattered, fragmentation: &f, notes: []string{fmt.Sprintf("There is no truncation error: the chain has all %d states of the queue.", m.States)}}
		for k, c := range s.Classes {
			rate := s.Rate() * c.Prob
			a.arrived = append(a.arrived, rate)
			a.mean, a.second = append(a.mean, m.Queue[k]/(rate*(1-m.Blocked[k]))), append(a.second, math.NaN())
		}
		if *s.Room == 0 {
			a.curve, a.second = noCurves(len(a.mean)), make([]float64, len(a.mean))
			return a, nil
		}
		a.notes = append(a.notes, "There are means of the waits but no distributions: use mjq.Simulation{} for these.")
		return a, nil
	},
}

// placedTolerance is the relative residual up to which sweeps go where elimination takes too
// long.
const placedTolerance = 1e-13

// placedFaults says why jobs on nodes are beyond the chain.
func placedFaults(f *check.Faults, s *spec.Spec) {
	_, err := problem.NodeSystem(s)
	f.Join(err)
	if s.Arrivals != nil && !s.Poisson() {
		f.Add("arrivals %v on nodes: only Poisson arrivals are solved exactly; use mjq.Simulation{}", s.ArrivalName())
	}
}

// placedSize counts the states.
func placedSize(s *spec.Spec) chain.Size {
	x, err := problem.NodeSystem(s)
	if err != nil {
		return chain.Size{}
	}
	z, err := x.Size()
	if err != nil {
		return chain.Size{States: 1e300, Bytes: 1e300, Flops: 1e300}
	}
	n := z.Configs * float64(1+*s.Room)
	layer := 3 * n / float64(z.Jobs+*s.Room+1)
	return chain.Size{States: n, Bytes: min(24*n*layer, 2000*n), Flops: min(8*n*layer*layer, 1e5*n)}
}
