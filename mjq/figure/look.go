package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Mark is the shape drawn at the points of a series.
type Mark int

// The marks. NoMark leaves a series as its kind draws it.
const (
	NoMark Mark = iota
	Circle
	Square
	TriangleUp
	TriangleDown
)

var marks = map[Mark]draw.GlyphDrawer{
	Circle: draw.CircleGlyph{}, Square: draw.BoxGlyph{}, TriangleUp: draw.PyramidGlyph{}, TriangleDown: downTriangle{},
}

// Colours for Look that are told apart with any colour vision.
var (
	Blue   = Color(0)
	Orange = Color(1)
	Green  = Color(2)
	Purple = color.RGBA{106, 61, 154, 255}
	// Idle is for what is idle through blocking: its areas are as pink as in pictures of other kinds.
	Idle = color.RGBA{210, 45, 45, 255}
)

// Look is a colour and a mark to be used in place of those that a name would
// get by its order, as when the figures of a paper are redrawn. A nil colour
// and NoMark leave what there is.
type Look struct {
	Color color.Color
	Mark  Mark
}

// Look fixes the colour and the mark of all series of that name, given before
// or after. Curves of theory and asymptotics then carry the mark at every
// point, so give them few. The look of a printed value stays grey.
func (f *Figure) Look(name string, look Look) *Figure {
	if f.looks == nil {
		f.looks = map[string]Look{}
	}
	f.looks[name] = look
	return f
}

// markOf is the mark of a series in this figure.
func (f *Figure) markOf(s series, index int) mark {
	m := newMark(s, index)
	look := f.looks[s.name]
	if s.kind == paper {
		return m
	}
	if look.Color != nil {
		m.line.Color, m.glyph.Color = look.Color, look.Color
		r, g, b, _ := look.Color.RGBA()
		m.fill = color.RGBA{uint8(r >> 8 / 5), uint8(g >> 8 / 5), uint8(b >> 8 / 5), 51}
	}
	if shape, ok := marks[look.Mark]; ok {
		m.glyph.Shape, m.glyph.Radius, m.marked = shape, vg.Points(2.8), true
	}
	return m
}
