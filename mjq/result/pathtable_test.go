package result

import "testing"

// TestSpans: servers in a row are written by the first and the last.
func TestSpans(t *testing.T) {
	for want, of := range map[string][]int{"": nil, "4": {4}, "0-1": {0, 1}, "0 2-4 9": {0, 2, 3, 4, 9}} {
		if got := spans(of); got != want {
			t.Errorf("%v: %q", of, got)
		}
	}
}
