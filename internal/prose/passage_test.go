package prose

import (
	"regexp"
	"strings"
)

// A passage is a paragraph, a list item, a heading, a table cell, a comment or a string.
type passage struct {
	file string
	line int
	text string // one line, markup removed, code replaced by a word
	raw  string // one line, as written

	heading bool
}

var (
	item      = regexp.MustCompile(`^\s*([-*+]|\d+\.)\s+`)
	fence     = regexp.MustCompile("^\\s*(```|~~~)")
	ruler     = regexp.MustCompile(`^[\s|:-]+$`)
	inline    = regexp.MustCompile("`[^`]*`")
	formula   = regexp.MustCompile(`\$\$.+?\$\$|\$[^$]+\$`)
	linked    = regexp.MustCompile(`!?\[([^\]]*)\](\([^)]*\)|\{[^}]*\})*`)
	tag       = regexp.MustCompile(`<[^>]*>|\{[ .:#][^}]*\}`)
	emphasis  = regexp.MustCompile(`\*+|__`)
	metadata  = regexp.MustCompile(`^(---|hide:.*|title:.*|!!! .*|\?\?\? .*)$`)
	indented  = regexp.MustCompile(`^(    |\t)`)
	blockMath = regexp.MustCompile(`(?s)\$\$.*?\$\$`)
)

// plain removes the markup of a line and puts one word in place of code and formulas.
func plain(raw string) string {
	text := inline.ReplaceAllString(raw, "code")
	text = formula.ReplaceAllString(text, "formula")
	text = linked.ReplaceAllString(text, "$1")
	text = tag.ReplaceAllString(text, "")
	return strings.TrimSpace(emphasis.ReplaceAllString(text, ""))
}

// markdown returns the passages of a page. Code blocks and formulas on lines of their own
// are left out.
func markdown(file, page string) []passage {
	page = blockMath.ReplaceAllStringFunc(page, func(f string) string { return strings.Repeat("\n", strings.Count(f, "\n")) })
	var all []passage
	var open []string
	begin, code, list, heading := 0, false, false, false
	end := func() {
		if raw := strings.Join(open, " "); plain(raw) != "" {
			all = append(all, passage{file: file, line: begin, text: plain(raw), raw: raw, heading: heading})
		}
		open = nil
	}
	for i, line := range strings.Split(page, "\n") {
		switch {
		case fence.MatchString(line):
			end()
			code = !code
			continue
		case code:
			continue
		case strings.TrimSpace(line) == "" || metadata.MatchString(line) || ruler.MatchString(line):
			end()
			if strings.TrimSpace(line) != "" {
				list = false
			}
			continue
		case strings.HasPrefix(strings.TrimSpace(line), "|"):
			end()
			for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
				begin, open = i+1, []string{strings.TrimSpace(cell)}
				end()
			}
			continue
		case strings.HasPrefix(line, "#"):
			end()
			begin, open, heading = i+1, []string{strings.TrimSpace(strings.TrimLeft(line, "#"))}, true
			end()
			list, heading = false, false
			continue
		case item.MatchString(line):
			end()
			list = true
			line = item.ReplaceAllString(line, "")
		case indented.MatchString(line) && len(open) == 0 && !list:
			continue // code
		case len(open) == 0 && !indented.MatchString(line):
			list = false
		}
		if len(open) == 0 {
			begin = i + 1
		}
		open = append(open, strings.TrimSpace(line))
	}
	end()
	return all
}
