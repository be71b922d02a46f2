package law

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// slack is the excess allowed in probabilities and row sums, as when they come
// from a file with ten digits. A lack below rounding is none: what is left of a
// sum in floating point is no exit.
const (
	slack    = 1e-9
	rounding = 1e-12
)

// atom is the probability of the time 0.
func (l PH) atom() float64 {
	rest := 1.0
	for _, p := range l.Alpha {
		rest -= p
	}
	if rest > rounding {
		return rest
	}
	return 0
}

// exit is the rate of absorption from phase i.
func (l PH) exit(i int) float64 {
	rest := 0.0
	for _, rate := range l.A[i] {
		rest -= rate
	}
	if rest > rounding*-l.A[i][i] {
		return rest
	}
	return 0
}

// exits is the rate of absorption from every phase.
func (l PH) exits() []float64 {
	rates := make([]float64, len(l.A))
	for i := range rates {
		rates[i] = l.exit(i)
	}
	return rates
}

// Validate wants a square generator of the length of alpha, a subprobability
// vector, non-negative rates between phases, row sums of at most 0, and a way
// out of every phase.
func (l PH) Validate() error {
	f := check.Faults{Of: l}
	n := len(l.Alpha)
	f.That(n > 0, "there is no phase; give at least one")
	f.That(len(l.A) == n, "alpha has %d phases and A has %d rows; make them equal", n, len(l.A))
	sum := 0.0
	for i, p := range l.Alpha {
		probability(&f, fmt.Sprintf("initial probability of phase %d", i+1), p)
		sum += p
	}
	f.That(sum <= 1+slack, "alpha sums to %v; it must not exceed 1", sum)
	for i, row := range l.A {
		f.That(len(row) == n, "row %d of A has %d entries, not %d", i+1, len(row), n)
		exit := 0.0
		for j, rate := range row {
			exit -= rate
			if j == i {
				f.That(rate < 0 && !math.IsInf(rate, -1), "A[%d][%d] is %v; the diagonal must be negative and finite", i+1, j+1, rate)
			} else {
				f.That(rate >= 0 && !math.IsInf(rate, 1), "A[%d][%d] is %v; rates between phases must be finite, not negative", i+1, j+1, rate)
			}
		}
		if i < len(row) {
			f.That(exit >= -slack*math.Abs(row[i]), "row %d of A sums to %v; it must not be positive", i+1, -exit)
		}
	}
	if f.None() {
		f.That(l.absorbs(), "some phase has no way out; let every phase reach absorption")
	}
	for i, row := range l.A {
		for j, rate := range row {
			size := math.Abs(rate)
			f.That(!(size > 0 && size < leastParameter || size > mostParameter && !math.IsInf(rate, 0)),
				"A[%d][%d] is %v, and what is computed from it would overflow or vanish; give a rate of %g to %g, in another unit of time", i+1, j+1, rate, leastParameter, mostParameter)
		}
	}
	if f.None() {
		fastest := 0.0
		for i := range l.A {
			fastest = max(fastest, -l.A[i][i])
		}
		f.That(!(fastest*l.Mean() > mostStiff), "its fastest phase is %.2g times as short as the whole, and rounding would drown it; leave out phases that take no time relative to the others", fastest*l.Mean())
	}
	if f.None() {
		steps, ok := l.steps()
		f.That(ok && steps <= mostSteps, "the chain passes %.3g phases on average before it ends, and a sample draws them all; let it pass at most %d", steps, mostSteps)
	}
	return f.Err("")
}

// mostStiff is how many times as long as its shortest phase the law may be: the
// transient probabilities lose a digit for every factor of ten.
const mostStiff = 1e12

// steps is the expected number of phases that the chain passes.
func (l PH) steps() (mean float64, ok bool) {
	rates := make([]float64, len(l.A))
	for i := range rates {
		rates[i] = -l.A[i][i]
	}
	visits, ok := l.solve(0, rates)
	return dot(l.Alpha, visits), ok
}

// absorbs reports whether absorption can be reached from every phase.
func (l PH) absorbs() bool {
	out := make([]bool, len(l.A))
	for grown := true; grown; {
		grown = false
		for i, row := range l.A {
			was := out[i]
			for j, rate := range row {
				out[i] = out[i] || j != i && rate > 0 && out[j]
			}
			out[i] = out[i] || l.exit(i) > 0
			grown = grown || out[i] != was
		}
	}
	for _, ok := range out {
		if !ok {
			return false
		}
	}
	return true
}
