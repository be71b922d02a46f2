package cells

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Documents are two files for a language server: the cell, whose first line is the second of
// its file, and what the cells before it have declared. Packages at hand are imported if
// they are or not. Moved is where an offset of the cell's text lies in the first file.
func (b *Book) Documents(c *Cell, atHand []string) (cell, kept string, to func(offset int) int) {
	p := c.parse()
	source, edits := c.source()
	var head strings.Builder
	imports := func(own map[string]string) {
		all := map[string]string{}
		for _, path := range atHand {
			all[`"`+path+`"`] = ""
		}
		maps.Copy(all, b.imports)
		for _, path := range slices.Sorted(maps.Keys(all)) {
			if _, again := own[path]; !again {
				head.WriteString(" import " + all[path] + " " + path + ";")
			}
		}
	}
	head.WriteString(clause)
	imports(p.imports)
	cell = head.String() + "\n" + source
	start := head.Len() + 1
	head.Reset()
	head.WriteString(clause)
	imports(nil)
	for _, e := range b.without(p.entries) {
		head.WriteString("\n" + e.text)
	}
	return cell, head.String() + "\n", func(offset int) int { return start + moved(offset, edits) }
}

// NameAt is the offset of the name at an offset of code, or else of the name before the
// bracket that encloses it.
func NameAt(code string, offset int) int {
	letter := func(i int) bool {
		return i >= 0 && i < len(code) && (code[i] == '_' || code[i] >= utf8.RuneSelf ||
			code[i]|' ' >= 'a' && code[i]|' ' <= 'z' || code[i] >= '0' && code[i] <= '9')
	}
	start := offset
	for letter(start - 1) {
		start--
	}
	if letter(start) && (code[start] < '0' || code[start] > '9') {
		return start
	}
	depth := 0
	for i := offset - 1; i > 0; i-- {
		switch code[i] {
		case ')', '}', ']':
			depth++
		case '(', '{', '[':
			if depth--; depth < 0 && letter(i-1) {
				return NameAt(code, i)
			}
		}
	}
	return offset
}
