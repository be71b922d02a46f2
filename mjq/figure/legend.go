package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// OneLegend puts one legend above all panels in place of one in each: that of
// the first figure, for panels that show the same names in the same looks.
func (p *Panels) OneLegend() *Panels {
	p.shared = true
	return p
}

// strip is the height that the shared legend takes.
func (p *Panels) strip() vg.Length {
	if !p.shared || len(p.figures) == 0 {
		return 0
	}
	return vg.Points(20)
}

// drawStrip writes the names of the figure side by side, in the middle of a
// canvas, each after a sample of its marks.
func (f *Figure) drawStrip(c draw.Canvas) {
	names, samples := f.samples()
	sty := sans(9)
	sty.YAlign = draw.YCenter
	const thumb, gap = 24, 16
	width := vg.Length(0)
	for _, name := range names {
		width += sty.Width(name) + vg.Points(thumb+5+gap)
	}
	at, middle := c.Center().X-(width-vg.Points(gap))/2, c.Center().Y
	for _, name := range names {
		box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: at, Y: middle - vg.Points(5)}, Max: vg.Point{X: at + vg.Points(thumb), Y: middle + vg.Points(5)}}}
		for _, m := range samples[name] {
			m.Thumbnail(&box)
		}
		at += vg.Points(thumb + 5)
		c.FillText(sty, vg.Point{X: at, Y: middle}, name)
		at += sty.Width(name) + vg.Points(gap)
	}
}

// samples is the names in the order of their first series, and their marks.
func (f *Figure) samples() (names []string, marks map[string][]mark) {
	index := map[string]int{}
	marks = map[string][]mark{}
	for _, s := range f.series {
		if _, seen := index[s.name]; !seen {
			index[s.name] = len(index)
			if s.name != "" {
				names = append(names, s.name)
			}
		}
		m := f.look(s, index[s.name])
		m.dotted = f.dotted(s)
		marks[s.name] = append(marks[s.name], m)
	}
	return names, marks
}
