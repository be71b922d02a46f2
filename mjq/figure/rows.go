package figure

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// row is a line of a figure of rows, with the names of the marks on it.
type row struct {
	name    string
	heading bool
	marks   []string
}

const (
	rowHeight   = vg.Length(1.5 * legendSize)
	markHeight  = vg.Length(8)  // between marks that share a row
	axisHeight  = vg.Length(48) // below the rows: ticks and the label of the axis
	longestName = 0.38          // of the width of the figure
	lowestRows  = vg.Length(60)
)

// Row draws a value with its interval value ± half on the row of a name. Names stand on the
// vertical axis, from the top in the order in which they come first. The second name tells the
// marks of one row apart, in a legend; where a row has one mark it is that of the row, or "". An
// infinite value is an arrow at the side of the frame, a value that is NaN leaves its row empty,
// and a half-width of 0 or NaN draws no interval.
func (f *Figure) Row(name, mark string, value, half float64) *Figure {
	if !(half > 0) || math.IsInf(half, 0) {
		half = 0
	}
	return f.RowBetween(name, mark, value, value-half, value+half)
}

// RowBetween is Row with an interval from lo to hi, which need not be as long on both sides.
func (f *Figure) RowBetween(name, mark string, value, lo, hi float64) *Figure {
	if !(lo <= value) || !(hi >= value) {
		lo, hi = value, value
	}
	at := f.row(name)
	if at < 0 {
		at = len(f.rows)
		f.rows = append(f.rows, row{name: name})
	}
	r := &f.rows[at]
	r.marks = append(r.marks, mark)
	k := slices.IndexFunc(f.series, func(s series) bool { return s.kind == rowed && s.name == mark })
	if k < 0 {
		k = len(f.series)
		f.add(series{kind: rowed, name: mark})
	}
	s := &f.series[k]
	s.x, s.y = append(s.x, value), append(s.y, float64(at))
	s.lo, s.hi = append(s.lo, lo), append(s.hi, hi)
	return f
}

// Heading begins a group of rows. Rows of different groups may have the same name.
func (f *Figure) Heading(name string) *Figure {
	f.rows = append(f.rows, row{name: name, heading: true})
	return f
}

// row is the place of a name in the last group of rows, -1 if it is not there.
func (f *Figure) row(name string) int {
	for i := len(f.rows) - 1; i >= 0 && !f.rows[i].heading; i-- {
		if f.rows[i].name == name {
			return i
		}
	}
	return -1
}

// Reference draws a line at a value of the horizontal axis that others are compared with: no
// change, or a ratio of 1.
func (f *Figure) Reference(x float64) *Figure {
	f.references = append(f.references, x)
	return f
}

// rowsHeight is what the rows and their axis take.
func (f *Figure) rowsHeight() vg.Length {
	return max(lowestRows, vg.Length(len(f.rows))*f.oneRow()) + axisHeight
}

// oneRow is the height of every row: that of the one with most marks and lines of name.
func (f *Figure) oneRow() vg.Length {
	most, lines := 1, 1
	for _, r := range f.rows {
		most = max(most, len(r.marks))
		lines = max(lines, 1+strings.Count(f.rowName(r), "\n"))
	}
	return max(rowHeight, vg.Length(most)*markHeight+10, vg.Length(lines)*1.2*legendSize+4)
}

// rowName is the name of a row in at most two lines.
func (f *Figure) rowName(r row) string {
	room := longestName * vg.Length(f.width)
	if r.heading {
		room = vg.Length(f.width) / 2
	}
	lines := strings.Split(wrapped(r.name, sans(legendSize), room), "\n")
	if len(lines) > 2 {
		lines = []string{lines[0], strings.Join(lines[1:], " ")}
	}
	for i, line := range lines {
		lines[i] = shortened(line, room)
	}
	return strings.Join(lines, "\n")
}

// rowsGrow is what the names of rows take more at their left on a telephone.
func (f *Figure) rowsGrow() vg.Length {
	widest := vg.Length(0)
	for _, r := range f.rows {
		if !r.heading {
			widest = max(widest, sans(legendSize).Width(f.rowName(r)))
		}
	}
	return 0.05 * widest
}

// shortened is a text that fits a width, with dots for what is left out.
func shortened(txt string, room vg.Length) string {
	sty := sans(legendSize)
	if sty.Width(txt) <= room {
		return txt
	}
	letters := []rune(txt)
	for len(letters) > 1 && sty.Width(string(letters)+"…") > room {
		letters = letters[:len(letters)-1]
	}
	return string(letters) + "…"
}

// rowNames are the ticks of the vertical axis of rows.
type rowNames struct{ f *Figure }

// Ticks returns a tick for every row.
func (n rowNames) Ticks(_, _ float64) (ticks []plot.Tick) {
	for i, r := range n.f.rows {
		if !r.heading {
			ticks = append(ticks, plot.Tick{Value: -float64(i), Label: n.f.rowName(r)})
		}
	}
	return ticks
}

// rowsNamed reports whether rows need a legend: some mark is not called as its row.
func (f *Figure) rowsNamed() bool {
	marks := map[string]bool{}
	apart := false
	for _, r := range f.rows {
		for _, m := range r.marks {
			marks[m] = true
			apart = apart || m != "" && m != r.name
		}
	}
	return apart && len(marks) > 1
}

// plotRow draws the marks of one name.
func (f *Figure) plotRow(m mark, c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	line := draw.LineStyle{Color: m.line.Color, Width: vg.Points(1.2)}
	for i, v := range m.x {
		at := int(m.y[i])
		k, n := slices.Index(f.rows[at].marks, m.name), len(f.rows[at].marks)
		y := trY(-m.y[i]) - markHeight*(vg.Length(k)-vg.Length(n-1)/2)
		if math.IsNaN(v) || math.IsInf(v, -1) {
			continue
		}
		if math.IsInf(v, 1) || f.logX && v <= 0 {
			sideArrow(c, line, y, v > 0)
			continue
		}
		lo, hi := c.Min.X, trX(m.hi[i])
		if !f.logX || m.lo[i] > 0 {
			lo = trX(m.lo[i])
		}
		lo, hi = max(lo, c.Min.X), min(hi, c.Max.X)
		if hi-lo > vg.Points(1) {
			c.StrokeLine2(line, lo, y, hi, y)
			for _, x := range []vg.Length{lo, hi} {
				c.StrokeLine2(line, x, y-vg.Points(2), x, y+vg.Points(2))
			}
		}
		c.DrawGlyph(m.glyph, vg.Point{X: trX(v), Y: y})
	}
}

// sideArrow points out of the frame at a height: to the right for what is infinite, to the left
// for 0 on a logarithmic axis.
func sideArrow(c draw.Canvas, line draw.LineStyle, y vg.Length, right bool) {
	tip, back := c.Min.X+1, vg.Length(1)
	if right {
		tip, back = c.Max.X-1, -1
	}
	c.StrokeLine2(line, tip, y, tip+9*back, y)
	c.StrokeLine2(line, tip, y, tip+4*back, y+2.5)
	c.StrokeLine2(line, tip, y, tip+4*back, y-2.5)
}

// headings draws the names of groups on bands of their own.
func (f *Figure) headings(c draw.Canvas, p *plot.Plot) {
	_, trY := p.Transforms(&c)
	sty := sans(legendSize)
	sty.YAlign = text.YCenter
	half := f.oneRow() / 2
	for i, r := range f.rows {
		if r.heading {
			y := trY(-float64(i))
			c.FillPolygon(gridGrey, corners(c.Min.X, y-half, c.Max.X, y+half))
			c.FillText(sty, vg.Point{X: c.Min.X + 5, Y: y}, f.rowName(r))
		}
	}
}

// lines draws what rows are compared with.
func (f *Figure) lines(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	for _, at := range f.references {
		if x := trX(at); x >= c.Min.X && x <= c.Max.X {
			c.StrokeLine2(draw.LineStyle{Color: ink, Width: vg.Points(0.9)}, x, c.Min.Y, x, c.Max.Y)
		}
	}
}
