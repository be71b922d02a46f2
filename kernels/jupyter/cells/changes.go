package cells

import (
	"go/ast"
	"go/token"
	"strings"
)

// changes are the names below a node to which something is assigned, in whole or in part,
// and those that are declared there.
func changes(root ast.Node) (changed []string, declared map[string]bool) {
	declared = map[string]bool{}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if n.Tok == token.DEFINE {
					declared[variable(x)] = true
				} else {
					changed = append(changed, variable(x))
				}
			}
		case *ast.CallExpr:
			if changesFirst(n) {
				changed = append(changed, variable(n.Args[0]))
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				changed = append(changed, variable(n.X))
			}
		case *ast.IncDecStmt:
			changed = append(changed, variable(n.X))
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if n.Tok == token.DEFINE {
					declared[variable(x)] = true
				} else if n.Tok == token.ASSIGN {
					changed = append(changed, variable(x))
				}
			}
		case *ast.ValueSpec:
			for _, x := range n.Names {
				declared[x.Name] = true
			}
		case *ast.Field:
			for _, x := range n.Names {
				declared[x.Name] = true
			}
		}
		return true
	})
	return changed, declared
}

// variable is the name of what an expression is a part of, or an instance of, if it has one.
func variable(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return y.Name
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.SelectorExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		default:
			return ""
		}
	}
}

// changesFirst reports whether a call changes what its first argument holds.
func changesFirst(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "delete" || f.Name == "clear" || f.Name == "copy"
	case *ast.SelectorExpr:
		of := variable(f.X)
		return of == "sort" && !strings.HasPrefix(f.Sel.Name, "Search") || of == "slices" && (strings.HasPrefix(f.Sel.Name, "Sort") && f.Sel.Name != "Sorted" || f.Sel.Name == "Reverse")
	}
	return false
}
