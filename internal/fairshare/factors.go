package fairshare

import (
	"cmp"
	"math"
	"slices"
)

// order is the last ranking.
type order struct {
	factor []float64
	left   []int   // by user, those who do not come before
	lists  [][]int // of places, by depth
}

// near is the relative difference below which two levels are equal but for rounding.
const near = 1e-12

// ties reports whether two levels are equal but for rounding.
func ties(a, b float64) bool {
	return a == b || math.Abs(a-b) <= near*max(math.Abs(a), math.Abs(b)) && !math.IsInf(a, 1) && !math.IsInf(b, 1)
}

// Fair writes the factors of Fair Tree, given the usage of each user in any common unit. Siblings
// are served by the level value, their part of the shares over their part of the usage, highest first;
// the factor of a user is the part of the users that do not come before. Users that tie share the best
// factor, accounts that tie have their children merged, and a user that ties with an account shares
// the factor of its best child. Cost: O(nodes log nodes).
func (t *Tree) Fair(usage, factor []float64) {
	t.sum(usage)
	t.rank()
	copy(factor, t.order.factor)
}

// rank finds the levels and the order from the usages of the nodes.
func (t *Tree) rank() {
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		switch parent := t.usage[n.parent]; {
		case n.part == 0:
			t.level[i] = 0
		case t.usage[i] == 0:
			t.level[i] = math.Inf(1)
		default:
			t.level[i] = n.part / (t.usage[i] / parent)
		}
	}
	w := walk{t: t, left: len(t.Users)}
	w.place(t.nodes[0].children, false, 0)
}

// byLevel compares nodes by level, the highest first.
func (t *Tree) byLevel(a, b int) int { return cmp.Compare(t.level[b], t.level[a]) }

// walk is a walk of the tree from the root.
type walk struct {
	t          *Tree
	left, rank int // users that have no factor, and the rank of the last that has
}

// place ranks siblings, or the children of accounts that tie. Tied: the first of them ties with a user
// that was ranked before.
func (w *walk) place(siblings []int, tied bool, depth int) {
	t := w.t
	for len(t.order.lists) <= depth {
		t.order.lists = append(t.order.lists, nil)
	}
	list := append(t.order.lists[depth][:0], siblings...)
	t.order.lists[depth] = list
	slices.SortStableFunc(list, t.byLevel)
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && ties(t.level[list[end-1]], t.level[list[end]]) {
			end++
		}
		w.group(list[i:end], tied && i == 0, depth)
		i = end
	}
}

// group ranks siblings that tie: users first, then the children of the accounts.
func (w *walk) group(list []int, tied bool, depth int) {
	var merged []int
	for _, at := range list {
		n := &w.t.nodes[at]
		if n.user < 0 {
			merged = append(merged, n.children...)
			continue
		}
		if !tied {
			w.rank = w.left
		}
		w.t.order.left[n.user] = w.rank
		w.t.order.factor[n.user] = float64(w.rank) / float64(len(w.t.Users))
		w.left--
		tied = true
	}
	if len(merged) > 0 {
		w.place(merged, tied, depth+1)
	}
}

// Classic writes the factors of classic fair share, 2^(-(E/S)/damping), in which S is the product of
// the parts of shares along the path, and E the effective usage: of a child of the root its part of all
// usage, and below it its own part and, of what the parent has beyond that, the part of its shares.
func (t *Tree) Classic(usage, factor []float64, damping float64) {
	t.sum(usage)
	all := t.usage[0]
	for i := 1; i < len(t.nodes); i++ {
		n, own := &t.nodes[i], 0.0
		if all > 0 {
			own = t.usage[i] / all
		}
		t.level[i] = own
		if n.parent > 0 {
			t.level[i] = own + (t.level[n.parent]-own)*n.part
		}
		switch {
		case n.user < 0:
		case n.product == 0:
			factor[n.user] = 0
		default:
			factor[n.user] = math.Exp2(-t.level[i] / n.product / damping)
		}
	}
}

// Whole is a sum of weighted factors as a priority: a whole number from 1. A billionth is added, so
// that rounding decides nothing.
func Whole(sum float64) float64 { return math.Max(1, math.Floor(1e-9+sum)) }
