package events

import "math"

// departure is the end of a service, which releases its servers.
type departure struct {
	at   float64
	need int32
}

// departures is a binary heap, the earliest first.
type departures []departure

// first is the time of the earliest departure, +Inf without one.
func (d departures) first() float64 {
	if len(d) == 0 {
		return math.Inf(1)
	}
	return d[0].at
}

func (d *departures) push(x departure) {
	h := append(*d, x)
	at := len(h) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if h[parent].at <= x.at {
			break
		}
		h[at] = h[parent]
		at = parent
	}
	h[at] = x
	*d = h
}

// pop removes the earliest; there must be one.
func (d *departures) pop() departure {
	h := *d
	root, n := h[0], len(h)-1
	x := h[n]
	h = h[:n]
	*d = h
	at := 0
	for child := 1; child < n; child = 2*at + 1 {
		if child+1 < n && h[child+1].at < h[child].at {
			child++
		}
		if x.at <= h[child].at {
			break
		}
		h[at] = h[child]
		at = child
	}
	if n > 0 {
		h[at] = x
	}
	return root
}
