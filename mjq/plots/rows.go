package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Rows draws estimates with their intervals on rows with names, the largest at the top. Values
// that differ by more than a factor of 30, all of them above 0, have a logarithmic axis. The
// caption says which is largest.
func Rows(title string, names []string, values []result.Estimate) *figure.Figure {
	f := figure.New(title).Legible()
	var known []float64
	order := ordered(names, values)
	for _, i := range order {
		e := values[i]
		f.Row(names[i], names[i], e.Value, e.HalfWidth)
		if !math.IsNaN(e.Value) {
			known = append(known, e.Value)
		}
	}
	if wide(known) {
		f.LogX()
	}
	if len(known) < 2 {
		return f
	}
	first, last := order[0], order[len(known)-1]
	return f.Caption(fmt.Sprintf("Largest: %s (%v). Smallest: %s (%v).%s", names[first], values[first], names[last], values[last], bars(values)))
}

// Changes draws what changes bring, as those of Sensitivities or of scenarios for a log: each is
// a row with its interval, and a line stands at no change. The largest increase is at the top. The
// caption says which changes are certain at the level of the intervals.
func Changes(title string, unit result.Unit, changes []result.Change) *figure.Figure {
	f := figure.New(title).X("change of the mean waiting time").Reference(0).Legible()
	names, values := make([]string, len(changes)), make([]result.Estimate, len(changes))
	for i, c := range changes {
		names[i], values[i] = c.Name, c.Waiting
	}
	for _, i := range ordered(names, values) {
		f.Row(names[i], names[i], values[i].Value, values[i].HalfWidth)
	}
	return f.Convert(axis(unit, 1), nil).Caption(certain(unit, names, values))
}

// Sensitivities draws what small changes of a model bring to its mean wait; see Changes.
func Sensitivities(s *result.Sensitivities) *figure.Figure {
	return Changes("Effects of small changes on the mean wait", s.Unit, s.Changes)
}

// ordered are places of rows, the largest value first and what is not known last.
func ordered(names []string, values []result.Estimate) []int {
	order := make([]int, min(len(names), len(values)))
	for i := range order {
		order[i] = i
	}
	at := func(i int) float64 {
		if v := values[i].Value; !math.IsNaN(v) {
			return v
		}
		return math.Inf(-1)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(at(j), at(i)) })
	return order
}

// certain says which changes have intervals without 0, by their size.
func certain(unit result.Unit, names []string, values []result.Estimate) string {
	sure, best, open, unstable := 0, -1, 0, ""
	for i, e := range values {
		if math.IsInf(e.Value, 1) {
			unstable += " Unstable: " + names[i] + "."
		}
		if !drawn(e) || math.IsInf(e.Value, 1) {
			open++
			continue
		}
		if sides := e.Value > e.HalfWidth || e.Value < -e.HalfWidth; !sides {
			continue
		}
		if sure++; best < 0 || math.Abs(e.Value) > math.Abs(values[best].Value) {
			best = i
		}
	}
	text := "Left of the line jobs wait less long."
	switch {
	case len(values) == 0:
		return ""
	case best < 0 && open < len(values):
		text += " No change is certain: every interval holds the line."
	case best >= 0:
		text += fmt.Sprintf(" Largest certain change: %s, %s.", names[best], unit.EstimateText(values[best]))
	}
	if hold := len(values) - open - sure; best >= 0 && hold > 0 {
		text += fmt.Sprintf(" %d of %d intervals hold the line.", hold, len(values)-open)
	}
	if open > strings.Count(unstable, " Unstable: ") {
		text += " A mark without a bar has no interval."
	}
	return text + unstable + bars(values)
}

// drawn reports whether an estimate has an interval, or is exact.
func drawn(e result.Estimate) bool { return e.HalfWidth >= 0 && !math.IsInf(e.HalfWidth, 0) }

// bars says what bars mean where there are some.
func bars(values []result.Estimate) string {
	for _, e := range values {
		if e.HalfWidth > 0 && e.Level > 0 && e.Level < 1 {
			return fmt.Sprintf(" Bars are %g %% CIs.", 100*e.Level)
		}
	}
	return ""
}

// wide reports whether positive values span more than a factor of 30.
func wide(values []float64) bool {
	lo, hi := math.Inf(1), 0.0
	for _, v := range values {
		switch {
		case v < 0:
			return false
		case v > 0 && !math.IsInf(v, 1):
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return hi > 30*lo
}
