package figure

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of text in points. A figure of the usual width is shown at half its size on a
// telephone, where its smallest text is still to be read.
const (
	titleSize   = 14
	labelSize   = 12.5
	legendSize  = 12
	tickSize    = 11.5
	captionSize = 10.5
)

// margin is what stays free at the sides of a figure.
const margin = vg.Length(5)

// layout is what stands above and below the frame of a figure of some width:
// the title and the caption, broken into lines, and the legend, and the names of curves
// beside it.
type layout struct {
	title, caption string
	legend         legend
	labels         []endLabel
}

func (f *Figure) layout(width vg.Length) layout {
	room := width - 2*margin
	l := layout{title: wrapped(f.title, sans(titleSize), room), caption: wrapped(f.caption, sans(captionSize), room)}
	l.labels = f.endLabels(width)
	if f.named() && !f.noLegend {
		l.legend = f.newLegend(room, l.labels)
	}
	return l
}

// head is the height of the title, foot that of the legend and the caption.
func (l layout) head() vg.Length {
	if l.title == "" {
		return 0
	}
	return sans(titleSize).Height(l.title) + 7
}

func (l layout) foot() vg.Length {
	foot := l.legend.height()
	if l.caption != "" {
		foot += sans(captionSize).Height(l.caption) + 5
	}
	return foot
}

// draw writes the title at the top of the canvas, the legend and the caption
// from below the frame on.
func (l layout) draw(c draw.Canvas, foot vg.Length) {
	if l.title != "" {
		sty := sans(titleSize)
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		c.FillText(sty, vg.Point{X: c.Center().X, Y: c.Max.Y}, l.title)
	}
	top := c.Min.Y + foot
	l.legend.draw(c, top)
	if l.caption != "" {
		sty := sans(captionSize)
		sty.Color, sty.YAlign = captionGrey, draw.YTop
		c.FillText(sty, vg.Point{X: c.Min.X, Y: top - l.legend.height() - 5}, l.caption)
	}
}

// wrapped breaks a text into lines of a width, at its spaces.
func wrapped(txt string, sty text.Style, width vg.Length) string {
	var lines []string
	for _, given := range strings.Split(txt, "\n") {
		line := ""
		for _, word := range strings.Fields(given) {
			longer := strings.TrimSpace(line + " " + word)
			if line != "" && sty.Width(longer) > width {
				lines = append(lines, line)
				longer = word
			}
			line = longer
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// drawLabelled draws the plot and the labels of its axes, each in the middle
// of its axis. Plot would do both, but takes the middle of a logarithmic axis
// for a place near its end, and leaves room there.
func (f *Figure) drawLabelled(c draw.Canvas, p *plot.Plot, l layout) {
	sty := sans(labelSize)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
	room := func(label string) vg.Length {
		if label == "" {
			return 0
		}
		return sty.Height(label) + 4
	}
	outer := c.Rectangle
	x := wrapped(f.x, sty, (outer.Max.X-outer.Min.X)*0.8)
	y := wrapped(f.y, sty, outer.Max.Y-outer.Min.Y-room(x)-2*tickSize)
	right := l.room()
	if len(f.rows) > 0 {
		right = 0.03 * (outer.Max.X - outer.Min.X) // half of the label of a tick at the end
	}
	left := vg.Length(0) // for the label of the y axis, which moves to the left on a telephone
	if y != "" {
		left = 3
	}
	c = draw.Crop(c, room(y)+left+f.rowsGrow(), -right, room(x), 0)
	f.spaceTicks(p, c)
	c = draw.Crop(c, f.ticksGrow(p), 0, 0, 0)
	p.Draw(c)
	frame := p.DataCanvas(c)
	l.drawLabels(frame, p)
	descent := sty.FontExtents().Descent
	// In the middle of the frame, but not beyond the figure.
	within := func(middle, long, lo, hi vg.Length) vg.Length { return max(lo+long/2, min(hi-long/2, middle)) }
	c.FillText(sty, vg.Point{X: within(frame.Center().X, sty.Width(x), outer.Min.X, outer.Max.X), Y: outer.Min.Y + descent}, x)
	long := sty.Width(y)
	sty.Rotation = quarterTurn
	c.FillText(sty, vg.Point{X: outer.Min.X + left + sty.Height(y), Y: within(frame.Center().Y, long, outer.Min.Y, outer.Max.Y)}, y)
}

// ticksGrow is what long labels of ticks take more at their left on a telephone than short ones, for
// which there is space.
func (f *Figure) ticksGrow(p *plot.Plot) vg.Length {
	if len(f.rows) > 0 {
		return 0
	}
	widest := vg.Length(0)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		widest = max(widest, sans(tickSize).Width(t.Label))
	}
	return max(0, 0.25*widest-6)
}

// spaceTicks leaves out labels of ticks for which the frame has no room.
func (f *Figure) spaceTicks(p *plot.Plot, c draw.Canvas) {
	frame := p.DataCanvas(c)
	sty := sans(tickSize)
	p.X.Tick.Marker = spaced{p.X.Tick.Marker, p.X.Scale, frame.Max.X - frame.Min.X,
		func(label string) vg.Length { return sty.Width(label) + 7 }}
	if len(f.rows) > 0 {
		return
	}
	p.Y.Tick.Marker = spaced{p.Y.Tick.Marker, p.Y.Scale, frame.Max.Y - frame.Min.Y,
		func(string) vg.Length { return 1.6 * tickSize }}
}
