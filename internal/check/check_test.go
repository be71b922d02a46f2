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
	f.AtMost("Samples", 5, 5)
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
	want := []string{"sampling: N(-1): must be positive", "EOF", "Jobs 6: at most 5", "Batch(7): needs about 8 GB of memory, more than the 4 GB"}
	for i, line := range strings.Split(err.Error(), "\n") {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("fault %d reads %q", i+1, line)
		}
	}
}

// named is a thing with faults.
type named string

func (n named) String() string { return string(n) }

// TestFaultsOfAThing: its name stands before what is added, in eighty characters,
// and not before what it had when it was found.
func TestFaultsOfAThing(t *testing.T) {
	f := Faults{Of: named(strings.Repeat("ä", 81))}
	f.Add("the mean is %d: %w", -1, io.EOF)
	f.Join(io.ErrUnexpectedEOF)
	err := f.Err("")
	if want := strings.Repeat("ä", 80) + "…: the mean is -1: EOF\nunexpected EOF"; err == nil || err.Error() != want || !errors.Is(err, io.EOF) {
		t.Errorf("%v, want %s", err, want)
	}
	if f.None() || !(&Faults{}).None() {
		t.Error("None is wrong")
	}
	if whole := strings.Repeat("ä", 80); Shorten(whole) != whole {
		t.Errorf("eighty characters become %s", Shorten(whole))
	}
}

// TestMostFaults keeps the first and counts the others.
func TestMostFaults(t *testing.T) {
	f := Faults{Most: 2}
	for i := range 5 {
		f.Add("line %d", i+1)
	}
	if err := f.Err("reading"); err.Error() != "reading: line 1\nline 2\nand 3 more" || len(f.List()) != 2 {
		t.Errorf("%d faults: %v", len(f.List()), err)
	}
}
