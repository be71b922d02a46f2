package rules

import (
	"regexp"
	"strings"
	"testing"
)

// TestEscapedInOnePlace: package escape alone makes HTML and comma-separated values of text, so
// that no package leaves a name of a file as it is.
func TestEscapedInOnePlace(t *testing.T) {
	own := regexp.MustCompile(`html\.EscapeString|HTMLEscape|csv\.NewWriter|xml\.EscapeText|unicode\.IsControl`)
	looked := 0
	for _, path := range goFiles(t, ".", "../widgets", "../internal", "../notebooks") {
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "../internal/escape/") {
			continue
		}
		looked++
		if found := own.FindString(read(t, path)); found != "" {
			t.Errorf("%s has %s; use package escape", path, found)
		}
	}
	if looked < 500 {
		t.Errorf("only %d files were looked at", looked)
	}
}
