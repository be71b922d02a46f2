// Package check collects what is wrong with a request, so that its error names every
// fault at once and a user mends them in one go.
package check

import (
	"errors"
	"fmt"
)

// Faults are what is wrong with a request. The zero value is a request without a
// fault.
type Faults struct{ list []error }

// Add notes a fault: field, value and remedy, in the manner of fmt.Errorf.
func (f *Faults) Add(format string, args ...any) {
	f.list = append(f.list, fmt.Errorf(format, args...))
}

// That notes a fault unless ok.
func (f *Faults) That(ok bool, format string, args ...any) {
	if !ok {
		f.Add(format, args...)
	}
}

// Join notes faults that were found elsewhere, nil errors left out.
func (f *Faults) Join(errs ...error) {
	for _, err := range errs {
		if err != nil {
			f.list = append(f.list, err)
		}
	}
}

// AtMost expects a number that the setting of that name may have.
func (f *Faults) AtMost(name string, n, most int64) {
	f.That(n <= most, "%s(%d): at most %d can be counted; give fewer", name, n, most)
}

// MostMemory is how many bytes a query takes for what it was told to: what needs
// more is mostly a slip of the pen, and would be ended by the system.
const MostMemory = 4e9

// Memory expects that what is asked for needs no more than MostMemory.
func (f *Faults) Memory(bytes float64, format string, args ...any) {
	f.That(bytes <= MostMemory, "%s: needs about %.3g GB of memory, more than the %g GB that a query takes",
		fmt.Sprintf(format, args...), bytes/1e9, MostMemory/1e9)
}

// List is the faults found so far.
func (f *Faults) List() []error { return f.list }

// Err is nil, or one error that names all faults after what was asked for.
func (f *Faults) Err(what string) error {
	if len(f.list) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w", what, errors.Join(f.list...))
}
