package workload

import (
	"math"
	"math/bits"
)

// The sorted array holds the groups by descending release, the next to leave
// at the end: leaving is a cut, and inserting moves the few that leave sooner.

// seize takes need servers at time now or later.
func (r *Runs) seize(now float64, need int32) (start, waste float64) {
	g, free := r.groups, r.free
	for {
		if len(g) == 0 {
			if g = r.far.refill(g); len(g) == 0 {
				break
			}
		}
		next := g[len(g)-1]
		if next.release > now {
			break
		}
		free += next.count
		g = g[:len(g)-1]
	}
	start = now
	if free < need {
		busy := float64(free) * now // Σ count·available of the servers gathered
		for free < need {
			if len(g) == 0 {
				g = r.far.refill(g)
			}
			next := g[len(g)-1]
			start = next.release
			free += next.count
			busy += float64(next.count) * start
			g = g[:len(g)-1]
		}
		busy -= float64(free-need) * start
		waste = float64(need)*start - busy
	}
	r.groups, r.free = g, free-need
	return start, waste
}

// byHand is the number of groups up to which shifting one by one beats finding
// the place first.
const byHand = 16

// insertSorted adds a group in its place.
func (r *Runs) insertSorted(release float64, count int32) {
	g := append(r.groups, group{})
	i := len(g) - 1
	if i > byHand && g[i-byHand].release < release {
		i = place(g[:i-byHand], release)
		copy(g[i+1:], g[i:])
	} else {
		for i > 0 && g[i-1].release < release {
			g[i] = g[i-1]
			i--
		}
	}
	g[i] = group{release, count}
	r.groups = g
}

// place is the first index whose release is below the given one. Releases are
// not negative, so that they order like their bits, and the halving needs no
// branch that would be mispredicted half of the time.
func place(g []group, release float64) int {
	key := math.Float64bits(release)
	lo, n := 0, len(g)
	for n > 0 {
		half := (n + 1) >> 1
		_, below := bits.Sub64(math.Float64bits(g[lo+half-1].release), key, 0)
		lo += half &^ -int(below)
		n >>= 1
	}
	return lo
}
