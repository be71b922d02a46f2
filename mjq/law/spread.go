package law

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// Spreader is implemented by laws whose spread is known.
type Spreader interface {
	// Spread is the law of density x f(x)/E[X]. It is called for valid laws of
	// positive finite mean only.
	Spread() Law
}

// Spread is the law of the interval that covers a fixed instant in a stationary
// renewal process of intervals X: its density is x f(x)/E[X], its tail
//
//	P(H > x) = x P(X > x)/E[X] + P(X_e > x),  P(X_e > x) = ∫_x^∞ P(X > y) dy / E[X]
//
// (Sigman's spread, equation (6) of Golovin's paper), its mean E[X²]/E[X]. A
// long interval is more likely to be the one met: hence also length-biased or
// size-biased law. A uniform fraction of H is what is left of the interval, the
// stationary excess X_e of equation (4).
//
// All laws of this package have it in closed form. It is Erlang for exponential and Erlang
// laws, and phase-type with twice the phases for the other phase-type laws. Uniform and bounded
// Pareto laws have bounded powers, lognormal laws a lognormal; Lomax and Weibull laws use the
// beta and gamma functions. For a law from elsewhere the tail is integrated once, in the call
// (a few ms), and inverted for every draw.
//
// The mean of l must be positive and finite: Validate of the returned law says
// so otherwise. Its own variance, E[X³]/E[X] less the squared mean, can be
// infinite, and so can its mean.
func Spread(l Law) Law {
	if l.Validate() != nil || !(l.Mean() > 0) || math.IsInf(l.Mean(), 1) {
		return unspreadable{l}
	}
	if s, ok := ask[Spreader](l); ok {
		return s.Spread()
	}
	if alpha, a, ok := Phases(l); ok {
		return spreadPhases(PH{alpha, a})
	}
	return newTabulated(l)
}

// spreadPhases marks a uniform point of the life of the chain. Unmarked, the
// chain is the h-transform with h_i = E[time to absorption from i], which jumps
// from i to j at rate A_ij h_j/h_i and is marked at rate 1/h_i; marked, it is
// the chain itself. It starts unmarked, in i with probability Alpha_i h_i/E[X].
func spreadPhases(l PH) Law {
	n := len(l.Alpha)
	h, _ := l.solve(0, ones(n))
	mean := dot(l.Alpha, h)
	alpha, a := zeros(2 * n)
	for i, row := range l.A {
		alpha[i] = l.Alpha[i] * h[i] / mean
		for j, rate := range row {
			a[i][j] = rate * h[j] / h[i]
			a[n+i][n+j] = rate
		}
		a[i][i] = row[i]
		a[i][n+i] = 1 / h[i]
	}
	return PH{alpha, a}
}

// unspreadable stands for the spread of a law that has none.
type unspreadable struct{ Law }

// Validate passes on the faults of the law, or says that its mean is not
// positive and finite.
func (u unspreadable) Validate() error {
	if err := u.Law.Validate(); err != nil {
		return err
	}
	f := check.Faults{Of: u.Law}
	f.Add("the mean is %v, and only a law with a positive finite one has a spread", u.Law.Mean())
	return f.Err("")
}

// String is "Spread(...)".
func (u unspreadable) String() string { return "Spread(" + u.Law.String() + ")" }

// Scaled is the same of the scaled law.
func (u unspreadable) Scaled(c float64) Law { return unspreadable{u.Law.Scaled(c)} }

func init() {
	register(Form{"Spread", []Parameter{{"of", Law(Exponential{})}}}, func(f Form) Law { return Spread(f.Law("of")) })
}
