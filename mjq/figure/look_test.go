package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"
	"testing"
)

// looks is two panels in the manner of a paper that fixes colours and marks.
func looks() *Panels {
	x := []float64{10, 100, 1000, 10000}
	panel := func(title string, power float64) *Figure {
		scaled := func(c float64) (y []float64) {
			for _, v := range x {
				y = append(y, c*v*power)
			}
			return y
		}
		return New(title).X("servers n").Y("throughput").LogX().LogY().Size(300, 220).
			Look("exact", Look{Purple, Square}).Look("few", Look{Green, TriangleUp}).
			Theory("exact", x, scaled(1)).Asymptotic("many", x, scaled(2)).Asymptotic("few", x, scaled(4)).
			Look("many", Look{Orange, TriangleDown})
	}
	return Grid(2, panel("one", 1), panel("two", 3)).OneLegend()
}

// fills counts the filled shapes of a colour in an SVG: the parts of the paths
// that are filled with it.
func fills(svg []byte, c color.RGBA) (n int) {
	style := fmt.Sprintf(`<path fill="#%02x%02x%02x" d="`, c.R, c.G, c.B)
	for _, part := range strings.Split(string(svg), style)[1:] {
		d, _, _ := strings.Cut(part, `"`)
		n += strings.Count(strings.ToLower(d), "m")
	}
	return n
}

// TestLook: every point of every curve carries its mark in its colour, as do
// the samples of the one legend.
func TestLook(t *testing.T) {
	p := looks()
	drawn, err := p.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]color.RGBA{"purple": Purple, "green": Green, "orange": Orange} {
		if n := fills(drawn, c); n != 2*4+1 {
			t.Errorf("%d %s marks, want 4 in each of two panels and one in the legend", n, name)
		}
	}
	if n := bytes.Count(drawn, []byte(">exact<")); n != 1 {
		t.Errorf("the name is written %d times, want once", n)
	}
	p.shared = false
	own, err := p.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(own, []byte(">exact<")); n != 2 {
		t.Errorf("without a shared legend the name is written %d times, want twice", n)
	}
}

// TestLookLeaves: an empty look changes nothing, and printed values stay grey.
func TestLookLeaves(t *testing.T) {
	x, y := []float64{1, 2}, []float64{3, 5}
	make := func() *Figure { return New("t").Points("a", x, y, nil).Paper("a", x, y).Theory("b", x, y) }
	plain, err := make().SVG()
	if err != nil {
		t.Fatal(err)
	}
	same, err := make().Look("a", Look{}).Look("c", Look{Purple, Circle}).SVG()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(plain, same) {
		t.Error("an empty look, or one for another name, changes the figure")
	}
	f := make().Look("a", Look{Purple, TriangleDown})
	if m := f.markOf(series{kind: paper, name: "a"}, 0); m.glyph.Color != paperGrey {
		t.Error("a printed value is not grey")
	}
	if m := f.markOf(series{kind: band, name: "a"}, 0); m.fill != (color.RGBA{21, 12, 30, 51}) {
		t.Errorf("the band is %v, not a fifth of purple", m.fill)
	}
}
