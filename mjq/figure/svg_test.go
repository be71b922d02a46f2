package figure

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// vertices reads back a path of straight steps.
func vertices(t *testing.T, d string) (out []vg.Point) {
	t.Helper()
	var x, y, x0, y0 float64
	for _, part := range regexp.MustCompile(`[a-zA-Z][^a-zA-Z]*`).FindAllString(d, -1) {
		var v []float64
		for _, s := range regexp.MustCompile(`-?[0-9]*\.?[0-9]+`).FindAllString(part[1:], -1) {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, f)
		}
		if part[0] == 'z' {
			x, y = x0, y0
		}
		for len(v) > 0 {
			switch part[0] {
			case 'M':
				x, y, v = v[0], v[1], v[2:]
				x0, y0 = x, y
			case 'm':
				x, y, v = x+v[0], y+v[1], v[2:]
				x0, y0 = x, y
			case 'l':
				x, y, v = x+v[0], y+v[1], v[2:]
			case 'a':
				x, y, v = x+v[5], y+v[6], v[7:]
			case 'h':
				x, v = x+v[0], v[1:]
			case 'v':
				y, v = y+v[0], v[1:]
			default:
				t.Fatalf("an unexpected command in %q", part)
			}
			out = append(out, vg.Point{X: vg.Length(x), Y: vg.Length(y)})
		}
	}
	return out
}

// TestPathIsTheCurve: what is written is nowhere farther from the curve than
// half a tenth of a point for thinning and as much for rounding, in either
// direction, and much shorter.
func TestPathIsTheCurve(t *testing.T) {
	var curve vg.Path
	var given []vg.Point
	for i := range 2001 {
		x := float64(i) / 5
		p := vg.Point{X: vg.Length(x), Y: vg.Length(150 + 90*math.Sin(x/30) + 20*math.Sin(x/3))}
		given = append(given, p)
		if i == 0 {
			curve.Move(p)
		} else {
			curve.Line(p)
		}
	}
	var path svgPath
	path.add(curve, func(p vg.Point) vg.Point { return p })
	read := vertices(t, path.String())
	if len(path.String()) > 6000 || len(read) < 50 {
		t.Errorf("%d bytes for %d points", len(path.String()), len(read))
	}
	allowed := vg.Length(seen + 0.05*math.Sqrt2)
	far := func(from, to []vg.Point) (worst vg.Length) {
		for _, p := range from {
			nearest := vg.Length(math.Inf(1))
			for i := 1; i < len(to); i++ {
				nearest = min(nearest, distance(p, to[i-1], to[i]))
			}
			worst = max(worst, nearest)
		}
		return worst
	}
	if d := max(far(given, read), far(read, given)); d > allowed {
		t.Errorf("off by %v points, more than %v", d, allowed)
	}
}

// TestCompactPath: steps of one kind share a command, straight ones are short,
// and rounding does not add up.
func TestCompactPath(t *testing.T) {
	var p vg.Path
	p.Move(vg.Point{X: 10, Y: 20})
	for _, at := range []vg.Point{{X: 15, Y: 20}, {X: 15, Y: 19.5}, {X: 16.04, Y: 21}, {X: 17.08, Y: 20}} {
		p.Line(at)
	}
	p.Close()
	p.Move(vg.Point{X: 12, Y: 20})
	p.Line(vg.Point{X: 12, Y: 30})
	var got svgPath
	got.add(p, func(p vg.Point) vg.Point { return p })
	if want := "M10 20h5v-.5l1 1.5 1.1-1zm2 0v10"; got.String() != want {
		t.Errorf("%s, want %s", got.String(), want)
	}
}

// TestOneElementAStyle: what is drawn in one style in a row is one element, but
// areas that let others shine through are each their own.
func TestOneElementAStyle(t *testing.T) {
	x, y := []float64{1, 2, 3, 4}, []float64{1, 4, 2, 3}
	svg, err := New("").Points("a", x, y, []float64{1, 1, 1, 1}).SVG()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(svg), `fill="#0072b2"`); n != 1 {
		t.Errorf("four marks are %d elements", n)
	}
	lo, hi := []float64{0, 3, 1, 2}, []float64{2, 5, 3, 4}
	svg, err = New("").Ribbon("a", x, lo, lo, hi, hi).SVG()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(svg), `fill-opacity`); n != 2 {
		t.Errorf("two shades are %d elements", n)
	}
}
