package check

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestFaults: a request without faults has no error; otherwise all are named, in
// order, and can be found again.
func TestFaults(t *testing.T) {
	var f Faults
	f.That(true, "not a fault")
	f.Join(nil)
	f.AtMost("N", 5, 5)
	f.Memory(MostMemory, "N(%d)", 5)
	if err := f.Err("sampling"); err != nil {
		t.Fatalf("an error without a fault: %v", err)
	}
	f.That(false, "N(%d): must be positive", -1)
	f.Join(io.EOF, nil)
	f.AtMost("Jobs", 6, 5)
	f.Memory(2*MostMemory, "Batch(%d)", 7)
	err := f.Err("sampling")
	if !errors.Is(err, io.EOF) || len(f.List()) != 4 {
		t.Errorf("%d faults: %v", len(f.List()), err)
	}
	want := []string{"sampling: N(-1): must be positive", "EOF", "Jobs(6): at most 5", "Batch(7): needs about 8 GB of memory, more than the 4 GB"}
	for i, line := range strings.Split(err.Error(), "\n") {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("fault %d reads %q", i+1, line)
		}
	}
}
