package events

import "slices"

// Holds reports whether a job of a kind has a place in the plan now.
func (e *engine) Holds(kind int) bool {
	n := e.nodes
	left := n.kinds[kind].wanted()
	for _, list := range n.plan.steps {
		if left -= n.gives(list[0].content, kind); left <= 0 {
			return true
		}
	}
	return false
}

// levelOnNode is a level of jobs on a node.
type levelOnNode struct {
	node  int32
	level int
}

// Returns puts a job that Frees removed back into the plan, and reports whether it could. Its units
// must still be free in the plan, and no job of its level may have stopped on its nodes.
func (e *engine) Returns(id int32) bool {
	n, j, fits := e.nodes, &e.system.all[id], true
	p, k := &n.plan, &n.kinds[j.Kind]
	n.each(j, func(node, step int32) {
		content := p.steps[node][0].content
		enough := k.Nodes == 0 && n.units[content] >= step || k.Nodes > 0 && n.takes(content, j.Kind)
		fits = fits && enough && !slices.Contains(p.stopped, levelOnNode{node, k.level})
	})
	n.each(j, func(node, step int32) {
		if fits {
			p.steps[node][0].content -= step
		} else {
			p.stopped = append(p.stopped, levelOnNode{node, k.level})
		}
	})
	return fits
}

// StartBooked starts a job at the place booked last.
func (e *engine) StartBooked(id int32) {
	e.nodes.plan.seats = true
	(*Simulator)(e).start(id)
	e.nodes.plan.seats = false
}

// placeBooked places a job on the nodes that are booked for it.
func (n *nodes) placeBooked(j *job, now float64) {
	j.at = nobody
	for _, p := range n.plan.booked {
		n.change(p.node, -p.step, now)
		if n.kinds[j.Kind].Nodes == 1 {
			j.at = p.node
		} else {
			j.at = n.keep(piece{p.node, p.step, j.at})
		}
	}
}
