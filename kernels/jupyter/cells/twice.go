package cells

import (
	"fmt"
	"go/ast"
	"strings"
)

// A named is a name that a piece declares for the cell's outermost level, and its offset.
type named struct {
	name string
	at   int
}

// A mixture is x, y := … where the cell has declared x before and y is new: Go assigns to x.
type mixture struct {
	name            string
	piece, declared int // the indices of the pieces
}

// twice refuses a cell that declares a name twice on its outermost level. Go does, and GoNB,
// which keeps declarations by their names, would drop one of the two in silence. Names that
// x, y := … assigns to are noted as changed, and the mixtures are returned.
func (c *Cell) twice(code string, u usage) (mixed []mixture) {
	first := map[string]int{} // the piece that declares a name
	place := map[string]int{} // the offset there
	apart := false
	for i, p := range c.pieces {
		if c.main[1] > 0 && p.start > c.main[0] && !apart { // main is written out: a level of its own
			first, place, apart = map[string]int{}, map[string]int{}, true
		}
		names := p.declares(code, u.unchecked(i))
		fresh := 0
		for _, n := range names {
			if _, known := first[n.name]; !known {
				fresh++
			}
		}
		for _, n := range names {
			switch _, known := first[n.name]; {
			case !known:
				first[n.name], place[n.name] = i, n.at
			case p.kind == short && fresh > 0 && first[n.name] != i:
				u.changed[n.name] = true
				mixed = append(mixed, mixture{n.name, i, first[n.name]})
			case c.Refused == "":
				c.refuse(n.at, fmt.Sprintf("line %d declares %s already", c.lineAt(place[n.name]), n.name), again(p.kind, n.name))
			}
		}
	}
	return mixed
}

// again is what to do about a name that is declared again.
func again(k kind, name string) string {
	if k == short {
		return fmt.Sprintf("Give it another value by %s = …, or take another name.", name)
	}
	return "Delete one of the two, or take another name."
}

// shadows refuses a cell in which x, y := … would declare a second x instead of assigning to the
// first, because the first stands outside main.
func (c *Cell) shadows(mixed []mixture, first, last int) {
	for _, m := range mixed {
		outside := m.declared < first || m.declared > last
		if k := c.pieces[m.declared].kind; outside && c.Refused == "" && (k == declaration || k == function) {
			c.refuse(c.pieces[m.piece].start, fmt.Sprintf("line %d declares %s already", c.lineAt(c.pieces[m.declared].start), m.name),
				fmt.Sprintf("Here := makes another %s, which ends with the cell: take another name, or declare the new names by var and use =.", m.name))
		}
	}
}

// refuse says why the cell cannot run: what is wrong at an offset, and what to do.
func (c *Cell) refuse(at int, what, remedy string) {
	n := c.lineAt(at)
	c.Refused = fmt.Sprintf("line %d: %s\n\n    %s\n\n%s", n, what, c.Line(n), remedy)
}

// lineAt is the number of the line at an offset.
func (c *Cell) lineAt(at int) int { return 1 + strings.Count(c.Text[:at], "\n") }

// declares are the names that a piece declares. An err that nobody reads is not declared.
func (p piece) declares(code string, unchecked bool) []named {
	var out []named
	add := func(name string, at int) {
		if name != "_" {
			out = append(out, named{name, at})
		}
	}
	if p.kind == short {
		names := p.names
		if unchecked {
			names = names[:1]
		}
		for _, n := range names {
			add(n, p.start)
		}
		return out
	}
	if p.kind == statement {
		return nil
	}
	file, further := p.parse(code)
	if file == nil {
		return nil
	}
	at := func(n ast.Node) int { return int(n.Pos()) - further }
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(functionName(d), at(d.Name))
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name.Name, at(s.Name))
				case *ast.ValueSpec:
					for _, n := range s.Names {
						add(n.Name, at(n))
					}
				}
			}
		}
	}
	return out
}

// functionName is the name of a function, of a method with its type before it, as GoNB has it:
// whether that is a pointer makes no difference.
func functionName(f *ast.FuncDecl) string {
	if f.Recv != nil && len(f.Recv.List) > 0 {
		if of := variable(f.Recv.List[0].Type); of != "" {
			return of + "." + f.Name.Name
		}
	}
	return f.Name.Name
}
