package rules

import (
	"regexp"
	"strings"
	"testing"
)

// TestGoroutinesAreGuarded: a file that starts goroutines uses package panics,
// or a panic in them would end a user's process.
func TestGoroutinesAreGuarded(t *testing.T) {
	starts := regexp.MustCompile(`(?m)^\s*go |\.Go\(|sync\.WaitGroup`)
	seen := 0
	for _, path := range goFiles(t, ".", "../widgets") {
		if text := read(t, path); !strings.HasSuffix(path, "_test.go") && starts.MatchString(text) {
			if seen++; !strings.Contains(text, "panics.") {
				t.Errorf("%s starts a goroutine on its own; use panics.Group, panics.Call or panics.Catch", path)
			}
		}
	}
	if seen < 8 {
		t.Errorf("goroutines were found in %d files only", seen)
	}
}
