package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Places reports whether a job of a kind has a place on the nodes.
func (e *engine) Places(kind int) bool { return e.nodes.placeable(kind) }

// parted reports whether a job of a kind has no place although as many units are free as it
// needs.
func (s *Simulator) parted(kind int) bool {
	return !s.nodes.placeable(kind) && s.view.Enough(kind)
}

// lookAtHead notes whether the head of the queue, a job of the highest level that waits, has no place
// although as many units are free as it needs.
func (s *Simulator) lookAtHead() {
	s.nodes.held = s.view.Jobs > 0 && s.parted(s.head())
}

// head is the kind of the head of the queue, which must not be empty.
func (s *Simulator) head() (kind int) {
	v := s.view
	if h, ok := s.sched.(policy.Header); ok {
		return h.Head(v)
	}
	for v.Waiting[kind] == 0 {
		kind++
	}
	for k := kind + 1; k < len(v.Oldest) && s.nodes.kinds[k].level == s.nodes.kinds[kind].level; k++ {
		if v.Oldest[k] < v.Oldest[kind] {
			kind = k
		}
	}
	return kind
}

// advance adds the time that passes to the integrals.
func (n *nodes) advance(v *policy.View, dt float64) {
	if n.held && v.Jobs > 0 {
		n.parted[0] += dt
		n.parted[1] += dt * float64(v.Free)
	}
}

// nodeAverages is the number of integrals over time: of the time in which the head of the queue is
// held, of the units free then, of free units on nodes where jobs do not fit, and of empty nodes.
const nodeAverages = 4

// nodeKinds are what they are.
var nodeKinds = [nodeAverages]estimate.Kind{estimate.Share, estimate.Share, estimate.Amount, estimate.Amount}

// TakeNodes adds these integrals since the last call, multiplied by times, to dst and resets them.
func (s *Simulator) TakeNodes(dst []float64, times float64) {
	n := s.nodes
	if n == nil {
		return
	}
	dst[0] += times * n.parted[0]
	dst[1] += times * n.parted[1]
	for c := range n.time {
		t := &n.time[c]
		t.upTo(s.view.Now)
		dst[2] += times * (t.integral * n.unfit[c])
		if n.whole[c] {
			dst[3] += times * t.integral
		}
		t.integral = 0
	}
	n.parted = [2]float64{}
}
