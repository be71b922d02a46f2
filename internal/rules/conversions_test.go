package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// counting are the packages that compute how many jobs, samples, servers and states to take.
var counting = []string{"choice", "exact", "interval", "limit", "planning", "problem", "queue", "run", "sampler", "simulation", "turned"}

// TestConversions: a computed number may be infinite or NaN. It becomes a whole number through
// check.Whole, which bounds it from both sides.
func TestConversions(t *testing.T) {
	read := 0
	for _, name := range counting {
		err := filepath.WalkDir(filepath.Join("internal", name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			read++
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok && converts(c) {
					t.Errorf("%v: the number may be infinite or NaN; use check.Whole", files.Position(c.Pos()))
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 60 {
		t.Errorf("read %d files only", read)
	}
}

// converts reports whether a call makes a whole number of one that functions of real numbers give.
func converts(c *ast.CallExpr) bool {
	to, ok := c.Fun.(*ast.Ident)
	if !ok || len(c.Args) != 1 || !slices.Contains([]string{"int", "int32", "int64", "uint64"}, to.Name) {
		return false
	}
	from, ok := c.Args[0].(*ast.CallExpr)
	if !ok {
		return false
	}
	switch f := from.Fun.(type) {
	case *ast.Ident:
		return f.Name == "min" || f.Name == "max"
	case *ast.SelectorExpr:
		of, ok := f.X.(*ast.Ident)
		return ok && of.Name == "math"
	}
	return false
}
