package figure

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// liner is a canvas that lays out a line of text, raised and lowered parts
// included, by itself.
type liner interface {
	fillLine(f font.Font, at vg.Point, align text.XAlignment, width vg.Length, line []part)
}

// svgCanvas writes every line of text as one element. The browser then sets
// one part after the other with the font that it has, and stretches or shrinks
// the whole to the width that the layout of the figure has reserved.
type svgCanvas struct {
	*vgsvg.Canvas
	lines []svgLine
}

// svgLine is what an SVG element needs beside its place and its style.
type svgLine struct {
	anchor  string
	width   vg.Length
	content string
}

// fillLine leaves the number of the line in its place: vgsvg writes it where
// the line belongs, turned and coloured, and bytes puts the line there.
func (c *svgCanvas) fillLine(f font.Font, at vg.Point, align text.XAlignment, width vg.Length, line []part) {
	anchor := ""
	switch align {
	case text.XCenter:
		anchor = ` text-anchor="middle"`
	case text.XRight:
		anchor = ` text-anchor="end"`
	default:
		at.X += vg.Length(align) * width
	}
	c.Canvas.FillString(handler.Fonts.Lookup(f, f.Size), at, strconv.Itoa(len(c.lines)))
	c.lines = append(c.lines, svgLine{anchor, width, spans(f, line)})
}

// spans is a line in SVG. Shifts add up, so each part first takes back that of
// the part before.
func spans(f font.Font, line []part) string {
	var b strings.Builder
	at := vg.Length(0)
	for _, p := range line {
		g, shift := p.at(f)
		txt := html.EscapeString(strings.Map(printable, p.text))
		if shift == 0 && at == 0 {
			b.WriteString(txt)
			continue
		}
		fmt.Fprintf(&b, `<tspan dy="%.4g"`, (at - shift).Points())
		if g.Size != f.Size {
			fmt.Fprintf(&b, ` font-size="%.4gpx"`, g.Size.Points())
		}
		fmt.Fprintf(&b, `>%s</tspan>`, txt)
		at = shift
	}
	return b.String()
}

// printable drops the control characters, which XML does not allow.
func printable(r rune) rune {
	if unicode.IsControl(r) {
		return -1
	}
	return r
}

// families are the fonts of all text. Arial and Helvetica are as wide as
// Liberation Sans, by which the figure is laid out.
const families = "'Liberation Sans',Arial,Helvetica,sans-serif"

var (
	prolog    = regexp.MustCompile(`(?s)^.*?<svg`)
	fixedSize = regexp.MustCompile(`<svg width="([0-9.]+)pt" height="[0-9.]+pt"`)
	numbered  = regexp.MustCompile(`<text (x="[^"]*" y="[^"]*") transform="scale\(1, -1\)"\s+` +
		`style="[^"]*font-size:([0-9.]+px);fill:([^"]*)">(\d+)</text>`)
)

// bytes is the picture with its lines in place, fonts named once, and as wide
// as the page allows.
func (c *svgCanvas) bytes() ([]byte, error) {
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, err
	}
	out := prolog.ReplaceAll(buf.Bytes(), []byte("<svg"))
	out = fixedSize.ReplaceAll(out, []byte(`<svg width="100%" style="max-width:${1}pt;background:white;font-family:`+families+`"`))
	return numbered.ReplaceAllFunc(out, func(match []byte) []byte {
		m := numbered.FindSubmatch(match)
		i, err := strconv.Atoi(string(m[4]))
		if err != nil || i >= len(c.lines) {
			return match
		}
		l := c.lines[i]
		return fmt.Appendf(nil, `<text %s%s transform="scale(1, -1)" font-size="%s" fill="%s" textLength="%.4g" lengthAdjust="spacingAndGlyphs">%s</text>`,
			m[1], l.anchor, m[2], m[3], l.width.Points(), l.content)
	}), nil
}
