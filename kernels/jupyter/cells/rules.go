package cells

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Rules are what a kernel adds to Go in the cells of its notebooks. Functions are named as
// Go calls them, package and name.
type Rules struct {
	Show     string            // shows what the last expression of a cell gives, all its results
	Must     string            // is the first of two results, and ends the cell where the second is an error
	Context  string            // returns the context that ctx is where nobody declares it
	Silent   []string          // functions whose calls are not shown, beside those of package fmt that print
	Packages map[string]string // import paths by name, beside the standard library; they go before it
	Hints    []Hint            // beside those about Go

	// Parameters are the names of those of a function that have the types, nil if unknown.
	Parameters func(function string, types []string) []string
}

// Read makes Go of a cell that comes after others. In one without func main:
//
//   - statements become the body of main, so that a cell may be just those;
//   - x := value before the first other statement becomes var x = value, which later cells
//     know, and so does x, err := call, where nobody reads err, with Must about the call.
//     After it, that would change the order in which things happen. It stays among
//     the statements, too, where the cell assigns to x, by = or by x, y :=, since later cells
//     would not see that;
//   - what the last statement gives is shown, if it is an expression and no semicolon follows;
//   - packages are imported that it names and does not import, and ctx is declared.
//
// No line moves, so that messages about lines hold. A function among statements is left
// for the compiler to complain of.
func (r *Rules) Read(text string, b *Book) *Cell {
	c := &Cell{Text: text}
	code := c.withoutMagic()
	if c.Other {
		return c
	}
	b = b.after(c)
	c.cut(code)
	if c.main[1] > 0 && strings.Contains(code, "flag.") { // GoNB reads them after %%
		c.magic = true
	}
	c.directives(code)
	c.withoutC(code)
	u := usageOf(c.pieces, code)
	mixed := c.twice(code, u)
	if !c.magic && r.arrange(c, code, u, mixed) {
		r.complete(c, b)
	}
	return c
}

// arrange cuts the cell into declarations and main. It reports whether it has.
func (r *Rules) arrange(c *Cell, code string, u usage, mixed []mixture) bool {
	first, last := -1, -1
	for i, p := range c.pieces {
		inMain := c.main[1] > 0 && p.start > c.main[0]
		switch {
		case p.kind == function && slices.Equal(p.names, []string{"main"}):
			c.beside(i)
			return true
		case c.main[1] > 0 && !inMain && p.kind == statement:
			c.magic = true
			return false
		case inMain, p.kind == statement, p.kind == short && first >= 0:
			if first < 0 && c.main[1] == 0 || inMain && first < 0 {
				first = i
			}
			last = i
		}
	}
	kept := c.pieces
	if first >= 0 {
		kept = c.pieces[:first]
	}
	for i, p := range kept {
		if p.kind == short && !r.keep(c, p, u.unchecked(i), u) {
			first, last = i, max(i, last)
			break
		}
	}
	c.shadows(mixed, first, last)
	if c.main[1] > 0 {
		end := c.main[1]
		if first >= 0 {
			end = c.pieces[last].end
		}
		c.body = [2]int{c.main[0], end}
		c.edits = append(c.edits, edit{at: c.main[0], drop: c.main[1] - c.main[0], text: "func main() {"})
	} else if first >= 0 {
		c.body = [2]int{c.pieces[first].start, c.pieces[last].end}
		c.edits = append(c.edits, edit{at: c.body[0], text: "func main() { "})
	}
	if first >= 0 {
		if slices.ContainsFunc(c.pieces[first:last+1], func(p piece) bool { return p.kind == function }) {
			c.edits, c.body = nil, [2]int{}
			return false
		}
		for i := first; i <= last; i++ {
			if u.unchecked(i) {
				r.check(c, c.pieces[i], "")
			}
		}
		if p := c.pieces[last]; p.kind == statement && !p.silent && r.shown(code[p.start:p.end]) {
			c.edits = append(c.edits, edit{at: p.start, text: r.Show + "("}, edit{at: p.end, text: ")", closes: true})
		}
	}
	if c.body[1] > 0 {
		c.edits = append(c.edits, edit{at: c.body[1], text: " }", closes: true})
	}
	slices.SortStableFunc(c.edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	return true
}

// beside refuses statements beside a main that is written out, the piece of an index.
func (c *Cell) beside(main int) {
	for _, p := range c.pieces {
		if (p.kind == statement || p.kind == short) && c.Refused == "" {
			c.refuse(p.start, "a cell has statements or func main, not both", fmt.Sprintf("Write the statements into the func main of line %d, or leave it out.", c.lineAt(c.pieces[main].start)))
		}
	}
}

// keep makes a short declaration one that later cells know, and reports whether it may be
// one: not if its names are assigned to, or one of them is an error that the cell reads.
func (r *Rules) keep(c *Cell, p piece, unchecked bool, u usage) bool {
	names := p.names
	if unchecked {
		names = names[:1]
	}
	for _, n := range names {
		if u.changed[n] || len(names) > 1 && n == "err" {
			return false
		}
	}
	if unchecked {
		r.check(c, p, "var ")
		return true
	}
	c.edits = append(c.edits, edit{at: p.start, text: "var "}, edit{at: p.define, drop: 1})
	return true
}

// check has the cell end where a call returns an error that nobody reads: x, err := call
// becomes x := Must(call), or is declared by the word given.
func (r *Rules) check(c *Cell, p piece, declared string) {
	assign, end := " = ", p.value()
	if declared == "" && p.names[0] != "_" && p.kind == short {
		assign = " := "
	}
	head := end + len(c.Text[end:]) - len(strings.TrimLeft(c.Text[end:], " \t")) - p.start
	c.edits = append(c.edits, edit{at: p.start, drop: head, text: declared + p.names[0] + assign + r.Must + "("},
		edit{at: p.end, text: ")", closes: true})
}

// shown reports whether a statement gives something to be shown. Whether a call gives
// anything at all only the compiler knows; see Unshown.
func (r *Rules) shown(text string) bool {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		switch f := x.Fun.(type) {
		case *ast.Ident:
			return !slices.Contains([]string{"print", "println", "panic", "close", "delete", "clear"}, f.Name)
		case *ast.SelectorExpr:
			name := text[f.Pos()-1 : f.End()-1]
			return !strings.HasPrefix(name, "fmt.Print") && !strings.HasPrefix(name, "fmt.Fprint") && !slices.Contains(r.Silent, name)
		}
	case *ast.UnaryExpr:
		return x.Op != token.ARROW // which waits
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return false
	}
	return true
}

// Unshown is a program whose last expression, given to the function show, turns out to give
// nothing: the compiler has said so, and the call stands there as it was written, on its
// line. Without one, ok is false.
func Unshown(program, complaint, show string) (plain string, ok bool) {
	if !strings.Contains(complaint, "(no value) used as value") {
		return "", false
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", program, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	offset := func(p token.Pos) int { return files.Position(p).Offset }
	for _, d := range file.Decls {
		f, isFunc := d.(*ast.FuncDecl)
		if !isFunc || f.Recv != nil || f.Name.Name != "main" || f.Body == nil || len(f.Body.List) == 0 {
			continue
		}
		last, isCall := f.Body.List[len(f.Body.List)-1].(*ast.ExprStmt)
		if !isCall {
			continue
		}
		call, isCall := last.X.(*ast.CallExpr)
		if !isCall || len(call.Args) != 1 || program[offset(call.Fun.Pos()):offset(call.Fun.End())] != show {
			continue
		}
		inner := program[offset(call.Args[0].Pos()):offset(call.Args[0].End())]
		// The package stays in use.
		return program[:offset(call.Lparen)] + "(); " + inner + program[offset(call.Rparen)+1:], true
	}
	return "", false
}

// unusedDot is what the compiler says of an import, and its line.
var unusedDot = regexp.MustCompile(`main(?:_test)?\.go:(\d+):\d+: "[^"]+" imported and not used`)

// Blanked is a program whose imports by a dot, which goimports cannot judge, become blank where
// the compiler has said that nothing uses them. Without one, ok is false.
func Blanked(program, complaint string) (blanked string, ok bool) {
	lines := strings.Split(program, "\n")
	for _, m := range unusedDot.FindAllStringSubmatch(complaint, -1) {
		n, _ := strconv.Atoi(m[1])
		if n < 1 || n > len(lines) {
			continue
		}
		text := strings.TrimLeft(lines[n-1], " \t")
		if rest, dot := strings.CutPrefix(text, ". "); dot {
			lines[n-1] = lines[n-1][:len(lines[n-1])-len(text)] + "_ " + rest
			ok = true
		}
	}
	return strings.Join(lines, "\n"), ok
}
