package figure

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// pdfCanvas writes text that vgpdf cannot: its fonts hold the letters of
// western Europe only. Greek letters and mathematical signs are drawn as
// outlines of the same font, everything else stays text that can be searched.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(face font.Face, at vg.Point, txt string) {
	run := "" // in the encoding of the PDF's font, one byte a letter
	flush := func() {
		if run != "" {
			c.Canvas.FillString(face, at, run)
		}
		run = ""
	}
	next := at
	for _, r := range txt {
		if r >= ' ' && r <= '~' || r >= 0xA0 && r <= 0xFF {
			run += string([]byte{byte(r)})
		} else {
			flush()
			c.outline(face, next, r)
		}
		next.X += face.Width(string(r))
		if run == "" {
			at = next
		}
	}
	flush()
}

// The operations of an outline, as the font's reader numbers them.
const (
	moveTo = iota
	lineTo
	quadTo
	cubeTo
)

// outline fills the shape of a letter; one that the font lacks is its sign for
// that.
func (c pdfCanvas) outline(face font.Face, at vg.Point, r rune) {
	index, err := face.Face.GlyphIndex(nil, r)
	if err != nil {
		return
	}
	const em = 1 << 16 // in units much finer than what is seen
	segments, err := face.Face.LoadGlyph(nil, index, em, nil)
	if err != nil {
		return
	}
	var path vg.Path
	for _, s := range segments {
		point := func(i int) vg.Point { // the font's y points down
			scale := face.Font.Size / em
			return vg.Point{X: at.X + vg.Length(s.Args[i].X)*scale, Y: at.Y - vg.Length(s.Args[i].Y)*scale}
		}
		switch s.Op {
		case moveTo:
			path.Move(point(0))
		case lineTo:
			path.Line(point(0))
		case quadTo:
			path.QuadTo(point(0), point(1))
		case cubeTo:
			path.CubeTo(point(0), point(1), point(2))
		}
	}
	if len(path) > 0 {
		path.Close()
		c.Fill(path)
	}
}
