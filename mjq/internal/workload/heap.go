package workload

// The heap has four children a node: half the depth of a binary heap, and the
// children of a node share a cache line.
const arity = 4

// seizeHeap takes need servers at time now or later.
func (r *Runs) seizeHeap(now float64, need int32) (start, waste float64) {
	free := r.free
	for len(r.groups) > 0 && r.groups[0].release <= now {
		free += r.groups[0].count
		r.popHeap()
	}
	start = now
	if free < need {
		busy := float64(free) * now
		for free < need {
			g := r.groups[0]
			start = g.release
			free += g.count
			busy += float64(g.count) * start
			r.popHeap()
		}
		busy -= float64(free-need) * start
		waste = float64(need)*start - busy
	}
	r.free = free - need
	return start, waste
}

// popHeap removes the root: the hole sinks to a leaf along the smallest
// children, and the last element rises from there. That saves the comparison
// with the last element on every level, since it nearly always belongs low.
func (r *Runs) popHeap() {
	n := len(r.groups) - 1
	g := r.groups[:n+1]
	hole := 0
	for {
		child := hole*arity + 1
		if child+arity > n {
			if child >= n {
				break
			}
			best := child
			for c := child + 1; c < n; c++ {
				if g[c].release < g[best].release {
					best = c
				}
			}
			g[hole] = g[best]
			hole = best
			break
		}
		best, low := child, g[child].release
		if v := g[child+1].release; v < low {
			best, low = child+1, v
		}
		if v := g[child+2].release; v < low {
			best, low = child+2, v
		}
		if v := g[child+3].release; v < low {
			best = child + 3
		}
		g[hole] = g[best]
		hole = best
	}
	r.groups = g[:n]
	if hole < n {
		r.rise(hole, g[n])
	}
}

// pushHeap adds a group.
func (r *Runs) pushHeap(release float64, count int32) {
	r.groups = append(r.groups, group{})
	r.rise(len(r.groups)-1, group{release, count})
}

// rise puts x into the hole or above it.
func (r *Runs) rise(hole int, x group) {
	g := r.groups
	for hole > 0 {
		parent := (hole - 1) / arity
		if g[parent].release <= x.release {
			break
		}
		g[hole] = g[parent]
		hole = parent
	}
	g[hole] = x
}
