// Package check is how a notebook checks itself: it compares what a cell has
// computed with what is expected, says in one line how many comparisons hold, which
// opens to a table of them, and ends the cell with a failure when one does not, so
// that the run of the notebook fails. It also reads the effort a run is to spend.
package check

import (
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/widgets"
)

// Level is how much work a notebook does.
type Level int

// Quick is what continuous integration runs and what the committed outputs are of, under
// a minute a notebook; Full is what the reproduction report and the matrix are made with.
const (
	Quick Level = iota
	Full
)

// Effort is the level asked for by the environment variable MJQ_EFFORT, quick
// or full; without it, quick.
func Effort() Level {
	if os.Getenv("MJQ_EFFORT") == "full" {
		return Full
	}
	return Quick
}

// Of is quick or full, by the effort: check.Of(1_000, 100_000) samples.
func Of(quick, full int) int {
	if Effort() == Quick {
		return quick
	}
	return full
}

// List collects comparisons. The zero List is for a notebook's own checks; one
// that reproduces an item of a paper starts with Against.
type List struct {
	paper            string
	items            []string
	what             []string
	got              []result.Estimate
	expected         []float64
	share            []*float64
	allowed, verdict []string
	failed           int
	shown            bool
}

// Inside expects a known value to lie within an estimate's interval, widened to
// k half-widths.
func (l *List) Inside(what string, e result.Estimate, want, k float64) {
	l.row(what, e, want, fmt.Sprintf("%g half-widths", k), math.Abs(e.Value-want) <= k*e.HalfWidth, share(e.Value-want, k*e.HalfWidth))
}

// Near expects a number to be within tol of the wanted one.
func (l *List) Near(what string, got, want, tol float64) {
	l.row(what, result.Exact(got, ""), want, fmt.Sprintf("± %.2g", tol), math.Abs(got-want) <= tol, share(got-want, tol))
}

// InsideEach expects every value of a series to be that of another in the same place, as Inside does.
func (l *List) InsideEach(what string, got, want result.Series, k float64) {
	for i, x := range got.X {
		l.Inside(fmt.Sprintf("%s at %.4g", what, x), got.Values[i], valueAt(want, x), k)
	}
}

// NearEach expects every value of a series to be within tol of that of another in the same place.
func (l *List) NearEach(what string, got, want result.Series, tol float64) {
	for i, x := range got.X {
		l.Near(fmt.Sprintf("%s at %.4g", what, x), got.Values[i].Value, valueAt(want, x), tol)
	}
}

// valueAt is the value of a series at x; NaN, which no check accepts, if it has none.
func valueAt(s result.Series, x float64) float64 {
	if i := slices.Index(s.X, x); i >= 0 {
		return s.Values[i].Value
	}
	return math.NaN()
}

// Rising expects every number to be larger than the one before.
func (l *List) Rising(what string, values ...float64) {
	holds := len(values) > 1
	for i := 1; i < len(values); i++ {
		holds = holds && values[i] > values[i-1]
	}
	l.True(what, holds)
}

// True expects a claim to hold.
func (l *List) True(what string, holds bool) {
	l.row(what, result.Unknown(), math.NaN(), "claim", holds, nil)
}

// The verdicts.
const pass, fail = "PASS", "FAIL"

func (l *List) row(what string, e result.Estimate, want float64, allowed string, ok bool, share *float64) {
	verdict := pass
	if !ok {
		verdict = fail
		l.failed++
	}
	l.what, l.got, l.expected = append(l.what, what), append(l.got, e), append(l.expected, want)
	l.allowed, l.verdict = append(l.allowed, allowed), append(l.verdict, verdict)
	l.share = append(l.share, share)
}

// Table is all comparisons so far, to be shown before others are added. End shows
// them otherwise.
func (l *List) Table() Verdict {
	l.shown = true
	return l.Verdict()
}

// Failed is the number of comparisons that did not hold.
func (l *List) Failed() int { return l.failed }

// End shows the verdict and, if anything failed, ends the program with a
// status that fails the cell and with it the notebook. Where the environment
// variable MJQ_CHECKS names a file, the comparisons are added to it for the
// report; failing to write there fails the cell, or the report would lack them.
func (l *List) End() {
	if !l.shown {
		widgets.Show(l.Verdict())
	}
	if err := l.record(); err != nil {
		fmt.Fprintln(os.Stderr, "check: not recorded:", err)
		os.Exit(1)
	}
	if l.failed > 0 {
		for i, v := range l.verdict {
			if v == fail {
				fmt.Fprintf(os.Stderr, "FAIL %s: %v, expected %v (%s)\n", l.what[i], l.got[i], l.expected[i], l.allowed[i])
			}
		}
		os.Exit(1)
	}
}
