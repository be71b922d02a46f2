package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// parameters are the names of those of a function or method of this module's packages whose
// parameters have the types, as the sources declare them; nil if there is none.
func parameters(function string, types []string) []string {
	return parametersIn(checkout(), function, types)
}

func parametersIn(tree, function string, types []string) []string {
	for _, path := range rules.Packages {
		files, _ := filepath.Glob(filepath.Join(tree, strings.TrimPrefix(path, module), "*.go"))
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if file == nil {
				continue
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == function {
					if found, kinds := declared(f); slices.Equal(kinds, last(types)) {
						return found
					}
				}
			}
		}
	}
	return nil
}

// declared are the names and types of the parameters of a function, but for the last if there may
// be more of it.
func declared(f *ast.FuncDecl) (names, types []string) {
	for _, field := range f.Type.Params.List {
		if _, more := field.Type.(*ast.Ellipsis); more {
			break
		}
		for _, n := range field.Names {
			names = append(names, n.Name)
			types = append(types, typeName(field.Type))
		}
	}
	return names, types
}

// typeName is the name of a type without its package, empty for what has none.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.StarExpr:
		return "*" + typeName(x.X)
	case *ast.ArrayType:
		return "[]" + typeName(x.Elt)
	}
	return ""
}

// last are types, as the compiler names them, without their packages.
func last(types []string) (out []string) {
	for _, t := range types {
		name := strings.TrimLeft(t, "*[]")
		if strings.ContainsAny(name, " ({[") {
			out = append(out, "")
			continue
		}
		out = append(out, t[:len(t)-len(name)]+name[strings.LastIndex(name, ".")+1:])
	}
	return out
}
