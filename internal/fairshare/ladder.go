package fairshare

import (
	"math"
	"slices"
)

// Ladder keeps the factors of Fair Tree up to date as usages change. Between two events the usage of
// every node is linear in the integral of the weights, so that each pair of neighbours in the order of
// siblings tells until when it stays. A change of the order then costs the users that it moves and a look
// at their siblings, and no change costs nothing. Accounts that tie have their children merged: while any
// does that has been used, the whole tree is ranked each time.
type Ladder struct {
	continuous // by node
	t          *Tree
	from       []int // by node, its first user
	lines      []line
	several    []int // the nodes with more than one child
	at         []int // by node, its place in the line of its parent
	ahead      []int // by node, the users ahead of it below its parent
	base       []int // by user, the account below whose users its own place counts; -1: that of its node
	local      []int // by user with such an account, the users ahead of it there
	merged     []bool
	next       expiry    // by node, the integral up to which the order below stays
	whole      bool      // the whole tree must be ranked
	factor     []float64 // by user
	moved      []int

	time, started, reached float64 // of the last look at the clock: the time, the origin, the integral
}

// line is the children of an account in order. Pair k is those at the places k and k+1.
type line struct {
	list  []int
	tie   []bool
	until expiry // by pair, the integral up to which its order stays
	ahead []int  // by place, the users before it
}

// Ladder is a ladder of users without usage.
func (t *Tree) Ladder(halfLife float64) *Ladder {
	n := len(t.nodes)
	l := &Ladder{continuous: continuous{half: halfLife, value: make([]float64, n), servers: make([]float64, n), since: make([]float64, n)},
		t: t, from: make([]int, n), lines: make([]line, n), next: newExpiry(n), at: make([]int, n), ahead: make([]int, n), merged: make([]bool, n),
		base: make([]int, len(t.Users)), local: make([]int, len(t.Users)), factor: make([]float64, len(t.Users)), whole: true}
	for i := n - 1; i > 0; i-- {
		if u := t.nodes[i].user; u >= 0 {
			l.from[i] = u
		} else {
			l.from[i] = len(t.Users)
			for _, c := range t.nodes[i].children {
				l.from[i] = min(l.from[i], l.from[c])
			}
		}
	}
	for i := range l.lines {
		for _, c := range t.nodes[i].children {
			if t.nodes[c].users > 0 {
				l.lines[i].list = append(l.lines[i].list, c)
			}
		}
		k := len(l.lines[i].list)
		if k > 1 {
			l.several = append(l.several, i)
		}
		l.lines[i].tie, l.lines[i].until, l.lines[i].ahead = make([]bool, k), newExpiry(k), make([]int, k)
	}
	return l
}

// Begin has a job of a user hold servers from now on.
func (l *Ladder) Begin(user int, servers, now float64) {
	g := l.clock(now)
	for at := l.t.leaf[user]; at > 0; at = l.t.nodes[at].parent {
		l.value[at] = l.used(at, g)
		l.since[at] = g
		l.servers[at] += servers
		if l.merged[at] {
			l.whole = true
		} else if !l.whole {
			l.renew(at, g)
		}
	}
}

// End has it hold them no longer.
func (l *Ladder) End(user int, servers, _, now float64) { l.Begin(user, -servers, now) }

// At writes the usages of the users, all times a factor that is the same for all.
func (l *Ladder) At(now float64, dst []float64) {
	g := l.clock(now)
	for u, at := range l.t.leaf {
		dst[u] = l.used(at, g)
	}
}

// Put gives all users a usage that stands still.
func (l *Ladder) Put(usage []float64) {
	l.t.sum(usage)
	copy(l.value, l.t.usage)
	for i := range l.merged {
		l.whole = l.whole || l.merged[i] && l.value[i] > 0
	}
	for _, i := range l.several {
		for k := range l.lines[i].list[1:] {
			if !l.clear(&l.lines[i], k) {
				l.set(i, k, math.Inf(-1))
			}
		}
	}
}

// clear reports whether a pair whose usages stand still is in order.
func (l *Ladder) clear(x *line, k int) bool {
	a, b := x.list[k], x.list[k+1]
	if !x.tie[k] && l.t.nodes[a].part*l.value[b] > l.t.nodes[b].part*l.value[a]*(1+2*near) {
		return true
	}
	first, second := l.level(a, 0), l.level(b, 0)
	return x.tie[k] == ties(first, second) && first >= second
}

// clock is the integral of the weights up to now. If its origin has moved, all pairs are checked again.
func (l *Ladder) clock(now float64) float64 {
	if now == l.time && l.origin == l.started {
		return l.reached
	}
	origin := l.origin
	g := l.grown(now)
	if l.origin != origin {
		l.recheck()
	}
	l.time, l.started, l.reached = now, l.origin, g
	return g
}

// recheck has the next ranking look at all pairs.
func (l *Ladder) recheck() {
	for _, i := range l.several {
		for k := range l.lines[i].list[1:] {
			l.set(i, k, math.Inf(-1))
		}
	}
}

// set has a pair of the children of an account stay in order up to an integral.
func (l *Ladder) set(at, k int, until float64) {
	x := l.lines[at].until
	x.set(k, until)
	if least := x.least(); least != l.next.at(at) {
		l.next.set(at, least)
	}
}

// used is the usage of a node, given the integral of the weights.
func (l *Ladder) used(at int, g float64) float64 {
	if l.servers[at] == 0 {
		return l.value[at]
	}
	return l.value[at] + l.servers[at]*(g-l.since[at])
}

// Rank finds the factors as of now. It returns the users whose factors have changed, until the next call.
func (l *Ladder) Rank(now float64) (moved []int) {
	g := l.clock(now)
	l.moved = l.moved[:0]
	if l.whole {
		l.rankAll(g)
		return l.moved
	}
	most := 8 * len(l.lines) // changes, from which on the whole tree is ranked sooner
	for n := 0; n < most && l.next.least() < g && !l.whole; n++ {
		at := l.next.before(g)
		l.revise(at, l.lines[at].until.before(g), g)
	}
	l.whole = l.whole || l.next.least() < g
	if l.whole {
		l.rankAll(g)
	}
	return l.moved
}

// Factor is that of a user, as of the last ranking.
func (l *Ladder) Factor(user int) float64 { return l.factor[user] }

// found finds the factor of a user from the places.
func (l *Ladder) found(user int) {
	ahead, below := l.local[user], l.base[user]
	if below < 0 {
		at := l.t.leaf[user]
		ahead, below = l.ahead[at], l.t.nodes[at].parent
	}
	if f := float64(len(l.t.Users)-ahead-l.offset(below)) / float64(len(l.t.Users)); f != l.factor[user] {
		l.factor[user] = f
		l.moved = append(l.moved, user)
	}
}

// offset is the users ahead of all those below an account.
func (l *Ladder) offset(at int) (ahead int) {
	for ; at > 0; at = l.t.nodes[at].parent {
		ahead += l.ahead[at]
	}
	return ahead
}

// rankAll ranks the whole tree.
func (l *Ladder) rankAll(g float64) {
	for i := range l.lines {
		l.t.usage[i] = l.used(i, g)
	}
	l.t.usage[0] = 1 // any, since it is the same for all its children
	l.t.rank()
	for u, f := range l.t.order.factor {
		if f != l.factor[u] {
			l.factor[u] = f
			l.moved = append(l.moved, u)
		}
	}
	l.whole = false
	clear(l.merged)
	for u := range l.base {
		l.base[u] = -1
	}
	for i := range l.lines {
		if len(l.lines[i].list) > 0 && !l.merged[i] {
			l.order(i, g)
		}
		if l.whole {
			return
		}
	}
}

// order finds the order of the children of an account whose levels are those of the tree.
func (l *Ladder) order(at int, g float64) {
	x := &l.lines[at]
	slices.SortStableFunc(x.list, l.t.byLevel)
	for k, i := range x.list {
		l.at[i] = k
		if k > 0 {
			x.tie[k-1] = ties(l.t.level[x.list[k-1]], l.t.level[i])
		}
	}
	l.count(x, 0, len(x.list)-1)
	for k := 0; k < len(x.list); {
		end := k
		for end+1 < len(x.list) && x.tie[end] {
			end++
		}
		if end > k && slices.ContainsFunc(x.list[k:end+1], func(i int) bool { return l.t.nodes[i].user < 0 }) {
			l.merge(at, x.list[k:end+1], g)
		}
		for ; k <= end && k+1 < len(x.list); k++ {
			l.set(at, k, max(g, l.stays(x, k, g)))
		}
		k = end + 1
	}
}

// merge keeps the places of users in siblings that tie, accounts among them, which stay while nothing
// below is used.
func (l *Ladder) merge(at int, list []int, g float64) {
	offset := l.offset(at)
	for _, i := range list {
		if l.used(i, g) != 0 || l.servers[i] != 0 {
			l.whole = true
			return
		}
		for u := l.from[i]; u < l.from[i]+l.t.nodes[i].users; u++ {
			l.base[u], l.local[u] = at, len(l.t.Users)-l.t.order.left[u]-offset
		}
		l.mergeBelow(i)
	}
}

// mergeBelow notes that nodes stand in siblings that are merged.
func (l *Ladder) mergeBelow(at int) {
	l.merged[at] = true
	for k := range l.lines[at].list {
		l.set(at, k, math.Inf(1))
	}
	for _, c := range l.t.nodes[at].children {
		l.mergeBelow(c)
	}
}
