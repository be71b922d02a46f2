package recurrence

import (
	"math"
	"math/bits"
	"slices"
)

// Group is a set of servers seized together: when they are released, and how many.
type Group struct {
	Release float64
	Count   int32
}

// Groups are groups in service by descending release, the next to leave at the
// end: leaving is a cut, and inserting moves the few that leave sooner.
type Groups []Group

// byHand is the number of groups up to which shifting one by one beats finding
// the place first.
const byHand = 16

// Insert adds a group in its place, after those that leave at the same time.
// Releases must not be negative. No allocation while the capacity lasts.
func (g Groups) Insert(release float64, count int32) Groups {
	g = append(g, Group{})
	i := len(g) - 1
	if i > byHand && g[i-byHand].Release < release {
		i = g[:i-byHand].place(release)
		copy(g[i+1:], g[i:])
	} else {
		for i > 0 && g[i-1].Release < release {
			g[i] = g[i-1]
			i--
		}
	}
	g[i] = Group{release, count}
	return g
}

// place is the first index whose release is below the given one. Releases are
// not negative, so that they order like their bits, and the halving needs no
// branch that would be mispredicted half of the time.
func (g Groups) place(release float64) int {
	key := math.Float64bits(release)
	lo, n := 0, len(g)
	for n > 0 {
		half := (n + 1) >> 1
		_, below := bits.Sub64(math.Float64bits(g[lo+half-1].Release), key, 0)
		lo += half &^ -int(below)
		n >>= 1
	}
	return lo
}

// Shift moves the origin of time to by. What has been released by then counts as
// released at the new origin.
func (g Groups) Shift(by float64) {
	for i := range g {
		g[i].Release = max(0, g[i].Release-by)
	}
}

// Work is the sum of count times what is left of each group at time t.
func (g Groups) Work(t float64) (sum float64) {
	for _, x := range g {
		sum += float64(x.Count) * max(0, x.Release-t)
	}
	return sum
}

// without removes the groups that have no servers left.
func (g Groups) without() Groups {
	return slices.DeleteFunc(g, func(x Group) bool { return x.Count == 0 })
}
