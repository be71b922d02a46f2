package optimum

import (
	"context"
	"math"
)

// iteration is policy iteration on a graph.
type iteration struct {
	*graph
	policy     []int32   // by state, the choice
	cost, time []float64 // by state, expected until the system is empty under the policy
	value      []float64 // by state, relative: cost - average · time
	average    float64
	low, high  float64 // bounds of the optimal average
}

// converged is the part of the average by which its bounds may differ.
const converged = 1e-9

// mostSweeps are made at a cut. Where they do not suffice the cut is so low that the best
// is never to be empty again and to turn most arrivals away; nothing is learned from it.
const mostSweeps = 20_000

// solve finds the optimal policy of the graph, beginning with the values of a smaller
// one, if any; nil if it does not converge.
func (g *graph) solve(ctx context.Context, smaller *iteration) (*iteration, error) {
	it := &iteration{graph: g, policy: make([]int32, g.states), cost: make([]float64, g.states), time: make([]float64, g.states), value: make([]float64, g.states)}
	it.begin(smaller)
	sweeps := 20
	for done := 0; done < mostSweeps; done += sweeps {
		change, err := it.evaluate(ctx, sweeps)
		if err != nil {
			return nil, err
		}
		better := it.improve()
		if it.high-it.low <= converged*math.Abs(it.average) || better == 0 && change < 1e-13 {
			return it, nil
		}
		if better*1000 < g.states {
			sweeps = 200
		}
	}
	return nil, nil
}

// begin takes the choice with the most servers busy in every state.
func (it *iteration) begin(smaller *iteration) {
	for s := range it.states {
		most := -1
		for _, c := range it.list[it.from[s]:it.from[s+1]] {
			busy := 0
			for k, x := range it.sets[it.running[c]] {
				busy += x * it.Classes[k].Need
			}
			if busy > most {
				most, it.policy[s] = busy, c
			}
		}
	}
	if smaller == nil {
		return
	}
	n := make([]int, len(it.Classes))
	for s, at := range it.standing {
		it.unplace(at%it.boxes, n)
		for k := range n {
			n[k] = min(n[k], smaller.cut/2) // the nearest state that both have
		}
		sum := 0
		for k := range n {
			sum += n[k]
		}
		for k := 0; sum > smaller.cut/2; k = (k + 1) % len(n) {
			if n[k] > 0 {
				n[k]--
				sum--
			}
		}
		if old := smaller.index[at/it.boxes*smaller.boxes+smaller.place(n)]; old >= 0 {
			it.cost[s], it.time[s] = smaller.cost[old], smaller.time[old]
		}
	}
}

// evaluate makes sweeps over the equations of the expected cost and time until the system
// is empty, up and down in turn, and returns the largest relative change of the last.
func (it *iteration) evaluate(ctx context.Context, sweeps int) (change float64, err error) {
	for range sweeps {
		change = 0
		for s := 1; s < it.states; s++ {
			change = max(change, it.relax(s))
		}
		for s := it.states - 1; s > 0; s-- {
			change = max(change, it.relax(s))
		}
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		if change < 1e-13 {
			break
		}
	}
	// From the empty system on, a cycle begins with an arrival.
	rate, cost, time := 0.0, 0.0, 1.0
	for k, c := range it.Classes {
		rate += c.Rate
		next := it.arrival[int(it.policy[0])*len(it.Classes)+k]
		cost += c.Rate * it.cost[next]
		time += c.Rate * it.time[next]
	}
	it.average = cost / time
	for s := range it.value {
		it.value[s] = it.cost[s] - it.average*it.time[s]
	}
	return change, nil
}

// relax solves the equations of one state for its own values.
func (it *iteration) relax(s int) (change float64) {
	c := int(it.policy[s])
	rate, cost, time := 0.0, it.graph.cost[c], 1.0
	at := c * len(it.Classes)
	set := it.sets[it.running[c]]
	for k := range it.Classes {
		class := &it.Classes[k]
		if next := it.arrival[at+k]; next >= 0 {
			rate += class.Rate
			cost += class.Rate * it.cost[next]
			time += class.Rate * it.time[next]
		}
		if next := it.depart[at+k]; next >= 0 {
			r := float64(set[k]) * class.Mu
			rate += r
			cost += r * it.cost[next]
			time += r * it.time[next]
		}
	}
	cost /= rate
	time /= rate
	change = math.Abs(time-it.time[s]) / time
	if cost > 0 {
		change = max(change, math.Abs(cost-it.cost[s])/cost)
	}
	it.cost[s], it.time[s] = cost, time
	return change
}

// improve takes in every state the choice that is best by the values, and finds what
// they leave over of the optimality equation: the least and the greatest bound the
// optimal average.
func (it *iteration) improve() (changed int) {
	it.low, it.high = math.Inf(1), math.Inf(-1)
	for s := range it.states {
		own := it.drift(s, it.policy[s])
		best, choice := own, it.policy[s]
		for _, c := range it.list[it.from[s]:it.from[s+1]] {
			if d := it.drift(s, c); d < best {
				best, choice = d, c
			}
		}
		if best < own-1e-10*(math.Abs(own)+it.average) {
			it.policy[s] = choice
			changed++
		}
		it.low, it.high = min(it.low, best), max(it.high, best)
	}
	return changed
}

// drift is the cost of a choice a unit of time, and what it changes the value by.
func (it *iteration) drift(s int, choice int32) float64 {
	sum, value := it.graph.cost[choice], it.value[s]
	at := int(choice) * len(it.Classes)
	set := it.sets[it.running[choice]]
	for k := range it.Classes {
		class := &it.Classes[k]
		if next := it.arrival[at+k]; next >= 0 {
			sum += class.Rate * (it.value[next] - value)
		}
		if next := it.depart[at+k]; next >= 0 {
			sum += float64(set[k]) * class.Mu * (it.value[next] - value)
		}
	}
	return sum
}
