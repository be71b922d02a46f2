package law

import "math"

// transient is the probability of not being absorbed by time x, and of being
// absorbed by then, each with a small relative error.
func (l PH) transient(x float64) (alive, absorbed float64) {
	n, now := len(l.Alpha), l.after(x)
	absorbed = l.atom()
	for i, p := range l.Alpha {
		for _, q := range now[i][:n] {
			alive += p * q
		}
		absorbed += p * now[i][n]
	}
	return min(1, alive), min(1, absorbed)
}

// after is where the chain is at time x. It comes from sums and products of
// non-negative numbers only: the Taylor series of uniformisation for a time
// short against the fastest rate, then repeated doubling of it.
func (l PH) after(x float64) moves {
	n, fastest := len(l.Alpha), 0.0
	for i, row := range l.A {
		fastest = max(fastest, -row[i])
	}
	y, doublings := min(fastest*x, math.MaxFloat64), 0
	if y > 1 {
		doublings = int(math.Ceil(math.Log2(y)))
		y = math.Ldexp(y, -doublings)
	}
	now := l.short(fastest, y)
	next := newMoves(n)
	for range doublings {
		next.product(now, now, 1)
		now, next = next, now
	}
	return now
}

// moves holds the probabilities of going from each of n phases to each phase
// and, in the last column, to absorption. The row of absorption is left out.
type moves [][]float64

func newMoves(n int) moves {
	m := make(moves, n)
	all := make([]float64, n*(n+1))
	for i := range m {
		m[i] = all[i*(n+1) : (i+1)*(n+1)]
	}
	return m
}

// product makes m the matrix product of a and b, where b[n][n] = last.
func (m moves) product(a, b moves, last float64) {
	n := len(a)
	for i, row := range m {
		clear(row)
		for k, p := range a[i][:n] {
			if p == 0 { // most are, in a chain
				continue
			}
			for j, q := range b[k] {
				row[j] += p * q
			}
		}
		row[n] += a[i][n] * last
	}
}

// short is the matrix of moves in a time t, given the fastest rate and y ≤ 1,
// their product: e^-y Σ (yP)^k/k! by Horner's rule, P being a step of the chain
// at the fastest rate.
func (l PH) short(fastest, y float64) moves {
	n := len(l.Alpha)
	step := newMoves(n)
	for i, row := range l.A {
		for j, rate := range row {
			step[i][j] = rate / fastest
		}
		step[i][i] = 1 + row[i]/fastest
		step[i][n] = l.exit(i) / fastest
	}
	now, next, last := newMoves(n), newMoves(n), 1.0
	for i := range now {
		now[i][i] = 1
	}
	// Absorption may take n steps, and y^k/k! is below rounding 20 later.
	for k := n + 20; k >= 1; k-- {
		next.product(step, now, last)
		c := y / float64(k)
		for i, row := range next {
			for j := range row {
				row[j] *= c
			}
			row[i]++
		}
		last = 1 + c*last
		now, next = next, now
	}
	none := math.Exp(-y)
	for _, row := range now {
		for j := range row {
			row[j] *= none
		}
	}
	return now
}
