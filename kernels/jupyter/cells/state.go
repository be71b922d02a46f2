package cells

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A Touch is a call of a method of a variable whose results nobody takes, so that it may be
// made for what it does to the variable; whether it can only the type knows.
type Touch struct {
	Name   string // of the variable
	Offset int    // of the method's name in the text of the cell
}

// Touches are such calls in a cell that has run, of variables that later cells know too.
func (b *Book) Touches(c *Cell) []Touch {
	var out []Touch
	c.alone(func(x ast.Expr, _, _ int, within *ast.File, further int) {
		if method := methodOf(x); method != nil {
			of := variable(method.X)
			if _, local := changes(within); b.known(of) && !local[of] {
				out = append(out, Touch{of, int(method.Sel.Pos()) - further})
			}
		}
	})
	return out
}

// shownPiece is the index of the piece whose results are shown, -1 if none are.
func (c *Cell) shownPiece() int {
	last := len(c.pieces) - 1
	for _, e := range c.edits {
		if last >= 0 && e.at == c.pieces[last].end && e.text == ")" {
			return last
		}
	}
	return -1
}

// methodOf is the method that is called first in a chain of calls on a variable.
func methodOf(x ast.Expr) *ast.SelectorExpr {
	for {
		call, ok := ast.Unparen(x).(*ast.CallExpr)
		if !ok {
			return nil
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		if _, ok := s.X.(*ast.Ident); ok {
			return s
		}
		x = s.X
	}
}

// Forgotten says, once for a name, that what a cell does to variables which all cells know is
// forgotten when it ends, for the next one is a new program; touched are names that its
// methods have changed. It says so too of a variable of which an earlier cell has changed its
// own declaration, once a cell reads it. Number is that of the cell.
func (b *Book) Forgotten(c *Cell, touched []string, number int) string {
	p := c.parse()
	if p.main == nil {
		return ""
	}
	own := map[string]bool{}
	for _, e := range p.entries {
		for _, n := range e.names {
			own[n] = true
		}
	}
	var out strings.Builder
	var ended []string
	for _, n := range append(b.assigned(p), touched...) {
		switch {
		case n == "_" || b.said[n] || !b.known(n):
		case own[n]:
			b.changed[n] = number
		default:
			b.said[n] = true
			ended = append(ended, n)
		}
	}
	if len(ended) > 0 {
		fmt.Fprintf(&out, "What this cell changes in %s ends with it: every cell begins with the declaration.\n", strings.Join(ended, " and "))
	}
	reads := usageOf(c.pieces, c.Text).read
	for n, at := range b.changed {
		if at != number && reads[n] && !own[n] {
			delete(b.changed, n)
			fmt.Fprintf(&out, "%s is as cell %d declares it, without what that cell did to it then.\n", n, at)
		}
	}
	return out.String()
}

// assigned are the names that main assigns to, by itself or through functions of cells that
// it calls.
func (b *Book) assigned(p *parsed) []string {
	bodies := map[string]ast.Node{"main": p.main}
	for _, e := range append(slices.Clone(b.entries), p.entries...) {
		if strings.HasPrefix(e.text, "func ") {
			if file, _ := parser.ParseFile(token.NewFileSet(), "", "package p; "+e.text, parser.SkipObjectResolution); file != nil {
				bodies[e.names[0]] = file
			}
		}
	}
	var out []string
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		body := bodies[name]
		if body == nil || seen[name] {
			return
		}
		seen[name] = true
		changed, local := changes(body)
		for _, n := range changed {
			if !local[n] && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
		ast.Inspect(body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.Ident); ok {
					visit(f.Name)
				}
			}
			return true
		})
	}
	visit("main")
	return out
}
