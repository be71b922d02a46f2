package figure

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// box is where a line of text of an SVG lies.
type box struct {
	text                     string
	size                     float64
	left, right, top, bottom float64
}

func number64(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// texts are the lines of text of an SVG, and its width and height.
func texts(t *testing.T, svg []byte) (out []box, width, height float64) {
	t.Helper()
	var doc struct {
		ViewBox string `xml:"viewBox,attr"`
	}
	if err := xml.Unmarshal(svg, &doc); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(doc.ViewBox, "0 0 %g %g", &width, &height); err != nil {
		t.Fatal(err)
	}
	attr := func(element, name string) string {
		if m := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(element); m != nil {
			return m[1]
		}
		return ""
	}
	for _, e := range regexp.MustCompile(`(?s)(<g transform[^>]*>)?<text .*?</text>`).FindAllString(string(svg), -1) {
		long, size := number64(t, attr(e, "textLength")), number64(t, attr(e, "font-size"))
		before := map[string]float64{"": 0, "middle": long / 2, "end": long}[attr(e, "text-anchor")]
		b := box{text: e, size: size}
		if turned := attr(e, "transform"); turned != "" {
			var a, bb, c, d, x, y float64
			if _, err := fmt.Sscanf(turned, "matrix(%g %g %g %g %g %g)", &a, &bb, &c, &d, &x, &y); err != nil || bb != -1 {
				t.Fatalf("%s: %v", turned, err)
			}
			b.left, b.right, b.top, b.bottom = x-0.8*size, x+0.2*size, y-long+before, y+before
		} else {
			x, y := number64(t, attr(e, "x")), number64(t, attr(e, "y"))
			b.left, b.right, b.top, b.bottom = x-before, x-before+long, y-0.8*size, y+0.2*size
		}
		out = append(out, b)
	}
	return out, width, height
}

// TestTextStaysInside: no line of text leaves the picture, lies on another or
// is too small for a telephone.
func TestTextStaysInside(t *testing.T) {
	pictures := gallery()
	x, y := []float64{1, 2}, []float64{3, 5}
	words := strings.Repeat("many words ", 12)
	long := New(words).X(words).Y(words).Caption(words).LogX()
	for i := range 7 {
		long.Theory(fmt.Sprintf("a name of several words, %d", i), x, y)
	}
	for name, p := range pictures {
		if drawn, err := svg(p); err != nil || strings.Contains(string(drawn), "<style>") == strings.Contains(string(drawn), "mjq-panels") {
			t.Errorf("%s: a single figure has a style sheet, and a grid none; %v", name, err)
		} else if all, width, _ := texts(t, drawn); strings.Contains(string(drawn), "<style>") {
			apart(t, name+", on a telephone", grown(all), width, 4)
		}
	}
	pictures["long"] = long
	pictures["long and small"] = Grid(3, long.Size(300, 220), New("short").Theory("a", x, y))
	for name, p := range pictures {
		drawn, err := svg(p)
		if err != nil {
			t.Fatal(err)
		}
		all, width, height := texts(t, drawn)
		for _, a := range all {
			if a.left < 0 || a.right > width || a.top < 0 || a.bottom > height {
				t.Errorf("%s: not inside %g by %g: %+v", name, width, height, a)
			}
			if a.size < 9 {
				t.Errorf("%s: %g points are too small: %s", name, a.size, a.text)
			}
		}
		apart(t, name, all, width, 2)
	}
}

// apart fails if a line of text lies on another, by more than the space above its letters, or
// leaves the picture at its sides.
func apart(t *testing.T, name string, all []box, width, touch float64) {
	t.Helper()
	for i, a := range all {
		if a.left < -0.5 || a.right > width+0.5 {
			t.Errorf("%s: not inside: %+v", name, a)
		}
		for _, b := range all[:i] {
			across, along := 0.5, touch
			if strings.HasPrefix(a.text, "<g") && strings.HasPrefix(b.text, "<g") { // turned lines lie side by side
				across, along = touch, 0.5
			}
			if a.left < b.right-across && b.left < a.right-across && a.top < b.bottom-along && b.top < a.bottom-along {
				t.Errorf("%s: one lies on the other: %s %s", name, a.text, b.text)
			}
		}
	}
}

// grown are the lines of text as the style sheet of a small picture makes them.
func grown(all []box) (out []box) {
	for _, b := range all {
		x, y := map[float64]float64{tickSize: 1.25, labelSize: 1.2, titleSize: 1.2, legendSize: 1.05}[b.size], 0.0
		if y = x; b.size == legendSize {
			y = 1.15
		}
		switch {
		case strings.HasPrefix(b.text, "<g") && b.size == labelSize: // up the page, thus to the left
			b.left, b.right, x, y = b.left-8, b.right-8, 1.1, 1.1
		case strings.HasPrefix(b.text, "<g") && b.size == tickSize: // along a limit
			b.top, x, y = b.top-0.15*(b.bottom-b.top), 1, 1
		case x == 0 || strings.HasPrefix(b.text, "<g"):
			x, y = 1, 1
		}
		wide, high := (x-1)*(b.right-b.left), (y-1)*(b.bottom-b.top)
		switch {
		case strings.Contains(b.text, `text-anchor="end"`):
			b.left -= wide
		case !strings.Contains(b.text, "text-anchor"):
			b.right += wide
		default:
			b.left, b.right = b.left-wide/2, b.right+wide/2
		}
		b.top, b.bottom = b.top-high/2, b.bottom+high/2
		out = append(out, b)
	}
	return out
}

// TestTicksHaveRoom: on an axis of any length and range the labels that are
// left do not touch, and there is one at least.
func TestTicksHaveRoom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		lo := math.Pow(10, 8*rng.Float64()-4)
		hi := lo * (1 + math.Pow(10, 8*rng.Float64()-3))
		s := spaced{linear{}, plot.LinearScale{}, vg.Length(60 + 300*rng.Float64()), func(label string) vg.Length { return sans(tickSize).Width(label) }}
		if rng.IntN(2) == 0 {
			s.of, s.scale = logarithmic{}, logScale{}
		}
		end, labels := vg.Length(-1e9), 0
		for _, tick := range s.Ticks(lo, hi) {
			if tick.Label == "" {
				continue
			}
			from, to := s.place(tick, lo, hi)
			if from < end {
				t.Errorf("[%g, %g] on %v: %q touches the label before", lo, hi, s.room, tick.Label)
			}
			end = to
			labels++
		}
		if labels == 0 {
			t.Errorf("[%g, %g] on %v: no labels", lo, hi, s.room)
		}
	}
}

// TestPanelsStack: the moves of a grid take every panel to the first column,
// one below the other in the order given.
func TestPanelsStack(t *testing.T) {
	var figures []*Figure
	for i := range 5 {
		figures = append(figures, New(fmt.Sprint(i)).Size(300, 200))
	}
	drawn, err := Grid(2, figures...).SVG()
	if err != nil {
		t.Fatal(err)
	}
	moves := regexp.MustCompile(`--mjq-move:translate\((\S+)px,(\S+)px\)`).FindAllStringSubmatch(string(drawn), -1)
	if len(moves) != 5 {
		t.Fatalf("%d panels", len(moves))
	}
	for i, m := range moves {
		x, y := 300*float64(i%2)+number64(t, m[1]), 200*float64(i/2)+number64(t, m[2])
		if x != 0 || math.Abs(y-200*float64(i)) > 0.1 {
			t.Errorf("panel %d moves to %g, %g", i, x, y)
		}
	}
	// Five panels of 300 by 200 below each other, on a page that is as wide as
	// one of two columns: 600 by 1000.
	for _, want := range []string{`;--mjq-columns:2;--mjq-ratio:0.6"`, `width="800" height="800"`} {
		if !strings.Contains(string(drawn), want) {
			t.Errorf("no %s", want)
		}
	}
	one, err := Grid(1, figures...).SVG()
	if err != nil || strings.Contains(string(one), "mjq-move") {
		t.Errorf("a single column has moves, %v", err)
	}
}

// TestNamesAtTheEnds: curves that end at the right are named there, also where they
// lie on each other; with one that ends before, all are in the legend.
func TestNamesAtTheEnds(t *testing.T) {
	x := []float64{1, 2, 3}
	f := New("t").Theory("up", x, []float64{1, 2, 3}).Theory("also up", x, []float64{1, 2, 3}).
		Asymptotic("down", x, []float64{3, 2, 1}).Paper("printed", x, []float64{1, 2, 2}).Intervals("measured", x, x, x)
	l := f.sized(1).layout(560)
	if len(l.labels) != 3 || len(l.legend.names) != 2 {
		t.Fatalf("labels %v, legend %v", l.labels, l.legend.names)
	}
	at := spread([]vg.Length{0, 100, 100}, 200)
	if at[0] > 1 || at[2]-at[1] < labelRow-0.1 || at[1] > 100 || at[2] < 100 {
		t.Errorf("labels at 0, 100 and 100 are moved to %v", at)
	}
	drawn, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	all, width, _ := texts(t, drawn)
	for _, b := range all {
		if strings.Contains(b.text, ">also up<") && b.left < 0.85*width {
			t.Errorf("the name stands at %g of %g", b.left, width)
		}
	}
	f.Theory("short", []float64{1, 2}, []float64{1, 1})
	if l := f.sized(1).layout(560); len(l.labels) != 0 || len(l.legend.names) != 6 {
		t.Errorf("with a short curve: labels %v, legend %v", l.labels, l.legend.names)
	}
}

// TestDashesInTheLegend: exact curves that only the legend names differ without colour.
func TestDashesInTheLegend(t *testing.T) {
	x, short := []float64{1, 2, 3}, []float64{1, 2}
	f := New("t").Theory("a", x, x).Theory("b", short, short)
	if drawn, err := f.SVG(); err != nil || !strings.Contains(string(drawn), "stroke-dasharray=\"7,2\"") {
		t.Errorf("no dashes, %v", err)
	}
	direct := New("t").Theory("a", x, x).Theory("b", x, []float64{3, 2, 1})
	if drawn, err := direct.SVG(); err != nil || strings.Contains(string(drawn), "stroke-dasharray") {
		t.Errorf("curves with their names are dashed, %v", err)
	}
}

// TestPointsAlone: points are joined unless a theory has their name.
func TestPointsAlone(t *testing.T) {
	x, y := []float64{1, 2}, []float64{3, 5}
	for name, want := range map[string]bool{"a": true, "b": false} {
		f := New("t").Points("a", x, y, nil).Theory(name, x, y)
		if got := f.alone(f.series[0]); got != want {
			t.Errorf("beside the theory %q alone is %v", name, got)
		}
	}
}
