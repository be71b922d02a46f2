package playground

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/mjqueue/mjq/mjq"
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
	case mjq.Law: // one of package mjq, made of numbers
		return code("mjq." + x.String())
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

// call is a call of a method of a model: as a Go program writes it, and what it does.
type call struct {
	text code
	do   func(m mjq.Model) mjq.Model
}

// calls are made one after another.
type calls []call

func (l *calls) add(text code, do func(m mjq.Model) mjq.Model) { *l = append(*l, call{text, do}) }

// of is the model after the calls.
func (l calls) of(m mjq.Model) mjq.Model {
	for _, c := range l {
		m = c.do(m)
	}
	return m
}

// code is how a Go program makes them, a line each.
func (l calls) code() (text code) {
	for _, c := range l {
		text += ".\n\t\t" + c.text
	}
	return text
}
