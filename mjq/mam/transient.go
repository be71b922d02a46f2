package mam

import "math"

// Transient returns the probability that a chain is in each of its phases at time x >= 0, and that
// it is absorbed by then. The chain starts in phase i with probability alpha[i], has the transient
// generator a, and is absorbed from phase i at rate exits[i]; absorbed leaves out what does not
// start at all. Both come from sums and products of non-negative numbers only, so
// that small probabilities keep their digits: the Taylor series of uniformisation for a time short
// against the fastest rate, then repeated doubling of it. It takes some 2 n^3 operations times n +
// 20 and the binary logarithm of x and the fastest rate.
func Transient(alpha []float64, a [][]float64, exits []float64, x float64) (phases []float64, absorbed float64) {
	n, fastest := len(alpha), 0.0
	for i, row := range a {
		fastest = max(fastest, -row[i])
	}
	y, doublings := min(fastest*x, math.MaxFloat64), 0
	if y > 1 {
		doublings = int(math.Ceil(math.Log2(y)))
		y = math.Ldexp(y, -doublings)
	}
	now, next := short(a, exits, fastest, y), newMoves(n)
	for range doublings {
		next.product(now, now, 1)
		now, next = next, now
	}
	phases = make([]float64, n)
	for i, p := range alpha {
		for j := range phases {
			phases[j] += p * now[i][j]
		}
		absorbed += p * now[i][n]
	}
	return phases, absorbed
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
func short(a [][]float64, exits []float64, fastest, y float64) moves {
	n := len(a)
	step := newMoves(n)
	for i, row := range a {
		for j, rate := range row {
			step[i][j] = rate / fastest
		}
		step[i][i] = 1 + row[i]/fastest
		step[i][n] = exits[i] / fastest
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
