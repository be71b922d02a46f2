package compiled

import (
	"sync"

	"github.com/mjqueue/mjq/mjq/placement"
)

// Nodes are nodes that hold the units of a system, and what each class needs on them.
type Nodes struct {
	Kinds     []NodeKind // in the order of preference
	Spans     []Span     // by class
	Probs     []float64  // by class, of any job
	Placement placement.Placement
	Typed     bool // averages are wanted by type of resource

	once sync.Once
	made any
}

// NodeKind is nodes that are alike.
type NodeKind struct {
	Count int
	Units []int // on each, by type of resource
}

// Span is what a job holds: as many different nodes, with as many units on each.
type Span struct {
	Nodes int   // 0: units of one type, wherever they are free
	Each  []int // by type of resource; of units anywhere all of them
}

// Once is what make made of the nodes the first time, which goroutines share.
func (n *Nodes) Once(make func() any) any {
	n.once.Do(func() { n.made = make() })
	return n.made
}

// Contents is how many different contents nodes of so many kinds could have, each with at most
// so many units of each type.
func Contents(kinds []NodeKind) float64 {
	n := float64(len(kinds))
	for j := range kinds[0].Units {
		n *= float64(Most(kinds, j) + 1)
	}
	return n
}

// Bytes is about what the nodes take for each goroutine.
func (n *Nodes) Bytes() float64 {
	nodes := 0.0
	for _, k := range n.Kinds {
		nodes += float64(k.Count)
	}
	return 40*nodes + Contents(n.Kinds)*(80+20*float64(len(n.Spans)))
}

// Most is how many units of a type a node has at most.
func Most(kinds []NodeKind, j int) (most int) {
	for _, k := range kinds {
		most = max(most, k.Units[j])
	}
	return most
}

// units are those of all nodes, and by type of resource where averages of types are wanted.
func (n *Nodes) units() (all int, byType []int) {
	byType = make([]int, len(n.Kinds[0].Units))
	for _, k := range n.Kinds {
		for j, units := range k.Units {
			byType[j] += k.Count * units
		}
	}
	all = sum(byType)
	if !n.Typed {
		byType = nil
	}
	return all, byType
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}
