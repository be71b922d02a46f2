package events

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// nodeBooking holds units of a node for a stretch of time.
type nodeBooking struct {
	from, to float64
	units    []int
}

// nodeBookings are those of all nodes.
type nodeBookings [][]nodeBooking

func (b nodeBookings) add(from, to float64, on ...onNode) {
	for _, o := range on {
		b[o.node] = append(b[o.node], nodeBooking{from, to, o.units})
	}
}

// planned is what is free on a node at a time, by plan.
func (t *placedTwin) planned(plan nodeBookings, node int, at float64) []int {
	free := slices.Clone(t.Kinds[t.kind[node]].Units)
	for _, b := range plan[node] {
		if b.from <= at && at < b.to {
			moveUnits(free, b.units, -1)
		}
	}
	return free
}

// gives is what free units of a node give of what a job wants: a node, or units anywhere.
func (t *placedTwin) gives(i int, free []int) int {
	switch s := t.Spans[t.jobs[i].Class]; {
	case s.Nodes == 0:
		return free[0]
	case fitsIn(s.Each, free):
		return 1
	}
	return 0
}

// throughout is what a node gives a job by plan from a time to another: it is fullest where a
// booking begins.
func (t *placedTwin) throughout(plan nodeBookings, node, i int, from, to float64) int {
	least := t.gives(i, t.planned(plan, node, from))
	for _, b := range plan[node] {
		if b.from > from && b.from < to {
			least = min(least, t.gives(i, t.planned(plan, node, b.from)))
		}
	}
	return least
}

// ends is when a job is thought to end that starts at a time, and not at once.
func (t *placedTwin) ends(i int, from float64) float64 {
	return max(from+t.jobs[i].Estimate, math.Nextafter(from, math.Inf(1)))
}

// wants is what a job wants in all.
func (t *placedTwin) wants(i int) int {
	if s := t.Spans[t.jobs[i].Class]; s.Nodes > 0 {
		return s.Nodes
	}
	return t.jobs[i].Need
}

// earliest tries now and every time at which a booking ends.
func (t *placedTwin) earliest(plan nodeBookings, i int) float64 {
	times := []float64{t.now}
	for _, list := range plan {
		for _, b := range list {
			times = append(times, b.to)
		}
	}
	slices.Sort(times)
	for _, from := range slices.Compact(times) {
		sum := 0
		for node := range plan {
			sum += t.throughout(plan, node, i, from, t.ends(i, from))
		}
		if sum >= t.wants(i) {
			return from
		}
	}
	panic("never")
}

// reservation is the units of the nodes that the placement prefers at a time, ties by number.
func (t *placedTwin) reservation(plan nodeBookings, i int, from float64) (on []onNode) {
	s := t.Spans[t.jobs[i].Class]
	each := s.Each
	if s.Nodes == 0 {
		each = []int{1}
	}
	var nodes []int
	for node := range plan {
		if t.throughout(plan, node, i, from, t.ends(i, from)) > 0 {
			nodes = append(nodes, node)
		}
	}
	if p, ok := t.Placement.(placement.Numbered); !ok || !p.ByNumber() {
		score := func(x int) float64 {
			return t.Placement.Score(t.planned(plan, x, from), t.Kinds[t.kind[x]].Units, each)
		}
		slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Or(t.kind[a]-t.kind[b], cmp.Compare(score(a), score(b))) })
	}
	left := t.wants(i)
	for _, node := range nodes {
		if left == 0 {
			break
		}
		n := min(left, t.throughout(plan, node, i, from, t.ends(i, from)))
		left -= n
		if s.Nodes > 0 {
			on = append(on, onNode{node, s.Each})
		} else {
			on = append(on, onNode{node, []int{n}})
		}
	}
	return on
}

// startLasting starts a job where it can stay by plan, if it has room there; false if it has not.
func (t *placedTwin) startLasting(plan nodeBookings, i int) bool {
	var closed []int
	sum := 0
	limit := func(node int) int { return t.throughout(plan, node, i, t.now, t.ends(i, t.now)) }
	for node := range plan {
		really := t.gives(i, t.free[node])
		sum += min(really, limit(node))
		if really > 0 && limit(node) == 0 {
			closed = append(closed, node)
		}
	}
	if sum < t.wants(i) {
		return false
	}
	if t.Spans[t.jobs[i].Class].Nodes == 0 {
		t.limit = limit
	}
	t.startApart(i, closed)
	t.limit = nil
	plan.add(t.now, t.ends(i, t.now), t.jobs[i].on...)
	return true
}

// twinPlacedBackfill is backfilling with so many reservations, each of nodes.
func twinPlacedBackfill(depth int) func(t *placedTwin) {
	return func(t *placedTwin) {
		plan, made := make(nodeBookings, len(t.free)), 0
		for _, i := range t.running {
			plan.add(t.now, max(t.now, t.jobs[i].from+t.jobs[i].Estimate), t.jobs[i].on...)
		}
		for _, i := range slices.Clone(t.queue) {
			if made == depth && t.jobs[i].Estimate == 0 { // it delays no reservation
				if t.fits(i) {
					t.start(i)
				}
				continue
			}
			from := t.earliest(plan, i)
			if from == t.now && t.startLasting(plan, i) || made == depth {
				continue
			}
			made++
			plan.add(from, t.ends(i, from), t.reservation(plan, i, from)...)
		}
	}
}

// planned is EASY by a plan, as it is where units lie anywhere.
type planned struct{ policy.Backfill }

// Scheduler is that for some kind of jobs anywhere.
func (p planned) Scheduler(s policy.System) policy.Scheduler {
	s.Kinds = append(s.Kinds, policy.Kind{})
	return p.Backfill.Scheduler(s)
}

// TestNodePlanSpecialCases: on one node reservations are those of the pool; where all jobs are
// alike, or each takes more than half a node, no job can pass another; and EASY by a plan is EASY.
func TestNodePlanSpecialCases(t *testing.T) {
	const jobs = 1000
	guesses := policy.UniformFactor(1.5)
	for _, name := range []string{"one node", "all alike", "above half"} {
		for _, pol := range []policy.Policy{policy.Conservative(), policy.Conservative().Estimates(guesses), policy.Backfill{Depth: 2}.Estimates(guesses).Kill()} {
			for _, at := range []placement.Placement{placement.WorstFit{}, placement.LowestFit{}} {
				pools[name].compare(t, name, pol, at, jobs)
			}
		}
	}
	easy := policy.EASY().Estimates(guesses)
	p := onNodes(6, 4, 3.5, 3, exps(1, 2, 3, 8)...)
	p.Nodes.Placement, p.Policy = placement.LowestFit{}, easy
	plain := p.starts(jobs)
	if p.Policy = (planned{easy}); !slices.Equal(plain, p.starts(jobs)) {
		t.Error("EASY by a plan is not EASY")
	}
	if p.Policy = policy.Conservative().Estimates(guesses); slices.Equal(plain, p.starts(jobs)) {
		t.Error("more reservations than one make no difference")
	}
}
