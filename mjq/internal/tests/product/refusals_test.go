package product

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// remedy is what an error says after what is wrong.
var remedy = regexp.MustCompile(`(?i); |\b(use|give|take|takes|ask|raise|lower|leave|leaves|choose|set|allow|add|name|make|write|begin|call|must|do|does|can|run|put|at least|is for|are for|it needs|only)\b`)

// refuses fails unless an error is legible, says what to do, and names only what exists.
func refuses(t testing.TB, what string, err error) {
	t.Helper()
	text := err.Error()
	legible(t, what, text)
	for _, line := range strings.Split(text, "\n") {
		if !remedy.MatchString(line) && !strings.HasSuffix(line, ":") {
			t.Errorf("%s: no remedy in %q", what, line)
		}
	}
	for _, name := range unknownNames(text) {
		t.Errorf("%s: %s does not exist, in %q", what, name, text)
	}
}

// mentioned are names of Go in a message: mjq.Exact, Model.Class or .Class, Servers( or .Servers(.
var mentioned = regexp.MustCompile(`\bmjq\.([A-Z]\w*)|\bModel\.([A-Z]\w*)|(?:^|[^\w.\])])\.?([A-Z]\w{2,})\(|(?:^|[\s(])\.([A-Z]\w*)`)

// unknownNames are those that a text mentions and the packages do not have.
func unknownNames(text string) (list []string) {
	model := reflect.TypeFor[mjq.Model]()
	for _, m := range mentioned.FindAllStringSubmatch(text, -1) {
		_, has := model.MethodByName(m[2] + m[4])
		switch {
		case m[1] != "" && !exports()["mjq."+m[1]], m[2]+m[4] != "" && !has, m[3] != "" && !exports()[m[3]]:
			list = append(list, strings.TrimSpace(m[0]))
		}
	}
	return list
}

// TestMessagesNameWhatExists: texts in the source name no function, method or type that the packages
// do not have. A field is written by its name and its value.
func TestMessagesNameWhatExists(t *testing.T) {
	err := filepath.WalkDir("../../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "../../../beam") {
			return err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			x, ok := n.(*ast.BasicLit)
			if !ok || x.Kind != token.STRING || strings.Contains(x.Value, "{{") { // a template has fields of its own
				return true
			}
			text, _ := strconv.Unquote(x.Value)
			for _, name := range unknownNames(text) {
				t.Errorf("%v: %s does not exist, in %.200q", set.Position(x.Pos()), name, text)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// exports are the functions, methods and types that users call: those of package mjq by mjq.Name, and all by the name alone.
var exports = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, folder := range []string{".", "law", "arrival", "policy", "placement", "trace", "trace/foreign", "special", "result", "workload"} {
		files, _ := filepath.Glob(filepath.Join("..", "..", "..", folder, "*.go"))
		for _, f := range files {
			tree, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
			if err != nil || strings.HasSuffix(f, "_test.go") {
				continue
			}
			add := func(id *ast.Ident, method bool) {
				if all[id.Name] = all[id.Name] || id.IsExported(); folder == "." && !method {
					all["mjq."+id.Name] = id.IsExported()
				}
			}
			for _, d := range tree.Decls {
				switch x := d.(type) {
				case *ast.FuncDecl:
					add(x.Name, x.Recv != nil)
				case *ast.GenDecl:
					for _, s := range x.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							add(s.Name, false)
						case *ast.ValueSpec:
							add(s.Names[0], false)
						}
					}
				}
			}
		}
	}
	return all
})
