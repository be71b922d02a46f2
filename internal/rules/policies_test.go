package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoConcretePolicies: only package policy knows the types of policies. All other code asks for
// properties and optional interfaces, so that a new policy is one file.
func TestNoConcretePolicies(t *testing.T) {
	concrete, files := map[string]bool{}, token.NewFileSet()
	for _, path := range goFiles(t, "../mjq", "../internal", "../kernels", "../widgets") {
		if filepath.Dir(path) != "../mjq/policy" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok {
				if _, open := s.Type.(*ast.InterfaceType); !open {
					concrete[s.Name.Name] = true
				}
			}
			return true
		})
	}
	if !concrete["FCFS"] || concrete["Policy"] {
		t.Fatal("the types of package policy are not read")
	}
	named := func(e ast.Expr) bool {
		if p, ok := e.(*ast.ParenExpr); ok {
			e = p.X
		}
		if c, ok := e.(*ast.CompositeLit); ok {
			e = c.Type
		}
		if s, ok := e.(*ast.StarExpr); ok {
			e = s.X
		}
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		from, ok := s.X.(*ast.Ident)
		return ok && from.Name == "policy" && concrete[s.Sel.Name]
	}
	for _, path := range goFiles(t, "../mjq", "../internal", "../kernels", "../widgets") {
		if filepath.Dir(path) == "../mjq/policy" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var asked []ast.Expr
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				asked = []ast.Expr{n.Type}
			case *ast.CaseClause:
				asked = n.List
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					asked = []ast.Expr{n.X, n.Y}
				}
			}
			for _, e := range asked {
				if named(e) {
					t.Errorf("%v: it asks for one policy; ask for a property or an optional interface of package policy", files.Position(e.Pos()))
				}
			}
			return true
		})
	}
}
