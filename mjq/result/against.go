package result

import (
	"fmt"
	"math"
)

// Against adds the columns of a comparison with a paper: its printed values,
// ours with their intervals, the difference in per cent of the printed value,
// and a mark. The mark is ✓ where the printed value lies within k half-widths of
// ours, ✗ where it does not, and a dash where either is unknown; a value of ours
// without an interval must agree to one part in a million. NaN stands for a
// value that the paper does not print, +Inf for one that it calls infinite.
func (t *Table) Against(printed []float64, ours []Estimate, k float64) *Table {
	var apart, marks []string
	for i := range min(len(printed), len(ours)) {
		difference, mark := difference(printed[i], ours[i], k)
		apart, marks = append(apart, difference), append(marks, mark)
	}
	return t.Numbers("paper", printed...).Estimates("ours", ours...).Text("difference", apart...).Text("", marks...)
}

func difference(printed float64, ours Estimate, k float64) (text, mark string) {
	switch {
	case math.IsNaN(printed) || !ours.Known():
		return "–", "–"
	case math.IsInf(printed, 1) && math.IsInf(ours.Value, 1):
		return "", "✓"
	case math.IsInf(printed, 1) || math.IsInf(ours.Value, 1):
		return "", "✗"
	}
	off, allowed := ours.Value-printed, k*ours.HalfWidth
	if ours.HalfWidth == 0 {
		allowed = 1e-6 * math.Abs(printed)
	}
	if printed != 0 {
		text = fmt.Sprintf("%+.2g %%", 100*off/printed)
	}
	if math.Abs(off) <= allowed {
		return text, "✓"
	}
	return text, "✗"
}
