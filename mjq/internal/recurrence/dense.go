package recurrence

import "slices"

// Dense is the reference twin of Runs: the ordered vector of one number a
// server, updated word for word by equation (2), sorting included. O(s log s)
// a step. It exists to be compared with.
type Dense struct {
	W []float64 // ascending
}

// NewDense is an empty system of s servers.
func NewDense(servers int) *Dense { return &Dense{W: make([]float64, servers)} }

// Arrive applies S(α, W) + σ L(α) and returns the wait W^α and the
// head-of-line waste Σ_{i≤α} (W^α - W^i) of the job.
func (d *Dense) Arrive(need int, service float64) (wait, waste float64) {
	wait = d.W[need-1]
	for i, w := range d.W {
		if i < need {
			waste += wait - w
		}
		d.W[i] = max(wait, w)
		if i < need {
			d.W[i] += service
		}
	}
	slices.Sort(d.W)
	return wait, waste
}

// Pass lets time go by: (W - τU)^+.
func (d *Dense) Pass(tau float64) {
	for i, w := range d.W {
		d.W[i] = max(0, w-tau)
	}
}
