package figure

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/mjqueue/mjq/internal/escape"
)

// svgCanvas writes a picture as SVG for a page: small, since notebooks keep
// every picture, and legible on a telephone. Paths are thinned to what is seen,
// and neighbours of one style are one element. Every line of text is one
// element too: the browser sets its parts one after the other with the font
// that it has, and stretches or shrinks the whole to the width that the layout
// of the figure has reserved.
type svgCanvas struct {
	width, height vg.Length
	title         string
	columns       int     // of panels, 0 for a single figure
	ratio         float64 // of the width to the height with the panels in one column
	pen           pen
	saved         []pen
	body          strings.Builder
	open          string // the style of the path that is being written
	path          svgPath
}

// pen is what Push keeps.
type pen struct {
	color color.Color
	width vg.Length
	dash  []vg.Length
	at    matrix
}

func newSVG(title string, width, height vg.Length) *svgCanvas {
	c := &svgCanvas{title: title, width: width, height: height, pen: pen{at: identity}}
	vg.Initialize(c)
	return c
}

// Size implements vg.CanvasSizer.
func (c *svgCanvas) Size() (x, y vg.Length) { return c.width, c.height }

// SetLineWidth implements vg.Canvas, as do the methods below.
func (c *svgCanvas) SetLineWidth(w vg.Length) { c.pen.width = w }

// SetLineDash sets the pattern of lines; an offset is not used in this package.
func (c *svgCanvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.pen.dash = pattern }

// SetColor sets the colour of lines, areas and text.
func (c *svgCanvas) SetColor(col color.Color) {
	if col == nil {
		col = color.Black
	}
	c.pen.color = col
}

// Rotate, Translate and Scale change the coordinates of what follows.
func (c *svgCanvas) Rotate(angle float64)  { c.pen.at = c.pen.at.rotated(angle) }
func (c *svgCanvas) Translate(by vg.Point) { c.pen.at = c.pen.at.moved(by) }
func (c *svgCanvas) Scale(x, y float64)    { c.pen.at = c.pen.at.scaled(x, y) }

// Push keeps the pen, and Pop takes the last one kept.
func (c *svgCanvas) Push() { c.saved = append(c.saved, c.pen) }
func (c *svgCanvas) Pop() {
	c.pen, c.saved = c.saved[len(c.saved)-1], c.saved[:len(c.saved)-1]
}

// Stroke draws the line of a path.
func (c *svgCanvas) Stroke(p vg.Path) {
	if c.pen.width <= 0 {
		return
	}
	name, opacity := hex(c.pen.color)
	style := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="%.3g"`, name, c.pen.width.Points())
	if opacity < 1 {
		style += fmt.Sprintf(` stroke-opacity="%.2g"`, opacity)
	}
	for i, d := range c.pen.dash {
		sep := ","
		if i == 0 {
			sep = ` stroke-dasharray="`
		}
		style += sep + fmt.Sprintf("%.3g", d.Points())
	}
	if len(c.pen.dash) > 0 {
		style += `"`
	}
	c.draw(p, style, opacity < 1)
}

// Fill draws the area of a path.
func (c *svgCanvas) Fill(p vg.Path) {
	name, opacity := hex(c.pen.color)
	style := fmt.Sprintf(`fill="%s"`, name)
	if opacity < 1 {
		style += fmt.Sprintf(` fill-opacity="%.2g"`, opacity)
	}
	c.draw(p, style, opacity < 1)
}

// draw adds a path to the element that is open if it has the same style. Areas
// through which others are seen stay apart, for their overlaps count.
func (c *svgCanvas) draw(p vg.Path, style string, alone bool) {
	if alone || style != c.open {
		c.flush()
		c.open = style
	}
	c.path.add(p, func(q vg.Point) vg.Point {
		q = c.pen.at.of(q)
		return vg.Point{X: q.X, Y: c.height - q.Y}
	})
	if alone {
		c.flush()
	}
}

// flush ends the element that is open.
func (c *svgCanvas) flush() {
	if d := c.path.String(); d != "" {
		fmt.Fprintf(&c.body, "<path %s d=\"%s\"/>\n", c.open, d)
	}
	c.open, c.path = "", svgPath{}
}

// FillString writes plain text.
func (c *svgCanvas) FillString(f font.Face, at vg.Point, txt string) {
	c.fillLine(f.Font, at, text.XLeft, f.Width(txt), []part{{txt, 0}})
}

// DrawImage does nothing: no figure has an image.
func (c *svgCanvas) DrawImage(vg.Rectangle, image.Image) {}

// fillLine implements liner.
func (c *svgCanvas) fillLine(f font.Font, at vg.Point, align text.XAlignment, width vg.Length, line []part) {
	c.flush()
	anchor := ""
	switch align {
	case text.XCenter:
		anchor = ` text-anchor="middle"`
	case text.XRight:
		anchor = ` text-anchor="end"`
	default:
		at.X += vg.Length(align) * width
	}
	m, place := c.pen.at, c.pen.at.of(at)
	x, y := place.X.Points(), (c.height - place.Y).Points()
	where, end := fmt.Sprintf(`<text x="%.4g" y="%.4g"`, x, y), "</text>"
	if m.a != 1 || m.b != 0 || m.d != 1 { // the page's y points down
		where = fmt.Sprintf(`<g transform="matrix(%.4g %.4g %.4g %.4g %.4g %.4g)"><text`, m.a, -m.b, -m.c, m.d, x, y)
		end += "</g>"
	}
	fill := ""
	if name, _ := hex(c.pen.color); name != inkName {
		fill = fmt.Sprintf(` fill="%s"`, name)
	}
	fmt.Fprintf(&c.body, "%s%s font-size=\"%.4g\"%s textLength=\"%.4g\" lengthAdjust=\"spacingAndGlyphs\">%s%s\n",
		where, anchor, f.Size.Points(), fill, width.Points(), spans(f, line), end)
}

// spans is a line in SVG. Shifts add up, so each part first takes back that of
// the part before.
func spans(f font.Font, line []part) string {
	var b strings.Builder
	at := vg.Length(0)
	for _, p := range line {
		g, shift := p.at(f)
		txt := escape.HTML(p.text)
		if shift == 0 && at == 0 {
			b.WriteString(txt)
			continue
		}
		fmt.Fprintf(&b, `<tspan dy="%.4g"`, (at - shift).Points())
		if g.Size != f.Size {
			fmt.Fprintf(&b, ` font-size="%.4g"`, g.Size.Points())
		}
		fmt.Fprintf(&b, `>%s</tspan>`, txt)
		at = shift
	}
	return b.String()
}

// families are the fonts of all text. Arial and Helvetica are as wide as
// Liberation Sans, by which the figure is laid out.
const families = "'Liberation Sans',Arial,Helvetica,sans-serif"

var inkName, _ = hex(ink)

// hex is a colour as pages write it, and how opaque it is.
func hex(c color.Color) (name string, opacity float64) {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B), float64(n.A) / 255
}

// pageWidth is how many units of a page, 96 to the inch, a point is.
const pageWidth = 96.0 / 72

// arrange, panel and end implement arranger. The style sheet of a page puts the
// panels in one column where it is narrow:
//
//	.mjq-panels { width: calc(100% * var(--mjq-columns)); max-width: none; aspect-ratio: var(--mjq-ratio) }
//	.mjq-panel { transform: var(--mjq-move) }
func (c *svgCanvas) arrange(columns int, ratio float64) { c.columns, c.ratio = columns, ratio }

func (c *svgCanvas) panel(dx, dy vg.Length) {
	c.flush()
	fmt.Fprintf(&c.body, "<g class=\"mjq-panel\" style=\"--mjq-move:translate(%.4gpx,%.4gpx)\">\n", dx.Points(), dy.Points())
}

func (c *svgCanvas) end() {
	c.flush()
	c.body.WriteString("</g>\n")
}

// shrunk is the style sheet of a single figure. On a screen that shows the figure at less than 3/4
// of its size, such as a telephone's, it enlarges the text and keeps the width of lines. The layout
// limits the factors: names of curves have the least space.
var shrunk = strings.NewReplacer("\n", "", "TICK", fmt.Sprint(tickSize), "LABEL", fmt.Sprint(labelSize),
	"NAME", fmt.Sprint(legendSize), "TITLE", fmt.Sprint(titleSize)).Replace(`<style>@media screen and (max-width:%.0[1]fpx){
.mjq-%.0[1]f path{vector-effect:non-scaling-stroke}
.mjq-%.0[1]f text{transform-box:fill-box;transform-origin:50%% 50%%}
.mjq-%.0[1]f text[text-anchor="end"]{transform-origin:100%% 50%%}
.mjq-%.0[1]f text:not([text-anchor]){transform-origin:0 50%%}
.mjq-%.0[1]f>text[font-size="TICK"]{transform:scale(1.25)}
.mjq-%.0[1]f>text[font-size="LABEL"],.mjq-%.0[1]f>text[font-size="TITLE"]{transform:scale(1.2)}
.mjq-%.0[1]f>text[font-size="NAME"]{transform:scale(1.05,1.15)}
.mjq-%.0[1]f>g>text[font-size="TICK"]{transform:scale(1.15)}
.mjq-%.0[1]f>g>text[font-size="LABEL"]{transform:translate(0,-8px) scale(1.1)}
}</style>`) + "\n"

// bytes is the picture: as wide as its size says, or as the page if that is
// narrower. A rectangle repeats the background, because viewers on the web that
// distrust notebooks, such as GitHub's, leave out styles.
func (c *svgCanvas) bytes() []byte {
	c.flush()
	w, h := c.width.Points(), c.height.Points()
	class, sheet, style := "", "", "max-width:100%;height:auto;background:white"
	if c.columns > 0 {
		class = ` class="mjq-panels" preserveAspectRatio="xMinYMin"`
		style += fmt.Sprintf(";--mjq-columns:%d;--mjq-ratio:%.4g", c.columns, c.ratio)
	} else {
		class, sheet = fmt.Sprintf(` class="mjq-%.0f"`, w), fmt.Sprintf(shrunk, w)
	}
	return fmt.Appendf(nil, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"%s\"%s width=\"%.5g\" height=\"%.5g\" viewBox=\"0 0 %.5g %.5g\" style=\"%s\" font-family=\"%s\" fill=\"%s\">\n%s<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n",
		escape.HTML(plain(c.title)), class, pageWidth*w, pageWidth*h, w, h, style, families, inkName, sheet, c.body.String())
}
