package figure

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// glyphs tell series apart without colour.
var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, downTriangle{}, cross{math.Pi / 4}, cross{0}, ring{},
}

// downTriangle is a filled triangle that stands on its tip.
type downTriangle struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (downTriangle) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	c.SetColor(sty.Color)
	// As gonum's upright triangle: a fourth larger, to look as large as a square.
	r := 1.25 * sty.Radius
	half, low, high := 0.866*r, r, 0.5*r
	var p vg.Path
	p.Move(vg.Point{X: pt.X, Y: pt.Y - low})
	p.Line(vg.Point{X: pt.X - half, Y: pt.Y + high})
	p.Line(vg.Point{X: pt.X + half, Y: pt.Y + high})
	p.Close()
	c.Fill(p)
}

// outline is how thick the lines of glyphs are; gonum's own are half as thick,
// too faint on a telephone.
const outline = vg.Length(1)

// ring is a circle that shows what lies behind it.
type ring struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (ring) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: outline})
	var p vg.Path
	p.Move(vg.Point{X: pt.X + sty.Radius, Y: pt.Y})
	p.Arc(pt, sty.Radius, 0, 2*math.Pi)
	p.Close()
	c.Stroke(p)
}

// cross is two bars, turned by an angle.
type cross struct{ angle float64 }

// DrawGlyph implements draw.GlyphDrawer.
func (g cross) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: outline})
	sin, cos := math.Sincos(g.angle)
	x, y := sty.Radius*vg.Length(cos), sty.Radius*vg.Length(sin)
	var p vg.Path
	for _, bar := range []vg.Point{{X: x, Y: y}, {X: -y, Y: x}} {
		p.Move(pt.Sub(bar))
		p.Line(pt.Add(bar))
	}
	c.Stroke(p)
}
