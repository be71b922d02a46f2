package result

import (
	"math"
	"strings"
	"testing"
)

// TestSignificant: three digits, all of those before the point, and zeros at the end
// only where they stand for digits that were rounded.
func TestSignificant(t *testing.T) {
	for _, c := range []struct {
		v    float64
		n    int
		want string
	}{
		{1.80086, 3, "1.80"}, {1.80086, 6, "1.80086"}, {0.0867445, 3, "0.0867"}, {133.579, 3, "134"}, {4950.51, 3, "4951"},
		{15.0355, 3, "15.0"}, {15, 3, "15"}, {0.2, 3, "0.2"}, {0.333333333, 3, "0.333"}, {31247, 3, "31247"}, {-0.25, 3, "-0.25"},
		{0, 3, "0"}, {2.5e-8, 3, "2.5e-08"}, {1234567.8, 3, "1.23e+06"}, {1e12, 3, "1e+12"}, {0.99999, 3, "1.000"},
	} {
		if got := significant(c.v, c.n); got != c.want {
			t.Errorf("%v with %d digits is %q, want %q", c.v, c.n, got, c.want)
		}
	}
}

// TestColumnsInLine: decimal points stand below each other, and so do signs of intervals;
// exact values beside estimates have their decimals.
func TestColumnsInLine(t *testing.T) {
	est := func(v, h float64) Estimate { return Estimate{Value: v, HalfWidth: h} }
	text := NewTable("").Estimates("wait", est(14.8612, 0.28), est(3.45163, 0.0043), est(15.017, 0), est(math.Inf(1), 0), est(math.NaN(), math.NaN())).
		Numbers("exact", 133.579, 0.0867445, 2, 20.5, math.NaN()).Digits(4).String()
	want := strings.Join([]string{
		"            wait      exact",
		"14.86   ± 0.28    133.6",
		" 3.4516 ± 0.0043    0.08674",
		"15.0170             2",
		" ∞                 20.5",
		" –                  –",
	}, "\n")
	if got := strings.TrimSpace(trimmed(text)); got != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	page := NewTable("").Numbers("x", 133.579, 2.5).HTML()
	if !strings.Contains(page, ">134\u2008\u2007<") || !strings.Contains(page, ">\u2007\u20072.5<") {
		t.Errorf("blanks as wide as digits and points: %q", page)
	}
	if got := est(2, 2e-11).String(); got != "2 ± 2e-11" {
		t.Errorf("digits without meaning: %s", got)
	}
}

// TestIntervalsAreNamed: the level of intervals stands below a table that has some.
func TestIntervalsAreNamed(t *testing.T) {
	r := &Result{Level: 0.95}
	if note := r.Table().Note; strings.Contains(note, "intervals") {
		t.Errorf("exact values have the note %q", note)
	}
	r.All.Waiting.Mean = Estimate{Value: 2, HalfWidth: 0.1}
	if note := r.Table().Note; !strings.HasPrefix(note, "95 % intervals. ") {
		t.Errorf("estimates have the note %q", note)
	}
}

func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// TestSmallBesideItsInterval: a value below its half-width has the digits of that, and no exponent.
func TestSmallBesideItsInterval(t *testing.T) {
	for want, e := range map[string]Estimate{"0.00001 ± 0.00010": {Value: 1.17e-5, HalfWidth: 1e-4}, "1.17e-05 ± 1e-07": {Value: 1.17e-5, HalfWidth: 1e-7}, "2e-08 ± 3e-08": {Value: 2e-8, HalfWidth: 3e-8}} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
