package mjq

import (
	"errors"
	"fmt"
)

// faults collects everything wrong with a request, so that a user mends it in
// one go.
type faults struct{ list []error }

func (f *faults) add(format string, args ...any) {
	f.list = append(f.list, fmt.Errorf(format, args...))
}

func (f *faults) check(ok bool, format string, args ...any) {
	if !ok {
		f.add(format, args...)
	}
}

// err is nil, or one error that names them all.
func (f *faults) err(what string) error {
	if len(f.list) == 0 {
		return nil
	}
	return fmt.Errorf("mjq: %s: %w", what, errors.Join(f.list...))
}
