package figure

import (
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mjqueue/mjq/internal/escape"
)

// markup draws text with raised ^{...} and lowered _{...} parts. Anything else
// is drawn as it stands: no input makes it fail.
type markup struct{ text.Plain }

// small is the size of raised and lowered text, rise and drop their shift, as
// fractions of the size of the text.
const (
	small = 0.72
	rise  = 0.36
	drop  = -0.20
)

// part is a stretch of text at one height: level +1, 0 or -1.
type part struct {
	text  string
	level int
}

// parts splits a line. A brace that is not closed is plain text.
func parts(line string) (out []part) {
	line = escape.Line(line) // a name that breaks the line, or that XML does not have
	plain := ""
	flush := func() {
		if plain != "" {
			out = append(out, part{plain, 0})
			plain = ""
		}
	}
	for line != "" {
		i := strings.IndexAny(line, "^_")
		if i < 0 {
			plain += line
			break
		}
		end := -1
		if strings.HasPrefix(line[i+1:], "{") {
			end = strings.IndexByte(line[i+2:], '}')
		}
		if end < 0 {
			plain += line[:i+1]
			line = line[i+1:]
			continue
		}
		plain += line[:i]
		flush()
		level := 1
		if line[i] == '_' {
			level = -1
		}
		out = append(out, part{line[i+2 : i+2+end], level})
		line = line[i+2+end+1:]
	}
	flush()
	return out
}

// at is the font and the vertical shift of a part.
func (p part) at(f font.Font) (font.Font, vg.Length) {
	shift := vg.Length(0)
	switch p.level {
	case 1:
		shift = f.Size * rise
	case -1:
		shift = f.Size * drop
	}
	if p.level != 0 {
		f.Size *= small
	}
	return f, shift
}

// plain is a text without the signs that raise and lower parts of it.
func plain(txt string) string {
	var b strings.Builder
	for _, p := range parts(strings.ReplaceAll(txt, "\n", " ")) {
		b.WriteString(p.text)
	}
	return b.String()
}

// Box is the width, and the height above and below the baseline, of a line.
func (m markup) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	ext := m.Extents(fnt)
	height, depth = ext.Ascent, ext.Descent
	for _, p := range parts(txt) {
		f, shift := p.at(fnt)
		face := m.Fonts.Lookup(f, f.Size)
		width += face.Width(p.text)
		height = max(height, shift+face.Extents().Ascent)
		depth = max(depth, face.Extents().Descent-shift)
	}
	return width, height, depth
}

// Draw writes the text at pt in the given style.
func (m markup) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
	}
	sin, cos := math.Sincos(sty.Rotation)
	pt.X, pt.Y = pt.Y*vg.Length(sin)+pt.X*vg.Length(cos), pt.Y*vg.Length(cos)-pt.X*vg.Length(sin)
	lines := m.Lines(txt)
	pt.Y += sty.Height(txt)*vg.Length(sty.YAlign) - m.Extents(sty.Font).Ascent
	for i, line := range lines {
		m.drawLine(c, line, sty, pt.Add(vg.Point{Y: vg.Length(len(lines)-i) * sty.Font.Size}))
	}
}

// drawLine writes one line, part by part or, on a canvas that can, as a whole.
func (m markup) drawLine(c vg.Canvas, line string, sty text.Style, at vg.Point) {
	width, _, _ := m.Box(line, sty.Font)
	if width <= 0 {
		return
	}
	if whole, ok := innermost(c).(liner); ok {
		whole.fillLine(sty.Font, at, sty.XAlign, width, parts(line))
		return
	}
	at.X += vg.Length(sty.XAlign) * width
	for _, p := range parts(line) {
		f, shift := p.at(sty.Font)
		face := m.Fonts.Lookup(f, f.Size)
		c.FillString(face, at.Add(vg.Point{Y: shift}), p.text)
		at.X += face.Width(p.text)
	}
}

// liner is a canvas that lays out a line of text, raised and lowered parts
// included, by itself.
type liner interface {
	fillLine(f font.Font, at vg.Point, align text.XAlignment, width vg.Length, line []part)
}

const quarterTurn = math.Pi / 2

// innermost is the canvas that a part of a canvas belongs to.
func innermost(c vg.Canvas) vg.Canvas {
	for {
		switch outer := c.(type) {
		case *draw.Canvas:
			c = outer.Canvas
		case draw.Canvas:
			c = outer.Canvas
		default:
			return c
		}
	}
}
