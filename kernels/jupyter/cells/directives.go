package cells

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// directives refuses comments that instruct Go and would say nothing in a cell: GoNB passes on
// those above functions only, and import "C", whose comment it drops.
func (c *Cell) directives(code string) {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF || c.Refused != "" {
			return
		}
		at := file.Offset(pos)
		if tok != token.COMMENT || at > 0 && code[at-1] != '\n' {
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimPrefix(lit, "//"), " ")
		switch build := strings.HasPrefix(lit, "// +build "); {
		case word == "go:embed":
			c.refuse(at, "//go:embed does nothing in a cell", fmt.Sprintf("Read the file: os.ReadFile(%q).", strings.Trim(strings.TrimSpace(rest), `"`)))
		case word == "go:build" || build:
			c.refuse(at, "build constraints do nothing in a cell", "Set tags for all later cells: %goflags -tags=NAME")
		case strings.HasPrefix(word, "go:") && !c.aboveFunction(at):
			c.refuse(at, "//"+word+" does nothing here", "A cell passes on directives directly above functions only.")
		}
	}
}

// aboveFunction reports whether a comment at an offset is followed by a function, with nothing
// but comments between, or stands inside of a piece, which goes on as it is.
func (c *Cell) aboveFunction(at int) bool {
	for _, p := range c.pieces {
		if p.end > at {
			between := c.Text[at:max(at, p.start)]
			return p.start < at || p.kind == function && !strings.Contains(between, "\n\n")
		}
	}
	return false
}

// withoutC refuses a cell with C code.
func (c *Cell) withoutC(code string) {
	for _, p := range c.pieces {
		if text := code[p.start:p.end]; p.kind == declaration && strings.HasPrefix(text, "import") && strings.Contains(text, `"C"`) && c.Refused == "" {
			c.refuse(p.start, "a cell cannot hold C code", "Put it into a package of Go in a folder, and import that.")
		}
	}
}
