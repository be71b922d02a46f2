package cells

import (
	"fmt"
	"go/ast"
	"strings"
)

// Dropped says of which calls in a cell that has run nobody reads the results: those that
// get ctx first, for such a call answers or fails, and do not come last. A semicolon behind
// one says that this is meant.
func (c *Cell) Dropped() string {
	var out strings.Builder
	c.alone(func(x ast.Expr, start, end int, _ *ast.File, _ int) {
		meant := strings.HasPrefix(strings.TrimLeft(c.Text[end:], " \t"), ";")
		if name := asked(x); name != "" && !meant {
			fmt.Fprintf(&out, "Line %d: nobody reads what %s gives. Only the last expression of a cell is shown: give it a cell of its own, or take r, err := …\n", c.lineAt(start), name)
		}
	})
	return out.String()
}

// asked is the name of the function of a package, or of the method, that is called with ctx
// first; empty if there is none.
func asked(x ast.Expr) string {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	f, isMember := call.Fun.(*ast.SelectorExpr)
	ctx, isName := call.Args[0].(*ast.Ident)
	if !isMember || !isName || ctx.Name != "ctx" {
		return ""
	}
	if owner, ok := f.X.(*ast.Ident); ok && standard[owner.Name] != nil { // a package of the standard library prints it
		return ""
	}
	return f.Sel.Name
}
