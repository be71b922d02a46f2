package mam

import (
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// reduction holds the matrices of a cyclic or logarithmic reduction, allocated
// once.
type reduction struct {
	s               *steps
	n               int
	up, local, down *mat.Dense // of the QBD watched at every 2^k-th level
	hat             *mat.Dense // local rates of the first level, whose way down stays
	ku, kd, next    *mat.Dense
	first           *mat.Dense // the given Down
	exit            []float64  // total rate of leaving each phase
	t               *triplet
}

func newReduction(s *steps, q QBD) *reduction {
	n, _ := q.Local.Dims()
	r := &reduction{s: s, n: n, first: q.Down, t: newTriplet(n), exit: make([]float64, n)}
	r.up, r.local, r.down = mat.DenseCopyOf(q.Up), mat.DenseCopyOf(q.Local), mat.DenseCopyOf(q.Down)
	for i := range n {
		r.local.Set(i, i, 0)
	}
	for _, m := range []*mat.Dense{r.up, r.local, r.down} {
		addRowSums(r.exit, 1, m)
	}
	for _, m := range []**mat.Dense{&r.ku, &r.kd, &r.next} {
		*m = mat.NewDense(n, n, nil)
	}
	return r
}

var errSlow = errors.New("the reduction did not converge; the load is too close to 1 for the precision of the rates")

// cyclic is the cyclic reduction of Bini and Meini: it removes every second
// level until no way leads from the first level past the others, and then takes
// G from the first level alone.
func (r *reduction) cyclic(onStep func(int, float64)) (*mat.Dense, int) {
	r.hat = mat.DenseCopyOf(r.local)
	left := make([]float64, r.n)
	for k := 1; k <= maxSteps; k++ {
		r.halve()
		if r.s.err != nil {
			return nil, k
		}
		clear(left)
		addRowSums(left, 1, r.up)
		for i := range left {
			left[i] /= r.exit[i]
		}
		most := slices.Max(left)
		if most < 1e-12 {
			var g *mat.Dense
			if g, most = r.firstPassage(); most <= enough {
				return g, k
			}
		}
		if onStep != nil {
			onStep(k, most)
		}
	}
	r.s.err = errSlow
	return nil, maxSteps
}

// leave makes ku and kd what becomes of the phases of a level when it is left, upward and downward.
func (r *reduction) leave() {
	r.t.rates(r.local)
	addRowSums(r.t.sums, 1, r.up)
	addRowSums(r.t.sums, 1, r.down)
	r.t.factor(r.s)
	r.ku.Copy(r.up)
	r.t.solve(r.s, r.ku)
	r.kd.Copy(r.down)
	r.t.solve(r.s, r.kd)
}

// halve removes every second level: with K the inverse of -Local, a level two
// away is reached through the one between.
func (r *reduction) halve() {
	s := r.s
	r.leave()
	s.product(1, r.up, r.kd, 0, r.next)
	r.hat.Add(r.hat, r.next)
	r.local.Add(r.local, r.next)
	s.product(1, r.down, r.ku, 1, r.local)
	s.product(1, r.up, r.ku, 0, r.next)
	r.up, r.next = r.next, r.up
	s.product(1, r.down, r.kd, 0, r.next)
	r.down, r.next = r.next, r.down
}

// firstPassage is G on the levels taken in so far, and the largest probability
// of leaving these before the level below.
func (r *reduction) firstPassage() (*mat.Dense, float64) {
	r.t.rates(r.hat)
	beyond := make([]float64, r.n)
	addRowSums(beyond, 1, r.up)
	addRowSums(r.t.sums, 1, r.first)
	for i, x := range beyond {
		r.t.sums[i] += x
	}
	r.t.factor(r.s)
	r.t.solve(r.s, mat.NewDense(r.n, 1, beyond))
	most := slices.Max(beyond)
	if r.s.err != nil || most > enough {
		return nil, most
	}
	g := mat.DenseCopyOf(r.first)
	r.t.solve(r.s, g)
	return g, most
}

// logarithmic is the logarithmic reduction of Latouche and Ramaswami: ku and kd
// are the probabilities that the process goes 2^k levels up before as many
// down, and down before up; t is the probability of 2^k - 1 levels up before
// one down.
func (r *reduction) logarithmic(onStep func(int, float64)) (*mat.Dense, int) {
	s := r.s
	r.leave()
	g, above := mat.DenseCopyOf(r.kd), mat.DenseCopyOf(r.ku)
	left := make([]float64, r.n)
	for k := 1; k <= maxSteps; k++ {
		r.double()
		s.product(1, above, r.kd, 1, g)
		s.product(1, above, r.ku, 0, r.next)
		above, r.next = r.next, above
		if s.err != nil {
			return nil, k
		}
		clear(left)
		addRowSums(left, 1, above)
		most := slices.Max(left)
		if most <= enough {
			return g, k
		}
		if onStep != nil {
			onStep(k, most)
		}
	}
	s.err = errSlow
	return nil, maxSteps
}

// double goes from 2^k levels to 2^(k+1): twice up or twice down, after any
// number of returns.
func (r *reduction) double() {
	s := r.s
	s.product(1, r.ku, r.kd, 0, r.local)
	s.product(1, r.kd, r.ku, 1, r.local)
	s.product(1, r.ku, r.ku, 0, r.up)
	s.product(1, r.kd, r.kd, 0, r.down)
	r.leave()
}
