package figure

import (
	"strings"
	"testing"
)

// TestTargetLabelFindsRoom: the name of a target stands where no mark is: at the left, at the right if bars
// stand at the left, and below the line if they stand above it everywhere.
func TestTargetLabelFindsRoom(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	all := func(v float64) (out []float64) {
		for range x {
			out = append(out, v)
		}
		return out
	}
	left := func(f *Figure) (from, bottom float64) {
		drawn, err := f.Target(1, "exact").SVG()
		if err != nil {
			t.Fatal(err)
		}
		boxes, _, _ := texts(t, drawn)
		for _, b := range boxes {
			if strings.Contains(b.text, ">exact<") {
				return b.left, b.bottom
			}
		}
		t.Fatal("no label")
		return 0, 0
	}
	free, above := left(New("t").YRange(0, 2).Theory("a", x, all(1.9)))
	right, _ := left(New("t").YRange(0, 2).Intervals("a", x[:3], []float64{1, 1, 1}, []float64{0.5, 0.5, 0.5}).Theory("b", x, all(1.9)))
	if right < free+100 {
		t.Errorf("the label stands at %g, on bars", right)
	}
	if _, below := left(New("t").YRange(0, 2).Theory("a", x, all(1.06))); below < above+5 {
		t.Errorf("the label ends at %g, on a curve above the line; without it at %g", below, above)
	}
}
