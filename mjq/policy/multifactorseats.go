package policy

import "math"

// seats are the groups of one kind as a tournament. A seat bounds the priority of the jobs of its group
// from above: with the age of its head as if it grew without end, it stays so as time goes by. A search
// for the highest priority goes down only where a bound is high enough. It computes priorities at the
// seats, so that bounds decide nothing.
type seats struct {
	group []int32 // by seat
	nodes []seat  // nodes[i] is of nodes[2i] and nodes[2i+1]; seats from len(nodes)/2 on
}

// seat is what is known of some groups.
type seat struct {
	most  float64 // bound on the priorities, less what the age adds from time 0 until they changed last
	least float64 // of the estimates
	first int64   // number of the earliest job; None
}

// free is a seat without jobs.
var free = seat{math.Inf(-1), math.Inf(1), None}

// and joins what is known of two.
func (a seat) and(b seat) seat {
	return seat{max(a.most, b.most), min(a.least, b.least), min(a.first, b.first)}
}

// add gives a group a seat.
func (s *seats) add(group int32) (at int) {
	at = len(s.group)
	s.group = append(s.group, group)
	if half := len(s.nodes) / 2; at == half {
		nodes := make([]seat, max(2, 4*half))
		for i := range nodes {
			nodes[i] = free
		}
		copy(nodes[len(nodes)/2:], s.nodes[half:])
		s.nodes = nodes
		for i := len(nodes)/2 - 1; i > 0; i-- {
			nodes[i] = nodes[2*i].and(nodes[2*i+1])
		}
	}
	return at
}

// set changes what is known of a seat.
func (s *seats) set(at int, x seat) {
	i := len(s.nodes)/2 + at
	s.nodes[i] = x
	for i /= 2; i > 0; i /= 2 {
		x = s.nodes[2*i].and(s.nodes[2*i+1])
		if s.nodes[i] == x {
			return
		}
		s.nodes[i] = x
	}
}

// shift adds to all bounds.
func (s *seats) shift(by float64) {
	for i := range s.nodes {
		s.nodes[i].most += by
	}
}

// sit tells the seat of a group of its jobs, which have changed.
func (r *ranking) sit(v *View, g int32) {
	x := &r.groups[g]
	s := &r.seats[x.kind]
	if x.line.count == 0 {
		s.set(x.seat, free)
		return
	}
	now := s.nodes[len(s.nodes)/2+x.seat]
	if first := x.line.jobs[x.line.first].number; first != now.first {
		r.reseat(v, g)
	} else if now.least != x.line.tree[1] {
		now.least = x.line.tree[1]
		s.set(x.seat, now)
	}
}

// reseat finds the bound of a group with jobs.
func (r *ranking) reseat(v *View, g int32) {
	x := &r.groups[g]
	at := x.line.first
	r.seats[x.kind].set(x.seat, seat{r.sum(v, g, at) - r.aging()*r.changed, x.line.tree[1], x.line.jobs[at].number})
}

// nextUp is a job by its priority.
type nextUp struct {
	key    float64
	number int64
	group  int32
	at     int
}

// noneUp comes after every job.
var noneUp = nextUp{math.Inf(1), None, -1, -1}

// before reports whether a key and a number may come before those of a nextUp.
func (c *nextUp) before(key float64, number int64) bool {
	return key < c.key || key == c.key && number < c.number
}

// search looks for a job of a kind that ends by the limit if it starts now and comes before the best.
func (r *ranking) search(v *View, kind int, limit float64, best *nextUp) {
	if s := &r.seats[kind]; len(s.nodes) > 0 && s.nodes[1].first != None {
		q := query{ranking: r, v: v, seats: s, tier: float64(r.tier[kind]) * mostPriority, limit: limit, best: best}
		q.aim()
		q.descend(1)
	}
}

// query is a search among the seats of a kind.
type query struct {
	*ranking
	*seats
	v           *View
	tier, limit float64
	best        *nextUp
	most        float64 // what the bound of a seat must reach, and from one more on it comes before the best
}

// slack is above the relative rounding of a bound.
const slack = 1e-12

// aim finds what a bound must reach.
func (q *query) aim() {
	whole, grown := q.tier-q.best.key, q.aging()*q.changed
	if q.most = whole - grown - 1e-8 - slack*(math.Abs(whole)+math.Abs(grown)); whole <= 1 {
		q.most = math.Inf(-1) // the least priority is 1
	}
}

func (q *query) descend(i int) {
	x := &q.nodes[i]
	if x.first == None || x.most < q.most || x.most < q.most+1 && x.first > q.best.number && q.most > math.Inf(-1) || !(q.v.Now+x.least <= q.limit) {
		return
	}
	if half := len(q.nodes) / 2; i >= half {
		if q.improves(q.v, q.group[i-half], q.limit, q.best) {
			q.aim()
		}
		return
	}
	one, other := 2*i, 2*i+1
	if q.nodes[other].most > q.nodes[one].most {
		one, other = other, one
	}
	q.descend(one)
	q.descend(other)
}

// improves compares the first job of a group that ends by the limit with the best, and reports whether it
// comes before.
func (r *ranking) improves(v *View, g int32, limit float64, best *nextUp) (better bool) {
	x := &r.groups[g]
	at := x.line.first
	if !(v.Now+x.line.jobs[at].estimate <= limit) {
		at = x.line.find(at, v.Now, limit)
	}
	sum := r.sum(v, g, at)
	if key, number := r.among(int(x.kind), sum), x.line.jobs[at].number; best.before(key, number) {
		*best, better = nextUp{key, number, g, at}, true
	}
	s := &r.seats[x.kind]
	if now := s.nodes[len(s.nodes)/2+x.seat]; at == x.line.first && now.most-(sum-r.aging()*r.changed) > loose {
		r.reseat(v, g) // ages end at MaxAge
	}
	return better
}

// loose is by how much a bound may be too high before it is found again.
const loose = 0.25
