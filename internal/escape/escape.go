// Package escape writes text that somebody else chose, such as the name of a class in a file
// or of a user in a log, into what mjq makes: lines for a terminal, HTML, SVG, comma-separated
// values, JSON and commands of a shell. Each form has one function here, and no package
// escapes by itself. Go source is written by package playground alone, which quotes what it is given.
package escape

import (
	"encoding/csv"
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Line is text that stays in its line and moves no cursor: characters that are not seen
// (control characters, line breaks, marks of direction) and bytes that are not UTF-8 are
// written as Go does in a quoted string, \n or \x1b.
func Line(s string) string {
	clean := strings.IndexFunc(s, unseen) < 0
	if clean && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case unseen(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// Lines is Line for text of several lines, whose breaks stay.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Line(lines[i])
	}
	return strings.Join(lines, "\n")
}

// HTML is a line of text as HTML and XML have it, SVG included, between tags and in quoted
// attributes.
func HTML(s string) string { return html.EscapeString(Line(s)) }

// HTMLLines is HTML for text of several lines, whose breaks stay.
func HTMLLines(s string) string { return html.EscapeString(Lines(s)) }

// JSON is a text in JSON without characters that are not seen in its strings: the strings stay
// what they are, since \u009b is the character itself to whoever reads JSON.
func JSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r >= 0x7f && unseen(r) {
			for _, half := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, half)
			}
		} else {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// CSV is rows as comma-separated values, of which a spreadsheet takes no cell for a formula:
// text that begins like one has an apostrophe before it. Numbers stay numbers.
func CSV(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i := range row {
			cells[i] = cell(row[i])
		}
		_ = w.Write(cells) // a builder takes all
	}
	w.Flush()
	return b.String()
}

// cell is a cell of such a row.
func cell(text string) string {
	text = Line(text)
	begin, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \u00a0"))
	if !strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20", begin) || begin == utf8.RuneError || number(text) {
		return text
	}
	return "'" + text
}

// number reports whether text is a number with at most a minus before it.
func number(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	_, err := strconv.ParseFloat(digits, 64)
	return err == nil && digits[0] != '+' && digits[0] != '-'
}

// Shell is a word of a command line of a shell, quoted where it has to be.
func Shell(word string) string {
	plain := func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:=,%+@", r))
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// unseen reports whether a character is not seen as itself: control characters, line breaks,
// formatting such as marks of direction, halves of pairs, and what is no character. The joiners
// are seen, by what they join.
func unseen(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7f, r == '\u200c', r == '\u200d':
		return false
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs)
}
