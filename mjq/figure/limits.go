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

// targetPlot draws a value that is asked for.
type targetPlot limitLine

// Plot draws the dotted line and writes its label above it, at the left.
func (t targetPlot) Plot(c draw.Canvas, p *plot.Plot) {
	_, trY := p.Transforms(&c)
	y := trY(t.at)
	if y < c.Min.Y || y > c.Max.Y {
		return
	}
	c.StrokeLine2(dotted, c.Min.X, y, c.Max.X, y)
	sty := sans(tickSize)
	sty.XAlign, sty.YAlign = draw.XLeft, draw.YBottom
	c.FillText(sty, vg.Point{X: c.Min.X + 4, Y: y + 2}, t.label)
}

// limitPlot draws a limit of a figure.
type limitPlot struct {
	limitLine
	f *Figure
}

// Plot draws the dotted line and writes its label along it, where the curves
// leave most room: at the foot if they can, at the top or in the middle.
func (l limitPlot) Plot(c draw.Canvas, p *plot.Plot) {
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
		if n := l.f.within(box(y), trX, trY); fewest < 0 || n < fewest {
			best, fewest = y, n
		}
	}
	sty.Rotation = quarterTurn
	sty.XAlign, sty.YAlign = draw.XLeft, draw.YBottom
	c.FillText(sty, vg.Point{X: x - vg.Points(3.5), Y: best}, l.label)
}

// within counts places on the series that lie in a box.
func (f *Figure) within(box vg.Rectangle, trX, trY func(float64) vg.Length) (n int) {
	const steps = 40 // between one point and the next
	for _, s := range f.series {
		for i := 1; i < len(s.x); i++ {
			if !drawable(s.x[i-1], f.logX) || !drawable(s.x[i], f.logX) || !drawable(s.y[i-1], f.logY) || !drawable(s.y[i], f.logY) {
				continue
			}
			from, to := vg.Point{X: trX(s.x[i-1]), Y: trY(s.y[i-1])}, vg.Point{X: trX(s.x[i]), Y: trY(s.y[i])}
			if max(from.X, to.X) < box.Min.X || min(from.X, to.X) > box.Max.X {
				continue
			}
			for k := range steps + 1 {
				at := from.Add(to.Sub(from).Scale(vg.Length(k) / steps))
				if at.X >= box.Min.X && at.X <= box.Max.X && at.Y >= box.Min.Y && at.Y <= box.Max.Y {
					n++
				}
			}
		}
	}
	return n
}
