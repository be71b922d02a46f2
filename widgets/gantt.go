package widgets

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/internal/palette"
	"github.com/mjqueue/mjq/mjq/result"
)

// GanttChart is a picture of single jobs on single servers; see Gantt.
type GanttChart struct {
	path *result.Path
	name string
}

// Gantt draws a sample path: a row for every server, a block for every job in its class's
// colour. Where servers stand idle although a job waits at the head of the line, they are pale
// pink; that job's wait at the head is hatched below, above the number of waiting jobs. It is
// the subject of Figure 1 of Baccelli, Olliaro, Ajmone Marsan and Marin, on a path of any model
// under any policy; a job that is preempted has a block for every stretch in which it runs:
//
//	p, err := m.Path(ctx, 0, 30)
//	widgets.Show(widgets.Gantt(p))
//
// Dark lines part the nodes of servers that lie on nodes. In a notebook it can be stepped and played event by event. Where scripts do
// not run it is the same picture, whole. Some 20 to 60 jobs on up to 40 servers
// are good to look at; cost and size are linear in jobs times servers.
func Gantt(p *result.Path) *GanttChart {
	return &GanttChart{path: p, name: "Head-of-line blocking, job by job"}
}

// Named changes the title.
func (g *GanttChart) Named(title string) *GanttChart {
	g.name = title
	return g
}

// Title is the title.
func (g *GanttChart) Title() string { return g.name }

// The picture's measures, in pixels.
const (
	ganttWidth = 900
	leftOf     = 64  // the servers' numbers
	rightOf    = 16  // the last label of the axis
	topOf      = 62  // title and legend
	headHeight = 20  // the strip of waits at the head of the line
	lineHeight = 44  // the number of jobs in line
	gap        = 12  // between the three
	footHeight = 38  // the axis
	mostRows   = 480 // height of all servers
)

// canvas is an SVG under construction.
type canvas struct {
	strings.Builder
	path     *result.Path
	row      float64 // height of a server
	from, to float64 // time
}

func (c *canvas) f(format string, args ...any) { fmt.Fprintf(c, format+"\n", args...) }

func (c *canvas) x(t float64) float64 {
	t = min(max(t, c.from), c.to)
	return leftOf + (ganttWidth-leftOf-rightOf)*(t-c.from)/(c.to-c.from)
}

func (c *canvas) y(server int) float64 { return topOf + c.row*float64(server) }

// The tops of the strips below the servers, and of the axis.
func (c *canvas) headTop() float64 { return c.y(c.path.Servers) + gap }
func (c *canvas) lineTop() float64 { return c.headTop() + headHeight + gap }
func (c *canvas) axisTop() float64 { return c.lineTop() + lineHeight }

func (g *GanttChart) canvas() (*canvas, error) {
	p := g.path
	if p == nil || len(p.Jobs) == 0 || !(p.To > p.From) {
		return nil, errors.New("widgets: Gantt: the path holds no jobs; get one by m.Path(ctx, 0, 30)")
	}
	row := min(18, mostRows/float64(p.Servers))
	return &canvas{path: p, row: row, from: p.From, to: p.To}, nil
}

// SVG is the whole picture, in one piece that needs nothing else. It is an
// error if the path is empty.
func (g *GanttChart) SVG() ([]byte, error) {
	c, err := g.canvas()
	if err != nil {
		return nil, err
	}
	height := c.axisTop() + footHeight
	c.f(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" width="%d" height="%.0f" font-family="Liberation Sans,Arial,sans-serif" font-size="13" fill="#282828">`,
		ganttWidth, height, ganttWidth, height)
	c.f(`<rect width="100%%" height="100%%" fill="#fff"/>`)
	c.f(`<text x="%d" y="20" font-size="17">%s</text>`, leftOf, escape.HTML(g.name))
	c.hatches()
	c.legend()
	c.servers()
	c.blocked()
	c.blocks()
	c.heads()
	c.line()
	c.axis()
	c.WriteString("</svg>")
	return []byte(c.Builder.String()), nil
}

func hex(class int) string {
	k := palette.Color(class)
	return fmt.Sprintf("#%02x%02x%02x", k.R, k.G, k.B)
}

// ink is a colour for text on a class's colour.
func ink(class int) string {
	k := palette.Color(class)
	if 0.30*float64(k.R)+0.59*float64(k.G)+0.11*float64(k.B) > 140 {
		return "#111"
	}
	return "#fff"
}

// idleFill is the colour of servers that wait for others.
var idleFill = fmt.Sprintf("#%02x%02x%02x", palette.Idle.R, palette.Idle.G, palette.Idle.B)

// hatches are the patterns of waits at the head of the line, one a class. Where
// a viewer leaves out their names, the fill falls back to a light grey.
func (c *canvas) hatches() {
	c.f("<defs>")
	for i := range c.path.Classes {
		c.f(`<pattern id="h%d" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#fff"/><rect width="2.4" height="6" fill="%s"/></pattern>`, i, hex(i))
	}
	c.f("</defs>")
}

func (c *canvas) legend() {
	x := float64(leftOf)
	entry := func(box, text string) {
		c.f(`<rect x="%.1f" y="32" width="18" height="12" %s/><text x="%.1f" y="42">%s</text>`, x, box, x+23, escape.HTML(text))
		x += 42 + 7.2*float64(len([]rune(text)))
	}
	for i, name := range c.path.Classes {
		entry(fmt.Sprintf(`fill="%s"`, hex(i)), name)
	}
	entry(fmt.Sprintf(`fill="%s"`, idleFill), "idle through blocking")
	entry(`fill="url(#h0) #eee" stroke="#888" stroke-width="0.5"`, "waits at the head")
}

// servers draws the empty rows and some of their numbers.
func (c *canvas) servers() {
	n := c.path.Servers
	c.f(`<rect x="%d" y="%d" width="%d" height="%.2f" fill="#fafafa" stroke="#bbb" stroke-width="0.6"/>`,
		leftOf, topOf, ganttWidth-leftOf-rightOf, c.row*float64(n))
	every := int(check.Whole(math.Ceil(13/c.row), 1, math.MaxInt32))
	for k := 0; k < n; k++ {
		if k > 0 && c.row >= 6 {
			c.f(`<path d="M%d %.2fH%d" stroke="#e4e4e4" stroke-width="0.6"/>`, leftOf, c.y(k), ganttWidth-rightOf)
		}
		if k%every == 0 {
			c.f(`<text x="%d" y="%.2f" text-anchor="end" font-size="12.5">%d</text>`, leftOf-5, c.y(k)+c.row/2+4.5, k)
		}
	}
	for i, k := range c.path.Nodes {
		if i > 0 {
			c.f(`<path d="M%d %.2fH%d" stroke="#555" stroke-width="1.2"/>`, leftOf, c.y(k), ganttWidth-rightOf)
		}
	}
	c.side(topOf+c.row*float64(n)/2, "server")
}

// side labels a strip at its left.
func (c *canvas) side(y float64, text string) {
	c.f(`<text transform="translate(14 %.1f) rotate(-90)" text-anchor="middle" dominant-baseline="middle">%s</text>`, y, text)
}

func (c *canvas) blocked() {
	for _, b := range c.path.Blocked() {
		c.f(`<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"/>`,
			c.x(b.From), c.y(b.Server), c.x(b.To)-c.x(b.From), c.row, idleFill)
	}
}
