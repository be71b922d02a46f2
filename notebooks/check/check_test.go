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
	if s := l.Table().String(); strings.Count(s, "FAIL") != 5 || strings.Count(s, "PASS") != 4 {
		t.Errorf("table:\n%s", s)
	}
}

func TestEffort(t *testing.T) {
	t.Setenv("MJQ_EFFORT", "quick")
	if Effort().Of(1, 2) != 1 {
		t.Error("quick is not quick")
	}
	t.Setenv("MJQ_EFFORT", "")
	if Effort().Of(1, 2) != 1 {
		t.Error("the default is not quick")
	}
	t.Setenv("MJQ_EFFORT", "full")
	if Effort().Of(1, 2) != 2 {
		t.Error("full is not full")
	}
}
