package cells

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A Book is what the cells have declared that have run, as GoNB keeps it for the cells
// after them, and what they have left behind.
type Book struct {
	imports map[string]string // by path: the name before it, mostly none
	entries []entry
	left    map[string]bool // declared by := among statements, so known to its cell only
	failed  map[string]int  // names of declarations that have failed, and the numbers of their cells
	said    map[string]bool // names whose forgotten assignments have been mentioned
	changed map[string]int  // variables that the cell which declares them has changed, and its number
}

// An entry is one declaration and the names that it gives to later cells.
type entry struct {
	names []string
	text  string
}

// NewBook is that of a session that begins.
func NewBook() *Book {
	return &Book{imports: map[string]string{}, left: map[string]bool{}, failed: map[string]int{}, said: map[string]bool{}, changed: map[string]int{}}
}

// Clone is a copy that goes on by itself.
func (b *Book) Clone() *Book {
	return &Book{imports: maps.Clone(b.imports), entries: slices.Clone(b.entries), left: maps.Clone(b.left), failed: maps.Clone(b.failed), said: maps.Clone(b.said), changed: maps.Clone(b.changed)}
}

// source is a cell as a file of Go but for its package clause, with the edits that made
// it: lines are those of the cell.
func (c *Cell) source() (string, []edit) {
	edits := c.edits
	if c.magic && c.body[1] > 0 {
		edits = []edit{{at: max(0, c.body[0]-1), text: "func main() {"}, {at: len(c.Text), text: "\n}", closes: true}}
	}
	return applied(c.withoutMagic(), edits), edits
}

// A parsed cell is its declarations, with main apart.
type parsed struct {
	text    string
	files   *token.FileSet
	main    *ast.FuncDecl
	entries []entry
	imports map[string]string
}

const clause = "package main;"

// parse reads a cell as far as it is Go.
func (c *Cell) parse() *parsed {
	source, _ := c.source()
	p := &parsed{text: clause + source, files: token.NewFileSet(), imports: map[string]string{}}
	file, _ := parser.ParseFile(p.files, "", p.text, parser.SkipObjectResolution)
	if file == nil {
		return p
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "main" && d.Recv == nil {
				p.main = d
				continue
			}
			p.entries = append(p.entries, entry{[]string{functionName(d)}, p.cut(d)})
		case *ast.GenDecl:
			p.general(d)
		}
	}
	return p
}

// general notes imports, variables one by one, since cells declare them anew one by one,
// and types and constants by the group.
func (p *parsed) general(d *ast.GenDecl) {
	var group []string
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ImportSpec:
			name := ""
			if s.Name != nil {
				name = s.Name.Name
			}
			p.imports[s.Path.Value] = name
		case *ast.TypeSpec:
			group = append(group, s.Name.Name)
		case *ast.ValueSpec:
			var names []string
			for _, n := range s.Names {
				names = append(names, n.Name)
			}
			if d.Tok == token.VAR {
				p.entries = append(p.entries, entry{names, "var " + p.cut(s)})
			} else {
				group = append(group, names...)
			}
		}
	}
	if len(group) > 0 {
		p.entries = append(p.entries, entry{group, p.cut(d)})
	}
}

// cut is the text of a node. What is being written may end anywhere.
func (p *parsed) cut(n ast.Node) string {
	start, end := p.files.Position(n.Pos()).Offset, p.files.Position(n.End()).Offset
	if end <= start || end > len(p.text) {
		end = len(p.text)
	}
	return p.text[start:end]
}

// Keep notes what a cell that has run has declared.
func (b *Book) Keep(c *Cell) {
	if c.Other {
		return
	}
	b.Forget(c)
	p := c.parse()
	b.imports = maps.Clone(b.imports) // a completion may be reading the old ones
	maps.Copy(b.imports, p.imports)
	b.entries = append(b.without(p.entries), p.entries...)
	for _, e := range p.entries {
		for _, n := range e.names {
			delete(b.left, n)
			delete(b.failed, n)
			delete(b.changed, n)
		}
	}
	if p.main != nil {
		for _, s := range p.main.Body.List {
			if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
				for _, x := range a.Lhs {
					b.left[p.cut(x)] = true
				}
			}
		}
	}
}

// Forget takes away what lines of a cell take away, %rm and %reset, which GoNB does before
// anything else, whatever becomes of the cell.
func (b *Book) Forget(c *Cell) {
	for _, name := range c.gone {
		if name == "*" {
			*b = *NewBook()
			continue
		}
		name = strings.ReplaceAll(name, "~", ".")                                                       // as GoNB calls methods
		b.entries = slices.DeleteFunc(b.without([]entry{{names: []string{name}}}), func(e entry) bool { // and its methods
			return strings.HasPrefix(e.names[0], name+".")
		})
		b.imports = maps.Clone(b.imports)
		maps.DeleteFunc(b.imports, func(quoted, as string) bool {
			path := strings.Trim(quoted, "\"`")
			return as == name || as == "" && nameOf(path) == name || as == "." && name == ".."+path
		})
	}
}

// after is the book as it stands when a cell begins.
func (b *Book) after(c *Cell) *Book {
	if len(c.gone) == 0 {
		return b
	}
	b = b.Clone()
	b.Forget(c)
	return b
}

// Fail notes what a cell would have declared if it had not failed.
func (b *Book) Fail(c *Cell, number int) {
	for _, e := range c.parse().entries {
		for _, n := range e.names {
			b.failed[n] = number
		}
	}
}

// without is the entries but those that others declare anew.
func (b *Book) without(others []entry) []entry {
	var out []entry
	for _, e := range b.entries {
		again := slices.ContainsFunc(others, func(o entry) bool {
			return slices.ContainsFunc(o.names, func(n string) bool { return n != "_" && slices.Contains(e.names, n) })
		})
		if !again {
			out = append(out, e)
		}
	}
	return out
}

// known reports whether a name is a variable or such of an earlier cell.
func (b *Book) known(name string) bool {
	return slices.ContainsFunc(b.entries, func(e entry) bool { return slices.Contains(e.names, name) })
}
