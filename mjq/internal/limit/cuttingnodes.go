package limit

import (
	"context"
	"fmt"
)

// nodeKind are nodes that are alike, with units of each type of resource.
type nodeKind struct {
	Count int
	Units []int
}

// mixtureOnNodes finds the capacity of units on nodes: a schedule fills every node, or gives it to
// a job that takes whole nodes. Such jobs take nodes of the first kind, every other job its
// units on one node of any kind. The schedule of a price is a knapsack for each kind of nodes
// and one over the nodes of the first.
func mixtureOnNodes(ctx context.Context, nodes []nodeKind, kinds []Kind) (*Mixture, error) {
	p := &onNodes{nodes: nodes, kinds: kinds}
	for _, n := range nodes {
		cells := 1.0
		for _, u := range n.Units {
			cells *= float64(u + 1)
		}
		if cells > mostCells {
			return nil, fmt.Errorf("nodes with %v units: their combinations, %.3g, are more than the %.3g that the knapsack of the linear program is solved for; count resources in larger units", n.Units, cells, float64(mostCells))
		}
		p.knapsacks = append(p.knapsacks, newKnapsack(n.Units, kinds))
	}
	return (&program{kinds: kinds, best: p.best, basis: alone(kinds, p.fit)}).solve(ctx)
}

// onNodes is the knapsack over nodes.
type onNodes struct {
	nodes     []nodeKind
	kinds     []Kind
	knapsacks []*knapsack // by kind of nodes
}

// fit is how many jobs of a kind fit if it runs alone.
func (p *onNodes) fit(k Kind) (jobs int) {
	if k.Nodes > 0 {
		return p.nodes[0].Count / k.Nodes
	}
	for _, n := range p.nodes {
		jobs += n.Count * fitting(n.Units, k)
	}
	return jobs
}

// best is the schedule that is worth most at prices.
func (p *onNodes) best(price []float64) (jobs []int, worth float64) {
	shared := make([]float64, len(price)) // prices of jobs that share nodes
	for k, v := range price {
		if p.kinds[k].Nodes == 0 {
			shared[k] = v
		}
	}
	jobs = make([]int, len(price))
	fill := func(on []int, nodes int) {
		for k, n := range on {
			jobs[k] += nodes * n
		}
	}
	for i, n := range p.nodes[1:] {
		on, each := p.knapsacks[i+1].best(shared)
		fill(on, n.Count)
		worth += each * float64(n.Count)
	}
	on, each := p.knapsacks[0].best(shared)
	count, most := p.whole(price, each)
	taken := 0
	for k, n := range count {
		jobs[k] += n
		taken += n * p.kinds[k].Nodes
	}
	fill(on, p.nodes[0].Count-taken)
	return jobs, worth + most
}

// whole is how many jobs of each kind to give whole nodes of the first kind, and what all these
// nodes are then worth, each of the others being worth so much.
func (p *onNodes) whole(price []float64, each float64) (count []int, worth float64) {
	nodes := p.nodes[0].Count
	value, choice := make([]float64, nodes+1), make([]int, nodes+1)
	for n := 1; n <= nodes; n++ {
		value[n], choice[n] = value[n-1]+each, none
		for k, kind := range p.kinds {
			if kind.Nodes == 0 || kind.Nodes > n {
				continue
			}
			if v := value[n-kind.Nodes] + price[k]; v > value[n] {
				value[n], choice[n] = v, k
			}
		}
	}
	count = make([]int, len(price))
	for n := nodes; n > 0; {
		if k := choice[n]; k != none {
			count[k]++
			n -= p.kinds[k].Nodes
		} else {
			n--
		}
	}
	return count, value[nodes]
}
