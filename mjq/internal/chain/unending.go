package chain

import (
	"context"
	"errors"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// Unending finds the law of a chain whose layers repeat without end, the layer being a number of
// jobs, which arrive at a rate. It fails with *mam.Unstable, along with a law of which the limit
// alone is known, with *TooLarge where the matrices take more than so many bytes, unless these are 0,
// and with the cause of the end of ctx.
func (g *Graph[S, K]) Unending(ctx context.Context, rate float64, most Limits) (*Law, error) {
	report := most.ReportSolving
	if report == nil {
		report = func(float64) {}
	}
	l := g.ByLayer()
	bytes, flops := 0.0, 0.0
	for level := range len(l.Starts) - 1 {
		n := float64(len(l.Layer(level)))
		if bytes, flops = bytes+16*n*n, flops+5*n*n*n; level == len(l.Starts)-2 {
			bytes, flops = bytes+64*n*n, flops+160*n*n*n
		}
	}
	if most.Bytes > 0 && bytes > most.Bytes {
		return nil, Sized(float64(len(g.States)), bytes, flops)
	}
	n := len(g.States)
	q, boundary := g.QBD()
	far, err := q.Solve(ctx, mam.OnStep(func(step int, _ float64) { report(min(0.5, 0.05*float64(step))) }))
	if away := new(mam.Unstable); errors.As(err, &away) {
		return &Law{Limit: rate / away.Load}, err
	} else if err != nil {
		return nil, err
	}
	found, err := boundary.Solve(ctx, q, far, mam.OnStep(func(_ int, left float64) { report(1 - left/2) }))
	if err != nil {
		return nil, err
	}
	law := &Law{P: make([]float64, n), Above: make([]float64, n), Pairs: make([]float64, n),
		Limit: rate / far.Load, Decay: far.Caudal, Residual: far.Residual, far: found}
	for level, p := range found.Pi[:boundary.Levels] {
		for at, i := range l.Layer(level) {
			law.P[i] = p[at]
		}
	}
	zero, one, two := found.Above(0), found.Above(1), found.Above(2)
	for at, i := range l.Layer(boundary.Levels) {
		law.P[i], law.Above[i], law.Pairs[i] = zero[at], one[at], 2*two[at]
	}
	return law, nil
}

// Layered lists the probabilities of the layers of a chain without end: at most so many, and beyond the
// first that repeats until one is below a least.
func (l *Law) Layered(most int, least float64) (list []float64) {
	last := len(l.far.Pi) - 1
	for _, x := range l.far.Pi[:last] {
		list = append(list, floats.Sum(x))
	}
	for x := mat.NewVecDense(len(l.far.Pi[last]), slices.Clone(l.far.Pi[last])); len(list) < most; {
		p := mat.Sum(x)
		if list = append(list, p); p < least {
			break
		}
		next := mat.NewVecDense(x.Len(), nil)
		next.MulVec(l.far.R.T(), x)
		x = next
	}
	return list
}
