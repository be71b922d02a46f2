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

// mostMemory is how many bytes a verb takes for what it was told to: what needs
// more is mostly a slip of the pen, and would be ended by the system.
const mostMemory = 4e9

// memory expects that what is asked for needs no more memory than a verb takes.
func (f *faults) memory(bytes float64, format string, args ...any) {
	f.check(bytes <= mostMemory, "%s: needs about %.3g GB of memory, more than the %g GB that a query takes",
		fmt.Sprintf(format, args...), bytes/1e9, mostMemory/1e9)
}

// Bounds of what is counted: replications are numbered in 40 bits, and a run of
// more jobs would not end in a lifetime.
const (
	mostSamples = 1 << 40
	mostJobs    = 1 << 50
	mostWindow  = 1 << 40 // it is doubled again and again
	mostWorkers = 4096
)

// atMost expects a number that the setting of that name may have.
func (f *faults) atMost(name string, n, most int64) {
	f.check(n <= most, "%s(%d): at most %d can be counted; give fewer", name, n, most)
}

// err is nil, or one error that names them all.
func (f *faults) err(what string) error {
	if len(f.list) == 0 {
		return nil
	}
	return fmt.Errorf("mjq: %s: %w", what, errors.Join(f.list...))
}
