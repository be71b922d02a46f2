package workload

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

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
		best := child + firstOf4(g[child:child+4:child+4])
		g[hole] = g[best]
		hole = best
	}
	r.groups = g[:n]
	if hole < n {
		r.rise(hole, g[n])
	}
}

// firstOf4 is the index of the smallest of four releases, found without a
// branch: releases are not negative, so they order like their bits.
func firstOf4(g []group) int {
	a, b := math.Float64bits(g[0].release), math.Float64bits(g[1].release)
	c, d := math.Float64bits(g[2].release), math.Float64bits(g[3].release)
	_, ab := bits.Sub64(b, a, 0) // 1 if b is the smaller
	_, cd := bits.Sub64(d, c, 0)
	a ^= (a ^ b) & -ab
	c ^= (c ^ d) & -cd
	_, right := bits.Sub64(c, a, 0)
	return int(ab ^ (ab^(2+cd))&-right)
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

// heap turns the sorted array into a heap: ascending order is one.
func (r *Runs) heap() {
	slices.Reverse(r.groups)
	r.heaped = true
}

// sort turns the heap into the sorted array.
func (r *Runs) sort() {
	slices.SortFunc(r.groups, func(a, b group) int { return cmp.Compare(b.release, a.release) })
	r.heaped = false
}
