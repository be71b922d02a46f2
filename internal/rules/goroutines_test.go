package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGoroutinesAreGuarded: a file that starts goroutines uses package panics,
// or a panic in them would end a user's process.
func TestGoroutinesAreGuarded(t *testing.T) {
	starts := regexp.MustCompile(`(?m)^\s*go |\.Go\(|sync\.WaitGroup`)
	seen := 0
	for _, root := range []string{".", "../widgets"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if starts.Match(text) {
				if seen++; !strings.Contains(string(text), "panics.") {
					t.Errorf("%s starts a goroutine on its own; use panics.Group, panics.Call or panics.Catch", path)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 8 {
		t.Errorf("goroutines were found in %d files only", seen)
	}
}
