package cells

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// Dropped says of which calls in a cell that has run nobody reads the results: those that
// get ctx first, for such a call answers or fails, and do not come last. A semicolon behind
// one says that this is meant.
func (c *Cell) Dropped() string {
	var out strings.Builder
	shown := c.shownPiece()
	for i, p := range c.pieces {
		if p.kind != statement || i == shown {
			continue
		}
		const before = "package p; func _() {"
		code := c.Text[p.start:p.end]
		file, _ := parser.ParseFile(token.NewFileSet(), "", before+code+"\n}", parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.ExprStmt)
			if !ok {
				return true
			}
			start, end := int(s.Pos())-1-len(before), min(int(s.End())-1-len(before), len(code))
			rest := c.Text[p.start+end:]
			meant := strings.HasPrefix(strings.TrimLeft(rest, " \t"), ";")
			if name := asked(s.X); name != "" && !meant {
				line := c.lineAt(p.start + start)
				fmt.Fprintf(&out, "Line %d: nobody reads what %s gives. Only the last expression of a cell is shown: give it a cell of its own, or take r, err := …\n", line, name)
			}
			return true
		})
	}
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
