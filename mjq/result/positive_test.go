package result

import (
	"strings"
	"testing"
)

// TestNoIntervalBelowZero: the tables of waits show an interval wider than its value as one from 0
// on, those of differences as it is, and signs stay below each other.
func TestNoIntervalBelowZero(t *testing.T) {
	wide, narrow := Estimate{Value: 0.8, HalfWidth: 3.6, Level: 0.95}, Estimate{Value: 12.5, HalfWidth: 1.2, Level: 0.95}
	text := NewTable("").Estimates("mean wait", wide, narrow, Estimate{Level: 0.95, HalfWidth: 1e-6}).Estimates("more than the first", wide, narrow).positive().String()
	want := "    mean wait  more than the first\n 0   to 4.4    0.8 ± 3.6\n12.5  ± 1.2   12.5 ± 1.2\n 0   to 1e-06"
	if got := strings.TrimSpace(text); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
