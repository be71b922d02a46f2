package rules

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	quoted   = regexp.MustCompile("`([^`]+)`")
	word     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)
	promised = regexp.MustCompile(`takes (\w+) files`)
	step     = regexp.MustCompile(`(?m)^// \d+\. `)
	numbers  = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
)

// TestRecipes: every file and name that a recipe for something new mentions exists, a recipe has
// as many steps as it promises files, and CONTRIBUTING names every recipe.
func TestRecipes(t *testing.T) {
	guide := read(t, "../CONTRIBUTING.md")
	if len(guide) > 9000 {
		t.Errorf("CONTRIBUTING.md has %d bytes, of 9000; put what is about one package beside its code", len(guide))
	}
	names, recipes := goNames(t), 0
	for _, file := range goFiles(t, "../mjq", "../internal", "../kernels", "../widgets") {
		text := read(t, file)
		if filepath.Base(file) != "doc.go" || !strings.Contains(text, "\n// # A new ") {
			continue
		}
		recipes++
		page := strings.TrimPrefix(file, "../")
		if !strings.Contains(guide, "`"+page+"`") {
			t.Errorf("CONTRIBUTING.md does not name the recipe in %s", page)
		}
		for _, q := range quoted.FindAllStringSubmatch(text, -1) {
			if !known(q[1], filepath.Dir(file), names) {
				t.Errorf("%s: there is no %s", page, q[1])
			}
		}
		if p := promised.FindStringSubmatch(text); p != nil && numbers[p[1]] != len(step.FindAllString(text, -1)) {
			t.Errorf("%s: the recipe %s and has %d steps", page, p[0], len(step.FindAllString(text, -1)))
		}
	}
	if recipes < 6 {
		t.Errorf("%d recipes, of at least 6; doc.go of law, arrival, policy, run, estimate and recurrence have one each", recipes)
	}
}

// known reports whether what a recipe quotes exists: a file, seen from its package or the
// checkout, a name of Go code, or else a command or a piece of code, of which paths are looked up.
func known(quote, folder string, names map[string]bool) bool {
	exists := func(path string) bool {
		for _, from := range []string{folder, ".."} {
			if _, err := os.Stat(filepath.Join(from, path)); err == nil {
				return true
			}
		}
		return false
	}
	switch {
	case strings.Contains(quote, " "):
		for part := range strings.FieldsSeq(quote) {
			if strings.HasPrefix(part, "./") && !exists(part) {
				return false
			}
		}
		return true
	case strings.ContainsAny(quote, "/-") || exists(quote):
		return exists(quote)
	case word.MatchString(quote):
		return names[quote[strings.LastIndex(quote, ".")+1:]]
	}
	return true
}

// goNames are the identifiers of all Go files.
func goNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range goFiles(t, "../mjq", "../internal", "../kernels", "../widgets") {
		src := []byte(read(t, file))
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile(file, -1, len(src)), src, nil, 0)
		for _, tok, lit := s.Scan(); tok != token.EOF; _, tok, lit = s.Scan() {
			if tok == token.IDENT {
				names[lit] = true
			}
		}
	}
	return names
}

// goFiles are the Go files of the checkout.
func goFiles(t *testing.T, roots ...string) []string {
	t.Helper()
	var files []string
	for _, root := range roots {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if d != nil && strings.HasPrefix(d.Name(), "testdata-") { // other tests make and remove them meanwhile
				return fs.SkipDir
			}
			if strings.HasSuffix(path, ".go") {
				files = append(files, path)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
