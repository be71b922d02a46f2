package policy

// ends are the running jobs in the order in which they are thought to end, each with
// its servers: a treap with the sum of the servers of every subtree. An operation
// costs O(log n) on average. Source: Seidel and Aragon, Randomized search trees,
// Algorithmica 16 (1996).
type ends struct {
	nodes []end // by Job.ID + 1; nodes[0] stands for no job
	root  int32
}

type end struct {
	at          float64
	left, right int32
	servers     int
	sum         int // of the subtree
	priority    uint32
}

// before orders by end, and jobs that end together by ID.
func (t *ends) before(x, y int32) bool {
	a, b := t.nodes[x].at, t.nodes[y].at
	return a < b || a == b && x < y
}

// insert takes in a job, by ID and number, that holds so many servers and is thought to
// end at a time.
func (t *ends) insert(id int32, number int64, servers int, at float64) {
	x := id + 1
	for int(x) >= len(t.nodes) {
		t.nodes = append(t.nodes, end{})
	}
	t.nodes[x] = end{at: at, servers: servers, sum: servers, priority: scramble(number)}
	link := &t.root
	for *link != 0 && t.nodes[*link].priority >= t.nodes[x].priority {
		t.nodes[*link].sum += servers
		link = t.towards(*link, x)
	}
	n := &t.nodes[x]
	n.left, n.right = t.split(*link, x)
	t.total(n)
	*link = x
}

// scramble spreads the numbers of jobs, so that equal runs have equal trees.
func scramble(number int64) uint32 {
	p := uint64(number)*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	return uint32((p ^ p>>29) * 0xbf58476d1ce4e5b9 >> 32)
}

// towards is the link below a node on the way to x.
func (t *ends) towards(node, x int32) *int32 {
	if t.before(node, x) {
		return &t.nodes[node].right
	}
	return &t.nodes[node].left
}

func (t *ends) total(n *end) { n.sum = n.servers + t.nodes[n.left].sum + t.nodes[n.right].sum }

// split takes a tree apart into the nodes before x and those after it.
func (t *ends) split(tree, x int32) (before, after int32) {
	if tree == 0 {
		return 0, 0
	}
	n := &t.nodes[tree]
	if t.before(tree, x) {
		n.right, after = t.split(n.right, x)
		before = tree
	} else {
		before, n.left = t.split(n.left, x)
		after = tree
	}
	t.total(n)
	return before, after
}

// remove takes out a job, with its servers, and returns when it was thought to end.
func (t *ends) remove(id int32, servers int) (at float64) {
	x := id + 1
	link := &t.root
	for *link != x {
		t.nodes[*link].sum -= servers
		link = t.towards(*link, x)
	}
	n := &t.nodes[x]
	*link = t.join(n.left, n.right)
	return n.at
}

// join makes one tree of two, all of whose nodes are in order.
func (t *ends) join(before, after int32) int32 {
	switch {
	case before == 0:
		return after
	case after == 0:
		return before
	case t.nodes[before].priority >= t.nodes[after].priority:
		n := &t.nodes[before]
		n.right = t.join(n.right, after)
		t.total(n)
		return before
	default:
		n := &t.nodes[after]
		n.left = t.join(before, n.left)
		t.total(n)
		return after
	}
}

// when is the first end by which jobs have released a given number of servers; forever if those that
// run hold fewer, because servers are down.
func (t *ends) when(servers int) (at float64) {
	for x := t.root; x != 0; {
		n := &t.nodes[x]
		switch left := t.nodes[n.left].sum; {
		case servers <= left:
			x = n.left
			continue
		case servers <= left+n.servers:
			return n.at
		default:
			servers -= left + n.servers
		}
		x = n.right
	}
	return forever
}

// released is how many servers are free of the jobs that end by a time.
func (t *ends) released(by float64) (servers int) {
	for x := t.root; x != 0; {
		n := &t.nodes[x]
		if n.at > by {
			x = n.left
			continue
		}
		servers += t.nodes[n.left].sum + n.servers
		x = n.right
	}
	return servers
}

// each calls f for every job in order.
func (t *ends) each(f func(at float64, servers int)) { t.below(t.root, f) }

func (t *ends) below(x int32, f func(at float64, servers int)) {
	if x == 0 {
		return
	}
	n := t.nodes[x]
	t.below(n.left, f)
	f(n.at, n.servers)
	t.below(n.right, f)
}

// ascend calls f for every job, by ID, in order until it returns false.
func (t *ends) ascend(f func(id int32, at float64) bool) { t.ascendFrom(t.root, f) }

func (t *ends) ascendFrom(x int32, f func(id int32, at float64) bool) bool {
	if x == 0 {
		return true
	}
	n := t.nodes[x]
	return t.ascendFrom(n.left, f) && f(x-1, n.at) && t.ascendFrom(n.right, f)
}

// shift moves the origin of time. The order stays, for rounding keeps it.
func (t *ends) shift(by float64) { t.shiftBelow(t.root, by) }

func (t *ends) shiftBelow(x int32, by float64) {
	if x != 0 {
		t.nodes[x].at -= by
		t.shiftBelow(t.nodes[x].left, by)
		t.shiftBelow(t.nodes[x].right, by)
	}
}
