package figure

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// legibleText fails if a line of text of a picture leaves it or lies on another, or is smaller
// than 11 pixels where the picture is 720 wide, or 9 where it is 400. Panels are one column there.
func legibleText(t *testing.T, name string, svg []byte) {
	t.Helper()
	all, width, height := texts(t, svg)
	panels := strings.Contains(string(svg), "mjq-panels")
	column := width
	if m := regexp.MustCompile(`--mjq-columns:(\d+)`).FindSubmatch(svg); panels && m != nil {
		column = width / number64(t, string(m[1]))
	}
	for _, b := range all {
		if b.left < -0.5 || b.right > width+0.5 || b.top < -0.5 || b.bottom > height+0.5 {
			t.Errorf("%s: not inside %g by %g: %+v", name, width, height, b)
		}
		if px := b.size * 720 / column; px < 11 {
			t.Errorf("%s: %.1f px at a width of 720: %s", name, px, b.text)
		}
	}
	apart(t, name, all, width, 2)
	small := all
	if !panels {
		small = grown(all)
		apart(t, name+", on a telephone", small, width, 4)
	}
	for _, b := range small {
		for _, m := range sample.FindAllSubmatch(svg, -1) {
			x, y := number64(t, string(m[1])), number64(t, string(m[2]))
			if !panels && b.left < x+thumb.Points() && x-9 < b.right && b.top < y && y < b.bottom {
				t.Errorf("%s: on a telephone %s touches the sample of the next name", name, b.text)
			}
		}
	}
	for _, b := range small {
		// The caption of a single figure stands below it, as text of the page.
		if px := (b.bottom - b.top) * 400 / column; px < 9 && b.size != captionSize {
			t.Errorf("%s: %.1f px at a width of 400: %s", name, px, b.text)
		}
	}
}

// sample is the line of a name in a legend.
var sample = regexp.MustCompile(fmt.Sprintf(`M([\d.]+) ([\d.]+)h%g"`, thumb.Points()))

// marksInside fails if a line or an area leaves the picture.
func marksInside(t *testing.T, name string, svg []byte) {
	t.Helper()
	_, width, height := texts(t, svg)
	for _, d := range regexp.MustCompile(`<path [^>]*d="([^"]*)"`).FindAllSubmatch(svg, -1) {
		for _, p := range vertices(t, string(d[1])) {
			if x, y := p.X.Points(), p.Y.Points(); x < -0.5 || y < -0.5 || x > width+0.5 || y > height+0.5 {
				t.Errorf("%s: a mark at %.1f, %.1f is not inside %g by %g", name, x, y, width, height)
				return
			}
		}
	}
}
