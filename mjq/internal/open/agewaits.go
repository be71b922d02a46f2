package open

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/result"
)

// Waited is what the jobs of a class see under Markovian arrivals.
type Waited struct {
	Rate         float64 // of their arrivals
	Mean, Second float64 // E[W], E[W²]
	Zero         float64 // P(W = 0), as they see it on arrival
}

// Classes finds the waiting time of each class: with the density of the ages,
//
//	E[W^k] = k! v (-K)^-(k+1) c / λ,
//
// v the rate at which ages begin and c that at which jobs of the class start.
func (s *Ages) Classes() ([]Waited, error) {
	var out []Waited
	for _, c := range s.classes {
		again, err := s.solve(false, c.left)
		if err != nil {
			return nil, err
		}
		out = append(out, Waited{c.rate, floats.Dot(s.waiting, c.left) / c.rate, 2 * floats.Dot(s.waiting, again) / c.rate, c.zero})
	}
	return out, nil
}

// Idleness is what the servers do, averaged over time.
type Idleness struct {
	Idle      float64 // mean number of servers free
	WastedHOL float64 // of these, while jobs are in line
	Empty     float64 // probability that no job is in line
	Nobody    float64 // probability that no job is in the system
}

// Idleness sums over the states.
func (s *Ages) Idleness() (o Idleness) {
	for i, p := range s.zero {
		state := s.ages.zero.list[i]
		o.Idle += p * s.idle(state.node)
		o.Empty += p
		if s.jobs[state.node] == 0 {
			o.Nobody += p
		}
	}
	for i, p := range s.waiting {
		o.WastedHOL += p * s.idle(s.up.list[i].node)
	}
	o.Idle += o.WastedHOL
	return o
}

// Curves finds the distribution of the waiting and of the response time of each
// class, as [Waits.Curves] does; Kind of a service is its class here. The decay
// is the eigenvalue of K nearest to 0.
func (s *Ages) Curves(ctx context.Context, services []Service, workers int) (waiting, response []result.Curve, err error) {
	var e mat.Eigen
	var r *resolvent
	if !within(ctx, func() {
		e.Factorize(s.fluid.K, mat.EigenNone)
		r = newResolvent(s.fluid.K, s.enter)
	}) {
		return nil, nil, context.Cause(ctx)
	}
	fall := math.Inf(1)
	for _, z := range e.Values(nil) {
		fall = min(fall, -real(z))
	}
	var atoms []float64
	for _, c := range s.classes {
		atoms = append(atoms, c.zero)
	}
	return invertAll(ctx, services, atoms, fall, true, workers, func() transform {
		n := len(s.classes)
		return &ageTransform{s, r, r.scratch(), make([]complex128, n), make([]complex128, n)}
	})
}

// ageTransform is the memory of one goroutine that evaluates transforms.
type ageTransform struct {
	*Ages
	geometric         *resolvent
	work              *scratch
	survival, waiting []complex128
}

func (t *ageTransform) at(s complex128) (survival, waiting []complex128) {
	x := t.geometric.solve(s, t.work)
	for i, c := range t.classes {
		var over, starts complex128
		for j, v := range x {
			over += v * complex(c.left[j], 0)
			starts += v * complex(c.start[j], 0)
		}
		t.survival[i] = over / complex(c.rate, 0)
		t.waiting[i] = complex(c.zero, 0) + starts/complex(c.rate, 0)
	}
	return t.survival, t.waiting
}

// doublings is about how many steps the doubling takes.
const doublings = 14
