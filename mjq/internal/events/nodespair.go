package events

import (
	"cmp"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// candidate is a node that a job may take, by its name.
type candidate struct {
	name uint64
	node int32
}

// chooseAlike is choose for a pair of systems that should coalesce. Equally preferred nodes have the
// same probability, and their names alone decide which of them is taken. Nodes of one name are counted.
// Cost: that of sorting these nodes.
func (n *nodes) chooseAlike(k *jobKind, ranks *bitset, first int) (node int32) {
	n.candidates = n.candidates[:0]
	for r := first; r >= 0 && r < int(k.group[first]); r = ranks.from(r + 1) {
		for _, i := range n.with[k.order[r]] {
			n.candidates = append(n.candidates, candidate{n.name(i), i})
		}
	}
	slices.SortFunc(n.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.node, b.node))
	})
	key, least, same := scrambled(n.state+uint64(n.job)*golden), uint64(math.MaxUint64), uint64(0)
	for i, c := range n.candidates {
		if same++; i == 0 || c.name != n.candidates[i-1].name {
			same = 0
		}
		if x := scrambled(scrambled(key+c.name) + same*golden); x <= least {
			node, least = c.node, x
		}
	}
	return node
}

// golden is odd, so that its multiples differ, and its bits look random.
const golden = 0x9e3779b97f4a7c15

// marks adds a number of the job to the labels of its nodes, or subtracts it.
func (n *nodes) marks(j *job, in bool) {
	mark := scrambled(uint64(j.Number)*golden + 1)
	if !in {
		mark = -mark
	}
	n.each(j, func(node, step int32) { n.label[node] += mark * uint64(step) })
}

// pair prepares one of two systems that should coalesce, which requires the same jobs on the same
// nodes. Under some policies, nodes with the same jobs count as the same node, whatever their numbers,
// so that pairs coalesce earlier. The numbers count if the policy or the placement uses them. They also
// count under RandomFit, because a job then has the same node in both systems more often.
func (n *nodes) pair(p policy.Policy) {
	n.label = make([]uint64, len(n.node))
	_, n.named = n.Placement.(placement.RandomFit)
	n.named = n.named || n.numbered || !p.Properties().Interchangeable || n.down != nil
}

// name identifies a node of a pair by its number, or by its kind and the jobs on it.
func (n *nodes) name(node int32) uint64 {
	if n.named {
		return uint64(node) * golden
	}
	return n.label[node] + uint64(n.node[node])*golden
}

// places is a number that identifies the nodes of a job.
func (n *nodes) places(j *job) (sum uint64) {
	n.each(j, func(node, step int32) { sum += scrambled(n.name(node)+1) * uint64(step) })
	return sum
}
