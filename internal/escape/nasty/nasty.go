// Package nasty has names that break what is made of them, and the tests of whether they have:
// of text for a terminal, of HTML, of SVG and of comma-separated values.
package nasty

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names returns names that a file, a log or a link may hold.
func Names() []string {
	return []string{
		"", " ", "plain", "größer 大", "two  words ",
		`"quoted"`, "it's", "a`b", "`)))\n}\n\nfunc init() { panic(0) }\n//", `back\slash`, `"); panic("x`,
		"</script><script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "<b>bold</b>", "&lt;&#0;", "]]>", "-->", "<!--", "*/ panic(0) /*", "// x",
		"a\nb", "a\r\nb", "a\rb", "a\tb", "a\u2028b", "a\u2029b", "a\u0085b", "%sh\nrm -rf x", "!ls\n!ls",
		"\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]8;;http://x/\x1b\\link", "\x9b31m", "\u009b31m", "a\x08\x08b", "\x7f",
		"=cmd|' /C calc'!A0", "=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "a,b", "a;b", "a\"b,c",
		"\uffff", "\ufffe", "\U0001ffff", "\x00", "a\x00b", "\xff\xfe", "a\xc3", "\ufdd0",
		"\u202egnp.exe", "\u2066x\u2069", "\u200f", "\ufeffbom", "a\u200db", "🧑‍💻", "e\u0301",
		"$(touch x)", "`touch x`", "${HOME}", "a;touch x", "a|b", "-rf", "--json", "~", "*", "a b", "%s%d%n", "%!(EXTRA", "{{.}}", "__proto__", "NaN", "null", "../../x",
		strings.Repeat("long ", 400),
	}
}

// Terminal is the error of text that moves the cursor of a terminal, or whose lines are not
// those that it seems to have.
func Terminal(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("not UTF-8")
	}
	for i, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || r == '\ufeff') {
			return fmt.Errorf("%U in %q", r, text[max(0, i-20):min(len(text), i+20)])
		}
	}
	return nil
}

// SVG is the error of a picture that is not XML, or has elements of a program.
func SVG(text string) error {
	if !utf8.ValidString(text) || strings.Contains(text, "\ufffe") || strings.Contains(text, "\uffff") {
		return errors.New("characters that XML does not have")
	}
	return tags(xml.NewDecoder(strings.NewReader(text)))
}

// scripts are those that pages have themselves, none of which holds what others have written.
var scripts = regexp.MustCompile(`(?s)<(script|style)\b[^>]*>.*?</(script|style)>`)

// HTML is the error of a page with elements or attributes that it does not have itself. The
// scripts named are those of the page.
func HTML(page string, own ...string) error {
	for _, s := range scripts.FindAllString(page, -1) {
		if strings.HasPrefix(s, "<style") || slices.ContainsFunc(own, func(o string) bool { return strings.Contains(s, o) }) {
			page = strings.Replace(page, s, "", 1)
		}
	}
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	return errors.Join(tags(d), Terminal(page))
}

// tags reads to the end, and is the error of what no text may become.
func tags(d *xml.Decoder) error {
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if slices.Contains([]string{"script", "img", "iframe"}, t.Name.Local) {
				return fmt.Errorf("an element %s: %v", t.Name.Local, t.Attr)
			}
			for _, a := range t.Attr {
				if strings.HasPrefix(a.Name.Local, "on") {
					return fmt.Errorf("an attribute %s of %s", a.Name.Local, t.Name.Local)
				}
			}
		case xml.Comment:
			return fmt.Errorf("a comment: %s", t)
		}
	}
}

// CSV is the error of values whose rows have not the same number of cells, or of which a
// spreadsheet computes one.
func CSV(text string) error {
	if err := Terminal(text); err != nil {
		return err
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return err
	}
	for _, row := range rows {
		for _, cell := range row {
			if _, err := strconv.ParseFloat(cell, 64); err == nil && cell[0] != '+' {
				continue
			}
			if begin := strings.TrimSpace(cell); begin != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(begin)[0]) {
				return fmt.Errorf("a formula: %q", cell)
			}
		}
	}
	return nil
}
