package law

import (
	"errors"
	"fmt"
	"math"
)

// faults collects what is wrong with the parameters of a law.
type faults struct {
	law  Law
	list []error
}

func (f *faults) check(ok bool, format string, args ...any) {
	if !ok {
		f.list = append(f.list, fmt.Errorf("%v: %s", f.law, fmt.Sprintf(format, args...)))
	}
}

// positive expects a positive finite parameter.
func (f *faults) positive(name string, x float64) {
	f.check(x > 0 && !math.IsInf(x, 1), "the %s is %v; give a positive finite number", name, x)
}

// probability expects a number in [0, 1].
func (f *faults) probability(name string, p float64) {
	f.check(p >= 0 && p <= 1, "the %s is %v; give a probability between 0 and 1", name, p)
}

func (f *faults) err() error { return errors.Join(f.list...) }
