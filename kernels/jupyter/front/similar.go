package main

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// unknown is what the compiler says of a name that it does not know, which is the last
// word of either form.
var unknown = regexp.MustCompile(`^(?:undefined: (?:\w+\.)?(\w+)|\S+\.(\w+) undefined \(type .* has no field or method \w+\))$`)

// while is how long the message of the compiler may wait for a better word.
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
	found := make(chan string, 1)
	ask := func() {
		var list struct{ Items []item }
		if c.ask(b, at, offset, "textDocument/completion", &list) != nil {
			list.Items = nil
		}
		found <- nearest(name, list.Items)
	}
	go panics.Call(ask)
	select {
	case best := <-found:
		return best
	case <-time.After(while):
		return ""
	}
}

// nearest is the item that takes the fewest changes to make of a name, if these are few.
func nearest(name string, items []item) string {
	best, least := "", 1+utf8.RuneCountInString(name)/4
	for _, i := range items {
		label, _, _ := strings.Cut(i.Label, "(")
		if n := changesBetween(strings.ToLower(name), strings.ToLower(label)); n < least {
			best, least = label, n
		}
	}
	return best
}

// changesBetween is the number of letters to change, leave out or put in that make one
// word of another (Levenshtein's distance).
func changesBetween(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
