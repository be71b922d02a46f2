package policychain

import "math"

// bound is the error of the means at a cut, given those at a smaller one. What the two
// differ by is the error at the smaller cut, but for that at the larger, which is less
// in the proportion in which the probabilities at the cuts, and the squares of the
// numbers of jobs there, differ; a tenth of that gain is given away. The work
// that comes is known beforehand and must come out as well, done or given up.
//
// It is a bound if the probabilities beyond the cut go on to fall as they do before it, which
// this does not prove; see proof.
func (q *Queue) bound(small, large *Measures) float64 {
	n, m := float64(small.Cut), float64(large.Cut)
	gain := large.Levels[large.Cut] * m * m / (small.Levels[small.Cut] * n * n)
	return difference(small, large)*min(1, 10*gain) + q.unbalanced(large) + stalled(large)
}

// difference is the largest between two sets of means.
func difference(a, b *Measures) float64 {
	worst := 0.0
	x, y := a.all(), b.all()
	for i := range x {
		if !math.IsNaN(x[i]) {
			worst = max(worst, math.Abs(x[i]-y[i]))
		}
	}
	return worst
}

// all is the means in a row.
func (m *Measures) all() []float64 {
	list := []float64{m.Wait, m.Response, m.Queue, m.Jobs, m.JobsSquare, m.Utilisation, m.Empty, m.AllBusy}
	for _, c := range m.Classes {
		list = append(list, c.Wait, c.Response, c.NoWait, c.Left, c.Queue)
	}
	return list
}
