package mam

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// GTH returns the stationary row vector of a generator (rows sum to 0) or of a stochastic
// matrix (rows sum to 1). It uses the elimination of Grassmann, Taksar and Heyman
// ("Regenerative analysis and steady state distributions for Markov chains", Operations
// Research 33, 1985). It subtracts nothing and does not read the diagonal, so every entry has a
// small relative error, however small the entry is. States outside the closed class have
// probability 0; there must be one closed class. It takes 2/3 n^3 operations and n^2 numbers.
func GTH(q mat.Matrix) ([]float64, error) {
	return GTHContext(context.Background(), q)
}

// GTHContext is GTH that fails with the cause of ctx's end.
func GTHContext(ctx context.Context, q mat.Matrix) ([]float64, error) {
	n, err := validChain(q)
	if err != nil {
		return nil, err
	}
	return stationary(&steps{ctx: ctx}, q, n)
}

// stationary is GTH for a chain known to be one.
func stationary(s *steps, q mat.Matrix, n int) ([]float64, error) {
	class, err := closedClass(q, n)
	if err != nil {
		return nil, err
	}
	m := len(class)
	t := newTriplet(m)
	for a, i := range class {
		for b, j := range class {
			t.lu.Set(a, b, -q.At(i, j))
		}
	}
	t.factor(s)
	if s.err != nil {
		return nil, fmt.Errorf("mam: stationary vector of %d states: %w", n, s.err)
	}
	pi := make([]float64, n)
	for a, p := range t.kernel() {
		pi[class[a]] = p
	}
	return pi, nil
}

// kernel is the probability vector x with x M = 0 of a factored matrix whose
// row sums were 0: with M = LU and the last pivot 0, x L is 0 but for its end.
func (t *triplet) kernel() []float64 {
	a := t.lu.RawMatrix()
	x := make([]float64, a.Rows)
	x[a.Rows-1] = 1
	total := 1.0
	for k := a.Rows - 1; k > 0; k-- {
		for j, l := range a.Data[k*a.Stride : k*a.Stride+k] {
			x[j] -= x[k] * l
		}
		total += x[k-1]
	}
	for i := range x {
		x[i] /= total
	}
	return x
}

// slack is the error allowed in row sums, relative to the row: enough for
// matrices written with ten digits.
const slack = 1e-9

// validChain names all that keeps q from being a generator or stochastic.
func validChain(q mat.Matrix) (n int, err error) {
	n, columns := q.Dims()
	if n != columns || n == 0 {
		return 0, fmt.Errorf("mam: the matrix is %d by %d; give a square one", n, columns)
	}
	var faults []error
	first := 0.0
	for i := range n {
		sum, size := 0.0, first
		for j := range n {
			x := q.At(i, j)
			if !(x >= 0) && i != j || math.IsNaN(x) || math.IsInf(x, 0) {
				faults = append(faults, fmt.Errorf("mam: entry (%d,%d) is %v; rates and probabilities must be finite and not negative", i, j, x))
			}
			sum += x
			size = max(size, math.Abs(x))
		}
		if i == 0 && sum > 0.5 {
			first = 1
		}
		if !(math.Abs(sum-first) <= slack*size) {
			faults = append(faults, fmt.Errorf("mam: row %d sums to %v; rows of a generator sum to 0, of a stochastic matrix to 1", i, sum))
		}
	}
	return n, errors.Join(faults...)
}

// closedClass lists the states of the only closed class of q. A state that all
// others lead to is found by searching against the arrows: the last root of
// such a search is one, or there is none.
func closedClass(q mat.Matrix, n int) ([]int, error) {
	back := func(i, j int) bool { return q.At(j, i) > 0 }
	seen := make([]bool, n)
	root := 0
	for i := range n {
		if !seen[i] {
			root = i
			reach(seen, i, back)
		}
	}
	clear(seen)
	reach(seen, root, back)
	for i, ok := range seen {
		if !ok {
			return nil, fmt.Errorf("mam: state %d never leads to state %d, so the stationary vector depends on the start; give one closed class", i, root)
		}
	}
	clear(seen)
	reach(seen, root, func(i, j int) bool { return q.At(i, j) > 0 })
	var class []int
	for i, ok := range seen {
		if ok {
			class = append(class, i)
		}
	}
	return class, nil
}

// reach marks all states that arrows lead to from start.
func reach(seen []bool, start int, arrow func(i, j int) bool) {
	seen[start] = true
	for open := []int{start}; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		for j := range seen {
			if !seen[j] && j != i && arrow(i, j) {
				seen[j] = true
				open = append(open, j)
			}
		}
	}
}
