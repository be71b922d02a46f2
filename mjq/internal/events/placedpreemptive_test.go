package events

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// takes takes what a job holds on nodes from what is free, if it is there.
func takes(free [][]int, on []onNode) bool {
	for _, o := range on {
		if !fitsIn(o.units, free[o.node]) {
			return false
		}
	}
	for _, o := range on {
		moveUnits(free[o.node], o.units, -1)
	}
	return true
}

// placeIn is where a job would lie with so much free, ties by number; nil if it does not fit.
func (t *placedTwin) placeIn(free [][]int, i int) (on []onNode) {
	s, each := t.Spans[t.jobs[i].Class], t.Spans[t.jobs[i].Class].Each
	if s.Nodes == 0 {
		each = []int{1}
	}
	var nodes []int
	for node := range free {
		if fitsIn(each, free[node]) {
			nodes = append(nodes, node)
		}
	}
	if p, ok := t.Placement.(placement.Numbered); !ok || !p.ByNumber() {
		score := func(x int) float64 { return t.Placement.Score(free[x], t.Kinds[t.kind[x]].Units, each) }
		slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Or(t.kind[a]-t.kind[b], cmp.Compare(score(a), score(b))) })
	}
	left := t.wants(i)
	for _, node := range nodes {
		if left == 0 {
			break
		}
		if s.Nodes > 0 {
			on = append(on, onNode{node, s.Each})
			left--
			continue
		}
		n := min(left, free[node][0])
		on = append(on, onNode{node, []int{n}})
		left -= n
	}
	if left > 0 {
		return nil
	}
	return on
}

// stop has a running job wait again, or leave.
func (t *placedTwin) stop(i int, leaves bool) {
	j := &t.jobs[i]
	t.move(j.on, 1)
	j.left, j.on = j.end-t.now, nil
	j.preemptions++
	t.running = slices.DeleteFunc(t.running, func(k int) bool { return k == i })
	if leaves {
		j.end = t.now
		return
	}
	t.queue = append(t.queue, i)
}

// startOn starts a job on given nodes.
func (t *placedTwin) startOn(i int, on []onNode) {
	for _, o := range on {
		t.move([]onNode{o}, -1)
		t.jobs[i].on = append([]onNode{o}, t.jobs[i].on...)
	}
	t.begin(i)
}

// twinPlacedPreemptive is preemption level by level, first come, first served in each.
func twinPlacedPreemptive(level func(class int) int, leaves bool) func(t *placedTwin) {
	of := func(t *placedTwin, i int) int { return level(t.jobs[i].Class) }
	return inLevels(level, func(t *placedTwin) {
		order := func(a, b int) int { return cmp.Or(of(t, a)-of(t, b), a-b) }
		for l := range 3 {
			for {
				at := slices.IndexFunc(t.queue, func(i int) bool { return of(t, i) == l })
				if at < 0 || !t.displaces(t.queue[at], func(i int) int { return of(t, i) }, leaves) {
					break
				}
				slices.SortFunc(t.queue, order)
			}
		}
	})
}

// share reports whether two jobs lie on a node together.
func (t *placedTwin) share(a, b int) bool {
	return slices.ContainsFunc(t.jobs[a].on, func(x onNode) bool {
		return slices.ContainsFunc(t.jobs[b].on, func(y onNode) bool { return x.node == y.node })
	})
}

// displaces starts a job, if need be in place of some of lower levels, the last of them first; false
// if it has no place.
func (t *placedTwin) displaces(i int, level func(i int) int, leaves bool) bool {
	if t.fits(i) {
		t.start(i)
		return true
	}
	victims := slices.DeleteFunc(slices.Clone(t.running), func(k int) bool { return level(k) <= level(i) })
	slices.SortFunc(victims, func(a, b int) int { return cmp.Or(level(a)-level(b), a-b) })
	var free [][]int
	for _, units := range t.free {
		free = append(free, slices.Clone(units))
	}
	gone := len(victims)
	var on []onNode
	for ; on == nil; on = t.placeIn(free, i) {
		if gone == 0 {
			return false
		}
		gone--
		for _, o := range t.jobs[victims[gone]].on {
			moveUnits(free[o.node], o.units, 1)
		}
	}
	takes(free, on)
	var stopped []int
	for _, k := range victims[gone:] {
		shares := func(other int) bool { return level(k) == level(other) && t.share(k, other) }
		if slices.ContainsFunc(stopped, shares) || !takes(free, t.jobs[k].on) {
			stopped = append(stopped, k)
		}
	}
	for _, k := range stopped {
		t.stop(k, leaves)
	}
	t.startOn(i, on)
	return true
}

// TestPlacedPreemptiveTwins holds preemptive priorities on nodes against their definition, bit for
// bit: when all jobs start and end, and on which nodes they lie each time.
func TestPlacedPreemptiveTwins(t *testing.T) {
	p, waits := policy.Priority{Levels: levelOf}, 0
	for at, n := range placedSystems() {
		rng := rand.New(rand.NewPCG(uint64(at), 41))
		for _, where := range placement.All() {
			for _, how := range []policy.Preemption{policy.Resume, policy.Drop} {
				n.Placement, n.Probs = where, make([]float64, len(n.Spans))
				log := placedLog(rng, n, 150, false)
				bound := p.Preemptive(how)
				pass := twinPlacedPreemptive(levelIn(bound), how == policy.Drop)
				waits += twinned(t, fmt.Sprintf("system %d, %v, %v", at, where, bound), n, bound, nil, pass, log, rng.Uint64())
			}
		}
	}
	if waits < 2000 {
		t.Errorf("only %d jobs wait", waits)
	}
}

// TestPlacedPreemptiveIsPool: on one node the waits are those of a pool, job by job.
func TestPlacedPreemptiveIsPool(t *testing.T) {
	var known []policy.Class
	for c, need := range []int{1, 3, 4} {
		known = append(known, policy.Class{Name: fmt.Sprint(c), Need: need, Units: []int{need}, Nodes: 1, Service: resampled})
	}
	for _, how := range []policy.Preemption{policy.Resume, policy.Restart, policy.Resampled, policy.Drop} {
		p := policy.Priority{Levels: levelOf}.Preemptive(how)
		one := onNodes(1, 8, 1.6, 3, exps(1, 3, 4)...)
		one.Policy, one.Known = p, known
		pool := onNodes(1, 8, 1.6, 3, exps(1, 3, 4)...)
		pool.Policy, pool.Known, pool.Nodes = p, known, nil
		if a, b := one.starts(2000), pool.starts(2000); !slices.Equal(a, b) || !slices.ContainsFunc(a, func(w float64) bool { return w > 0 }) {
			t.Errorf("%v: one node is not a pool", how)
		}
	}
}
