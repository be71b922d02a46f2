package widgets

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestGanttTextIsLegible: a page shows the picture at least 820 wide, and moves it sideways
// where it is narrower. There no text is below 11 pixels, and late in a log the axis counts from a round
// time.
func TestGanttTextIsLegible(t *testing.T) {
	p := samplePath(t)
	page := Gantt(p).HTML()
	shown := regexp.MustCompile(`min-width:(\d+)px`).FindStringSubmatch(page)
	if shown == nil {
		t.Fatal("a page does not say how narrow the picture may be")
	}
	width, _ := strconv.ParseFloat(shown[1], 64)
	late := *p
	for _, move := range []float64{0, 1e6} {
		late.Unit, late.From, late.To = "s", p.From+move, p.To+move
		late.Jobs = nil
		for _, j := range p.Jobs {
			j.Arrival, j.Start, j.Head, j.End = j.Arrival+move, j.Start+move, j.Head+move, j.End+move
			late.Jobs = append(late.Jobs, j)
		}
		svg, err := Gantt(&late).SVG()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`font-size="([\d.]+)"`).FindAllStringSubmatch(string(svg), -1) {
			if size, _ := strconv.ParseFloat(m[1], 64); size*width/ganttWidth < 11 {
				t.Errorf("text of %g is %.1f pixels high on a narrow page", size, size*width/ganttWidth)
			}
		}
		if after := strings.Contains(string(svg), "time after"); after != (move > 0) {
			t.Errorf("from %g on the axis counts from a round time: %v", move, after)
		}
	}
}
