package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"

	"github.com/mjqueue/mjq/internal/check"
)

// matrix is a change of coordinates: x' = ax + cy + e, y' = bx + dy + f.
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{a: 1, d: 1}

func (m matrix) of(p vg.Point) vg.Point {
	x, y := float64(p.X), float64(p.Y)
	return vg.Point{X: vg.Length(m.a*x + m.c*y + m.e), Y: vg.Length(m.b*x + m.d*y + m.f)}
}

func (m matrix) moved(by vg.Point) matrix {
	to := m.of(by)
	m.e, m.f = float64(to.X), float64(to.Y)
	return m
}

func (m matrix) scaled(x, y float64) matrix {
	return matrix{m.a * x, m.b * x, m.c * y, m.d * y, m.e, m.f}
}

// rotated turns by an angle. A quarter turn is one exactly.
func (m matrix) rotated(angle float64) matrix {
	sin, cos := math.Sincos(angle)
	sin, cos = math.Round(sin*1e12)/1e12, math.Round(cos*1e12)/1e12
	return matrix{m.a*cos + m.c*sin, m.b*cos + m.d*sin, m.c*cos - m.a*sin, m.d*cos - m.b*sin, m.e, m.f}
}

// svgPath writes the d attribute of an SVG path: coordinates to a tenth of a
// point, as steps from one to the next, which do not add up their roundings.
type svgPath struct {
	d          []byte
	x, y       int // where the path is, in tenths
	x0, y0     int // where its last part began
	command    byte
	afterDigit bool
}

func (p *svgPath) String() string { return string(p.d) }

func tenths(v vg.Length) int { return int(check.Whole(math.Round(10*v.Points()), -1e9, 1e9)) }

// add appends a path, placed on the page by a map.
func (p *svgPath) add(path vg.Path, place func(vg.Point) vg.Point) {
	var run []vg.Point // of points joined by lines
	flush := func() {
		for _, q := range thinned(run)[min(1, len(run)):] {
			p.line(tenths(q.X), tenths(q.Y))
		}
		run = nil
	}
	for _, part := range path {
		switch part.Type {
		case vg.MoveComp:
			flush()
			at := place(part.Pos)
			p.move(tenths(at.X), tenths(at.Y))
			run = []vg.Point{at}
		case vg.LineComp:
			run = append(run, place(part.Pos))
		case vg.ArcComp:
			flush()
			p.arc(part, place)
		case vg.CloseComp:
			flush()
			p.write('z')
			p.x, p.y = p.x0, p.y0
		}
	}
	flush()
}

// move begins a part of the path.
func (p *svgPath) move(x, y int) {
	if len(p.d) == 0 {
		p.write('M', x, y)
	} else {
		p.write('m', x-p.x, y-p.y)
	}
	p.x, p.y, p.x0, p.y0 = x, y, x, y
}

// line draws to a point; one that lies where the path is only if it is all of
// its part, as a dot.
func (p *svgPath) line(x, y int) {
	switch dx, dy := x-p.x, y-p.y; {
	case dx == 0 && dy == 0:
		return
	case dy == 0:
		p.write('h', dx)
	case dx == 0:
		p.write('v', dy)
	default:
		p.write('l', dx, dy)
	}
	p.x, p.y = x, y
}

// arc draws an arc of a circle, a full one in two halves; the path is at its
// beginning or goes there.
func (p *svgPath) arc(part vg.PathComp, place func(vg.Point) vg.Point) {
	on := func(angle float64) (x, y int) {
		sin, cos := math.Sincos(angle)
		at := place(vg.Point{X: part.Pos.X + part.Radius*vg.Length(cos), Y: part.Pos.Y + part.Radius*vg.Length(sin)})
		return tenths(at.X), tenths(at.Y)
	}
	x, y := on(part.Start)
	if len(p.d) == 0 {
		p.move(x, y)
	} else {
		p.line(x, y)
	}
	r, sweep := tenths(part.Radius), 0
	if part.Angle < 0 {
		sweep = 10 // in tenths; the page's y points down
	}
	for k := range 2 {
		x, y := on(part.Start + part.Angle*float64(k+1)/2)
		p.write('a', r, r, 0, 0, sweep, x-p.x, y-p.y)
		p.x, p.y = x, y
	}
}

// write appends a command and its numbers, given in tenths. A command that is
// that of before is left out, as is a space before a minus.
func (p *svgPath) write(command byte, numbers ...int) {
	if command != p.command || command == 'm' || command == 'z' {
		p.d = append(p.d, command)
		p.command, p.afterDigit = command, false
	}
	for _, v := range numbers {
		if p.afterDigit && v >= 0 {
			p.d = append(p.d, ' ')
		}
		if v < 0 {
			p.d = append(p.d, '-')
			v = -v
		}
		if v >= 10 || v%10 == 0 {
			p.d = strconv.AppendInt(p.d, int64(v/10), 10)
		}
		if v%10 != 0 {
			p.d = append(p.d, '.', byte('0'+v%10))
		}
		p.afterDigit = true
	}
}

// seen is how far a line may be from the points that it leaves out.
const seen = 0.05 // points

// thinned leaves out points of a line that are not seen (Douglas and Peucker,
// Cartographica 10, 1973): the farthest from the chord is kept, and then what
// lies on either side of it is thinned, until all are near.
func thinned(line []vg.Point) []vg.Point {
	if len(line) < 3 {
		return line
	}
	keep := make([]bool, len(line))
	keep[0], keep[len(line)-1] = true, true
	spans := [][2]int{{0, len(line) - 1}}
	for len(spans) > 0 {
		from, to := spans[len(spans)-1][0], spans[len(spans)-1][1]
		spans = spans[:len(spans)-1]
		most, at := seen, -1
		for i := from + 1; i < to; i++ {
			if d := distance(line[i], line[from], line[to]).Points(); d > most {
				most, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			spans = append(spans, [2]int{from, at}, [2]int{at, to})
		}
	}
	var out []vg.Point
	for i, k := range keep {
		if k {
			out = append(out, line[i])
		}
	}
	return out
}

// distance is that of p from the stretch from a to b.
func distance(p, a, b vg.Point) vg.Length {
	along, from := b.Sub(a), p.Sub(a)
	if square := along.Dot(along); square > 0 {
		from = from.Sub(along.Scale(max(0, min(1, from.Dot(along)/square))))
	}
	return vg.Length(math.Hypot(float64(from.X), float64(from.Y)))
}
