package result

import (
	"strings"

	"github.com/mjqueue/mjq/internal/escape"
)

// noteLines are notes below a table as text, a line each.
func noteLines(notes []string) string {
	var b strings.Builder
	for _, n := range notes {
		b.WriteString("Note: " + escape.Line(n) + "\n")
	}
	return b.String()
}

// noteParagraphs are notes below a table on a page.
func noteParagraphs(notes []string) string {
	var b strings.Builder
	for _, n := range notes {
		b.WriteString("<p><b>Note:</b> " + escape.HTML(n) + "</p>")
	}
	return b.String()
}
