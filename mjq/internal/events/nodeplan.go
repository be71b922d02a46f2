package events

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// nodePlan has the content of every node from now on, by estimates and reservations. A search visits
// all nodes.
type nodePlan struct {
	steps  [][]nodeStep // by node; the last has no end
	fit    []nodeTime   // where a job fits; used again
	active []float64    // ends of the intervals that contain a time; used again
	places []int32      // used again
	closed []int32      // nodes on which the job that Lasts was asked for fits now, but not for long enough
	until  float64      // how long that job stays
	limits bool         // a job that starts takes no more of a node than the plan leaves until then

	booked  []piece       // of the last reservation
	seats   bool          // the next job to start takes these
	stopped []levelOnNode // of the jobs that Returns has refused
}

// nodeStep is the content of a node from a time on.
type nodeStep struct {
	from    float64
	content int32
}

// nodeTime is an interval of time.
type nodeTime struct{ from, to float64 }

// ending is the estimated end of a job that starts at a time. It is always after that time.
func ending(from, length float64) float64 {
	return max(from+length, math.Nextafter(from, math.Inf(1)))
}

// Plan begins a plan from the current contents of the nodes.
func (e *engine) Plan() {
	n := e.nodes
	p := &n.plan
	if p.steps == nil {
		p.steps = make([][]nodeStep, len(n.node))
	}
	for node, c := range n.content {
		p.steps[node] = append(p.steps[node][:0], nodeStep{e.view.Now, c})
	}
}

// Frees plans the end of a running job.
func (e *engine) Frees(id int32, at float64) {
	n := e.nodes
	n.each(&e.system.all[id], func(node, step int32) {
		list := n.plan.steps[node]
		last := &list[len(list)-1]
		if at <= last.from { // it ends together with the last, or it is overdue
			last.content += step
			return
		}
		n.plan.steps[node] = append(list, nodeStep{at, last.content + step})
	})
}

// step is the index of the step of a node that contains a time, which is not before the plan begins.
func (p *nodePlan) step(node int32, at float64) int {
	list := p.steps[node]
	return sort.Search(len(list), func(i int) bool { return list[i].from > at }) - 1
}

// wanted is the number of nodes that a job of a kind needs, or of units if they may lie anywhere.
func (k *jobKind) wanted() int32 {
	if k.Nodes == 0 {
		return int32(k.Each[0])
	}
	return int32(k.Nodes)
}

// gives is the part of wanted that a node with a content provides.
func (n *nodes) gives(content int32, kind int) int32 {
	if n.kinds[kind].Nodes == 0 {
		return n.units[content]
	}
	return int32(n.fit[int(content)*len(n.kinds)+kind])
}

// lasting is the part of wanted that a node provides in the plan during a whole interval of time.
func (n *nodes) lasting(node int32, kind int, from, to float64) (least int32) {
	list := n.plan.steps[node]
	i := n.plan.step(node, from)
	least = n.gives(list[i].content, kind)
	for i++; i < len(list) && list[i].from < to && least > 0; i++ {
		least = min(least, n.gives(list[i].content, kind))
	}
	return least
}

// Earliest is the first time from which a job of a kind has a place for the given length of time.
func (e *engine) Earliest(kind int, length float64) float64 {
	n := e.nodes
	if n.kinds[kind].Nodes == 0 {
		return n.earliestAnywhere(kind, length)
	}
	p := &n.plan
	p.fit = p.fit[:0]
	for _, list := range p.steps {
		for i := 0; i < len(list); i++ {
			if n.gives(list[i].content, kind) == 0 {
				continue
			}
			x := nodeTime{list[i].from, math.Inf(1)}
			for i++; i < len(list) && n.gives(list[i].content, kind) > 0; i++ {
			}
			if i < len(list) {
				x.to = list[i].from
			}
			if ending(x.from, length) > x.to {
				continue
			}
			if p.fit = append(p.fit, x); n.kinds[kind].Nodes == 1 {
				break
			}
		}
	}
	return p.together(n.kinds[kind].Nodes, length)
}

// together is the first time from which count of the intervals last for the given length. It is the
// beginning of one of them.
func (p *nodePlan) together(count int, length float64) float64 {
	if count == 1 {
		return slices.MinFunc(p.fit, func(a, b nodeTime) int { return cmp.Compare(a.from, b.from) }).from
	}
	slices.SortFunc(p.fit, func(a, b nodeTime) int { return cmp.Compare(a.from, b.from) })
	p.active = p.active[:0]
	for i, x := range p.fit {
		p.active = append(p.active, x.to)
		if i+1 < len(p.fit) && p.fit[i+1].from == x.from || len(p.active) < count {
			continue
		}
		to := ending(x.from, length)
		p.active = slices.DeleteFunc(p.active, func(end float64) bool { return end < to })
		if len(p.active) >= count {
			return x.from
		}
	}
	panic("a job does not fit on empty nodes")
}

// earliestAnywhere is Earliest for units that may lie anywhere. It tries all times at which a node gets
// more free units.
func (n *nodes) earliestAnywhere(kind int, length float64) float64 {
	p, wanted := &n.plan, n.kinds[kind].wanted()
	p.active = p.active[:0]
	for _, list := range p.steps {
		for i, x := range list {
			if i == 0 || n.gives(x.content, kind) > n.gives(list[i-1].content, kind) {
				p.active = append(p.active, x.from)
			}
		}
	}
	slices.Sort(p.active)
	for _, from := range slices.Compact(p.active) {
		sum := int32(0)
		for node := range p.steps {
			if sum += n.lasting(int32(node), kind, from, ending(from, length)); sum >= wanted {
				return from
			}
		}
	}
	panic("a job does not fit on empty nodes")
}

// Book reserves the nodes that the placement prefers among those on which the job fits. Ties go to the
// lowest number.
func (e *engine) Book(kind int, from, length float64) {
	n := e.nodes
	p, k, to := &n.plan, &n.kinds[kind], ending(from, length)
	p.places = p.places[:0]
	for node := range p.steps {
		if n.lasting(int32(node), kind, from, to) > 0 {
			p.places = append(p.places, int32(node))
		}
	}
	if !n.numbered {
		rank := func(node int32) int32 { return k.group[k.rank[p.steps[node][p.step(node, from)].content]] }
		slices.SortStableFunc(p.places, func(a, b int32) int { return cmp.Compare(rank(a), rank(b)) })
	}
	p.booked, p.stopped = p.booked[:0], p.stopped[:0]
	for left, i := k.wanted(), 0; left > 0; i++ {
		node := p.places[i]
		take := min(left, n.lasting(node, kind, from, to))
		p.take(node, take*k.step, from, to)
		p.booked = append(p.booked, piece{node: node, step: take * k.step})
		left -= take
	}
}

// take changes the content of a node from a time to another.
func (p *nodePlan) take(node, step int32, from, to float64) {
	first, end := p.cut(node, from), p.cut(node, to)
	for i := first; i < end; i++ {
		p.steps[node][i].content -= step
	}
}

// cut makes a step of a node begin at a time, and returns its index.
func (p *nodePlan) cut(node int32, at float64) int {
	i := p.step(node, at)
	if list := p.steps[node]; list[i].from < at {
		i++
		p.steps[node] = slices.Insert(list, i, nodeStep{at, list[i-1].content})
	}
	return i
}

// Lasts reports whether a job of a kind has a place now for the given length of time.
func (e *engine) Lasts(kind int, length float64) bool {
	n := e.nodes
	p, now := &n.plan, e.view.Now
	p.closed, p.until = p.closed[:0], ending(now, length)
	left := n.kinds[kind].wanted()
	for r := n.ranks[kind].least(); r >= 0; r = n.ranks[kind].from(r + 1) {
		for _, node := range n.with[n.kinds[kind].order[r]] {
			x := min(n.gives(n.content[node], kind), n.lasting(node, kind, now, p.until))
			if left -= x; x == 0 {
				p.closed = append(p.closed, node)
			}
		}
	}
	slices.Sort(p.closed)
	return left <= 0
}

// StartLasting starts a job at such a place.
func (e *engine) StartLasting(id int32) {
	n, j, now := e.nodes, &e.system.all[id], e.view.Now
	n.plan.limits = true
	e.startApart(id, n.plan.closed)
	n.plan.limits = false
	n.each(j, func(node, step int32) { n.plan.take(node, step, now, n.plan.until) })
}

// startApart starts a job on nodes that are not closed to it.
func (e *engine) startApart(id int32, closed []int32) {
	n, now := e.nodes, e.view.Now
	for _, node := range closed {
		n.leave(node, now)
	}
	(*Simulator)(e).start(id)
	for _, node := range closed {
		n.join(node, now)
	}
}
