package figure

import (
	"errors"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels is several figures side by side, for comparison.
type Panels struct {
	columns int
	figures []*Figure
	shared  bool // one legend for all
}

// Grid arranges figures in the given number of columns, row by row. Each takes
// the size of the largest.
func Grid(columns int, figures ...*Figure) *Panels {
	return &Panels{columns: max(1, min(columns, len(figures))), figures: figures}
}

func (p *Panels) cell() (width, height vg.Length) {
	width, height = 1, 1
	for _, f := range p.figures {
		w, h := f.size()
		width, height = max(width, w), max(height, h)
	}
	return width, height
}

func (p *Panels) rows() int { return (len(p.figures) + p.columns - 1) / p.columns }

func (p *Panels) size() (width, height vg.Length) {
	w, h := p.cell()
	return w * vg.Length(p.columns), h*vg.Length(max(1, p.rows())) + p.strip()
}

func (p *Panels) draw(c draw.Canvas) error {
	if len(p.figures) == 0 {
		return errors.New("figure: a grid of no figures; give at least one")
	}
	w, h := p.cell()
	if strip := p.strip(); strip > 0 {
		p.figures[0].drawStrip(draw.Crop(c, 0, 0, c.Max.Y-c.Min.Y-strip, 0))
		c = draw.Crop(c, 0, 0, 0, -strip)
	}
	for i, f := range p.figures {
		x := c.Min.X + w*vg.Length(i%p.columns)
		y := c.Max.Y - h*vg.Length(i/p.columns+1)
		part := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + w, Y: y + h}}}
		bare := *f
		bare.noLegend = f.noLegend || p.shared
		if err := bare.draw(part); err != nil {
			return err
		}
	}
	return nil
}

// Title is the titles of the figures.
func (p *Panels) Title() string {
	title := ""
	for i, f := range p.figures {
		if i > 0 {
			title += "; "
		}
		title += f.title
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
