package fairshare

import "math"

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
