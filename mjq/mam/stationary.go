package mam

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Stationary is the stationary law of a QBD.
type Stationary struct {
	// Pi holds the vectors of the levels 0 to L, L the first homogeneous level:
	// Pi[n][i] is the probability of level n and phase i.
	Pi [][]float64
	// R gives those above: level L+k has the vector Pi[L] R^k.
	R  *mat.Dense
	lu *triplet // I - R
}

func newStationary(s *steps, pi [][]float64, r *mat.Dense) (*Stationary, error) {
	n, _ := r.Dims()
	st := &Stationary{Pi: pi, R: r, lu: newTriplet(n)}
	st.lu.diagonal = true
	st.lu.lu.Sub(identity(n), r)
	st.lu.factor(s)
	if s.err != nil {
		return nil, fmt.Errorf("mam: levels above the boundary: %w", s.err)
	}
	total := sum(st.Above(0))
	for _, x := range pi[:len(pi)-1] {
		total += sum(x)
	}
	if !(total > 0) || math.IsInf(total, 0) {
		return nil, fmt.Errorf("mam: the levels have total mass %v; R and the boundary do not belong together", total)
	}
	scale(pi, 1/total)
	return st, nil
}

// fromHere is x (I-R)^-1, in place.
func (st *Stationary) fromHere(x []float64) []float64 {
	st.lu.solveLeft(&steps{ctx: context.Background()}, mat.NewDense(1, len(x), x))
	return x
}

// next is x R.
func (st *Stationary) next(x []float64) []float64 {
	y := mat.NewDense(1, len(x), nil)
	s := &steps{ctx: context.Background()}
	s.product(1, mat.NewDense(1, len(x), x), st.R, 0, y)
	return y.RawRowView(0)
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

// Above returns the vector over the phases of the sum over k >= 0 of C(k,j) Pi[L] R^k, where k
// is the level minus L, the first homogeneous one. For j = 0 it is the probability of level L
// or more with each phase, for j = 1 the mean of k on that event. It is Pi[L] R^j (I-R)^-(j+1),
// in 4 j n^2 operations.
func (st *Stationary) Above(j int) []float64 {
	x := st.fromHere(slices.Clone(st.Pi[len(st.Pi)-1]))
	for range j {
		x = st.fromHere(st.next(x))
	}
	return x
}

// Moment is the mean of the k-th power of the level, k >= 0.
func (st *Stationary) Moment(k int) float64 {
	l := len(st.Pi) - 1
	total := 0.0
	for n, x := range st.Pi[:l] {
		total += math.Pow(float64(n), float64(k)) * sum(x)
	}
	// (L+i)^k in binomials: (L+i) C(i,j) = (L+j) C(i,j) + (j+1) C(i,j+1).
	c := make([]float64, k+1)
	c[0] = 1
	for p := range k {
		for j := p + 1; j >= 0; j-- {
			c[j] *= float64(l + j)
			if j > 0 {
				c[j] += float64(j) * c[j-1]
			}
		}
	}
	for j, f := range c {
		total += f * sum(st.Above(j))
	}
	return total
}

// Level is the vector of level n, nil for n < 0, in 2 n^2 operations for every level above
// the first homogeneous one.
func (st *Stationary) Level(n int) []float64 {
	l := len(st.Pi) - 1
	if n < 0 {
		return nil
	}
	x := slices.Clone(st.Pi[min(n, l)])
	for range n - l {
		x = st.next(x)
	}
	return x
}

// Tail returns the stationary probability that the level is n or more.
func (st *Stationary) Tail(n int) float64 {
	l := len(st.Pi) - 1
	total := sum(st.fromHere(st.Level(max(n, l))))
	for i := l - 1; i >= max(n, 0); i-- {
		total += sum(st.Pi[i])
	}
	return total
}
