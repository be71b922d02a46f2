package figure

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// endLabel is the name of a curve, to be written where the curve ends.
type endLabel struct {
	name  string
	x, y  float64 // of the end, in the units of the axes
	color color.Color
}

const (
	labelRow     = vg.Length(1.2 * legendSize)
	leader       = vg.Length(12)  // from the frame to a label, with the gap before it
	nearEnd      = 0.96           // of the width of the frame: curves that get so far are named at the right
	longestLabel = 0.3            // of the width of the figure
	furthest     = 3.2 * labelRow // that a label may stand from its curve's end
)

// endLabels is the names of the curves if all of them can stand at the curves' right
// ends, and nothing otherwise; a legend then names them. Points without a line, printed
// values and areas have no ends, and stay in the legend.
func (f *Figure) endLabels(width vg.Length) []endLabel {
	if !f.named() || f.noLegend || len(f.rows) > 0 || f.regions != nil {
		return nil
	}
	p, err := f.build(true)
	if err != nil {
		return nil
	}
	var labels []endLabel
	names, samples := f.samples(true)
	for _, name := range names {
		line, found := f.lineOf(name)
		if !found {
			if f.drawnAsCurve(name) {
				return nil
			}
			continue
		}
		end, ok := f.endOf(line, p)
		if !ok || sans(legendSize).Width(name) > longestLabel*width {
			return nil
		}
		end.color = samples[name][0].line.Color
		labels = append(labels, end)
	}
	slices.SortStableFunc(labels, func(a, b endLabel) int { return cmp.Compare(a.y, b.y) })
	// The frame is not laid out yet; about so much of the figure is its height.
	height := 0.7 * f.plotHeight()
	at := make([]vg.Length, len(labels))
	for i, l := range labels {
		at[i] = height * vg.Length(p.Y.Scale.Normalize(p.Y.Min, p.Y.Max, l.y))
	}
	for i, y := range spread(at, height) {
		if moved := y - at[i]; moved > furthest || -moved > furthest {
			return nil
		}
	}
	if vg.Length(len(labels))*labelRow > height {
		return nil
	}
	return labels
}

// lineOf is the series of a name that a label can stand at: the exact one if there are
// several.
func (f *Figure) lineOf(name string) (series, bool) {
	for _, k := range []kind{theory, band, points, asymptotic} {
		for _, s := range f.series {
			if s.name == name && s.kind == k && !f.alone(s) {
				return s, true
			}
		}
	}
	return series{}, false
}

// drawnAsCurve reports whether a name is that of steps, which end anywhere.
func (f *Figure) drawnAsCurve(name string) bool {
	return slices.ContainsFunc(f.series, func(s series) bool { return s.name == name && (s.kind == steps || s.kind == bars) })
}

// endOf is where a line ends in the frame, if that is near its right side.
func (f *Figure) endOf(s series, p *plot.Plot) (endLabel, bool) {
	end, found := endLabel{name: s.name}, false
	for i := range min(len(s.x), len(s.y)) {
		x, y := s.x[i], s.y[i]
		inside := drawable(x, f.logX) && drawable(y, f.logY) && y >= p.Y.Min && y <= p.Y.Max
		if inside && (!found || x >= end.x) {
			end.x, end.y, found = x, y, true
		}
	}
	return end, found && p.X.Scale.Normalize(p.X.Min, p.X.Max, end.x) > nearEnd
}

// spread moves heights, given from the lowest, apart by a row, each as little as the
// others allow, and keeps them between 0 and the height.
func spread(at []vg.Length, height vg.Length) []vg.Length {
	out := slices.Clone(at)
	for range 100 {
		moved := false
		for i := 1; i < len(out); i++ {
			if short := labelRow - (out[i] - out[i-1]); short > 0.01 {
				out[i-1] -= short / 2
				out[i] += short / 2
				moved = true
			}
		}
		for i := range out {
			out[i] = max(0, min(height, out[i]))
		}
		if !moved {
			break
		}
	}
	return out
}

// room is what the labels take beside the frame.
func (l layout) room() vg.Length {
	widest := vg.Length(0)
	for _, label := range l.labels {
		widest = max(widest, sans(legendSize).Width(label.name))
	}
	if widest == 0 {
		return 0
	}
	return wider*widest + leader + 4
}

// drawLabels writes the names beside the frame, with a line from each curve's end.
func (l layout) drawLabels(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	at := make([]vg.Length, len(l.labels))
	for i, label := range l.labels {
		at[i] = trY(label.y) - c.Min.Y
	}
	sty := sans(legendSize)
	sty.YAlign = draw.YCenter
	for i, y := range spread(at, c.Max.Y-c.Min.Y) {
		label := l.labels[i]
		end := vg.Point{X: trX(label.x), Y: trY(label.y)}
		to := vg.Point{X: c.Max.X + leader, Y: c.Min.Y + y}
		c.StrokeLines(draw.LineStyle{Color: label.color, Width: vg.Points(0.7)}, []vg.Point{end, {X: c.Max.X + 2, Y: end.Y}, to})
		c.FillText(sty, vg.Point{X: to.X + 3, Y: to.Y}, label.name)
	}
}
