package fairshare

import "math"

// renew finds until when a node stays between its neighbours.
func (l *Ladder) renew(at int, g float64) {
	above := l.t.nodes[at].parent
	x := &l.lines[above]
	for k := max(0, l.at[at]-1); k <= l.at[at] && k+1 < len(x.list); k++ {
		l.set(above, k, l.stays(x, k, g))
	}
}

// stays is the integral up to which a pair stays in order and, unless it ties, does not come near a tie.
// It is -Inf if that may be over with the next change of the time.
func (l *Ladder) stays(x *line, k int, g float64) float64 {
	a, b := x.list[k], x.list[k+1]
	first, second := l.t.nodes[a].part, l.t.nodes[b].part
	switch still := l.servers[a] == 0 && l.servers[b] == 0; {
	case second == 0 || still && x.tie[k] && ties(l.level(a, g), l.level(b, g)):
		return math.Inf(1)
	case x.tie[k]:
		return math.Inf(-1)
	}
	// The level of the first is higher by a margin while by and its slope are above 0.
	second *= 1 + 4*near
	by, slope := first*l.used(b, g)-second*l.used(a, g), first*l.servers[b]-second*l.servers[a]
	switch {
	case by <= 0:
		return math.Inf(-1)
	case slope >= 0:
		return math.Inf(1)
	}
	return g - by/slope
}

// level is the level value of a node, times a factor that is the same for its siblings.
func (l *Ladder) level(at int, g float64) float64 {
	if l.t.nodes[at].part == 0 {
		return 0
	}
	u := l.used(at, g)
	if u == 0 {
		return math.Inf(1)
	}
	return l.t.nodes[at].part / u
}

// revise looks at a pair that may have changed, and has those beside it looked at if it has.
func (l *Ladder) revise(at, k int, g float64) {
	x := &l.lines[at]
	a, b := x.list[k], x.list[k+1]
	first, second := l.level(a, g), l.level(b, g)
	tie := ties(first, second)
	switch {
	case !tie && first < second:
		x.list[k], x.list[k+1] = b, a
		l.at[a], l.at[b] = k+1, k
		x.tie[k] = false
		for i := max(0, k-1); i <= k+1 && i+1 < len(x.list); i++ {
			l.set(at, i, math.Inf(-1))
		}
		l.tell(x, k)
		return
	case tie && !(l.merged[a] && l.merged[b]) && (l.t.nodes[a].user < 0 || l.t.nodes[b].user < 0):
		l.whole = true
		return
	case tie != x.tie[k]:
		x.tie[k] = tie
		l.tell(x, k)
	}
	l.set(at, k, max(g, l.stays(x, k, g)))
}

// tell finds the factors of a pair and of those that tie with it.
func (l *Ladder) tell(x *line, k int) {
	low, high := l.count(x, k, k+1)
	for _, i := range x.list[low : high+1] {
		for u := l.from[i]; u < l.from[i]+l.t.nodes[i].users; u++ {
			l.found(u)
		}
	}
}

// count counts the users ahead of those from one place to another, and of those that tie with them.
func (l *Ladder) count(x *line, low, high int) (first, last int) {
	for low > 0 && x.tie[low-1] {
		low--
	}
	for high+1 < len(x.list) && x.tie[high] {
		high++
	}
	for k := low; k <= high; k++ {
		i := x.list[k]
		if k > 0 {
			x.ahead[k] = x.ahead[k-1] + l.t.nodes[x.list[k-1]].users
		}
		if l.ahead[i] = x.ahead[k]; k > 0 && x.tie[k-1] {
			l.ahead[i] = l.ahead[x.list[k-1]]
		}
	}
	return low, high
}

// expiry are values of which the first below a limit is found in O(log n): a tree whose nodes have the
// least of their leaves.
type expiry []float64

func newExpiry(n int) expiry {
	half := 1
	for half < n {
		half *= 2
	}
	e := make(expiry, 2*half)
	for i := range e {
		e[i] = math.Inf(1)
	}
	return e
}

func (e expiry) least() float64 { return e[1] }

func (e expiry) at(k int) float64 { return e[len(e)/2+k] }

func (e expiry) set(at int, value float64) {
	i := len(e)/2 + at
	e[i] = value
	for i /= 2; i > 0; i /= 2 {
		least := min(e[2*i], e[2*i+1])
		if e[i] == least {
			return
		}
		e[i] = least
	}
}

// before is the first below a limit, which there must be.
func (e expiry) before(limit float64) int {
	i := 1
	for i < len(e)/2 {
		if i *= 2; !(e[i] < limit) {
			i++
		}
	}
	return i - len(e)/2
}
