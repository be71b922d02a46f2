package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mark draws one series in the coordinates of a plot, and a sample of itself
// in the legend.
type mark struct {
	series
	line   draw.LineStyle
	glyph  draw.GlyphStyle
	fill   color.Color
	marked bool // a curve that carries its glyph at every point
	alone  bool // points without a line that joins them
}

// newMark gives a series the look of its kind and of the index of its name.
func newMark(s series, index int) mark {
	c := Color(index)
	m := mark{series: s, line: draw.LineStyle{Color: c, Width: vg.Points(1.4)}}
	m.glyph = draw.GlyphStyle{Color: c, Radius: vg.Points(2.4), Shape: glyphs[index%len(glyphs)]}
	switch s.kind {
	case points:
		m.line.Width = vg.Points(0.8)
	case region:
		m.fill = pale(c)
	case asymptotic:
		m.line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
		m.line.Width = vg.Points(1.1)
	case paper:
		m.glyph = draw.GlyphStyle{Color: paperGrey, Radius: vg.Points(3.6), Shape: ring{}}
	case steps, bars, band, shade:
		m.line.Dashes = scale(dashes[index%len(dashes)])
		m.fill = color.RGBA{c.R / 5, c.G / 5, c.B / 5, 51} // a fifth opaque
	}
	return m
}

func scale(d []vg.Length) []vg.Length {
	out := make([]vg.Length, len(d))
	for i, v := range d {
		out[i] = vg.Points(float64(v))
	}
	return out
}

// Plot implements plot.Plotter.
func (m mark) Plot(c draw.Canvas, p *plot.Plot) {
	if len(m.x) == 0 {
		return
	}
	trX, trY := p.Transforms(&c)
	at := make([]vg.Point, len(m.x))
	for i := range m.x {
		at[i] = vg.Point{X: trX(m.x[i]), Y: trY(m.y[i])}
	}
	if m.kind == band || m.kind == shade {
		m.plotBand(c, trX, trY)
	}
	if m.kind == points && m.lo != nil {
		m.plotIntervals(c, at, trY)
	}
	switch m.kind {
	case steps, bars:
		at = staircase(at)
		if m.ends {
			end := at[len(at)-1]
			at = append(at, vg.Point{X: end.X, Y: end.Y - 4}, vg.Point{X: end.X, Y: end.Y + 4})
		}
		fallthrough
	case theory, asymptotic, band, points:
		if !m.alone {
			c.StrokeLines(m.line, c.ClipLinesXY(at)...)
		}
	}
	if m.kind == points || m.kind == paper || m.marked {
		for _, pt := range at {
			if c.Contains(pt) {
				c.DrawGlyph(m.glyph, pt)
			}
		}
	}
}

// staircase keeps each height until the next point.
func staircase(at []vg.Point) []vg.Point {
	out := make([]vg.Point, 0, 2*len(at))
	for i, p := range at {
		if i > 0 {
			out = append(out, vg.Point{X: p.X, Y: at[i-1].Y})
		}
		out = append(out, p)
	}
	return out
}

func (m mark) plotBand(c draw.Canvas, trX, trY func(float64) vg.Length) {
	var outline []vg.Point
	for i := range m.x {
		outline = append(outline, vg.Point{X: trX(m.x[i]), Y: trY(m.lo[i])})
	}
	for i := len(m.x) - 1; i >= 0; i-- {
		outline = append(outline, vg.Point{X: trX(m.x[i]), Y: trY(m.hi[i])})
	}
	c.FillPolygon(m.fill, c.ClipPolygonXY(outline))
}

func (m mark) plotIntervals(c draw.Canvas, at []vg.Point, trY func(float64) vg.Length) {
	c.SetLineStyle(draw.LineStyle{Color: m.line.Color, Width: vg.Points(0.9)})
	cap := vg.Points(2)
	var all vg.Path // one for all, which keeps the file small
	for i, pt := range at {
		lo, hi := vg.Point{X: pt.X, Y: trY(m.lo[i])}, vg.Point{X: pt.X, Y: trY(m.hi[i])}
		if hi.Y-lo.Y < vg.Points(1) {
			continue // hidden by the mark
		}
		lines := [][]vg.Point{{lo, hi}}
		for _, end := range []vg.Point{lo, hi} {
			lines = append(lines, []vg.Point{{X: end.X - cap, Y: end.Y}, {X: end.X + cap, Y: end.Y}})
		}
		for _, l := range c.ClipLinesXY(lines...) {
			all.Move(l[0])
			all.Line(l[1])
		}
	}
	if len(all) > 0 {
		c.Stroke(all)
	}
}

// Thumbnail implements plot.Thumbnailer.
func (m mark) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	switch m.kind {
	case band:
		c.FillPolygon(m.fill, corners(c.Min.X, c.Min.Y, c.Max.X, c.Max.Y))
	case region, shade: // an area without a line
		inset := (c.Max.Y - c.Min.Y) * vg.Length(m.depth) / 6
		c.FillPolygon(m.fill, corners(c.Min.X, c.Min.Y+inset, c.Max.X, c.Max.Y-inset))
		return
	}
	if m.kind != paper && m.kind != rowed && !m.alone {
		c.StrokeLine2(m.line, c.Min.X, y, c.Max.X, y)
	}
	if m.kind == points || m.kind == paper || m.kind == rowed || m.marked {
		c.DrawGlyph(m.glyph, c.Center())
	}
}

// corners are the corners of a rectangle.
func corners(left, low, right, high vg.Length) []vg.Point {
	return []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}}
}

// arrows mark the x at which a series is infinite or, at the foot, at which it is 0 on a
// logarithmic axis. Those of several series stand side by side.
type arrows struct {
	x     []float64
	color color.Color
	aside vg.Length
	down  bool
}

// Plot implements plot.Plotter.
func (a *arrows) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	for _, x := range a.x {
		tip, back := vg.Point{X: trX(x), Y: c.Max.Y}, vg.Points(-1)
		if a.down {
			tip.Y, back = c.Min.Y, vg.Points(1)
		}
		if tip.X >= c.Min.X && tip.X <= c.Max.X {
			tip.X += a.aside
			line := draw.LineStyle{Color: a.color, Width: vg.Points(1.2)}
			c.StrokeLine2(line, tip.X, tip.Y+9*back, tip.X, tip.Y)
			c.StrokeLine2(line, tip.X-vg.Points(2.5), tip.Y+4*back, tip.X, tip.Y)
			c.StrokeLine2(line, tip.X+vg.Points(2.5), tip.Y+4*back, tip.X, tip.Y)
		}
	}
}

// plotter is what draws into a plot and says nothing in the legend.
type plotter func(c draw.Canvas, p *plot.Plot)

// Plot implements plot.Plotter.
func (f plotter) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// grid draws light lines at the labelled ticks.
func grid(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	light := draw.LineStyle{Color: gridGrey, Width: vg.Points(0.5)}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if x := trX(t.Value); t.Label != "" && x >= c.Min.X && x <= c.Max.X {
			c.StrokeLine2(light, x, c.Min.Y, x, c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if y := trY(t.Value); t.Label != "" && y >= c.Min.Y && y <= c.Max.Y {
			c.StrokeLine2(light, c.Min.X, y, c.Max.X, y)
		}
	}
}
