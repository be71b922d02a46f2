package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// regions is a map: a name for every place of a grid.
type regions struct {
	x, y  []float64
	of    [][]string // by x, then y
	names []string   // in the order in which they come first
}

// Regions draws a map over two parameters: of[i][j] is what holds at x[i] and y[j], both in
// ascending order. Neighbours of the same name are one filled region with one label in it, or in
// the legend where a region is too small for its name.
func (f *Figure) Regions(x, y []float64, of [][]string) *Figure {
	m := &regions{x: x, y: y, of: of}
	for _, column := range of {
		for _, name := range column {
			if !slices.Contains(m.names, name) {
				m.names = append(m.names, name)
			}
		}
	}
	for _, name := range m.names {
		f.add(series{kind: region, name: name})
	}
	f.regions = m
	return f
}

// fits reports whether the grid and the names have the same size.
func (m *regions) fits() bool {
	ok := len(m.x) > 0 && len(m.y) > 0 && len(m.of) == len(m.x)
	for _, column := range m.of {
		ok = ok && len(column) == len(m.y)
	}
	return ok
}

// edges are the ends of cells around the places of an axis.
func edges(at []float64) []float64 {
	if len(at) == 1 {
		return []float64{at[0] - 0.5, at[0] + 0.5}
	}
	out := []float64{at[0] - (at[1]-at[0])/2}
	for i := 1; i < len(at); i++ {
		out = append(out, (at[i-1]+at[i])/2)
	}
	n := len(at)
	return append(out, at[n-1]+(at[n-1]-at[n-2])/2)
}

// largest are the cells of the largest connected part of a name.
func (m *regions) largest(name string) (best [][2]int) {
	seen := map[[2]int]bool{}
	for i := range m.x {
		for j := range m.y {
			if seen[[2]int{i, j}] || m.of[i][j] != name {
				continue
			}
			part := [][2]int{{i, j}}
			seen[part[0]] = true
			for k := 0; k < len(part); k++ {
				for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
					next := [2]int{part[k][0] + d[0], part[k][1] + d[1]}
					if next[0] < 0 || next[1] < 0 || next[0] >= len(m.x) || next[1] >= len(m.y) || seen[next] || m.of[next[0]][next[1]] != name {
						continue
					}
					seen[next] = true
					part = append(part, next)
				}
			}
			if len(part) > len(best) {
				best = part
			}
		}
	}
	return best
}

// place is where a label of a size has room within the largest part of a region, given the
// ends of cells on the page: the middle of the widest stretch of cells that is high enough.
func (m *regions) place(name string, wide, high vg.Length, ex, ey []vg.Length) (at vg.Point, ok bool) {
	in := map[[2]int]bool{}
	for _, cell := range m.largest(name) {
		in[cell] = true
	}
	var most vg.Length
	var widest []vg.Point // from the foot to the top
	for low := range m.y {
		top := low // the fewest rows of cells that are as high as the label
		for top < len(m.y)-1 && ey[top+1]-ey[low] < high {
			top++
		}
		if ey[top+1]-ey[low] < high {
			break
		}
		from := -1
		for i := 0; i <= len(m.x); i++ {
			whole := i < len(m.x)
			for j := low; whole && j <= top; j++ {
				whole = in[[2]int{i, j}]
			}
			switch {
			case whole && from < 0:
				from = i
			case !whole && from >= 0:
				room, middle := ex[i]-ex[from], vg.Point{X: (ex[from] + ex[i]) / 2, Y: (ey[low] + ey[top+1]) / 2}
				switch {
				case room < wide || room < most-0.5:
				case room > most+0.5:
					most, widest = room, []vg.Point{middle}
				default:
					widest = append(widest, middle)
				}
				from = -1
			}
		}
	}
	if len(widest) == 0 {
		return vg.Point{}, false
	}
	return widest[len(widest)/2], true
}

// inside are the names that have room in their regions, in a figure whose frame is not laid out
// yet; about so much of it is the frame.
func (f *Figure) inside(width vg.Length) (names []string) {
	if f.regions == nil || !f.regions.fits() {
		return nil
	}
	scaled := func(edges []float64, long vg.Length) []vg.Length {
		out := make([]vg.Length, len(edges))
		for i, e := range edges {
			out[i] = long * vg.Length((e-edges[0])/(edges[len(edges)-1]-edges[0]))
		}
		return out
	}
	ex, ey := scaled(edges(f.regions.x), width-80), scaled(edges(f.regions.y), 0.7*f.plotHeight())
	for _, name := range f.regions.names {
		if _, ok := f.regions.place(name, regionLabel(name), labelRow+4, ex, ey); ok {
			names = append(names, name)
		}
	}
	return names
}

// regionLabel is the width of a label in a region, as a telephone enlarges it.
func regionLabel(name string) vg.Length { return 1.05*sans(legendSize).Width(name) + 8 }

// plotRegions draws the map.
func (f *Figure) plotRegions(c draw.Canvas, p *plot.Plot) {
	r := f.regions
	trX, trY := p.Transforms(&c)
	on := func(edges []float64, tr func(float64) vg.Length) []vg.Length {
		out := make([]vg.Length, len(edges))
		for i, e := range edges {
			out[i] = tr(e)
		}
		return out
	}
	ex, ey := on(edges(r.x), trX), on(edges(r.y), trY)
	for i := range r.x {
		for j := 0; j < len(r.y); {
			to := j
			for to < len(r.y) && r.of[i][to] == r.of[i][j] {
				to++
			}
			right := min(ex[i+1]+0.3, ex[len(ex)-1]) // columns leave no seam
			c.FillPolygon(f.fillOf(r.of[i][j]), corners(ex[i], ey[j], right, ey[to]))
			j = to
		}
	}
	border := draw.LineStyle{Color: ink, Width: vg.Points(0.8)}
	for i := range r.x {
		for j := range r.y {
			if i > 0 && r.of[i][j] != r.of[i-1][j] {
				c.StrokeLine2(border, ex[i], ey[j], ex[i], ey[j+1])
			}
			if j > 0 && r.of[i][j] != r.of[i][j-1] {
				c.StrokeLine2(border, ex[i], ey[j], ex[i+1], ey[j])
			}
		}
	}
	sty := sans(legendSize)
	sty.XAlign, sty.YAlign = text.XCenter, text.YCenter
	for _, name := range f.inside(vg.Points(f.width)) {
		if at, ok := r.place(name, sty.Width(name), labelRow, ex, ey); ok {
			c.FillText(sty, at, name)
		}
	}
}

// pale is a colour on which ink can be read.
func pale(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	of := func(v uint32) uint8 { return uint8((v>>8)*2/5 + 153) }
	return color.RGBA{of(r), of(g), of(b), 255}
}
