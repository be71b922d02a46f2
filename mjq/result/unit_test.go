package result

import (
	"math"
	"strings"
	"testing"
)

// TestUnitsReadBest: a time is shown in the unit that reads best, one of a unit of one's own in that,
// and one without a unit as a bare number.
func TestUnitsReadBest(t *testing.T) {
	for _, c := range []struct {
		unit Unit
		time float64
		want string
	}{{"s", 7213, "2.0 h"}, {"s", 119, "119 s"}, {"s", 0.25, "0.25 s"}, {"s", 0, "0 s"}, {"s", 600, "10 min"}, {"min", 600, "10.0 h"}, {"h", 0.5, "30 min"},
		{"d", 10, "10.0 d"}, {"s", -7213, "-2.0 h"}, {"s", 86400 * 90, "90.0 d"}, {"beats", 7213, "7213 beats"}, {"", 7213, "7213"}, {"s", math.Inf(1), "∞"}, {"s", math.NaN(), "–"}} {
		if got := c.unit.Text(c.time); got != c.want {
			t.Errorf("Unit(%q).Text(%v) = %q, want %q", c.unit, c.time, got, c.want)
		}
	}
	for rate, want := range map[float64]string{1.25: "1.25 per s", 0.000581181: "2.092 per h", 1e-5: "0.864 per d"} {
		if got := Seconds.RateText(rate, 6); got != want {
			t.Errorf("a rate of %v per s reads %q, want %q", rate, got, want)
		}
	}
}

// TestTablesShowUnits: times, their squares and rates of a table are shown in one unit that columns
// name, whatever the known unit of the data; CSV keeps the data.
func TestTablesShowUnits(t *testing.T) {
	table := func(u Unit, per float64) *Table {
		return NewTable("").In(u).Text("class", "a").Estimates("mean", Estimate{Value: 7200 / per, HalfWidth: 360 / per, Level: 0.95}).Time(1).
			Numbers("variance", 7200*7200/per/per).Time(2).Numbers("λ", 0.01*per).Time(-1).Numbers("servers", 64)
	}
	const want = "class mean (h) variance (h²) λ (1/h) servers a 2.00 ± 0.10 4 36 64"
	for unit, per := range map[Unit]float64{"s": 1, "min": 60, "h": 3600} {
		if got := strings.Join(strings.Fields(table(unit, per).String()), " "); got != want {
			t.Errorf("in %s: got\n%s", unit, got)
		}
	}
	if csv := table("s", 1).CSV(); !strings.HasPrefix(csv, "class,mean (s),mean (s) half-width,variance (s²),λ (1/s),servers\na,7200,360,5.184e+07,0.01,64") {
		t.Errorf("CSV is\n%s", csv)
	}
	if bare := table("", 1); strings.Contains(bare.String(), "(") || !strings.Contains(bare.String(), "7200 ± 360") {
		t.Errorf("without a unit:\n%s", bare)
	}
}
