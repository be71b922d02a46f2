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

// counting are the packages that compute how many jobs, samples and servers to take.
var counting = []string{"choice", "exact", "interval", "limit", "problem", "run", "sampler", "simulation", "turned"}

// TestConversions: a computed number may be infinite or NaN. It becomes a whole number through
// check.Whole, which bounds it from both sides.
func TestConversions(t *testing.T) {
	for _, name := range counting {
		dir := filepath.Join("internal", name)
		files := token.NewFileSet()
		pkgs, err := parser.ParseDir(files, dir, func(i fs.FileInfo) bool { return !strings.HasSuffix(i.Name(), "_test.go") }, 0)
		if err != nil || len(pkgs) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, pkg := range pkgs {
			ast.Inspect(pkg, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok && converts(c) {
					t.Errorf("%v: the number may be infinite or NaN; use check.Whole", files.Position(c.Pos()))
				}
				return true
			})
		}
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
