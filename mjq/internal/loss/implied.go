package loss

import (
	"context"
	"slices"
)

// Implied is a reservation by prices: a class starts while its jobs are worth more than the
// servers that they take, at what these earn with later jobs. Prices and reservation follow from
// each other, and are found in turns until nothing changes. The price of servers in a state is
// the implied cost of Kelly (Advances in Applied Probability 20, 1988), state by state: the
// difference of the relative values of two numbers of busy servers (Howard, Dynamic Programming
// and Markov Processes, 1960). Numbers of busy servers are taken for a Markov chain, in which
// jobs of a class end as often as Roberts's recursion has them in service; without reservation
// the law of that chain is exact. A turn that would lower the reward by Approximate is halved
// until it raises it. Cost: servers × largest need² a turn, of some ten.
func (r *Reserved) Implied(ctx context.Context) (keep []int, err error) {
	keep = make([]int, len(r.Classes))
	most, _ := r.Approximate(keep)
	for {
		next := r.affordable(r.values(keep), r.roberts(keep))
		for !slices.Equal(next, keep) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if reward, _ := r.Approximate(next); reward > most*(1+1e-12) {
				most = reward
				break
			}
			next = halfway(keep, next)
		}
		if slices.Equal(next, keep) {
			return keep, nil
		}
		keep = next
	}
}

// halfway is between two reservations, nearer to the first.
func halfway(a, b []int) (list []int) {
	for k := range a {
		list = append(list, a[k]+(b[k]-a[k])/2)
	}
	return list
}

// ImpliedOperations is about what a turn of Implied costs.
func (r *Reserved) ImpliedOperations() float64 {
	widest := float64(r.widest())
	return float64(r.Servers) * widest * widest
}

func (r *Reserved) widest() (b int) {
	for _, c := range r.Classes {
		b = max(b, c.Needs[0])
	}
	return b
}

// affordable is the reservation under which each class gains most, at the prices of the numbers
// of busy servers that it meets.
func (r *Reserved) affordable(v, q []float64) (keep []int) {
	for k, c := range r.Classes {
		b := c.Needs[0]
		best, sum, last := 0.0, 0.0, -1
		for j := 0; j+b <= r.Servers; j++ {
			if sum += q[j] * (r.Worths[k] + v[j+b] - v[j]); sum > best {
				best, last = sum, j
			}
		}
		keep = append(keep, min(r.Servers-b, r.Servers-b-last))
	}
	return keep
}

// values are the relative values of the numbers of busy servers, that of none 0: what more is
// earned from there on.
func (r *Reserved) values(keep []int) []float64 {
	q := r.roberts(keep)
	m := newBand(r.Servers+1, r.widest())
	earned, one := make([]float64, r.Servers+1), make([]float64, r.Servers+1)
	for j := range earned {
		one[j] = 1
		for k, c := range r.Classes {
			b := c.Needs[0]
			if j+b <= r.Servers-keep[k] {
				rate := c.Load / r.Means[k]
				m.add(j, j, rate)
				m.add(j, j+b, -rate)
				earned[j] += rate * r.Worths[k]
			}
			if j >= b && j <= r.Servers-keep[k] && q[j] > 0 {
				rate := c.Load * (q[j-b] / q[j]) / r.Means[k]
				m.add(j, j, rate)
				m.add(j, j-b, -rate)
			}
		}
		if m.at(j, j) == 0 { // never reached: with others kept free
			m.add(j, j, 1)
			m.add(j, j-1, -1)
		}
	}
	m.add(0, 0, 1) // the chain ends there, and what is earned until then is finite
	m.solve(earned, one)
	gain := earned[0] / one[0]
	for j := range earned {
		earned[j] -= gain * one[j]
	}
	return earned
}

// band is a matrix whose entries are near the diagonal. As the negative of a generator it needs
// no pivots.
type band struct {
	n, width int
	rows     []float64
}

func newBand(n, width int) *band { return &band{n, width, make([]float64, n*(2*width+1))} }

func (m *band) place(i, j int) int { return i*(2*m.width+1) + j - i + m.width }

func (m *band) at(i, j int) float64 { return m.rows[m.place(i, j)] }

func (m *band) add(i, j int, x float64) { m.rows[m.place(i, j)] += x }

// solve puts the solutions in the place of right-hand sides. The matrix is lost.
func (m *band) solve(sides ...[]float64) {
	for i := range m.n {
		row := m.rows[m.place(i, i) : m.place(i, min(m.n-1, i+m.width))+1]
		for below := i + 1; below < min(m.n, i+m.width+1); below++ {
			f := m.at(below, i) / row[0]
			if f == 0 {
				continue
			}
			to := m.rows[m.place(below, i):]
			for k, x := range row {
				to[k] -= f * x
			}
			for _, s := range sides {
				s[below] -= f * s[i]
			}
		}
	}
	for i := m.n - 1; i >= 0; i-- {
		for _, s := range sides {
			for j := i + 1; j < min(m.n, i+m.width+1); j++ {
				s[i] -= m.at(i, j) * s[j]
			}
			s[i] /= m.at(i, i)
		}
	}
}
