package special

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
)

// UnitAssignment is the example of Appendix A of Baccelli, Olliaro, Ajmone Marsan and
// Marin in closed form: n servers, jobs of service time 1 that need all servers with
// probability big, else one. Between two big jobs come k small ones with probability
// big (1-big)^k; they pile up to G_k = ⌈k/n⌉ in the plain queue and to R_k, the largest
// of the numbers that the n servers get, under random assignment. Then
//
//	λ_c = 1 / (big (1 + E G)),  λ_c = 1 / (big (1 + E R)),  ratio (1 + E R) / (1 + E G).
//
// The paper prints G_k = ⌊k/n⌋, which forgets the last, incomplete layer: a
// big job waits for a single small one. RatioAsPrinted keeps it.
//
// They have a relative error below 1e-9. E G = q / (1 - q^n) with q = 1 - big; E R is one
// integral, as the numbers are independent Poisson variables once k is a Poisson variable of
// exponentially distributed mean, at a cost of the order of (n·big)^-½.
//
//	special.UnitAssignment{N: 16, BigProb: 0.1}.Ratio()
//
// It needs N ≥ 1, 0 < BigProb ≤ 1 and N·BigProb ≥ 1e-4; otherwise Err says all that is wrong
// and every number is NaN.
type UnitAssignment struct {
	N       int     // servers
	BigProb float64 // the probability that a job needs all of them
}

// layers are the expected heights of what comes between two big jobs.
type layers struct{ rounded, down, highest float64 } // E⌈k/n⌉, E⌊k/n⌋, E R

var assignments = kept[UnitAssignment, layers]{same: equal[UnitAssignment], solve: func(a UnitAssignment) layers {
	if a.Err() != nil {
		return layers{math.NaN(), math.NaN(), math.NaN()}
	}
	q := 1 - a.BigProb
	full := -math.Expm1(float64(a.N) * math.Log1p(-a.BigProb)) // 1 - q^n
	return layers{q / full, (1 - full) / full, highestOf(a.N, q/a.BigProb/float64(a.N))}
}}

// FCFS is λ_c of the plain queue.
func (a UnitAssignment) FCFS() float64 { return 1 / (a.BigProb * (1 + assignments.of(a).rounded)) }

// RandomAssignment is λ_c of random assignment.
func (a UnitAssignment) RandomAssignment() float64 {
	return 1 / (a.BigProb * (1 + assignments.of(a).highest))
}

// Ratio is FCFS over RandomAssignment, the ratio of the growth rates of the piles.
func (a UnitAssignment) Ratio() float64 {
	l := assignments.of(a)
	return (1 + l.highest) / (1 + l.rounded)
}

// RatioAsPrinted is Ratio with G_k rounded down.
func (a UnitAssignment) RatioAsPrinted() float64 {
	l := assignments.of(a)
	return (1 + l.highest) / (1 + l.down)
}

// Model is the queue as a model with classes "small" and "big" and without arrivals; its
// RandomAssignment is the other one.
func (a UnitAssignment) Model() mjq.Model {
	one := law.Deterministic{X: 1}
	return mjq.Servers(a.N).Class("small", 1, 1-a.BigProb, one).Class("big", a.N, a.BigProb, one)
}

// leastBig is the least n·big: a second of work.
const leastBig = 1e-4

// Err is nil, or says everything that is wrong with the parameters.
func (a UnitAssignment) Err() error {
	n, big := a.N, a.BigProb
	var f check.Faults
	f.That(n >= 1, "N = %d: at least one server is needed", n)
	f.That(big > 0 && big <= 1, "BigProb = %v: the probability of a big job must lie in (0, 1]", big)
	f.That(n < 1 || !(big > 0) || float64(n)*big >= leastBig, "N = %d, BigProb = %v: their product is below %g, where the largest share of %.2g small jobs would be summed term by term; give a larger probability: the ratio goes to 1 as it falls", n, big, leastBig, 1/big)
	return f.Err("UnitAssignment")
}

// highestOf is E max of n Poisson variables, independent given their common
// mean, which is exponential of the given mean: ∫ e^{-v} M(v·mean) dv with
// M(u) = Σ_x (1 - F_u(x)^n) and F_u the Poisson distribution function.
func highestOf(n int, mean float64) float64 {
	expected := func(u float64) (sum float64) {
		// Below the mean by many standard deviations X > x for certain.
		sum = math.Floor(max(0, u-10*math.Sqrt(u)-10))
		for x := sum; ; x++ {
			// P(X > x) is the regularised incomplete gamma function at x+1.
			more := -math.Expm1(float64(n) * math.Log1p(-mathext.GammaIncReg(x+1, u)))
			sum += more
			if !(more >= 1e-14) && !(x <= u) { // also where they are not numbers
				return sum
			}
		}
	}
	sum := 0.0
	for _, panel := range [][2]float64{{0, 0.01}, {0.01, 0.1}, {0.1, 0.5}, {0.5, 1}, {1, 2}, {2, 4}, {4, 8}, {8, 16}, {16, 24}, {24, 40}} {
		sum += quad.Fixed(func(v float64) float64 { return math.Exp(-v) * expected(v*mean) }, panel[0], panel[1], 24, nil, 0)
	}
	return sum
}

// String gives the limits in a line, or the error.
func (a UnitAssignment) String() string {
	if err := a.Err(); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("stable below λ = %.6g first come first served, below %.6g under random assignment: a ratio of %.6g (%.6g as printed)",
		a.FCFS(), a.RandomAssignment(), a.Ratio(), a.RatioAsPrinted())
}
