package special

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"github.com/mjqueue/mjq/internal/check"
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
// Where Err is not nil, all numbers are NaN.
type UnitAssignment struct {
	FCFS             float64 // λ_c of the plain queue
	RandomAssignment float64 // λ_c of random assignment
	Ratio            float64 // FCFS / RandomAssignment, the ratio of the growth rates of the piles
	RatioAsPrinted   float64 // the same with G_k rounded down

	err error
}

// NewUnitAssignment finds the limits for n servers and big jobs with the given
// probability. E G = q / (1 - q^n) with q = 1 - big; E R is one integral, as the numbers
// are independent Poisson variables once k is a Poisson variable of exponentially
// distributed mean. Relative error below 1e-9; cost of the order of (n·big)^-½. It needs
// n ≥ 1, 0 < big ≤ 1 and n·big ≥ 1e-4.
func NewUnitAssignment(n int, big float64) *UnitAssignment {
	if err := unitFaults(n, big); err != nil {
		nan := math.NaN()
		return &UnitAssignment{nan, nan, nan, nan, err}
	}
	q := 1 - big
	layers := -math.Expm1(float64(n) * math.Log1p(-big)) // 1 - q^n
	rounded, down := q/layers, (1-layers)/layers         // E⌈k/n⌉, E⌊k/n⌋
	highest := highestOf(n, q/big/float64(n))
	return &UnitAssignment{
		FCFS:             1 / (big * (1 + rounded)),
		RandomAssignment: 1 / (big * (1 + highest)),
		Ratio:            (1 + highest) / (1 + rounded),
		RatioAsPrinted:   (1 + highest) / (1 + down),
	}
}

// leastBig is the least n·big: a second of work.
const leastBig = 1e-4

func unitFaults(n int, big float64) error {
	var f check.Faults
	f.That(n >= 1, "n = %d: at least one server is needed", n)
	f.That(big > 0 && big <= 1, "big = %v: the probability of a big job must lie in (0, 1]", big)
	f.That(n < 1 || !(big > 0) || float64(n)*big >= leastBig, "n = %d, big = %v: n·big is below %g, where the largest share of %.2g small jobs would be summed term by term; give a larger probability: the ratio goes to 1 as it falls", n, big, leastBig, 1/big)
	return f.Err("unit assignment")
}

// Err is nil, or says everything that is wrong with the parameters.
func (a *UnitAssignment) Err() error { return a.err }

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
			if more < 1e-14 && x > u {
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
func (a *UnitAssignment) String() string {
	if a.err != nil {
		return a.err.Error()
	}
	return fmt.Sprintf("stable below λ = %.6g first come first served, below %.6g under random assignment: a ratio of %.6g (%.6g as printed)",
		a.FCFS, a.RandomAssignment, a.Ratio, a.RatioAsPrinted)
}
