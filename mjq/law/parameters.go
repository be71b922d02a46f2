package law

import (
	"math"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

// Parameters lie between these, so that their products and inverses are numbers
// with all their digits.
const (
	leastParameter = 1e-100
	mostParameter  = 1e100
)

// positive expects a positive finite parameter.
func positive(f *check.Faults, name string, x float64) {
	f.That(x > 0 && !math.IsInf(x, 1), "the %s is %v; give a positive finite number", name, x)
	f.That(!(x > 0 && x < leastParameter) && !(x > mostParameter && !math.IsInf(x, 1)),
		"the %s is %v, and what is computed from it would overflow or vanish; give a number from %g to %g, in another unit if it is a time", name, x, leastParameter, mostParameter)
}

// finiteTime expects a finite time, which may be 0.
func finiteTime(f *check.Faults, name string, x float64) {
	f.That(x >= 0 && x <= mostParameter, "the %s is %v; give a number from 0 to %g", name, x, mostParameter)
}

// probability expects a number in [0, 1].
func probability(f *check.Faults, name string, p float64) {
	f.That(p >= 0 && p <= 1, "the %s is %v; give a probability between 0 and 1", name, p)
}

// vector writes numbers as a Go expression, each in the shortest form that
// reads back as the same number.
func vector(xs []float64) string { return "[]float64" + braces(xs) }

func braces(xs []float64) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}
