package events

import (
	"cmp"
	"slices"
)

// shadow has the contents of the nodes at the shadow time, after the running jobs that Ends was told
// of, and the reserved nodes.
type shadow struct {
	kind     int     // of the job that Foresee named
	then     []int32 // by node, the content then, if it is touched
	stamp    []int64 // by node, the search that touched it last
	look     int64
	touched  []int32
	fits     int       // nodes on which the job fits then
	places   []int32   // used again
	reserved []reserve // the nodes reserved
}

// reserve is a reserved node, and its content at the shadow time with the reserved job on it.
type reserve struct{ node, left int32 }

// Foresee begins the search for the place of a job of a kind at the shadow time.
func (e *engine) Foresee(kind int) {
	n := e.nodes
	s := &n.shadow
	if s.then == nil {
		s.then, s.stamp = make([]int32, len(n.node)), make([]int64, len(n.node))
	}
	s.kind, s.fits, s.touched, s.reserved = kind, int(n.fits[kind]), s.touched[:0], s.reserved[:0]
	s.look++
}

// Ends takes a running job off the nodes.
func (e *engine) Ends(id int32) bool {
	n, j := e.nodes, &e.system.all[id]
	n.each(j, n.giveBack)
	return n.shadow.fits >= n.kinds[n.shadow.kind].Nodes
}

// giveBack gives units back on a node that is looked at.
func (n *nodes) giveBack(node, step int32) {
	s := &n.shadow
	if s.stamp[node] != s.look {
		s.stamp[node], s.then[node] = s.look, n.content[node]
		s.touched = append(s.touched, node)
	}
	before := n.takes(s.then[node], s.kind)
	s.then[node] += step
	if !before && n.takes(s.then[node], s.kind) {
		s.fits++
	}
}

// takes reports whether a job of a kind fits at a content.
func (n *nodes) takes(content int32, kind int) bool {
	return n.fit[int(content)*len(n.kinds)+kind] != 0
}

// after is the content of a node then.
func (n *nodes) after(node int32) int32 {
	if n.shadow.stamp[node] == n.shadow.look {
		return n.shadow.then[node]
	}
	return n.content[node]
}

// Reserve reserves the nodes that the placement prefers then, ties by number.
func (e *engine) Reserve() {
	n := e.nodes
	s, k := &n.shadow, &n.kinds[n.shadow.kind]
	s.places = s.places[:0]
	for r := n.ranks[s.kind].least(); r >= 0; r = n.ranks[s.kind].from(r + 1) {
		for _, node := range n.with[k.order[r]] { // fewer than the job needs: it has no place now
			if s.stamp[node] != s.look {
				s.places = append(s.places, node)
			}
		}
	}
	for _, node := range s.touched {
		if n.takes(s.then[node], s.kind) {
			s.places = append(s.places, node)
		}
	}
	slices.SortFunc(s.places, func(a, b int32) int {
		if n.numbered {
			return cmp.Compare(a, b)
		}
		return cmp.Or(cmp.Compare(k.group[k.rank[n.after(a)]], k.group[k.rank[n.after(b)]]), cmp.Compare(a, b))
	})
	s.reserved = s.reserved[:0]
	for _, node := range s.places[:k.Nodes] {
		s.reserved = append(s.reserved, reserve{node, n.after(node) - k.step})
	}
}

// closed reports whether a job of a kind on a reserved node would be in the way.
func (n *nodes) closed(r *reserve, kind int) bool {
	return n.takes(n.content[r.node], kind) && !n.takes(r.left, kind)
}

// Spares reports whether a job of a kind has a place that leaves what is reserved.
func (e *engine) Spares(kind int) bool {
	n := e.nodes
	places := int(n.fits[kind])
	for i := range n.shadow.reserved {
		if n.closed(&n.shadow.reserved[i], kind) {
			places--
		}
	}
	return places >= n.kinds[kind].Nodes
}

// StartSparing starts a job at such a place.
func (e *engine) StartSparing(id int32) {
	n, j := e.nodes, &e.system.all[id]
	s := &n.shadow
	s.places = s.places[:0]
	for i := range s.reserved {
		if r := &s.reserved[i]; n.closed(r, j.Kind) {
			s.places = append(s.places, r.node)
		}
	}
	e.startApart(id, s.places)
	n.each(j, func(node, step int32) {
		for i := range s.reserved {
			if r := &s.reserved[i]; r.node == node {
				r.left -= step
			}
		}
	})
}
