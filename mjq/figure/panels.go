package figure

import (
	"errors"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels is several figures side by side, for comparison.
type Panels struct {
	columns int
	figures []*Figure
	shared  bool // one legend for all
	same    bool // one range for each axis of all
}

// Grid arranges figures in the given number of columns, row by row. Each takes
// the size of the largest. Two columns fit a page; figures for more want short titles.
func Grid(columns int, figures ...*Figure) *Panels {
	return &Panels{columns: max(1, min(columns, len(figures))), figures: figures}
}

// Multiples is figures of one kind side by side, for comparison at a glance: the same range on the
// axes of all, one legend above and one caption. They have the same names in the same looks.
func Multiples(columns int, caption string, figures ...*Figure) *Panels {
	var bare []*Figure
	for i, f := range figures {
		one := *f
		if one.caption = ""; i == len(figures)-1 {
			one.caption = caption
		}
		bare = append(bare, &one)
	}
	p := Grid(columns, bare...).OneLegend()
	p.same = true
	return p
}

// ready are the figures as they are drawn.
func (p *Panels) ready() (out []*Figure) {
	xLo, xHi, yLo, yHi := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, f := range p.figures {
		one := *f.sized(p.columns)
		one.legible = one.legible && !p.shared // which would change names and looks in some panels only
		one = *one.shown()
		out = append(out, &one)
		if plot, err := one.build(false); err == nil {
			xLo, xHi = min(xLo, plot.X.Min), max(xHi, plot.X.Max)
			yLo, yHi = min(yLo, plot.Y.Min), max(yHi, plot.Y.Max)
		}
	}
	for _, one := range out {
		if p.same && one.regions == nil {
			one.xLo, one.xHi = xLo, xHi
			if len(one.rows) == 0 {
				one.yLo, one.yHi = yLo, yHi
			}
		}
	}
	return out
}

// rows is how many there are.
func (p *Panels) rows() int { return (len(p.figures) + p.columns - 1) / p.columns }

// cells are the layouts of the figures and the size of each: the width of the
// widest, and room for the highest head, plot and foot.
func (p *Panels) cells() (of []layout, width, head, height, foot vg.Length) {
	ready := p.ready()
	for _, f := range ready {
		width, height = max(width, vg.Points(f.width)), max(height, f.plotHeight())
	}
	for _, f := range ready {
		bare := *f
		bare.noLegend = f.noLegend || p.shared
		l := bare.layout(width)
		of, head, foot = append(of, l), max(head, l.head()), max(foot, l.foot())
	}
	return of, width, head, head + height + foot, foot
}

// strip is the legend for all panels, no wider than one.
func (p *Panels) strip() legend {
	if !p.shared || len(p.figures) == 0 || !p.figures[0].sized(p.columns).named() {
		return legend{}
	}
	_, width, _, _, _ := p.cells()
	return p.figures[0].sized(p.columns).newLegend(width-2*margin, nil)
}

func (p *Panels) size() (width, height vg.Length) {
	_, w, _, h, _ := p.cells()
	return max(1, w*vg.Length(p.columns)), max(1, h*vg.Length(p.rows())+p.strip().height())
}

func (p *Panels) draw(c draw.Canvas) error {
	if len(p.figures) == 0 {
		return errors.New("figure: a grid of no figures; give at least one")
	}
	layouts, w, head, h, foot := p.cells()
	strip := p.strip()
	apart, ok := innermost(c).(arranger)
	if !ok || p.columns == 1 {
		apart = together{}
	}
	apart.arrange(p.columns, float64(w*vg.Length(p.columns)/(strip.height()+h*vg.Length(len(p.figures)))))
	if strip.height() > 0 {
		apart.panel(-w*vg.Length(p.columns-1)/2, 0)
		strip.draw(c, c.Max.Y)
		apart.end()
		c = draw.Crop(c, 0, 0, 0, -strip.height())
	}
	for i, f := range p.ready() {
		column, row := i%p.columns, i/p.columns
		x, y := c.Min.X+w*vg.Length(column), c.Max.Y-h*vg.Length(row+1)
		cell := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + w, Y: y + h}}}
		apart.panel(-w*vg.Length(column), h*vg.Length(i-row))
		if err := f.drawWith(cell, layouts[i], head, foot); err != nil {
			return err
		}
		apart.end()
	}
	return nil
}

// arranger is a canvas that keeps panels apart, so that they can be moved into
// one column: what is drawn until end then moves by dx to the right and dy
// downwards.
type arranger interface {
	arrange(columns int, ratio float64)
	panel(dx, dy vg.Length)
	end()
}

// together is any other canvas.
type together struct{}

func (together) arrange(int, float64)       {}
func (together) panel(vg.Length, vg.Length) {}
func (together) end()                       {}

// Title is the titles of the figures.
func (p *Panels) Title() string {
	title := ""
	for i, f := range p.figures {
		if i > 0 {
			title += "; "
		}
		title += f.Title()
	}
	return title
}

// SVG is the panels as SVG; see Figure.SVG.
func (p *Panels) SVG() ([]byte, error) { return svg(p) }

// PNG is the panels as PNG; see Figure.PNG.
func (p *Panels) PNG() ([]byte, error) { return png(p) }

// PDF is the panels as PDF; see Figure.PDF.
func (p *Panels) PDF() ([]byte, error) { return pdf(p) }

// Save writes the panels to a file; see Figure.Save.
func (p *Panels) Save(path string) error { return save(p, path) }
