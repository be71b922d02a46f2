package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEscapedInOnePlace: package escape alone makes HTML and comma-separated values of text, so
// that no package leaves a name of a file as it is.
func TestEscapedInOnePlace(t *testing.T) {
	own := regexp.MustCompile(`html\.EscapeString|HTMLEscape|csv\.NewWriter|xml\.EscapeText|unicode\.IsControl`)
	looked := 0
	for _, root := range []string{".", "../widgets", "../internal", "../notebooks"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "../internal/escape/") {
				return err
			}
			looked++
			text, err := os.ReadFile(path)
			if found := own.Find(text); found != nil {
				t.Errorf("%s has %s; use package escape", path, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if looked < 500 {
		t.Errorf("only %d files were looked at", looked)
	}
}
