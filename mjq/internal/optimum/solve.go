package optimum

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// Solution is the optimal policy of a system.
type Solution struct {
	Cost      float64   // the average weighted number of jobs in the system
	Low       float64   // what no policy can go below, but for rounding
	Error     float64   // of Cost and Jobs, from how the cost moved as the cut grew
	Jobs      []float64 // average number in the system by class
	Cut       int       // jobs at which the queue was cut
	AtCut     float64   // probability of that many
	States    int
	Schedules [][]int // the sets of jobs that may run, by class
	Decided   int     // jobs, waiting or with preemption in the system, up to which Choice is free of the cut's influence
	Choice    []byte  // the schedule by the jobs; see Decisions of package result
}

// Options of a solution.
type Options struct {
	Tolerance float64                   // wanted error, relative
	Bytes     float64                   // memory
	Report    func(done, total float64) // if not nil, told of the cuts done
}

// firstCut is the first cut, unless more jobs may run; it grows by half each time.
const firstCut = 16

// most is the most jobs that run at a time.
func (s *System) most() (jobs int) {
	for _, c := range s.Classes {
		jobs = max(jobs, s.Servers/c.Need)
	}
	return jobs
}

// mostCut keeps numbers of jobs in a byte.
const mostCut = 250

// Solve finds the optimal policy, of a system that has passed Validate and that some
// policy keeps stable. When ctx ends the error is that of ctx, with the solution at the
// last cut, if any.
func (s *System) Solve(ctx context.Context, o Options) (*Solution, error) {
	var last *Solution
	var smaller *iteration
	for cut := max(firstCut, 2*s.most()); ; cut += cut / 2 {
		if err := s.fits(cut, last, o); err != nil {
			return last, err
		}
		it, err := newGraph(s, cut).solve(ctx, smaller)
		if err != nil {
			return last, err
		}
		if it == nil {
			continue
		}
		sol, err := it.solution(ctx)
		if err != nil {
			return last, err
		}
		sol.Error = math.Inf(1)
		if last != nil {
			sol.Error = bound(last, sol) + it.high - it.low
		}
		if o.Report != nil {
			o.Report(float64(cut), float64(cut+cut/2))
		}
		last, smaller = sol, it
		if sol.Error <= o.Tolerance*sol.Cost {
			return sol, nil
		}
	}
}

// bound is the error of the average at a cut, given that at a smaller one: what the two
// differ by is the error at the smaller cut, but for that at the larger, which is less in
// the proportion of the probabilities at the cuts and the squares of the numbers of jobs
// there; a tenth of that gain is given away.
func bound(small, large *Solution) float64 {
	n, m := float64(small.Cut), float64(large.Cut)
	gain := large.AtCut * m * m / (small.AtCut * n * n)
	return math.Abs(large.Cost-small.Cost) * min(1, 10*gain)
}

// fits refuses a cut whose graph would take too much memory.
func (s *System) fits(cut int, last *Solution, o Options) error {
	states := s.size(cut)
	if cut <= mostCut && states*bytesPerState <= o.Bytes {
		return nil
	}
	why := "more than may be taken"
	if last != nil {
		why = fmt.Sprintf("more than MaxBytes allows; with at most %d jobs the optimum has a relative error of %.2g, and the target is %.2g: the rate is too close to the capacity", last.Cut, last.Error/last.Cost, o.Tolerance)
	}
	return chain.Large(states, states*bytesPerState, "about %.2g states and %.2g MB, %s", states, states*bytesPerState/1e6, why)
}

// solution is what the policy found gives.
func (it *iteration) solution(ctx context.Context) (*Solution, error) {
	sol := &Solution{Cost: it.average, Low: it.low, Cut: it.cut, States: it.states, Schedules: it.sets, Decided: it.cut / 2}
	average := func(of func(choice int) float64) (float64, error) {
		own := *it
		g := *it.graph
		own.graph = &g
		g.cost = make([]float64, len(it.graph.cost))
		for c := range g.cost {
			g.cost[c] = of(c)
		}
		own.cost, own.value = make([]float64, it.states), make([]float64, it.states)
		_, err := own.evaluate(ctx, 10_000)
		return own.average, err
	}
	classes := len(it.Classes)
	for k := range it.Classes {
		n, err := average(func(c int) float64 { return float64(it.jobs[c*classes+k]) })
		if err != nil {
			return nil, err
		}
		sol.Jobs = append(sol.Jobs, n)
	}
	full, err := average(func(c int) float64 {
		if it.arrival[c*classes] < 0 {
			return 1
		}
		return 0
	})
	sol.AtCut = full
	sol.Choice = it.choices(sol.Decided)
	return sol, err
}

// choices is the schedule by where the jobs stand in a box of the given side less one: of
// all jobs with preemption; else of those that wait, for each set that runs in turn.
func (it *iteration) choices(most int) []byte {
	copies, boxes := 1, 1
	if !it.Preemptive {
		copies = len(it.sets)
	}
	for range it.Classes {
		boxes *= most + 1
	}
	list := make([]byte, copies*boxes)
	n := make([]int, len(it.Classes))
	for s, at := range it.standing {
		it.unplace(at%it.boxes, n)
		to, ok := 0, true
		for k := len(n) - 1; k >= 0; k-- {
			to = to*(most+1) + n[k]
			ok = ok && n[k] <= most
		}
		if ok {
			list[at/it.boxes*boxes+to] = it.running[it.policy[s]]
		}
	}
	return list
}
