package sampler

import (
	"cmp"
	"context"
	"slices"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/spec"
)

// nearby is a smaller queue that is much like the whole: that of the few classes that move
// the waits most, alone on all servers. See sampling.Nearby.
type nearby struct {
	*problem.Problem         // the smaller queue
	kept             []int   // its classes, as the whole numbers them
	Leaves           float64 // about what its waits leave of the variance of those of the whole
}

// Of which queues there is one.
const (
	nearbyNoise  = 1e-4 // of the noise of all: classes that have less together are not kept
	nearbyProb   = 0.1  // of an arrival to be of a class that is kept, at most
	nearbyPhases = 200  // of its exact solution, at most
	nearbyLeaves = 0.5  // of the variance, at most: with more it is not worth while
	nearbyAlone  = 0.05 // and with less, other controls are not worth while
)

// Near is the smaller queue of one at a load, or nil. It is stable, for jobs wait no longer
// when others do not come. How much its waits leave was found on Cell B at five rates, where
// 1/(2 (x-1)² + 3 n) was within a factor of three of the gain, with x how many times as much
// of the capacity the smaller queue has free and n the noise of the other classes.
func Near(ctx context.Context, p *problem.Problem, load float64) *nearby {
	kept, noise := noisiest(p)
	if len(kept) == 0 || nearbyLeaves < 3*noise {
		return nil
	}
	alone := alone(p, kept)
	st, err := limit.Of(ctx, alone, nil)
	if err != nil {
		return nil
	}
	more := (1-alone.Rate()/st.Rate)/(1-load) - 1
	n := &nearby{alone, kept, 2*more*more + 3*noise}
	if !(n.Leaves <= nearbyLeaves) {
		return nil
	}
	return n
}

// noisiest are the classes that have nearly all of the noise p α² E[σ²] and are rare
// together, and the part of it that the others have. There are none where a queue of theirs
// would not be solved.
func noisiest(p *problem.Problem) (kept []int, others float64) {
	if p.Features() != 0 || !p.Poisson() {
		return nil, 1
	}
	noise, order, all := make([]float64, len(p.Classes)), make([]int, len(p.Classes)), 0.0
	for i, c := range p.Classes {
		mean, need := c.Service.Mean(), float64(c.Need)
		noise[i] = c.Prob * need * need * (mean*mean + c.Service.Variance())
		order[i], all = i, all+noise[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(noise[b], noise[a]) })
	prob, rest := 0.0, all
	for _, i := range order {
		prob += p.Classes[i].Prob
		if prob > nearbyProb || rest <= nearbyNoise*all {
			break
		}
		more := append(kept[:len(kept):len(kept)], i)
		if x, err := alone(p, more).OpenIndex(); err != nil || open.SizeOf(x).Phases > nearbyPhases {
			break
		}
		kept, rest = more, rest-noise[i]
	}
	return kept, max(rest/all, 0)
}

// alone is the queue of some classes without the others.
func alone(p *problem.Problem, kept []int) *problem.Problem {
	var classes []spec.Class
	prob := 0.0
	for _, i := range kept {
		classes = append(classes, p.Classes[i])
		prob += p.Classes[i].Prob
	}
	for i := range classes {
		classes[i].Prob /= prob
	}
	return problem.New(&spec.Spec{Servers: p.Servers, Arrivals: arrival.Poisson(p.Rate() * prob), Classes: classes})
}

// solved is the smaller queue for the sampler of a whole of so many classes, with its exact
// moments; nil if they are not found.
func (n *nearby) solved(ctx context.Context, classes int) *sampling.Nearby {
	x, err := n.OpenIndex()
	if err != nil {
		return nil
	}
	sol, err := open.Solve(ctx, x, n.Servers, n.Rate(), nil)
	if err != nil {
		return nil
	}
	s := &sampling.Nearby{Servers: n.Servers, Known: make([]sampling.Known, classes), Waste: sol.Moments().WastedHOL / n.Rate(), Enough: n.Leaves <= nearbyAlone}
	kinds := sol.Kinds()
	for i, c := range n.kept {
		k := kinds[x.Of[i]]
		s.Known[c] = sampling.Known{Kept: true, Mean: k.Mean, Second: k.Second}
	}
	return s
}
