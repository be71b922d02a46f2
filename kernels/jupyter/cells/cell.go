package cells

import (
	"go/scanner"
	"go/token"
	"strings"
)

// A Cell is what a user wrote, cut into pieces, and the Go that it stands for.
type Cell struct {
	Text    string
	Other   bool   // not Go: %%script and the like
	Refused string // why the cell cannot run, as its message; empty if it may

	pieces []piece
	edits  []edit   // in order, that make Go of the text
	body   [2]int   // the statements, as offsets of the text; empty if there are none
	magic  bool     // says itself what is main: %% with arguments, %exec, %test
	depth  int      // of the brackets that are open at the end
	goesOn bool     // ends where Go sees no end of a statement
	gone   []string // names that a line %rm takes away; * for all
	main   [2]int   // the line that says where main begins, %% or %main; empty if there is none
}

// A piece is a declaration or a statement on the outermost level.
type piece struct {
	start, end int
	kind       kind
	names      []string // that a short declaration, x, y := …, declares or x, y = … assigns to; of a function its own
	define     int      // the offset of := or = there
	silent     bool     // a semicolon follows
}

// value is the offset after := or =.
func (p piece) value() int {
	if p.kind == short {
		return p.define + len(":=")
	}
	return p.define + len("=")
}

type kind int

const (
	statement kind = iota
	declaration
	function // which cannot stand among statements
	short    // x := value
)

// An edit puts text at an offset in place of so many bytes.
type edit struct {
	at, drop int
	text     string
	closes   bool // a cursor at its offset stays before it
}

// withoutMagic is the text with blanks for the lines that are for GoNB, which begin with %
// or ! and go on after a backslash. What they say of main is noted.
func (c *Cell) withoutMagic() string {
	var out strings.Builder
	goesOn := false
	for line := range strings.Lines(c.Text) {
		word := strings.TrimPrefix(line, "//gonb:")
		fields := strings.Fields(word)
		if !goesOn && (len(word) < 2 || word[0] != '%' && word[0] != '!') {
			out.WriteString(line)
			continue
		}
		content := strings.TrimRight(line, "\r\n")
		if !goesOn && len(fields) > 0 {
			c.note(fields, out.Len(), len(content), len(line))
		}
		goesOn = strings.HasSuffix(content, `\`)
		out.WriteString(strings.Repeat(" ", len(content)) + line[len(content):])
	}
	return out.String()
}

// note notes what a line for GoNB at an offset says of main.
func (c *Cell) note(words []string, at, content, line int) {
	switch word := words[0]; {
	case word == "%%" || word == "%main":
		c.magic = c.magic || len(words) > 1
		if c.main[1] == 0 {
			c.main = [2]int{at, at + content}
			c.body = [2]int{at + line, len(c.Text)}
		}
	case word == "%exec", word == "%test":
		c.magic = true
	case word == "%rm", word == "%remove":
		c.gone = append(c.gone, words[1:]...)
	case word == "%reset" && len(words) == 1:
		c.gone = append(c.gone, "*")
	case strings.HasPrefix(word, "%%"):
		c.Other = true
	}
}

// cut finds the pieces of code: they end where Go sees the end of a line outside of all
// brackets.
func (c *Cell) cut(code string) {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(code))
	var s scanner.Scanner
	garbled := false
	s.Init(file, []byte(code), func(token.Position, string) { garbled = true }, 0)
	var tokens []lexeme
	var nesting brackets
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		if strings.HasPrefix(lit, "`") { // the scanner leaves returns out
			if n := strings.IndexByte(code[at+1:], '`'); n >= 0 {
				lit = code[at : at+n+2]
			}
		}
		nesting.see(lexeme{tok, lit, at})
		if tok != token.EOF && (tok != token.SEMICOLON || len(nesting.open) > 0) {
			tokens = append(tokens, lexeme{tok, lit, at})
			continue
		}
		if tok == token.EOF && !garbled { // whose words may hold brackets
			c.Refused = nesting.fault(c)
			c.depth, c.goesOn = len(nesting.open), len(tokens) > 0
		}
		if len(tokens) > 0 {
			p := pieceOf(tokens)
			p.start, p.end, p.silent = tokens[0].at, min(tokens[len(tokens)-1].end(), len(code)), lit == ";"
			if len(nesting.open) > 0 { // what is open goes on to the end
				p.end = len(code)
			}
			c.pieces = append(c.pieces, p)
			tokens = nil
		} else if n := len(c.pieces); lit == ";" && n > 0 {
			c.pieces[n-1].silent, c.pieces[n-1].end = true, at+1
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

// end is the offset after it. A token that is not Go has the length of its text.
func (l lexeme) end() int {
	if l.IsLiteral() || l.IsKeyword() || l.Token == token.ILLEGAL {
		return l.at + len(l.text)
	}
	return l.at + len(l.String())
}

// pieceOf tells a piece by its first tokens.
func pieceOf(t []lexeme) piece {
	is := func(i int, what token.Token) bool { return i < len(t) && t[i].Token == what }
	switch t[0].Token {
	case token.IMPORT, token.TYPE, token.VAR, token.CONST, token.PACKAGE:
		return piece{kind: declaration}
	case token.FUNC:
		if is(1, token.IDENT) {
			return piece{kind: function, names: []string{t[1].text}}
		}
		if i := afterBrackets(t, 1); is(i, token.IDENT) && is(i+1, token.LPAREN) {
			return piece{kind: function} // a method
		}
	case token.IDENT:
		names := []string{t[0].text}
		i := 1
		for ; is(i, token.COMMA) && is(i+1, token.IDENT); i += 2 {
			names = append(names, t[i+1].text)
		}
		if is(i, token.DEFINE) && (len(names) > 1 || names[0] != "_") {
			return piece{kind: short, names: names, define: t[i].at}
		}
		if is(i, token.ASSIGN) {
			return piece{kind: statement, names: names, define: t[i].at}
		}
	}
	return piece{kind: statement}
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

// Empty reports whether there is nothing in the cell to run: at most remarks.
func (c *Cell) Empty() bool {
	return len(c.pieces) == 0 && !c.Other && !c.magic && c.main[1] == 0 && strings.TrimSpace(c.withoutMagic()) == strings.TrimSpace(c.Text)
}

// Go is the text with its edits, as GoNB gets it.
func (c *Cell) Go() string { return applied(c.Text, c.edits) }

// Complete is what a console wants to know before it runs the cell: complete, incomplete, with
// the indentation of the next line, or invalid.
func (c *Cell) Complete() (state, indent string) {
	switch {
	case c.depth > 0 || c.goesOn:
		return "incomplete", strings.Repeat("\t", max(1, c.depth))
	case c.Refused != "":
		return "invalid", ""
	}
	return "complete", ""
}

// Line is a line of the text, counted from 1, without blanks around it; empty if there is none.
func (c *Cell) Line(n int) string {
	if lines := strings.Split(c.Text, "\n"); c != nil && n >= 1 && n <= len(lines) {
		return strings.TrimSpace(lines[n-1])
	}
	return ""
}

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
