package result

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAgainstMarksWhatDiffers(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	e := func(v, half float64) Estimate { return Estimate{Value: v, HalfWidth: half} }
	tab := NewTable("").Against(
		[]float64{10, 10, 10, nan, inf, 10, 2, 2},
		[]Estimate{e(10.5, 1), e(12.5, 1), e(nan, nan), e(3, 1), e(inf, 0), e(inf, 0), e(2, 0), e(2.001, 0)}, 2)
	if got, want := tab.Columns[3].Cells, []string{"✓", "✗", "–", "–", "✓", "✗", "✓", "✗"}; !slices.Equal(got, want) {
		t.Errorf("marks %v, expected %v", got, want)
	}
	if got := tab.Columns[2].Cells[:2]; got[0] != "+5 %" || got[1] != "+25 %" {
		t.Errorf("differences %v", got)
	}
}

func TestIntervalsStandInALine(t *testing.T) {
	tab := NewTable("").Estimates("x", Estimate{Value: 1234.5, HalfWidth: 20}, Estimate{Value: 1.23456, HalfWidth: 0.00012},
		Estimate{Value: 3}, Estimate{Value: math.Inf(1)}).Text("y", "a", "b", "c", "d")
	lines := strings.Split(strings.TrimRight(tab.String(), "\n"), "\n")[1:]
	at := map[int]bool{}
	for _, l := range lines {
		if i := strings.Index(l, "±"); i >= 0 {
			at[utf8.RuneCountInString(l[:i])] = true
		}
		if utf8.RuneCountInString(l) != utf8.RuneCountInString(lines[0]) {
			t.Errorf("the line %q is not as long as %q", l, lines[0])
		}
	}
	if len(at) != 1 {
		t.Errorf("the signs stand at %v in\n%s", at, tab)
	}
}
