package events

import (
	"math/bits"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
)

// nodes keeps a list of the nodes with each content, so that it finds a place without a search over
// nodes. Cost: O(kinds of jobs) for each node that a job takes or leaves; if several contents are
// equally preferred, also the number of those that some node has.
type nodes struct {
	*layout
	content []int32    // by node
	at      []int32    // by node, its place in the list of its content
	with    [][]int32  // by content, the nodes that have it
	fits    []int32    // by kind of job, the nodes on which one fits
	ranks   []*bitset  // by kind of job, the ranks of contents that some node has
	numbers []*bitset  // by kind of job, the nodes on which one fits; nil unless numbered
	time    []presence // by content, of the nodes that have it
	pieces  []piece    // of jobs that hold several nodes
	spare   int32      // a piece that is not in use; they are a list
	taken   []int32    // nodes of the job that is being placed
	state   uint64     // of the numbers that break ties
	job     int64      // that is being placed
	label   []uint64   // by node, a number of the jobs there; nil unless in a pair
	named   bool       // in a pair nodes are told apart by their numbers

	candidates []candidate                    // used again
	held       bool                           // the head of the queue waits although as many units are free as it needs
	parted     [2]float64                     // integrals over time: held, and the free units then
	shadow     shadow                         // the state of the nodes at the shadow time
	down       []bool                         // by node; nil unless nodes fail
	plan       nodePlan                       // of reservations
	lies       func(n int64, node, units int) // told where jobs start, if not nil
}

// piece is a node of a job that holds several.
type piece struct {
	node, step, next int32
}

// place puts the units on nodes. The need of a job must be the sum of the units of its class.
func (s *Simulator) place(n *compiled.Nodes) {
	// All simulators share the layout, under the policy of the first.
	l := n.Once(func() any { return newLayout(n, s.sees) }).(*layout)
	s.nodes = &nodes{layout: l}
	s.nodes.make()
}

// make allocates the memory.
func (n *nodes) make() {
	n.content, n.at = make([]int32, len(n.node)), make([]int32, len(n.node))
	n.with, n.time = make([][]int32, n.contents), make([]presence, n.contents)
	n.fits = make([]int32, len(n.kinds))
	for _, k := range n.kinds {
		n.ranks = append(n.ranks, newBitset(len(k.order)))
		if n.numbered {
			n.numbers = append(n.numbers, newBitset(len(n.node)))
		}
	}
}

// placeWords separates the random numbers that break ties from others of the same key.
const placeWords = 0x2545f4914f6cdd1d

// reset empties all nodes. The key chooses the numbers that break ties.
func (n *nodes) reset(key uint64) {
	for c := range n.with {
		n.with[c] = n.with[c][:0]
	}
	clear(n.time)
	clear(n.fits)
	clear(n.label)
	for k := range n.ranks {
		n.ranks[k].clear()
		if n.numbered {
			n.numbers[k].clear()
		}
	}
	for i, c := range n.node {
		n.content[i] = c
		n.join(int32(i), 0)
	}
	n.pieces, n.spare = n.pieces[:0], nobody
	n.state, n.held, n.parted = key^placeWords, false, [2]float64{}
}

// leave takes a node out of the list of its content.
func (n *nodes) leave(node int32, now float64) {
	c := n.content[node]
	list := n.with[c]
	n.time[c].upTo(now)
	last := list[len(list)-1]
	list[n.at[node]], n.at[last] = last, n.at[node]
	list = list[:len(list)-1]
	n.with[c], n.time[c].jobs = list, len(list)
	fit := n.fit[int(c)*len(n.kinds):][:len(n.kinds)]
	for k, x := range fit {
		n.fits[k] -= int32(x)
	}
	if n.numbered {
		for k, x := range fit {
			if x != 0 {
				n.numbers[k].remove(int(node))
			}
		}
	}
	if len(list) > 0 {
		return
	}
	for k := range n.kinds {
		if r := n.kinds[k].rank[c]; r >= 0 {
			n.ranks[k].remove(int(r))
		}
	}
}

// join puts a node into the list of its content.
func (n *nodes) join(node int32, now float64) {
	c := n.content[node]
	list := n.with[c]
	n.time[c].upTo(now)
	n.at[node] = int32(len(list))
	list = append(list, node)
	n.with[c], n.time[c].jobs = list, len(list)
	fit := n.fit[int(c)*len(n.kinds):][:len(n.kinds)]
	for k, x := range fit {
		n.fits[k] += int32(x)
	}
	if n.numbered {
		for k, x := range fit {
			if x != 0 {
				n.numbers[k].add(int(node))
			}
		}
	}
	if len(list) > 1 {
		return
	}
	for k := range n.kinds {
		if r := n.kinds[k].rank[c]; r >= 0 {
			n.ranks[k].add(int(r))
		}
	}
}

// change adds to the content of a node.
func (n *nodes) change(node, by int32, now float64) {
	if n.down != nil && n.down[node] {
		n.content[node] += by
		return
	}
	n.leave(node, now)
	n.content[node] += by
	n.join(node, now)
}

// choose is the node for a job of a kind, of which there must be one.
func (n *nodes) choose(kind int) int32 {
	if n.numbered {
		return int32(n.numbers[kind].least())
	}
	k, ranks := &n.kinds[kind], n.ranks[kind]
	first := ranks.least()
	if n.label != nil {
		return n.chooseAlike(k, ranks, first)
	}
	list, end := n.with[k.order[first]], int(k.group[first])
	if end == first+1 {
		return list[n.draw(len(list))]
	}
	all := 0
	for r := first; r >= 0 && r < end; r = ranks.from(r + 1) {
		all += len(n.with[k.order[r]])
	}
	at := n.draw(all)
	for r := first; ; r = ranks.from(r + 1) {
		if list = n.with[k.order[r]]; at < len(list) {
			return list[at]
		}
		at -= len(list)
	}
}

// draw is a whole number below a bound, each with the same probability up to 2^-32.
func (n *nodes) draw(bound int) int {
	if bound == 1 {
		return 0
	}
	n.state += golden
	high, _ := bits.Mul64(scrambled(n.state), uint64(bound))
	return int(high)
}

// seize places a job that starts.
func (n *nodes) seize(j *job, now float64) {
	n.job = j.Number
	switch k := &n.kinds[j.Kind]; {
	case n.plan.seats:
		n.placeBooked(j, now)
	case k.Nodes == 1:
		j.at = n.choose(j.Kind)
		n.change(j.at, -k.step, now)
	case k.Nodes == 0:
		n.scatter(j, now)
	default:
		n.spread(j, now)
	}
	if n.label != nil {
		n.marks(j, true)
	}
	if n.lies != nil {
		n.tell(j)
	}
}

// spread places a job on several nodes, none of them twice.
func (n *nodes) spread(j *job, now float64) {
	k := &n.kinds[j.Kind]
	n.taken = n.taken[:0]
	for range k.Nodes {
		node := n.choose(j.Kind)
		n.leave(node, now)
		n.taken = append(n.taken, node)
	}
	j.at = nobody
	for _, node := range n.taken {
		n.content[node] -= k.step
		n.join(node, now)
		j.at = n.keep(piece{node, k.step, j.at})
	}
}

// scatter places a job on the free units of the nodes that are preferred.
func (n *nodes) scatter(j *job, now float64) {
	j.at = nobody
	n.taken = n.taken[:0]
	for left := int32(j.Need); left > 0; {
		node := n.choose(j.Kind)
		take := min(left, n.units[n.content[node]])
		if n.plan.limits {
			take = min(take, n.lasting(node, j.Kind, now, n.plan.until))
		}
		n.leave(node, now)
		n.taken = append(n.taken, node)
		n.content[node] -= take
		j.at = n.keep(piece{node, take, j.at})
		left -= take
	}
	for _, node := range n.taken {
		n.join(node, now)
	}
}

// keep stores a piece and returns its index.
func (n *nodes) keep(p piece) int32 {
	if n.spare == nobody {
		n.pieces = append(n.pieces, p)
		return int32(len(n.pieces) - 1)
	}
	at := n.spare
	n.spare = n.pieces[at].next
	n.pieces[at] = p
	return at
}

// release frees the units of a job.
func (n *nodes) release(j *job, now float64) {
	if n.label != nil {
		n.marks(j, false)
	}
	k := &n.kinds[j.Kind]
	if k.Nodes == 1 {
		n.change(j.at, k.step, now)
		return
	}
	for at := j.at; at != nobody; {
		p := &n.pieces[at]
		n.change(p.node, p.step, now)
		at, p.next, n.spare = p.next, n.spare, at
	}
}

// tell reports where a job lies.
func (n *nodes) tell(j *job) {
	spread := n.kinds[j.Kind].Nodes
	n.each(j, func(node, step int32) {
		units := int(step)
		if spread > 0 {
			units = j.Need / spread
		}
		n.lies(j.Number, int(node), units)
	})
}

// each calls f for the nodes of a job, with its share of their content.
func (n *nodes) each(j *job, f func(node, step int32)) {
	if k := &n.kinds[j.Kind]; k.Nodes == 1 {
		f(j.at, k.step)
		return
	}
	for at := j.at; at != nobody; at = n.pieces[at].next {
		f(n.pieces[at].node, n.pieces[at].step)
	}
}

// placeable reports whether a job of a kind has a place.
func (n *nodes) placeable(kind int) bool { return int(n.fits[kind]) >= n.kinds[kind].Nodes }

// shift moves the origin of time.
func (n *nodes) shift(by float64) {
	for c := range n.time {
		n.time[c].since -= by
	}
}
