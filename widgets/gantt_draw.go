package widgets

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/result"
)

// blocks draws the jobs in service: a block for every run of neighbouring
// servers and every stretch of time.
func (c *canvas) blocks() {
	for _, j := range c.path.Jobs {
		for _, s := range j.Served() {
			c.stretch(j, s)
		}
	}
}

// stretch draws a job while it runs.
func (c *canvas) stretch(j result.PathJob, s result.Stretch) {
	x, w := c.x(s.From), c.x(s.To)-c.x(s.From)
	if w <= 0 {
		return // starts beyond the picture
	}
	c.f(`<g><title>%s</title>`, escape.HTML(c.describe(j)))
	longest := [2]int{-1, 0}
	for _, r := range runs(s.Seized) {
		c.f(`<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s" stroke="#fff" stroke-width="0.8"/>`,
			x, c.y(r[0]), w, c.row*float64(r[1]), hex(j.Class))
		if r[1] > longest[1] {
			longest = r
		}
	}
	label := fmt.Sprint(j.Number)
	height := c.row * float64(longest[1])
	if height >= 11 && w >= 7.5*float64(len(label))+4 {
		c.f(`<text x="%.2f" y="%.2f" text-anchor="middle" font-size="12.5" fill="%s">%s</text>`,
			x+w/2, c.y(longest[0])+height/2+4.5, ink(j.Class), label)
	}
	c.f("</g>")
}

// runs splits ascending numbers into runs (first, length) of neighbours.
func runs(numbers []int) (out [][2]int) {
	for i, n := range numbers {
		if i > 0 && n == numbers[i-1]+1 {
			out[len(out)-1][1]++
		} else {
			out = append(out, [2]int{n, 1})
		}
	}
	return out
}

func (c *canvas) describe(j result.PathJob) string {
	text := fmt.Sprintf("job %d, %s, needs %d: arrives at %.4g, starts at %.4g, ends at %.4g",
		j.Number, c.path.Classes[j.Class], j.Need, j.Arrival, j.Start, j.End)
	if n := len(j.Served()) - 1; n > 0 {
		text += fmt.Sprintf(", preempted %d times", n)
	}
	return text
}

// heads draws the waits at the head of the line; at any time there is one at
// most.
func (c *canvas) heads() {
	for _, j := range c.path.Jobs {
		x, w := c.x(j.Head), c.x(j.Start)-c.x(j.Head)
		if w <= 0 {
			continue
		}
		c.f(`<rect x="%.2f" y="%.1f" width="%.2f" height="%d" fill="url(#h%d) #eee" stroke="%s" stroke-width="0.8"><title>%s</title></rect>`,
			x, c.headTop(), w, headHeight, j.Class, hex(j.Class), escape.HTML(c.describe(j)))
		label := fmt.Sprint(j.Number)
		if size := 7.5*float64(len(label)) + 4; w >= size {
			c.f(`<rect x="%.2f" y="%.1f" width="%.1f" height="14" fill="#fff"/><text x="%.2f" y="%.1f" text-anchor="middle" font-size="12.5">%s</text>`,
				x+w/2-size/2, c.headTop()+3, size, x+w/2, c.headTop()+14.5, label)
		}
	}
	c.f(`<text x="%d" y="%.1f" text-anchor="end" font-size="12.5">head</text>`, leftOf-5, c.headTop()+headHeight/2+4)
}

// level is the number of jobs in line from a time on.
type level struct {
	from float64
	jobs int
}

// levels is how the line grows and shrinks from the beginning of the path to its end or,
// where that depends on jobs that are not in it, to its last arrival.
func levels(p *result.Path) []level {
	last := p.Jobs[len(p.Jobs)-1].Arrival
	if p.Closed {
		last = p.To
	}
	by := map[float64]int{p.From: 0, last: 0}
	for _, j := range p.Jobs {
		by[max(j.Arrival, p.From)]++
		for i, s := range j.Served() {
			if i > 0 {
				by[max(j.Served()[i-1].To, p.From)]++
			}
			by[max(s.From, p.From)]--
		}
	}
	var out []level
	jobs := 0
	for _, t := range slices.Sorted(maps.Keys(by)) {
		if jobs += by[t]; t <= last {
			out = append(out, level{t, jobs})
		}
	}
	return out
}

// line draws the number of jobs in line as a stair. It ends, open, at the last arrival of
// the path: how many are in line later depends on jobs that are not in it.
func (c *canvas) line() {
	all := levels(c.path)
	most := 1
	for _, l := range all {
		most = max(most, l.jobs)
	}
	y := func(n int) float64 { return c.lineTop() + lineHeight*(1-float64(n)/float64(most)) }
	var d strings.Builder
	fmt.Fprintf(&d, "M%d %.2f", leftOf, y(0))
	for _, l := range all {
		fmt.Fprintf(&d, "H%.2fV%.2f", c.x(l.from), y(l.jobs))
	}
	end := c.x(all[len(all)-1].from)
	c.f(`<path d="%sV%.2fZ" fill="#d5d8dc"/><path d="%s" fill="none" stroke="#555" stroke-width="0.8"/>`, d.String(), y(0), d.String())
	if room := ganttWidth - rightOf - end; room > 0 {
		c.f(`<rect x="%.2f" y="%.2f" width="%.2f" height="%d" fill="#f1f1f1"/>`, end, c.lineTop(), room, lineHeight)
		if room > 190 {
			c.f(`<text x="%.2f" y="%.2f" text-anchor="middle" font-size="12.5" fill="#666">depends on later arrivals</text>`, end+room/2, c.lineTop()+lineHeight/2+4)
		}
	}
	c.f(`<text x="%d" y="%.1f" text-anchor="end" font-size="12.5">%d</text>`, leftOf-5, c.lineTop()+8, most)
	c.f(`<text x="%d" y="%.1f" text-anchor="end" font-size="12.5">0</text>`, leftOf-5, y(0))
	c.side(c.lineTop()+lineHeight/2, "waiting")
}

// axis draws the time axis with ticks at round numbers.
func (c *canvas) axis() {
	y := c.axisTop()
	c.f(`<path d="M%d %.1fH%d" stroke="#282828" stroke-width="0.8"/>`, leftOf, y, ganttWidth-rightOf)
	unit := c.unit()
	step := roundStep(unit.Show(c.to-c.from, 1) / 8)
	first, label := 0.0, unit.Label("time", 1)
	if from := unit.Show(c.from, 1); from > 20*unit.Show(c.to-c.from, 1) { // few digits, late in a log
		first = math.Floor(from/step) * step
		label = unit.Label(fmt.Sprintf("time after %.7g", first), 1)
	}
	for k := math.Ceil(unit.Show(c.from, 1) / step); k*step <= unit.Show(c.to, 1); k++ {
		x := c.x(k * step * unit.Factor)
		c.f(`<path d="M%.2f %.1fv4" stroke="#282828" stroke-width="0.8"/><text x="%.2f" y="%.1f" text-anchor="middle">%.7g</text>`, x, y, x, y+16, k*step-first)
	}
	c.f(`<text x="%d" y="%.1f" text-anchor="middle">%s</text>`, (leftOf+ganttWidth-rightOf)/2, y+32, escape.HTML(label))
}

// unit is the one in which times read best, by the length of the picture.
func (c *canvas) unit() result.Scale { return c.path.Unit.Best(c.to - c.from) }

// roundStep is the least of 1, 2, 5, 10, ... times a power of ten that is not
// below x.
func roundStep(x float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= x {
			return m * p
		}
	}
	return 10 * p
}
