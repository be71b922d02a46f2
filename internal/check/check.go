// Package check collects what is wrong with a request, so that its error names every
// fault at once and a user mends them in one go.
package check

import (
	"errors"
	"fmt"
	"strings"
)

// Faults are what is wrong with a request. The zero value is a request without a
// fault.
type Faults struct {
	// Of is what has the faults; its String, shortened, stands before each of
	// them. It is asked only when there is a fault, and may be nil.
	Of fmt.Stringer
	// Most is how many faults are kept in words, the others being counted; 0
	// keeps them all. A file of a million lines may have a million faults.
	Most int

	list []error
	more int
}

// Add notes a fault: field, value and remedy, in the manner of fmt.Errorf.
func (f *Faults) Add(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if f.Of != nil {
		err = fmt.Errorf("%s: %w", Shorten(f.Of.String()), err)
	}
	f.Join(err)
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
		switch {
		case err == nil:
		case f.Most > 0 && len(f.list) >= f.Most:
			f.more++
		default:
			f.list = append(f.list, err)
		}
	}
}

// AtMost expects a number that the setting of that name may have.
func (f *Faults) AtMost(name string, n, most int64) {
	f.That(n <= most, "%s %d: at most %d can be counted; give fewer", name, n, most)
}

// MostMemory is how many bytes a query takes for what it was told to: what needs
// more is mostly a slip of the pen, and would be ended by the system.
const MostMemory = 4e9

// Memory expects that what is asked for needs no more than MostMemory.
func (f *Faults) Memory(bytes float64, format string, args ...any) {
	f.That(bytes <= MostMemory, "%s: needs about %.3g GB of memory, more than the %g GB that a query takes",
		fmt.Sprintf(format, args...), bytes/1e9, MostMemory/1e9)
}

// None reports whether no fault was found so far.
func (f *Faults) None() bool { return len(f.list) == 0 }

// List is the faults found so far, those that are only counted left out.
func (f *Faults) List() []error { return f.list }

// Err is nil, or one error that names all faults after what was asked for, if
// that is not empty.
func (f *Faults) Err(what string) error {
	if len(f.list) == 0 {
		return nil
	}
	err := errors.Join(f.list...)
	if f.more > 0 {
		err = errors.Join(err, fmt.Errorf("and %d more", f.more))
	}
	if what == "" {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

// First is the first of the faults of an error, for a note about it.
func First(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimSuffix(text, ".")
}

// Shorten cuts a text to eighty characters: the expression of a law of a thousand
// numbers, or a line of a file that is none.
func Shorten(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
