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

// Numbers of what is asked by hand, which may only fall: lower them with the code.
const (
	mostPredicates = 6  // of features of a queue, outside package spec
	mostConcrete   = 10 // tests for a concrete policy, law or arrival process, outside their packages
)

// predicates are the methods of spec.Spec that ask for one feature of a queue, or a few.
var predicates = []string{"OnNodes", "Turns", "Plain", "FirstCome", "HasUsers", "Impatient", "Keeps", "Monotone", "Identities", "Marked"}

// TestFeaturesAreData: what a method, a question or a goal serves stands in its row, as a set of
// spec.Features. Code that asks for a feature by hand forgets one when the next is added.
func TestFeaturesAreData(t *testing.T) {
	asked, concrete := 0, 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		at := filepath.ToSlash(filepath.Dir(path))
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CallExpr:
				if f, ok := x.Fun.(*ast.SelectorExpr); ok && at != "spec" && slices.Contains(predicates, f.Sel.Name) && len(x.Args) == 0 && !streams(f.X) {
					asked++
				}
			case *ast.TypeAssertExpr:
				if concreteType(x.Type, at) {
					concrete++
				}
			case *ast.TypeSwitchStmt:
				for _, c := range x.Body.List {
					for _, of := range c.(*ast.CaseClause).List {
						if concreteType(of, at) {
							concrete++
						}
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if asked > mostPredicates || concrete > mostConcrete {
		t.Errorf("%d predicates of features by hand and %d tests for concrete types, and %d and %d were left; write features in rows, properties in Properties", asked, concrete, mostPredicates, mostConcrete)
	}
	if asked < mostPredicates || concrete < mostConcrete {
		t.Logf("%d predicates of features by hand and %d tests for concrete types are left: lower the numbers %d and %d", asked, concrete, mostPredicates, mostConcrete)
	}
}

// streams reports whether an expression is the stream of the jobs, which has a Plain of its own.
func streams(x ast.Expr) bool {
	s, ok := x.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Input"
}

// concreteType reports whether an expression is a struct of package policy, law or arrival, outside
// of it; the interfaces of these packages are what code should ask for.
func concreteType(x ast.Expr, at string) bool {
	if p, ok := x.(*ast.StarExpr); ok {
		x = p.X
	}
	s, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && slices.Contains([]string{"policy", "law", "arrival"}, of.Name) && at != of.Name && structs[of.Name+"."+s.Sel.Name]
}

// structs are the types of these packages that are no interfaces.
var structs = func() map[string]bool {
	all := map[string]bool{}
	for _, dir := range []string{"policy", "law", "arrival"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "mjq", dir, "*.go"))
		if err != nil {
			panic(err)
		}
		for _, f := range files {
			file, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
			if err != nil {
				panic(err)
			}
			for _, d := range file.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, x := range g.Specs {
					if of, ok := x.(*ast.TypeSpec); ok {
						_, interfaced := of.Type.(*ast.InterfaceType)
						all[dir+"."+of.Name.Name] = !interfaced
					}
				}
			}
		}
	}
	return all
}()
