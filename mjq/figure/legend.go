package figure

import (
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// OneLegend puts one legend above all panels in place of one in each: that of
// the first figure, for panels that show the same names in the same looks.
func (p *Panels) OneLegend() *Panels {
	p.shared = true
	return p
}

// legend is the names of a figure, each after a sample of its marks, in rows
// and columns that fit a width.
type legend struct {
	names   []string
	samples map[string][]mark
	columns []vg.Length // their widths
}

const (
	thumb     = vg.Length(24) // of a sample
	entryGap  = vg.Length(14) // between entries
	legendRow = 1.45 * legendSize
	wider     = 1.05 // names on a telephone
)

// newLegend is the names that have no label at the end of a curve, in as many columns
// as fit.
func (f *Figure) newLegend(room vg.Length, labels []endLabel) legend {
	l := legend{}
	l.names, l.samples = f.samples(len(labels) > 0)
	inside := f.inside(vg.Points(f.width))
	l.names = slices.DeleteFunc(l.names, func(name string) bool { return slices.Contains(inside, name) })
	l.names = slices.DeleteFunc(l.names, func(name string) bool {
		return slices.ContainsFunc(labels, func(l endLabel) bool { return l.name == name })
	})
	for n := len(l.names); n > 0; n-- {
		l.columns = make([]vg.Length, n)
		total := -entryGap
		for i, name := range l.names {
			l.columns[i%n] = max(l.columns[i%n], thumb+5+wider*sans(legendSize).Width(name))
		}
		for _, width := range l.columns {
			total += width + entryGap
		}
		if total <= room {
			break
		}
	}
	return l
}

// rows is how many there are.
func (l legend) rows() int {
	if len(l.names) == 0 {
		return 0
	}
	return (len(l.names) + len(l.columns) - 1) / len(l.columns)
}

// height is what the legend takes, with a gap above it.
func (l legend) height() vg.Length {
	if len(l.names) == 0 {
		return 0
	}
	return vg.Length(l.rows())*legendRow + 5
}

// draw puts the legend in the middle of a canvas, from a height downwards.
func (l legend) draw(c draw.Canvas, top vg.Length) {
	sty := sans(legendSize)
	sty.YAlign = text.YCenter
	total := -entryGap
	for _, width := range l.columns {
		total += width + entryGap
	}
	left := c.Center().X - total/2
	for i, name := range l.names {
		n := len(l.columns)
		x, y := left, top-5-legendRow*(vg.Length(i/n)+0.5)
		for _, width := range l.columns[:i%n] {
			x += width + entryGap
		}
		box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y - 5.5}, Max: vg.Point{X: x + thumb, Y: y + 5.5}}}
		for _, m := range l.samples[name] {
			m.Thumbnail(&box)
		}
		c.FillText(sty, vg.Point{X: x + thumb + 5, Y: y}, name)
	}
}

// samples is the names in the order of their first series, and their marks.
func (f *Figure) samples(direct bool) (names []string, marks map[string][]mark) {
	index := map[string]int{}
	marks = map[string][]mark{}
	for _, s := range f.series {
		if _, seen := index[s.name]; !seen {
			index[s.name] = len(index)
			if s.name != "" {
				names = append(names, s.name)
			}
		}
		m := f.markOf(s, index[s.name])
		f.dash(&m, index[s.name], direct)
		m.alone = f.alone(s)
		marks[s.name] = append(marks[s.name], m)
	}
	return names, marks
}
