package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var dotted = draw.LineStyle{Color: ink, Width: vg.Points(1.1), Dashes: []vg.Length{vg.Points(1.5), vg.Points(2.5)}}

// limitLine is a stability limit, or a target, with its label.
type limitLine struct {
	at    float64
	label string
}

// target draws a value that is asked for: the dotted line, and its label above it, where the marks
// leave most room. That is at the left if they can, at the right or in the middle, and then below the
// line.
func (f *Figure) target(t limitLine, c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	y := trY(t.at)
	if y < c.Min.Y || y > c.Max.Y {
		return
	}
	c.StrokeLine2(dotted, c.Min.X, y, c.Max.X, y)
	if t.label == "" {
		return
	}
	sty := sans(tickSize)
	long, high := 1.25*sty.Width(t.label), vg.Length(1.25*tickSize) // as on a telephone
	best, fewest := vg.Point{}, -1
	// Clear of marks on the line.
	for _, from := range []vg.Length{y + 4, y - 3 - high} {
		for _, at := range []struct {
			x     vg.Length
			align draw.XAlignment
		}{{c.Min.X + 4, draw.XLeft}, {c.Max.X - 4, draw.XRight}, {c.Center().X, draw.XCenter}} {
			left := at.x + vg.Length(at.align)*long
			box := vg.Rectangle{Min: vg.Point{X: left, Y: from}, Max: vg.Point{X: left + long, Y: from + high}}
			if n := f.within(box, trX, trY); from >= c.Min.Y && from+high <= c.Max.Y && (fewest < 0 || n < fewest) {
				best, fewest, sty.XAlign = vg.Point{X: at.x, Y: from}, n, at.align
			}
		}
	}
	if fewest < 0 { // a frame too low for a label
		return
	}
	sty.YAlign = draw.YBottom
	c.FillText(sty, best, t.label)
}

// limit draws a limit: the dotted line, and its label along it, where the curves
// leave most room: at the foot if they can, at the top or in the middle.
func (f *Figure) limit(l limitLine, c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	x := trX(l.at)
	if x < c.Min.X || x > c.Max.X {
		return
	}
	c.StrokeLine2(dotted, x, c.Min.Y, x, c.Max.Y)
	if l.label == "" {
		return
	}
	sty := sans(tickSize)
	long := sty.Width(l.label)
	box := func(y vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: x - tickSize - 5, Y: y}, Max: vg.Point{X: x - 2, Y: y + long}}
	}
	var best vg.Length
	fewest := -1
	for _, y := range []vg.Length{c.Min.Y + 5, c.Max.Y - max(long+12, 1.17*long), (c.Min.Y + c.Max.Y - long) / 2} {
		if n := f.within(box(y), trX, trY); fewest < 0 || n < fewest {
			best, fewest = y, n
		}
	}
	sty.Rotation = quarterTurn
	sty.XAlign, sty.YAlign = draw.XLeft, draw.YBottom
	c.FillText(sty, vg.Point{X: x - vg.Points(3.5), Y: best}, l.label)
}

// within counts places on the series, and on the intervals of points, that lie in a box.
func (f *Figure) within(box vg.Rectangle, trX, trY func(float64) vg.Length) (n int) {
	const steps = 40 // between one point and the next
	along := func(x1, y1, x2, y2 float64) {
		if !drawable(x1, f.logX) || !drawable(x2, f.logX) || !drawable(y1, f.logY) || !drawable(y2, f.logY) {
			return
		}
		from, to := vg.Point{X: trX(x1), Y: trY(y1)}, vg.Point{X: trX(x2), Y: trY(y2)}
		if max(from.X, to.X) < box.Min.X || min(from.X, to.X) > box.Max.X {
			return
		}
		for k := range steps + 1 {
			at := from.Add(to.Sub(from).Scale(vg.Length(k) / steps))
			if at.X >= box.Min.X && at.X <= box.Max.X && at.Y >= box.Min.Y && at.Y <= box.Max.Y {
				n++
			}
		}
	}
	for _, s := range f.series {
		for i := range s.x {
			if i > 0 && !f.alone(s) {
				along(s.x[i-1], s.y[i-1], s.x[i], s.y[i])
			}
			if s.kind == points || s.kind == paper {
				along(s.x[i], s.y[i], s.x[i], s.y[i])
			}
			if s.kind == points && len(s.lo) == len(s.x) {
				lo := s.lo[i]
				if f.logY && lo <= 0 {
					lo = s.y[i] / 100
				}
				along(s.x[i], lo, s.x[i], s.hi[i])
			}
		}
	}
	return n
}
