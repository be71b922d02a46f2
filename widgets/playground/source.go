package playground

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// code is Go source. What a link or a model holds becomes code by literal alone, so that
// its author can choose strings and numbers of the program and not write lines of it.
type code string

// line is a line of source in which literals and other code stand for the verbs %s of a
// constant text.
func line(text string, values ...any) code {
	parts := make([]any, len(values))
	for i, x := range values {
		parts[i] = literal(x)
	}
	return code(fmt.Sprintf(text, parts...))
}

// literal is a value as Go writes it, in one line: a quoted string has escapes for all that
// is not printed.
func literal(x any) code {
	switch x := x.(type) {
	case code:
		return x
	case string:
		return code(strconv.Quote(x))
	case int:
		return code(strconv.Itoa(x))
	case float64:
		return code(strconv.FormatFloat(x, 'g', -1, 64))
	}
	panic(fmt.Sprintf("playground: no literal for %T", x)) // a fault of this package
}

// raw is a long text between backquotes where that shows all of it, and quoted otherwise.
func raw(text string) code {
	if strings.ContainsFunc(text, func(r rune) bool { return r == '`' || r == unicode.ReplacementChar || !unicode.IsPrint(r) }) {
		return literal(text)
	}
	return code("`" + text + "`")
}
