package chain

import (
	"iter"
	"slices"
)

// classes are the sets of states that lead back to one another, each after all that it leads
// to (Tarjan, SIAM Journal on Computing 1, 1972). A set is valid until the next.
func (c *Chain) classes() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		n := len(c.Moves)
		w := walk{moves: c.Moves, found: make([]int32, n), low: make([]int32, n), next: make([]int32, n)}
		for i := range n {
			if w.found[i] == 0 && !w.from(int32(i), yield) {
				return
			}
		}
	}
}

// Closed are the sets of states that lead back to one another and to no others, each ascending.
func (c *Chain) Closed() (list [][]int) {
	in := make([]bool, len(c.Moves))
	for set := range c.classes() {
		for _, i := range set {
			in[i] = true
		}
		var closed []int
		for _, i := range set {
			if slices.ContainsFunc(c.Moves[i], func(m Move) bool { return !in[m.To] }) {
				closed = nil
				break
			}
			closed = append(closed, int(i))
		}
		for _, i := range set {
			in[i] = false
		}
		if closed != nil {
			slices.Sort(closed)
			list = append(list, closed)
		}
	}
	slices.SortFunc(list, slices.Compare[[]int])
	return list
}

// walk is a search in depth.
type walk struct {
	moves [][]Move
	found []int32 // by state, the order in which it was met, from 1 on; 0: not yet
	low   []int32 // the first state met that it leads back to; done once its set is told
	next  []int32 // by state, its next move
	path  []int32 // from the first state to the present one
	open  []int32 // states whose set is not complete
	met   int32
}

const done = 1<<31 - 1

// from searches all that a state leads to.
func (w *walk) from(first int32, yield func([]int32) bool) bool {
	w.enter(first)
	for len(w.path) > 0 {
		i := w.path[len(w.path)-1]
		if moves := w.moves[i]; int(w.next[i]) < len(moves) {
			to := moves[w.next[i]].To
			w.next[i]++
			if w.found[to] == 0 {
				w.enter(to)
			} else if w.low[to] != done {
				w.low[i] = min(w.low[i], w.found[to])
			}
			continue
		}
		w.path = w.path[:len(w.path)-1]
		if len(w.path) > 0 {
			before := w.path[len(w.path)-1]
			w.low[before] = min(w.low[before], w.low[i])
		}
		if w.low[i] == w.found[i] && !w.tell(i, yield) {
			return false
		}
	}
	return true
}

func (w *walk) enter(i int32) {
	w.met++
	w.found[i], w.low[i] = w.met, w.met
	w.path, w.open = append(w.path, i), append(w.open, i)
}

// tell hands out the set whose first state is i.
func (w *walk) tell(i int32, yield func([]int32) bool) bool {
	at := len(w.open) - 1
	for w.open[at] != i {
		at--
	}
	set := w.open[at:]
	for _, k := range set {
		w.low[k] = done
	}
	w.open = w.open[:at]
	return yield(set)
}

// narrow orders the states of a set so that moves lead to states nearby, breadth first from
// a state far out (Cuthill and McKee 1969).
func (c *Chain) narrow(set []int32) []int32 {
	in := make(map[int32][]int32, len(set)) // neighbours, either way
	for _, i := range set {
		in[i] = nil
	}
	for _, i := range set {
		for _, m := range c.Moves[i] {
			if _, inside := in[m.To]; inside && m.To != i {
				in[i], in[m.To] = append(in[i], m.To), append(in[m.To], i)
			}
		}
	}
	for i, list := range in {
		slices.Sort(list)
		in[i] = slices.Compact(list)
	}
	first := slices.Min(set)
	for range 2 { // the last of a search lies far out
		order := breadth(in, first)
		first = order[len(order)-1]
	}
	return breadth(in, first)
}

// breadth is the order of a search in breadth.
func breadth(in map[int32][]int32, first int32) []int32 {
	order, seen := make([]int32, 0, len(in)), make(map[int32]bool, len(in))
	order, seen[first] = append(order, first), true
	for at := 0; at < len(order); at++ {
		for _, k := range in[order[at]] {
			if !seen[k] {
				order, seen[k] = append(order, k), true
			}
		}
	}
	return order
}
