package law

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// faults collects what is wrong with the parameters of a law.
type faults struct {
	law  Law
	list []error
}

func (f *faults) check(ok bool, format string, args ...any) {
	if !ok {
		f.list = append(f.list, fmt.Errorf("%s: %s", shortened(f.law.String()), fmt.Sprintf(format, args...)))
	}
}

// shortened cuts the long expression of a law that holds slices.
func shortened(expression string) string {
	const most = 80
	if r := []rune(expression); len(r) > most {
		return string(r[:most]) + "…"
	}
	return expression
}

// Parameters lie between these, so that their products and inverses are numbers
// with all their digits.
const (
	leastParameter = 1e-100
	mostParameter  = 1e100
)

// positive expects a positive finite parameter.
func (f *faults) positive(name string, x float64) {
	f.check(x > 0 && !math.IsInf(x, 1), "the %s is %v; give a positive finite number", name, x)
	f.check(!(x > 0 && x < leastParameter) && !(x > mostParameter && !math.IsInf(x, 1)),
		"the %s is %v, and what is computed from it would overflow or vanish; give a number from %g to %g, in another unit if it is a time", name, x, leastParameter, mostParameter)
}

// time expects a finite time, which may be 0.
func (f *faults) time(name string, x float64) {
	f.check(x >= 0 && x <= mostParameter, "the %s is %v; give a number from 0 to %g", name, x, mostParameter)
}

// probability expects a number in [0, 1].
func (f *faults) probability(name string, p float64) {
	f.check(p >= 0 && p <= 1, "the %s is %v; give a probability between 0 and 1", name, p)
}

func (f *faults) err() error { return errors.Join(f.list...) }

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
