package cells

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed std.txt
var standardPaths string

// standard are the packages of the standard library by name.
var standard = func() map[string][]string {
	all := map[string][]string{}
	for _, p := range strings.Fields(standardPaths) {
		n := nameOf(p)
		all[n] = append(all[n], p)
	}
	return all
}()

var version = regexp.MustCompile(`/v[0-9]+$`)

// nameOf is the name that a package most likely has.
func nameOf(importPath string) string { return path.Base(version.ReplaceAllString(importPath, "")) }

// complete adds to the cell what it uses and does not say: imports, and ctx.
func (r *Rules) complete(c *Cell, b *Book) {
	missing, line := c.unresolved()
	if _, free := missing["ctx"]; free && r.Context != "" && !b.known("ctx") {
		c.put("var ctx = "+r.Context+"; ", c.afterImports())
		owner, _, _ := strings.Cut(r.Context, ".")
		missing[owner] = true
	}
	imports := ""
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if !missing[name] || b.known(name) || b.imported(name) || c.imports(name) {
			continue
		}
		switch paths := r.paths(name); len(paths) {
		case 0:
		case 1:
			imports += fmt.Sprintf("import %q; ", paths[0])
		default:
			if c.Refused == "" {
				c.Refused = fmt.Sprintf("line %d: %s is the name of several packages\n\n    %s\n\nImport the one you mean: import %s",
					line[name], name, c.Line(line[name]), alternatives(paths))
			}
		}
	}
	if len(c.pieces) > 0 {
		c.put(imports, c.pieces[0].start)
	}
}

// put puts a declaration before what stands at an offset, or before main if that comes first.
func (c *Cell) put(text string, at int) {
	if text == "" {
		return
	}
	if c.main[1] > 0 {
		at = min(at, c.main[0])
	}
	i := slices.IndexFunc(c.edits, func(e edit) bool { return e.at >= at })
	if i < 0 {
		i = len(c.edits)
	}
	c.edits = slices.Insert(c.edits, i, edit{at: at, text: text})
}

// afterImports is where a declaration may stand: not before an import.
func (c *Cell) afterImports() int {
	for _, p := range c.pieces {
		if !strings.HasPrefix(c.Text[p.start:], "import") {
			return p.start
		}
	}
	return 0
}

func alternatives(paths []string) string {
	var quoted []string
	for _, p := range paths {
		quoted = append(quoted, fmt.Sprintf("%q", p))
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

// paths are those of the packages that have a name.
func (r *Rules) paths(name string) []string {
	if p := r.Packages[name]; p != "" {
		return []string{p}
	}
	return standard[name]
}

// unresolved are the names that the cell uses and does not declare, each with whether it
// stands before a dot, as packages do, and the line of the text where it does first.
func (c *Cell) unresolved() (names map[string]bool, line map[string]int) {
	names, line = map[string]bool{}, map[string]int{}
	source, _ := c.source()
	files := token.NewFileSet()
	file, _ := parser.ParseFile(files, "", clause+source, 0)
	if file == nil {
		return names, line
	}
	free := map[*ast.Ident]bool{}
	for _, x := range file.Unresolved {
		free[x] = true
		names[x.Name] = false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && free[x] {
				names[x.Name] = true
				if line[x.Name] == 0 {
					line[x.Name] = files.Position(x.Pos()).Line
				}
			}
		}
		return true
	})
	return names, line
}

// imports reports whether the cell itself imports a package by a name.
func (c *Cell) imports(name string) bool {
	return importedIn(c.parse().imports, name)
}

// imported reports whether a cell before has imported a package by a name.
func (b *Book) imported(name string) bool { return importedIn(b.imports, name) }

func importedIn(all map[string]string, name string) bool {
	for quoted, as := range all {
		if as == name || as == "" && nameOf(strings.Trim(quoted, "\"`")) == name {
			return true
		}
	}
	return false
}
