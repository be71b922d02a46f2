package check

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

func TestVerdicts(t *testing.T) {
	var l List
	e := result.Estimate{Value: 10, HalfWidth: 1}
	l.Inside("inside", e, 10.9, 1)
	l.Inside("widened", e, 11.9, 2)
	l.Near("near", 1.8, 1.81, 0.011)
	l.True("true", true)
	if l.Failed() != 0 {
		t.Errorf("%d good comparisons failed:\n%v", l.Failed(), l.Table())
	}
	l.Inside("outside", e, 11.1, 1)
	l.Inside("unknown", result.Estimate{Value: math.NaN()}, 1, 1)
	l.Near("far", 1.8, 1.81, 0.009)
	l.Near("not a number", math.NaN(), 1, 1)
	l.True("false", false)
	if l.Failed() != 5 {
		t.Errorf("%d of 5 bad comparisons failed:\n%v", l.Failed(), l.Table())
	}
	table := l.Table()
	if s := table.all.String(); strings.Count(s, "FAIL") != 5 || strings.Count(s, "PASS") != 4 {
		t.Errorf("table:\n%s", s)
	}
}

// TestEachPlace: a series agrees place by place, and a place that the other lacks fails.
func TestEachPlace(t *testing.T) {
	var l List
	x := []float64{1, 2}
	got := result.Estimated("", x, func(x float64) result.Estimate { return result.Estimate{Value: x, HalfWidth: 0.1} })
	l.InsideEach("inside", got, result.Tabulated("", x, []float64{1.05, 1.95}), 1)
	l.NearEach("near", got, result.Tabulated("", []float64{2, 1}, []float64{2, 1}), 0.01)
	l.Rising("rising", 1, 2, 3)
	if l.Failed() != 0 || len(l.what) != 5 {
		t.Errorf("%d of %d good comparisons failed", l.Failed(), len(l.what))
	}
	l.InsideEach("outside", got, result.Tabulated("", x, []float64{1.2, 1.95}), 1)
	l.NearEach("lacking", got, result.Tabulated("", x[:1], x[:1]), 0.01)
	l.Rising("level", 1, 2, 2)
	l.Rising("one number", 1)
	if l.Failed() != 4 {
		t.Errorf("%d of 4 bad comparisons failed", l.Failed())
	}
}

// TestFolded: comparisons that hold are one line that opens; those that do not stand
// below the line, and all of them behind another that opens.
func TestFolded(t *testing.T) {
	var l List
	l.Near("half a <thing>", 1.5, 1, 1)
	if got := l.Verdict().String(); got != "1 check passes" {
		t.Errorf("one that holds is said to be %q", got)
	}
	l.Near("a third", 1.8008571, 1.8, 0.01)
	page := l.Verdict().HTML()
	for _, want := range []string{"<details", "✓ 2 checks pass</summary>", "half a &lt;thing&gt;", "1.80086"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	if strings.Index(page, "a third") < strings.Index(page, "</summary>") {
		t.Errorf("the table is not folded: %s", page)
	}
	l.True("a claim", false)
	page, text := l.Verdict().HTML(), l.Verdict().String()
	open, folded, _ := strings.Cut(page, "<details")
	if !strings.Contains(open, "✗ 1 of 3 checks fails") || !strings.Contains(open, "a claim") || strings.Contains(open, "a third") {
		t.Errorf("the one that fails is not open: %s", open)
	}
	if !strings.Contains(folded, "a third") || !strings.Contains(folded, "a claim") {
		t.Errorf("not all are folded: %s", folded)
	}
	if !strings.HasPrefix(text, "1 of 3 checks fails\n") || strings.Contains(text, "a third") {
		t.Errorf("as text: %s", text)
	}
}

func TestEffort(t *testing.T) {
	t.Setenv("MJQ_EFFORT", "quick")
	if Of(1, 2) != 1 {
		t.Error("quick is not quick")
	}
	t.Setenv("MJQ_EFFORT", "")
	if Of(1, 2) != 1 {
		t.Error("the default is not quick")
	}
	t.Setenv("MJQ_EFFORT", "full")
	if Of(1, 2) != 2 {
		t.Error("full is not full")
	}
}
