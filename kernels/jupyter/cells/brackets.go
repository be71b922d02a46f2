package cells

import (
	"fmt"
	"go/token"
)

// brackets are those that are open at a place in a cell, and the first that do not match.
type brackets struct {
	open  []lexeme
	stray *lexeme // closes nothing, or another kind of bracket
}

var closing = map[token.Token]token.Token{token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK, token.LBRACE: token.RBRACE}

func (b *brackets) see(l lexeme) {
	switch l.Token {
	case token.LPAREN, token.LBRACK, token.LBRACE:
		b.open = append(b.open, l)
	case token.RPAREN, token.RBRACK, token.RBRACE:
		last := len(b.open) - 1
		if (last < 0 || closing[b.open[last].Token] != l.Token) && b.stray == nil {
			b.stray = &l
		}
		b.open = b.open[:max(0, last)]
	}
}

// fault says which bracket does not match; empty if all do.
func (b *brackets) fault(c *Cell) string {
	switch {
	case b.stray != nil:
		n := c.lineAt(b.stray.at)
		return fmt.Sprintf("line %d: the %v closes nothing\n\n    %s\n\nTake it away, or open a bracket of its kind before it.", n, b.stray.Token, c.Line(n))
	case len(b.open) > 0:
		last := b.open[len(b.open)-1]
		n := c.lineAt(last.at)
		return fmt.Sprintf("line %d: the %v is never closed\n\n    %s\n\nA closing %v is missing.", n, last.Token, c.Line(n), closing[last.Token])
	}
	return ""
}
