package cells

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// usage is what a cell does with names.
type usage struct {
	changed map[string]bool // assigned to, in whole or in part
	read    map[string]bool
	errors  []errorUse // of each piece
}

// usageOf looks at pieces one by one, for some of them may not be Go.
func usageOf(pieces []piece, code string) usage {
	u := usage{map[string]bool{}, map[string]bool{}, make([]errorUse, len(pieces))}
	for i, p := range pieces {
		file, _ := p.parse(code)
		if file == nil {
			continue
		}
		u.reads(file)
		u.errors[i] = errorsOf(p, code, file)
		if p.kind == function { // which needs the variable of all cells
			continue
		}
		names, _ := changes(file)
		for _, n := range names {
			u.changed[n] = true
		}
	}
	return u
}

// parse reads a piece of code as a file, in which an offset of the text lies so much further on; nil
// if it is no Go.
func (p piece) parse(code string) (file *ast.File, further int) {
	before, after := "package p; func _() {", "\n}"
	if p.kind == function || p.kind == declaration {
		before, after = "package p; ", ""
	}
	file, _ = parser.ParseFile(token.NewFileSet(), "", before+code[p.start:p.end]+after, parser.SkipObjectResolution)
	return file, len(before) + 1 - p.start
}

// alone calls use with the expressions that stand for themselves in the statements of a cell, and
// with the offsets in its text at which they begin and end, but not with what is shown. Within is the
// statement.
func (c *Cell) alone(use func(x ast.Expr, start, end int, within *ast.File, further int)) {
	shown := c.shownPiece()
	for i, p := range c.pieces {
		if p.kind != statement || i == shown {
			continue
		}
		file, further := p.parse(c.Text)
		if file == nil {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.ExprStmt); ok {
				use(s.X, int(s.Pos())-further, min(int(s.End())-further, p.end), file, further)
			}
			return true
		})
	}
}

// reads notes the names that are more than assigned to or declared.
func (u usage) reads(file *ast.File) {
	written := map[*ast.Ident]bool{file.Name: true}
	write := func(x ast.Expr) {
		if n, ok := x.(*ast.Ident); ok {
			written[n] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE || n.Tok == token.ASSIGN {
				for _, x := range n.Lhs {
					write(x)
				}
			}
		case *ast.SelectorExpr:
			write(n.Sel)
		case *ast.Ident:
			if !written[n] {
				u.read[n.Name] = true
			}
		}
		return true
	})
}

// An errorUse is what a piece does with err.
type errorUse struct {
	read    bool
	pair    bool // x, err := call, or with =
	assigns bool // by =, so that err must be declared
}

// errorsOf looks at one piece.
func errorsOf(p piece, code string, file *ast.File) (e errorUse) {
	if len(p.names) == 2 && p.names[1] == "err" && p.define > 0 && !strings.Contains(code[p.start:p.define], "\n") {
		x, err := parser.ParseExpr(code[p.value():p.end])
		if err == nil {
			_, e.pair = ast.Unparen(x).(*ast.CallExpr)
		}
	}
	one := usage{map[string]bool{}, map[string]bool{}, nil}
	one.reads(file)
	e.read = one.read["err"]
	names, _ := changes(file)
	e.assigns = slices.Contains(names, "err")
	return e
}

// unchecked reports whether a piece is x, err := call, or with =, and nobody reads that err
// before another takes its place. If a cell assigns to an err that it also reads, the
// declaration of that err stays.
func (u usage) unchecked(i int) bool {
	for j, e := range u.errors {
		if e.assigns && (!e.pair || u.errorRead(j)) {
			return false
		}
	}
	return u.errors[i].pair && !u.errorRead(i)
}

// errorRead reports whether the err of a piece is read before another takes its place.
func (u usage) errorRead(i int) bool {
	for _, e := range u.errors[i+1:] {
		if e.read || e.pair {
			return e.read
		}
	}
	return false
}
