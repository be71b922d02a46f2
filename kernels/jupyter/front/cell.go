package main

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// A cell is what a user wrote, cut into pieces, and the Go that it stands for.
type cell struct {
	text   string
	pieces []piece
	edits  []edit // in order, that make Go of the text
	body   [2]int // the statements, as offsets of the text; empty if there are none
	broken bool   // brackets do not match, so the last piece is the rest
	magic  bool   // says itself what is main: %%, %main, %exec, %test
	other  bool   // not Go: %%script and the like
}

// A piece is a declaration or a statement on the outermost level.
type piece struct {
	start, end int
	kind       kind
	name       string // what a short declaration, x := …, declares
}

type kind int

const (
	statement kind = iota
	declaration
	function // which cannot stand among statements
	short    // x := value, with one name
)

// An edit puts text at an offset in place of so many bytes.
type edit struct {
	at, drop int
	text     string
	closes   bool // a cursor at its offset stays before it
}

// readCell cuts a cell. In one without %% or func main:
//
//   - statements become the body of main, so that a cell may be just those;
//   - x := value before the first other statement becomes var x = value, which later cells
//     know. After it, that would change the order in which things happen. It stays among
//     the statements, too, where the cell assigns to x, since later cells would not see that.
//
// No line moves, so that messages about lines hold. A function among statements is left
// for the compiler to complain of.
func readCell(text string) *cell {
	c := &cell{text: text}
	code := c.withoutMagic()
	if c.other {
		return c
	}
	c.cut(code)
	if c.magic {
		return c
	}
	first, last := -1, -1
	for i, p := range c.pieces {
		if p.kind == function && p.name == "main" {
			return c
		}
		if p.kind == statement || p.kind == short && first >= 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	kept := c.pieces
	if first >= 0 {
		kept = c.pieces[:first]
	}
	names := map[string]bool{}
	for _, n := range c.changed(code) {
		names[n] = true
	}
	for i, p := range kept {
		if p.kind != short {
			continue
		}
		if names[p.name] { // or the compiler would say that it is declared twice
			first, last = i, max(i, last)
			break
		}
		names[p.name] = true
		assign := p.start + strings.Index(code[p.start:], ":=")
		c.edits = append(c.edits, edit{at: p.start, text: "var "}, edit{at: assign, drop: 1})
	}
	if first < 0 {
		return c
	}
	if slices.ContainsFunc(c.pieces[first:last+1], func(p piece) bool { return p.kind == function }) {
		c.edits = nil
		return c
	}
	c.body = [2]int{c.pieces[first].start, c.pieces[last].end}
	c.edits = append(c.edits, edit{at: c.body[0], text: "func main() { "}, edit{at: c.body[1], text: " }", closes: true})
	return c
}

// changed are the names to which the statements assign something.
func (c *cell) changed(code string) []string {
	file, _ := parser.ParseFile(token.NewFileSet(), "", "package p; func main() {"+code+"\n}", parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	names, _ := changes(file)
	return names
}

// withoutMagic is the text with blanks for the lines that are for GoNB, which begin with %
// or ! and go on after a backslash. What they say of main is noted.
func (c *cell) withoutMagic() string {
	var out strings.Builder
	goesOn := false
	for line := range strings.Lines(c.text) {
		word := strings.TrimPrefix(line, "//gonb:")
		fields := strings.Fields(word)
		if goesOn || len(word) > 1 && (word[0] == '%' || word[0] == '!') {
			switch {
			case goesOn || len(fields) == 0:
			case fields[0] == "%%", fields[0] == "%main":
				c.magic = true
				if c.body[1] == 0 {
					c.body = [2]int{out.Len() + len(line), len(c.text)}
				}
			case fields[0] == "%exec", fields[0] == "%test":
				c.magic = true
			case strings.HasPrefix(word, "%%"):
				c.other = true
			}
			goesOn = strings.HasSuffix(strings.TrimRight(line, "\r\n"), `\`)
			out.WriteString(strings.Repeat(" ", len(strings.TrimRight(line, "\n"))) + line[len(strings.TrimRight(line, "\n")):])
			continue
		}
		out.WriteString(line)
	}
	return out.String()
}

// cut finds the pieces of code: they end where Go sees the end of a line outside of all
// brackets.
func (c *cell) cut(code string) {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), func(token.Position, string) {}, 0)
	var tokens []lexeme
	depth := 0
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth = max(0, depth-1)
		}
		ends := tok == token.EOF || tok == token.SEMICOLON && depth == 0
		if !ends {
			tokens = append(tokens, lexeme{tok, lit, at})
			continue
		}
		if tok == token.EOF {
			c.broken = depth > 0
		}
		if len(tokens) > 0 {
			at := tokens[len(tokens)-1].end()
			if c.broken { // what is open goes on to the end
				at = len(code)
			}
			k, name := kindOf(tokens)
			c.pieces = append(c.pieces, piece{tokens[0].at, at, k, name})
			tokens = nil
		}
		if tok == token.EOF {
			return
		}
	}
}

type lexeme struct {
	token.Token
	text string
	at   int
}

func (l lexeme) end() int {
	if l.IsLiteral() || l.IsKeyword() {
		return l.at + len(l.text)
	}
	return l.at + len(l.String())
}

// kindOf tells a piece by its first tokens.
func kindOf(t []lexeme) (kind, string) {
	is := func(i int, what token.Token) bool { return i < len(t) && t[i].Token == what }
	switch t[0].Token {
	case token.IMPORT, token.TYPE, token.VAR, token.CONST, token.PACKAGE:
		return declaration, ""
	case token.FUNC:
		if is(1, token.IDENT) {
			return function, t[1].text
		}
		if i := afterBrackets(t, 1); is(i, token.IDENT) && is(i+1, token.LPAREN) {
			return function, "" // a method
		}
	case token.IDENT:
		if is(1, token.DEFINE) && t[0].text != "_" {
			return short, t[0].text
		}
	}
	return statement, ""
}

// afterBrackets is the index after the bracket that closes the one at i.
func afterBrackets(t []lexeme, i int) int {
	for depth := 0; i < len(t); i++ {
		switch t[i].Token {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// goText is the text with its edits, as GoNB gets it.
func (c *cell) goText() string { return applied(c.text, c.edits) }

func applied(text string, edits []edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.at])
		b.WriteString(e.text)
		at = e.at + e.drop
	}
	b.WriteString(text[at:])
	return b.String()
}

// moved is where an offset of the text lies after the edits. A cursor at the end of the
// statements stays among them.
func moved(at int, edits []edit) int {
	to := at
	for _, e := range edits {
		if e.at < at || e.at == at && !e.closes {
			to += len(e.text) - e.drop
		}
	}
	return to
}
