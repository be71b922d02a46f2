package policy

// rank orders a job by a key, ties by arrival.
type rank struct {
	key    float64
	number int64
	id     int32
}

func (a *rank) before(b *rank) bool { return a.key < b.key || a.key == b.key && a.number < b.number }

// ranking is a binary heap of jobs, the first in order at its root.
type ranking []rank

func (r *ranking) push(x rank) {
	h := append(*r, x)
	at := len(h) - 1
	for ; at > 0 && x.before(&h[(at-1)/2]); at = (at - 1) / 2 {
		h[at] = h[(at-1)/2]
	}
	h[at] = x
	*r = h
}

// pop removes the first and returns it; there must be one.
func (r *ranking) pop() rank {
	h := *r
	root, n := h[0], len(h)-1
	x := h[n]
	h = h[:n]
	*r = h
	at := 0
	for child := 1; child < n; child = 2*at + 1 {
		if child+1 < n && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&x) {
			break
		}
		h[at], at = h[child], child
	}
	if n > 0 {
		h[at] = x
	}
	return root
}
