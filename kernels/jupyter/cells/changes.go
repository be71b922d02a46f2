package cells

import (
	"go/ast"
	"go/token"
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

// variable is the name of what an expression is a part of, if it has one.
func variable(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return y.Name
		case *ast.IndexExpr:
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
