package open

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Service is the phase-type service of a class, and its kind.
type Service struct {
	Kind  int
	Alpha []float64
	A     [][]float64
	Mean  float64
}

// survival is ∫ e^{-st} P(X > t) dt of the service time X.
func (v *Service) survival(s complex128) (sum complex128) {
	n := len(v.Alpha)
	// Solve (s - A) x = 1 without pivots: rows are dominated by the diagonal.
	a, x := make([][]complex128, n), make([]complex128, n)
	for i := range a {
		a[i], x[i] = make([]complex128, n), 1
		for j, r := range v.A[i] {
			a[i][j] = complex(-r, 0)
		}
		a[i][i] += s
	}
	for k := range n {
		for i := k + 1; i < n; i++ {
			if a[i][k] == 0 {
				continue
			}
			f := a[i][k] / a[k][k]
			for j := k; j < n; j++ {
				a[i][j] -= f * a[k][j]
			}
			x[i] -= f * x[k]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
		sum += complex(v.Alpha[i], 0) * x[i]
	}
	return sum
}

// decay is the rate of the exponential tail of the service time.
func (v *Service) decay() float64 {
	n := len(v.Alpha)
	a := mat.NewDense(n, n, nil)
	for i, row := range v.A {
		a.SetRow(i, row)
	}
	var e mat.Eigen
	if !e.Factorize(a, mat.EigenNone) {
		return 0
	}
	slowest := math.Inf(1)
	for _, z := range e.Values(nil) {
		slowest = min(slowest, -real(z))
	}
	return slowest
}

// curvesTolerance is the absolute error of P(W > t) that the curves aim at.
const curvesTolerance = 2e-10

// Curves finds the distribution of the waiting and of the response time of each
// class, exact up to about 10^-9: Laplace transforms tilted by the decay, so that
// tails keep their digits, and inverted (see inversion). It costs some hundred
// evaluations, each of 12n² operations for n phases and some per rate of the boundary,
// shared by a given number of goroutines; some thousand if a phase of a service can be
// come back to. It fails where that happens too often to follow, where rounding hides the
// transforms, and with the cause of the end of ctx.
func (w *Waits) Curves(ctx context.Context, services []Service, workers int) (waiting, response []result.Curve, err error) {
	var atoms []float64
	for _, k := range w.Kinds() {
		atoms = append(atoms, k.Zero)
	}
	onward := Onward(w.Index)
	if !onward && w.turning(ctx) {
		return nil, nil, errTurns
	}
	var made []*Transform
	waiting, response, err = invertAll(ctx, services, atoms, w.lambda*(1/w.qbd.Caudal-1), onward, workers, func() transform {
		t := w.Transform()
		t.ctx = ctx
		made = append(made, t)
		return t
	})
	for _, t := range made {
		if err == nil && t.turns >= mostTurns {
			return nil, nil, errTurns
		}
	}
	return waiting, response, err
}

// transform evaluates ∫ e^{-st} P(W > t) dt and E e^{-sW} by kind. It is for one
// goroutine, and what it returns is good until it is called again.
type transform interface {
	at(s complex128) (survival, waiting []complex128)
}

// invertAll finds the curves of all services, given P(W = 0) by kind, the decay of
// the waiting times, whether a transform can be evaluated anywhere, and how to make one.
func invertAll(ctx context.Context, services []Service, atomOf []float64, fall float64, anywhere bool, workers int, begin func() transform) (waiting, response []result.Curve, err error) {
	theta := fall
	n := len(services)
	atoms, rates := make([]float64, 2*n), make([]float64, 2*n)
	scale := math.Inf(1)
	for i := range services {
		v := &services[i]
		atoms[i], rates[i] = atomOf[v.Kind], fall
		rates[n+i] = min(fall, v.decay())
		theta = min(theta, rates[n+i])
		scale = min(scale, v.Mean)
	}
	v := &inversion{ctx: ctx, services: services, theta: theta, shortest: scale}
	if anywhere {
		v.families = families()
	}
	for range workers {
		v.transforms = append(v.transforms, begin())
	}
	all, whole := estimate.FitCurves(v.tilted, theta, atoms, rates, scale, curvesTolerance)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case !whole || v.spent > mostSpent:
		return nil, nil, errNoisy
	}
	return all[:n], all[n:], nil
}

// Why there are no distributions.
var (
	errTurns = errors.New("a cyclic phase-type service time passes too many phases; use an acyclic one (Erlang, HyperExp, Cox2) or a sampler")
	errNoisy = errors.New("rates lie so far apart that rounding hides them; use a sampler, such as mjq.Forward{}")
)
