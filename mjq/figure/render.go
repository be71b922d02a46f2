package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// build turns the figure into a plot. Curves whose names stand at their ends are solid.
func (f *Figure) build(direct bool) (*plot.Plot, error) {
	if err := f.faults(); err != nil {
		return nil, err
	}
	p := plot.New()
	dress(p)
	p.X.Tick.Marker, p.Y.Tick.Marker = linear{}, linear{}
	if f.logX {
		p.X.Scale, p.X.Tick.Marker = logScale{}, logarithmic{}
	}
	if f.logY {
		p.Y.Scale, p.Y.Tick.Marker = logScale{}, logarithmic{}
	}
	if len(f.rows) > 0 {
		p.Y.Tick.Marker, p.Y.Tick.Label = rowNames{f}, sans(legendSize)
		p.Y.Tick.Label.XAlign, p.Y.Tick.Label.YAlign = draw.XRight, draw.YCenter
		p.Y.Tick.LineStyle.Width = 0
	}
	if f.regions == nil {
		p.Add(plotter(grid))
	} else {
		p.Add(plotter(f.plotRegions))
	}
	p.Add(plotter(f.headings), plotter(f.lines))
	for _, l := range f.limits {
		p.Add(plotter(func(c draw.Canvas, p *plot.Plot) { f.limit(l, c, p) }))
	}
	for _, t := range f.targets {
		p.Add(plotter(func(c draw.Canvas, p *plot.Plot) { f.target(t, c, p) }))
	}
	xs, ys := newExtent(f.logX), newExtent(f.logY)
	f.plotSeries(p, xs, ys, direct)
	for _, l := range f.limits {
		xs.add(l.at)
	}
	for _, t := range f.targets {
		ys.add(t.at)
	}
	for _, x := range f.references {
		xs.add(x)
	}
	p.X.Min, p.X.Max = xs.padded(0.03, len(f.rows) > 0)
	p.Y.Min, p.Y.Max = ys.padded(0.06, true)
	if f.xLo < f.xHi {
		p.X.Min, p.X.Max = f.xLo, f.xHi
	}
	if len(f.rows) > 0 {
		p.Y.Min, p.Y.Max = 0.5-float64(len(f.rows)), 0.5
	}
	if f.regions != nil {
		ex, ey := edges(f.regions.x), edges(f.regions.y)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = ex[0], ex[len(ex)-1], ey[0], ey[len(ey)-1]
	}
	if f.yLo < f.yHi {
		p.Y.Min, p.Y.Max = f.yLo, f.yHi
	}
	return p, nil
}

// plotSeries adds the series; a name met again shares its look.
func (f *Figure) plotSeries(p *plot.Plot, xs, ys *extent, direct bool) {
	index := map[string]int{}
	var risen, fallen []*arrows
	for _, s := range f.series {
		if _, seen := index[s.name]; !seen {
			index[s.name] = len(index)
		}
		if s.kind == rowed {
			f.plotRows(p, s, index[s.name], xs)
			continue
		}
		clean, unstable, sunk := f.clean(s)
		m := f.markOf(clean, index[s.name])
		f.dash(&m, index[s.name], direct)
		m.alone = f.alone(s)
		p.Add(m)
		if len(unstable) > 0 {
			risen = append(risen, &arrows{x: unstable, color: m.line.Color})
		}
		if len(sunk) > 0 {
			fallen = append(fallen, &arrows{x: sunk, color: m.line.Color, down: true})
		}
		for _, x := range append(unstable, sunk...) {
			xs.add(x)
		}
		for i := range clean.x {
			xs.add(clean.x[i])
			ys.add(clean.y[i])
			if clean.lo != nil {
				ys.add(clean.hi[i])
				if !f.logY || clean.lo[i] > clean.y[i]/99 {
					ys.add(clean.lo[i])
				}
			}
		}
		if s.kind == bars {
			ys.add(0)
		}
	}
	for _, side := range [][]*arrows{risen, fallen} {
		for i, a := range side {
			a.aside = vg.Points(6) * (vg.Length(i) - vg.Length(len(side)-1)/2)
			p.Add(a)
		}
	}
}

// plotRows adds the marks of one name on rows.
func (f *Figure) plotRows(p *plot.Plot, s series, index int, xs *extent) {
	if !f.rowsNamed() && !slices.ContainsFunc(f.rows, func(r row) bool { return r.heading }) {
		index = 0 // the axis names the rows; colours would say nothing
	}
	m := f.markOf(s, index)
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) { f.plotRow(m, c, p) }))
	for i, v := range s.x {
		xs.add(v)
		if !math.IsInf(v, 0) {
			xs.add(s.hi[i])
			if !f.logX || s.lo[i] > v/99 {
				xs.add(s.lo[i])
			}
		}
	}
}

// fillOf is the colour of a region.
func (f *Figure) fillOf(name string) color.Color {
	_, samples := f.samples(false)
	return samples[name][0].fill
}

// dash tells a curve of theory from the others in black and white where neither a name
// at its end nor points do. Beside asymptotics, which are dashed, it stays solid.
func (f *Figure) dash(m *mark, index int, direct bool) {
	if m.kind != theory || direct || m.marked || !f.named() {
		return
	}
	for _, s := range f.series {
		if s.kind == asymptotic || s.name == m.name && s.kind != theory {
			return
		}
	}
	m.line.Dashes = scale(dashes[index%len(dashes)])
}

// alone reports whether points stay without a line: the exact one is there, or they are
// those of Scatter.
func (f *Figure) alone(s series) bool {
	if s.loose {
		return true
	}
	for _, line := range f.series {
		if s.kind == points && line.kind == theory && line.name == s.name {
			return true
		}
	}
	return false
}

// logScale is a logarithmic axis that takes any value: what cannot be shown
// lies far below.
type logScale struct{}

// Normalize implements plot.Normalizer.
func (logScale) Normalize(lo, hi, x float64) float64 {
	if !(x > 0) {
		return -1
	}
	return (math.Log(x) - math.Log(lo)) / (math.Log(hi) - math.Log(lo))
}

// extent is the range of the data on one axis.
type extent struct {
	log    bool
	lo, hi float64
}

// Axes end before floating point does, so that margins and ticks stay numbers.
const smallest, largest = 1e-290, 1e290

func newExtent(log bool) *extent { return &extent{log, math.Inf(1), math.Inf(-1)} }

func (e *extent) add(v float64) {
	if drawable(v, e.log) && math.Abs(v) < largest && (v > smallest || !e.log) {
		e.lo, e.hi = min(e.lo, v), max(e.hi, v)
	}
}

// padded is the range with a margin. A linear axis that may start at 0, and
// whose data come near it, does.
func (e *extent) padded(margin float64, fromZero bool) (lo, hi float64) {
	switch {
	case e.lo > e.hi:
		if e.log {
			return 0.1, 10
		}
		return 0, 1
	case e.log:
		lo, hi = math.Log(e.lo), math.Log(e.hi)
		pad := max(margin*(hi-lo), 0.05)
		return max(math.Exp(lo-pad), smallest), min(math.Exp(hi+pad), largest)
	case e.lo == e.hi:
		pad := max(math.Abs(e.lo)/2, 0.5)
		return e.lo - pad, e.hi + pad
	}
	pad := margin * (e.hi - e.lo)
	if fromZero && e.lo >= 0 && e.lo < 0.4*e.hi {
		return 0, e.hi + pad
	}
	return e.lo - pad, e.hi + pad
}

// draw lays the figure out: title, plot, legend, caption, from top to bottom.
func (f *Figure) draw(c draw.Canvas) error {
	f = f.sized(1).shown()
	l := f.layout(c.Max.X - c.Min.X)
	return f.drawWith(c, l, l.head(), l.foot())
}

// drawWith is draw with given room for what stands above and below the plot,
// so that the frames of neighbours are in line.
func (f *Figure) drawWith(c draw.Canvas, l layout, head, foot vg.Length) error {
	p, err := f.build(len(l.labels) > 0)
	if err != nil {
		return err
	}
	c = draw.Crop(c, margin, -margin, margin, -margin)
	l.draw(c, foot)
	f.drawLabelled(draw.Crop(c, 0, 0, foot, -head), p, l)
	return nil
}

// named reports whether there is anything for a legend: more than one name.
func (f *Figure) named() bool {
	if len(f.rows) > 0 {
		return f.rowsNamed()
	}
	if f.regions != nil {
		return len(f.inside(vg.Points(f.width))) < len(f.regions.names)
	}
	first := ""
	for _, s := range f.series {
		if s.name != "" && first != "" && s.name != first {
			return true
		}
		if first == "" {
			first = s.name
		}
	}
	return false
}

// picture is what can be drawn: a figure or several.
type picture interface {
	Title() string
	draw(c draw.Canvas) error
	size() (width, height vg.Length)
}

// size is the width that was set, and the height with what does not belong to
// the plot and a title of one line: more lines, the legend and the caption.
func (f *Figure) size() (width, height vg.Length) {
	one := f.sized(1).shown()
	width = vg.Points(one.width)
	l := one.layout(width)
	return width, one.plotHeight() + l.head() + l.foot()
}

// plotHeight is that of the plot with its axes and margins.
func (f *Figure) plotHeight() vg.Length {
	return vg.Points(f.height) - layout{title: "one line"}.head()
}

// SVG is the figure as SVG for a web page or a notebook: fonts are named, not
// embedded, and it shrinks to the width of the page. It fails when lengths of
// a series do not fit.
func (f *Figure) SVG() ([]byte, error) { return svg(f) }

// PNG is the figure as a PNG image at twice the resolution of a screen.
func (f *Figure) PNG() ([]byte, error) { return png(f) }

// PDF is the figure for a paper, fonts embedded; Greek letters are outlines.
func (f *Figure) PDF() ([]byte, error) { return pdf(f) }

// Save writes the figure to a file; the ending .svg, .png or .pdf chooses the
// form.
func (f *Figure) Save(path string) error { return save(f, path) }

func svg(p picture) ([]byte, error) {
	w, h := p.size()
	c := newSVG(p.Title(), w, h)
	if err := p.draw(draw.New(c)); err != nil {
		return nil, err
	}
	return c.bytes(), nil
}

func png(p picture) ([]byte, error) {
	w, h := p.size()
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(192))
	if err := p.draw(draw.New(c)); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(&buf)
	return buf.Bytes(), err
}

func pdf(p picture) ([]byte, error) {
	w, h := p.size()
	c := pdfCanvas{vgpdf.New(w, h)}
	if err := p.draw(draw.New(c)); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	_, err := c.WriteTo(&buf)
	return buf.Bytes(), err
}

func save(p picture, path string) error {
	var form func(picture) ([]byte, error)
	switch ext := filepath.Ext(path); ext {
	case ".svg":
		form = svg
	case ".png":
		form = png
	case ".pdf":
		form = pdf
	default:
		return fmt.Errorf("figure: cannot save %q: the ending %q is not .svg, .png or .pdf", path, ext)
	}
	data, err := form(p)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
