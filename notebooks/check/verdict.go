package check

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/result"
)

// Verdict is how a reader sees comparisons: a line that says how many hold and opens to
// the table of all. The table of those that do not is open from the start.
type Verdict struct {
	line        string
	failed, all *result.Table
}

// Verdict is that of all comparisons so far.
func (l *List) Verdict() Verdict {
	every := make([]int, len(l.what))
	var failed []int
	for i, v := range l.verdict {
		every[i] = i
		if v == fail {
			failed = append(failed, i)
		}
	}
	v := Verdict{line: verdictText(len(every), len(failed)), all: l.table(every)}
	if len(failed) > 0 {
		v.failed = l.table(failed)
	}
	return v
}

// verdictText is the verdict in words.
func verdictText(all, failed int) string {
	switch {
	case failed == 1:
		return fmt.Sprintf("1 of %d checks fails", all)
	case failed > 0:
		return fmt.Sprintf("%d of %d checks fail", failed, all)
	case all == 1:
		return "1 check passes"
	}
	return fmt.Sprintf("%d checks pass", all)
}

// digits is how many the numbers of a comparison have: enough to see what is allowed.
const digits = 6

// table is the comparisons of these rows.
func (l *List) table(rows []int) *result.Table {
	what, allowed, verdict := make([]string, len(rows)), make([]string, len(rows)), make([]string, len(rows))
	got, expected := make([]result.Estimate, len(rows)), make([]float64, len(rows))
	for to, i := range rows {
		what[to], allowed[to], verdict[to] = l.what[i], l.allowed[i], l.verdict[i]
		got[to], expected[to] = l.got[i], l.expected[i]
	}
	return result.NewTable("").Text("check", what...).Estimates("ours", got...).Digits(digits).
		Numbers("expected", expected...).Digits(digits).Text("allowed", allowed...).Text("", verdict...)
}

// String is the line, and below it the comparisons that do not hold.
func (v Verdict) String() string {
	if v.failed != nil {
		return v.line + "\n" + v.failed.String()
	}
	return v.line
}

// HTML is the line, which opens to the table.
func (v Verdict) HTML() string {
	folded := func(line string) string {
		return `<details class="mjq-checks"><summary style="cursor:pointer">` + line + `</summary>` + v.all.HTML() + `</details>`
	}
	if v.failed == nil {
		return folded("✓ " + v.line)
	}
	return "<p><b>✗ " + v.line + "</b></p>" + v.failed.HTML() + folded("all checks")
}
