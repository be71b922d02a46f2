package events

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// placedTwin is a simulator of nodes, written as the definitions stand and with no regard for
// cost: every question goes through all nodes and the whole queue.
type placedTwin struct {
	*compiled.Nodes
	now     float64
	jobs    []placedJob
	free    [][]int          // by node and type
	kind    []int            // by node
	alike   map[string][]int // nodes of one kind with the same free units, in the order in which ties count them
	draws   uint64
	queue   []int
	running []int
	held    [2]float64
	closed  []int              // nodes on which nothing may start now
	limit   func(node int) int // the most units anywhere that a job may take now; nil: any
	pass    func(t *placedTwin)
}

type placedJob struct {
	twinJob
	on  []onNode // while it runs
	lay []onNode // at all times
}

// onNode is what a job holds on a node.
type onNode struct {
	node  int
	units []int
}

func newPlacedTwin(n *compiled.Nodes, log []Logged, key uint64, pass func(t *placedTwin)) *placedTwin {
	t := &placedTwin{Nodes: n, alike: map[string][]int{}, draws: key ^ placeWords, pass: pass}
	for i, k := range n.Kinds {
		for range k.Count {
			t.free, t.kind = append(t.free, slices.Clone(k.Units)), append(t.kind, i)
			t.list(len(t.free)-1, true)
		}
	}
	for _, j := range log {
		t.jobs = append(t.jobs, placedJob{twinJob: twinJob{Logged: j, left: j.Service, start: math.NaN()}})
	}
	return t
}

// list puts a node at the end of the list of those like it, or fills its place by the last.
func (t *placedTwin) list(node int, in bool) {
	key := fmt.Sprint(t.kind[node], t.free[node])
	list := t.alike[key]
	if in {
		t.alike[key] = append(list, node)
		return
	}
	list[slices.Index(list, node)] = list[len(list)-1]
	t.alike[key] = list[:len(list)-1]
}

func (t *placedTwin) run() {
	for next := 0; next < len(t.jobs) || len(t.running) > 0; {
		before := t.now
		t.now = math.Inf(1)
		if next < len(t.jobs) {
			t.now = t.jobs[next].Arrival
		}
		for _, i := range t.running {
			t.now = min(t.now, t.jobs[i].end)
		}
		if head := t.head(); head >= 0 && !t.fits(head) && t.enough(head) {
			t.held[0] += t.now - before
			for _, free := range t.free {
				for _, n := range free {
					t.held[1] += (t.now - before) * float64(n)
				}
			}
		}
		for again := true; again; {
			slices.SortStableFunc(t.running, func(a, b int) int { return cmp.Compare(t.jobs[a].end, t.jobs[b].end) })
			for len(t.running) > 0 && t.jobs[t.running[0]].end <= t.now {
				t.move(t.jobs[t.running[0]].on, 1)
				t.running = t.running[1:]
			}
			for ; next < len(t.jobs) && t.jobs[next].Arrival == t.now; next++ {
				t.queue = append(t.queue, next)
			}
			t.pass(t)
			again = slices.ContainsFunc(t.running, func(i int) bool { return t.jobs[i].end == t.now })
		}
	}
}

func (t *placedTwin) head() int {
	if len(t.queue) == 0 {
		return -1
	}
	return t.queue[0]
}

// move gives units of nodes back, or takes them.
func (t *placedTwin) move(on []onNode, times int) {
	for _, o := range on {
		t.list(o.node, false)
		moveUnits(t.free[o.node], o.units, times)
		t.list(o.node, true)
	}
}

// enough reports whether the units of all nodes together suffice.
func (t *placedTwin) enough(i int) bool {
	s := t.Spans[t.jobs[i].Class]
	for k, n := range s.Each {
		sum := 0
		for _, free := range t.free {
			sum += free[k]
		}
		if sum < n*max(1, s.Nodes) {
			return false
		}
	}
	return true
}

func (t *placedTwin) fits(i int) bool {
	s := t.Spans[t.jobs[i].Class]
	if s.Nodes == 0 {
		return t.enough(i)
	}
	n := 0
	for _, free := range t.free {
		if fitsIn(s.Each, free) {
			n++
		}
	}
	return n >= s.Nodes
}

// choose is the node for units, of those that are not taken.
func (t *placedTwin) choose(each []int, taken []int) int {
	var best []int
	rate := func(node int) (int, float64) {
		return t.kind[node], t.Placement.Score(t.free[node], t.Kinds[t.kind[node]].Units, each)
	}
	for node := range t.free {
		if slices.Contains(taken, node) || !fitsIn(each, t.free[node]) {
			continue
		}
		if len(best) > 0 {
			kind, score := rate(node)
			k, s := rate(best[0])
			if kind > k || kind == k && score > s {
				continue
			} else if kind < k || score < s {
				best = best[:0]
			}
		}
		best = append(best, node)
	}
	if p, ok := t.Placement.(placement.Numbered); ok && p.ByNumber() {
		for node := range t.free {
			if !slices.Contains(taken, node) && fitsIn(each, t.free[node]) {
				return node
			}
		}
	}
	var all []int // in the order of the free units, and of the lists
	slices.SortStableFunc(best, func(a, b int) int { return slices.Compare(t.free[a], t.free[b]) })
	for at, node := range best {
		if at == 0 || !slices.Equal(t.free[node], t.free[best[at-1]]) {
			for _, x := range t.alike[fmt.Sprint(t.kind[node], t.free[node])] {
				if !slices.Contains(taken, x) {
					all = append(all, x)
				}
			}
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	t.draws += 0x9e3779b97f4a7c15
	return all[scrambled(t.draws)>>32*uint64(len(all))>>32]
}

func (t *placedTwin) start(i int) {
	j := &t.jobs[i]
	s := t.Spans[j.Class]
	switch s.Nodes {
	case 0:
		taken := slices.Clone(t.closed)
		for left := s.Each[0]; left > 0; {
			node := t.choose([]int{1}, taken)
			n := min(left, t.free[node][0])
			if t.limit != nil {
				n = min(n, t.limit(node))
			}
			t.list(node, false)
			taken = append(taken, node)
			j.on = append([]onNode{{node, []int{n}}}, j.on...)
			left -= n
		}
		for _, o := range slices.Backward(j.on) {
			moveUnits(t.free[o.node], o.units, -1)
			t.list(o.node, true)
		}
	default:
		taken := slices.Clone(t.closed)
		for range s.Nodes {
			node := t.choose(s.Each, taken)
			t.list(node, false)
			taken = append(taken, node)
		}
		for _, node := range taken[len(t.closed):] {
			moveUnits(t.free[node], s.Each, -1)
			t.list(node, true)
			j.on = append([]onNode{{node, s.Each}}, j.on...)
		}
	}
	t.begin(i)
}

// begin has a job run on the nodes that it has.
func (t *placedTwin) begin(i int) {
	j := &t.jobs[i]
	if math.IsNaN(j.start) {
		j.start = t.now
	}
	j.from, j.end, j.lay = t.now, t.now+j.left, append(j.lay, j.on...)
	t.queue = slices.DeleteFunc(t.queue, func(k int) bool { return k == i })
	t.running = append(t.running, i)
}

// larger compares jobs by what they need and by how many nodes they lie on, the largest first.
func (t *placedTwin) larger(a, b int) int {
	x, y := t.Spans[t.jobs[a].Class], t.Spans[t.jobs[b].Class]
	return -cmp.Or(cmp.Compare(x.Each[0]*max(1, x.Nodes), y.Each[0]*max(1, y.Nodes)), cmp.Compare(x.Nodes, y.Nodes))
}

// placedTwins are the policies with what they do.
var placedTwins = []struct {
	policy.Policy
	pass func(t *placedTwin)
}{
	{policy.FCFS{}, func(t *placedTwin) {
		for len(t.queue) > 0 && t.fits(t.queue[0]) {
			t.start(t.queue[0])
		}
	}},
	{policy.FirstFit{}, func(t *placedTwin) {
		for _, i := range slices.Clone(t.queue) {
			if t.fits(i) {
				t.start(i)
			}
		}
	}},
	{policy.EASY().Estimates(policy.Given()), (*placedTwin).easy},
	{policy.Backfill{Depth: 2, By: policy.Given()}, twinPlacedBackfill(2)},
	{policy.Conservative().Estimates(policy.Given()), twinPlacedBackfill(math.MaxInt)},
	{policy.MostServersFirst{}, func(t *placedTwin) {
		queue := slices.Clone(t.queue)
		slices.SortStableFunc(queue, t.larger)
		for _, i := range queue {
			if t.fits(i) {
				t.start(i)
			}
		}
	}},
	{policy.LeastServersFirst{}, func(t *placedTwin) {
		queue := slices.Clone(t.queue)
		slices.SortStableFunc(queue, func(a, b int) int { return t.larger(b, a) })
		for _, i := range queue {
			if !t.fits(i) {
				return
			}
			t.start(i)
		}
	}},
	{policy.Window{Jobs: 3}, func(t *placedTwin) {
		for again := true; again; {
			again = false
			first := slices.Clone(t.queue[:min(3, len(t.queue))])
			slices.SortStableFunc(first, t.larger)
			for _, i := range first {
				if t.fits(i) {
					t.start(i)
					again = true
					break
				}
			}
		}
	}},
}

// after is what is free on the nodes once the running jobs have ended that are thought to by a
// time.
func (t *placedTwin) after(at float64) [][]int {
	free := slices.Clone(t.free)
	for _, i := range t.running {
		if max(t.now, t.jobs[i].from+t.jobs[i].Estimate) <= at {
			for _, o := range t.jobs[i].on {
				free[o.node] = slices.Clone(free[o.node])
				moveUnits(free[o.node], o.units, 1)
			}
		}
	}
	return free
}

// reserve is the nodes that a job has at its shadow time, which is returned, and what is free on
// all of them then once it is there.
func (t *placedTwin) reserve(i int) (shadow float64, nodes []int, free [][]int) {
	s := t.Spans[t.jobs[i].Class]
	var times []float64
	for _, r := range t.running {
		times = append(times, max(t.now, t.jobs[r].from+t.jobs[r].Estimate))
	}
	slices.Sort(times)
	for _, shadow = range times {
		free, nodes = t.after(shadow), nil
		for node := range free {
			if fitsIn(s.Each, free[node]) {
				nodes = append(nodes, node)
			}
		}
		if len(nodes) >= s.Nodes {
			break
		}
	}
	slices.SortStableFunc(nodes, func(a, b int) int {
		if p, ok := t.Placement.(placement.Numbered); ok && p.ByNumber() {
			return a - b
		}
		score := func(x int) float64 { return t.Placement.Score(free[x], t.Kinds[t.kind[x]].Units, s.Each) }
		return cmp.Or(t.kind[a]-t.kind[b], cmp.Compare(score(a), score(b)))
	})
	nodes = nodes[:s.Nodes]
	for _, node := range nodes {
		free[node] = slices.Clone(free[node])
		moveUnits(free[node], s.Each, -1)
	}
	return shadow, nodes, free
}

// startApart starts a job on other nodes than some.
func (t *placedTwin) startApart(i int, closed []int) {
	for _, node := range closed {
		t.list(node, false)
	}
	t.closed = closed
	t.start(i)
	t.closed = nil
	for _, node := range closed {
		t.list(node, true)
	}
}

// easy starts jobs behind the head that end by its shadow time, or that leave its nodes.
func (t *placedTwin) easy() {
	for len(t.queue) > 0 && t.fits(t.queue[0]) {
		t.start(t.queue[0])
	}
	if len(t.queue) < 2 {
		return
	}
	shadow, nodes, free := t.reserve(t.queue[0])
	for _, i := range slices.Clone(t.queue[1:]) {
		j := &t.jobs[i]
		each := t.Spans[j.Class].Each
		var closed []int
		places := 0
		for node := range t.free {
			switch {
			case !fitsIn(each, t.free[node]):
			case slices.Contains(nodes, node) && !fitsIn(each, free[node]):
				closed = append(closed, node)
			default:
				places++
			}
		}
		if t.now+j.Estimate <= shadow {
			if t.fits(i) {
				t.start(i)
			}
			continue
		}
		if places < t.Spans[j.Class].Nodes {
			continue
		}
		slices.SortFunc(closed, func(a, b int) int { return slices.Index(nodes, a) - slices.Index(nodes, b) })
		t.startApart(i, closed)
		for _, o := range t.jobs[i].on {
			if slices.Contains(nodes, o.node) {
				moveUnits(free[o.node], o.units, -1)
			}
		}
	}
}

// placedSystems are nodes of one kind and of two, with jobs on one, on several and anywhere.
func placedSystems() []*compiled.Nodes {
	return []*compiled.Nodes{
		{Kinds: []compiled.NodeKind{{Count: 5, Units: []int{4}}}, Spans: []compiled.Span{{Nodes: 1, Each: []int{1}}, {Nodes: 1, Each: []int{2}}, {Nodes: 1, Each: []int{3}}, {Nodes: 2, Each: []int{4}}}},
		{Kinds: []compiled.NodeKind{{Count: 3, Units: []int{8}}, {Count: 4, Units: []int{3}}}, Spans: []compiled.Span{{Nodes: 1, Each: []int{1}}, {Nodes: 3, Each: []int{2}}, {Nodes: 1, Each: []int{3}}, {Nodes: 2, Each: []int{6}}, {Nodes: 0, Each: []int{9}}}},
		{Kinds: []compiled.NodeKind{{Count: 3, Units: []int{8}}, {Count: 4, Units: []int{3}}}, Spans: []compiled.Span{{Nodes: 1, Each: []int{1}}, {Nodes: 3, Each: []int{2}}, {Nodes: 1, Each: []int{3}}, {Nodes: 2, Each: []int{6}}}},
		{Kinds: []compiled.NodeKind{{Count: 4, Units: []int{4, 3}}, {Count: 2, Units: []int{5, 0}}}, Typed: true, Spans: []compiled.Span{{Nodes: 1, Each: []int{1, 1}}, {Nodes: 1, Each: []int{3, 0}}, {Nodes: 2, Each: []int{1, 2}}, {Nodes: 1, Each: []int{2, 3}}}},
		{Kinds: []compiled.NodeKind{{Count: 1, Units: []int{7}}}, Spans: []compiled.Span{{Nodes: 1, Each: []int{1}}, {Nodes: 1, Each: []int{4}}, {Nodes: 0, Each: []int{3}}}},
		{Kinds: []compiled.NodeKind{{Count: 80, Units: []int{2}}}, Spans: []compiled.Span{{Nodes: 1, Each: []int{1}}, {Nodes: 1, Each: []int{2}}, {Nodes: 40, Each: []int{1}}, {Nodes: 0, Each: []int{100}}}},
	}
}

// placedLog is jobs that come so fast that most of them wait; no two events are at one time.
func placedLog(rng *rand.Rand, n *compiled.Nodes, jobs int, bunched bool) (log []Logged) {
	now, units, work := 0.0, 0, 0.0
	for _, k := range n.Kinds {
		units += k.Count * k.Units[0]
	}
	for _, s := range n.Spans {
		work += float64(s.Each[0] * max(1, s.Nodes))
	}
	mean := work / float64(len(n.Spans)) / float64(units)
	for range jobs {
		c := rng.IntN(len(n.Spans))
		s := n.Spans[c]
		j := Logged{Arrival: now, Service: rng.ExpFloat64(), Class: c}
		for _, n := range s.Each {
			j.Need += n * max(1, s.Nodes)
		}
		if bunched { // several at a time, and services that end together
			j.Arrival, j.Service = math.Floor(4*now)/4, math.Ceil(2*j.Service)/2
		}
		j.Estimate = j.Service * (0.5 + rng.Float64())
		log = append(log, j)
		now += mean * rng.ExpFloat64()
	}
	return log
}

// sized reports whether a policy goes by the sizes of needs, which of several types are shares.
func sized(p policy.Policy) bool {
	switch p.(type) {
	case policy.MostServersFirst, policy.LeastServersFirst, policy.Window:
		return true
	}
	return false
}

// TestPlacedTwins holds the engine against the twin, bit for bit.
func TestPlacedTwins(t *testing.T) {
	waits := 0
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 39))
		for at, n := range placedSystems() {
			for _, p := range placement.All() {
				n.Placement, n.Probs = p, make([]float64, len(n.Spans))
				bunched := p.String() == "LowestFit" && seed%2 == 1
				log := placedLog(rng, n, 150, bunched)
				for _, twin := range placedTwins {
					if n.Typed && sized(twin.Policy) {
						continue
					}
					log := log
					if b, backfills := twin.Policy.(policy.Backfill); backfills {
						anywhere := slices.ContainsFunc(n.Spans, func(s compiled.Span) bool { return s.Nodes == 0 })
						if b.Depth == 1 && anywhere {
							twin.pass = twinPlacedBackfill(1)
						}
						if b.Depth != 1 || anywhere {
							if seed != 1 {
								continue // its plan is slow
							}
							log = log[:80]
						}
					}
					waits += twinned(t, fmt.Sprintf("seed %d, system %d, %v, %v", seed, at, p, twin.Policy), n, twin.Policy, nil, twin.pass, log, rng.Uint64())
				}
			}
		}
	}
	if waits < 12_000 {
		t.Errorf("only %d jobs wait", waits)
	}
}

// twinned holds the engine against the twin, bit for bit, and returns how many jobs wait.
func twinned(t *testing.T, name string, n *compiled.Nodes, p policy.Policy, owners []policy.Owner, pass func(t *placedTwin), log []Logged, key uint64) (waits int) {
	t.Helper()
	n = &compiled.Nodes{Kinds: n.Kinds, Spans: n.Spans, Probs: n.Probs, Placement: n.Placement, Typed: n.Typed} // whose layout is of this policy
	s := New(compiled.System{Nodes: n, Policy: p, Owners: owners})
	starts, ends := make([]float64, len(log)), make([]float64, len(log))
	on := make([][]onNode, len(log))
	s.Recorded = func(r *Record) { starts[r.Number], ends[r.Number] = r.Start, r.End }
	s.nodes.lies = func(i int64, node, units int) { on[i] = append(on[i], onNode{node, []int{units}}) }
	s.paired = true
	s.ResetTo(Log(log), key)
	s.Handle(math.MaxInt)
	second := newPlacedTwin(n, log, key, pass)
	second.run()
	for i := range log {
		j := &second.jobs[i]
		same := slices.EqualFunc(on[i], j.lay, func(a, b onNode) bool { return a.node == b.node && a.units[0] == totalOf(b.units) })
		if starts[i] != j.start || ends[i] != j.end || !same {
			t.Fatalf("%s: job %d from %v to %v on %v, that of the twin from %v to %v on %v", name, i, starts[i], ends[i], on[i], j.start, j.end, j.lay)
		}
		if j.start > j.Arrival {
			waits++
		}
	}
	got := make([]float64, nodeAverages)
	s.TakeNodes(got, 1)
	if math.Abs(got[0]-second.held[0]) > 1e-9*(1+got[0]) || math.Abs(got[1]-second.held[1]) > 1e-9*(1+got[1]) {
		t.Fatalf("%s: held for %v, stranded %v; the twin %v", name, got[0], got[1], second.held)
	}
	return waits
}
