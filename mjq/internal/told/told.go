// Package told hands what the options of package mjq say to the packages that stand above
// it and take them too: logs, closed queues.
package told

import "context"

// Options are what any question may be told.
type Options struct {
	Seed     uint64 // 0 unless one was given
	Level    float64
	Workers  int
	Fresh    bool                      // compute, even if the answer is kept
	Progress func(done, total float64) // nil if nobody wants to hear
}

// Read is what the options of a question, a []mjq.Option, come to, with the faults of those
// that it does not take. Package mjq sets it: the options are sealed, and their packages
// are none of its own.
var Read func(ctx context.Context, question string, opts any) (Options, []error)
