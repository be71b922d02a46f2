package mjq

import (
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/spec"
)

func count(n int, noun string) string { return spec.Count(n, noun) }

func lawFaults(at string, l Law) []error { return spec.LawFaults(at, l) }

func faultsOf(f *check.Faults, what string) error {
	if err := f.Err(what); err != nil {
		return fmt.Errorf("mjq: %w", err)
	}
	return nil
}
