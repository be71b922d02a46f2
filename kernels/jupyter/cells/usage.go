package cells

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// usage is what a cell does with names.
type usage struct {
	changed map[string]bool // assigned to, in whole or in part
	read    map[string]bool
}

// usageOf looks at pieces one by one, for some of them may not be Go.
func usageOf(pieces []piece, code string) usage {
	u := usage{map[string]bool{}, map[string]bool{}}
	for _, p := range pieces {
		text := "package p; func _() {" + code[p.start:p.end] + "\n}"
		if p.kind == function || p.kind == declaration {
			text = "package p; " + code[p.start:p.end]
		}
		file, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		u.reads(file)
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

// unchecked reports whether a short declaration is x, err := call and nobody reads err.
func (u usage) unchecked(p piece, code string) bool {
	if len(p.names) != 2 || p.names[1] != "err" || u.read["err"] {
		return false
	}
	x, err := parser.ParseExpr(code[p.define+len(":=") : p.end])
	if err != nil {
		return false
	}
	_, isCall := ast.Unparen(x).(*ast.CallExpr)
	for _, b := range []byte(code[p.start:p.define]) {
		if b == '\n' {
			return false
		}
	}
	return isCall
}
