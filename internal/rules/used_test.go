package rules

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shown is the source of whatever shows a reader how the package is used: notebooks,
// examples, README, and the packages and commands built on it.
func shown(t *testing.T) string {
	var text strings.Builder
	for _, pattern := range []string{"../notebooks/*.ipynb", "*example*_test.go", "*/*example*_test.go", "../widgets/*.go", "../widgets/*/*.go",
		"beam/*.go", "beam/cmd/*/*.go", "cmd/*/*.go", "../README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(f, ".ipynb") {
				data = cells(t, f, data)
			}
			text.Write(data)
		}
	}
	return text.String()
}

// cells is the source of the cells of a notebook.
func cells(t *testing.T, name string, data []byte) (source []byte) {
	var book struct {
		Cells []struct{ Source []string }
	}
	if err := json.Unmarshal(data, &book); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, c := range book.Cells {
		source = append(source, strings.Join(c.Source, "")+"\n"...)
	}
	return source
}

// written are methods that are called by no name, by encoding/json and fmt.
var written = regexp.MustCompile(`\.(MarshalJSON|UnmarshalJSON|String)$`)

// TestEveryNameIsUsed: whatever the package exports is shown somewhere. Types may be
// those of what a function returns.
func TestEveryNameIsUsed(t *testing.T) {
	text, looked := shown(t), 0
	for _, n := range namesOf(source(t, ".")) {
		of, method, isMethod := strings.Cut(n.name, ".")
		pattern := `\bmjq\.` + of + `\b`
		if isMethod {
			pattern = `\.` + method + `\(`
		}
		used := regexp.MustCompile(pattern).MatchString(text)
		if looked++; !used && !written.MatchString(n.name) && !returned[n.name] {
			t.Errorf("%s is exported and shown nowhere; show it in an example, or take it back", n.name)
		}
	}
	if looked < 100 {
		t.Errorf("only %d names were looked at", looked)
	}
}

// returned are types that a reader meets as what a function returns or takes, one a
// line.
var returned = map[string]bool{"Controls": true, "Goal": true, "Package": true}
