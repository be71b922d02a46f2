package figure

import (
	"strings"

	"github.com/mjqueue/mjq/internal/escape"
)

// Apart is the figure without its caption, and the caption as plain text and as HTML. A page
// that writes it below the figure gives it the size of its own text and breaks its lines,
// however narrow the page is. Text and HTML are empty if there is no caption.
func (f *Figure) Apart() (bare *Figure, text, page string) {
	one := *f
	one.caption, one.captioned = "", true
	var lines, marked []string
	for _, line := range strings.Split(strings.TrimSpace(f.sized(1).shown().caption), "\n") {
		line = strings.Join(strings.Fields(line), " ")
		lines, marked = append(lines, typed(line)), append(marked, onPage(line))
	}
	return &one, strings.Join(lines, "\n"), strings.Join(marked, "<br>")
}

// onPage is a line as HTML, that does not break before a percent sign.
func onPage(line string) string {
	var b strings.Builder
	for _, p := range parts(line) {
		txt := escape.HTML(p.text)
		switch p.level {
		case 1:
			txt = "<sup>" + txt + "</sup>"
		case -1:
			txt = "<sub>" + txt + "</sub>"
		}
		b.WriteString(txt)
	}
	return strings.ReplaceAll(b.String(), " %", "\u00a0%")
}

// typed is a line as one types it: 10^3, λ_c.
func typed(line string) string {
	var b strings.Builder
	for _, p := range parts(line) {
		switch p.level {
		case 1:
			b.WriteByte('^')
		case -1:
			b.WriteByte('_')
		}
		b.WriteString(p.text)
	}
	return b.String()
}
