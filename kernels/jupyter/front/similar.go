package main

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// unknown is what the compiler says of a name that it does not know, which is the last
// word of either form.
var unknown = regexp.MustCompile(`^(?:undefined: (?:\w+\.)?(\w+)|\S+\.(\w+) undefined \(type .* has no field or method \w+\))$`)

// while is how long the message of the compiler, or the end of a cell, may wait for a better word.
const while = 2 * time.Second

// meant is the known name that is most like the unknown one of a fault of a cell, if one
// is like it.
func (c *completer) meant(b *cells.Book, at *cells.Cell, f cells.Fault) string {
	m := unknown.FindStringSubmatch(f.Text)
	if m == nil || at == nil {
		return ""
	}
	select {
	case <-c.ready:
	default:
		return "" // gopls still reads
	}
	name := m[1] + m[2]
	lines := strings.SplitAfter(at.Text, "\n")
	if f.Line < 1 || f.Line > len(lines) {
		return ""
	}
	word := regexp.MustCompile(`\b` + name + `\b`).FindStringIndex(lines[f.Line-1])
	if word == nil {
		return ""
	}
	offset := len(strings.Join(lines[:f.Line-1], "")) + word[0]
	best, _ := soon(func() string {
		var list struct{ Items []item }
		if c.ask(b, at, offset, "textDocument/completion", &list) != nil {
			list.Items = nil
		}
		return nearest(name, list.Items)
	})
	return best
}

// soon is what find finds, unless that takes too long.
func soon[T any](find func() T) (found T, ok bool) {
	answer := make(chan T, 1)
	go panics.Call(func() { answer <- find() })
	select {
	case found = <-answer:
		return found, true
	case <-time.After(while):
		return found, false
	}
}

// pointed is the declaration of a method that may change what it is called on.
var pointed = regexp.MustCompile(`func \(\w+ \*`)

// changed are the variables of those touched whose method may change them; none while gopls
// still reads.
func (c *completer) changed(b *cells.Book, at *cells.Cell, touches []cells.Touch) []string {
	select {
	case <-c.ready:
	default:
		return nil
	}
	names, _ := soon(func() []string {
		var names []string
		for _, t := range touches {
			var hover struct{ Contents struct{ Value string } }
			if c.ask(b, at, t.Offset, "textDocument/hover", &hover) == nil && pointed.MatchString(hover.Contents.Value) {
				names = append(names, t.Name)
			}
		}
		return names
	})
	return names
}

// nearest is the item that takes the fewest changes to make of a name, if these are few.
func nearest(name string, items []item) string {
	best, least := "", 1+utf8.RuneCountInString(name)/4
	for _, i := range items {
		label, _, _ := strings.Cut(i.Label, "(")
		if n := check.Slips(strings.ToLower(name), strings.ToLower(label)); n < least {
			best, least = label, n
		}
	}
	return best
}
