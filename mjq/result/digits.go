package result

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// exactDigits is how many significant digits an exact value has in a table, unless
// its column asks for another number.
const exactDigits = 3

// Digits shows the exact values of the last column with n significant digits in place
// of three. Estimates always have those that their intervals warrant.
func (t *Table) Digits(n int) *Table {
	t.Columns[len(t.Columns)-1].Digits = n
	return t
}

// shown is a value of the column as text. An exact value beside estimates has at least
// the decimals of the finest of these, so that the two compare; -1 if there are none.
func (c Column) shown(e Estimate, finest int) string {
	if c.Positive && e.Known() && e.Value >= 0 && e.HalfWidth > e.Value && !math.IsInf(e.HalfWidth, 0) {
		if e.HalfWidth < 1e-4 {
			return fmt.Sprintf("0%s%.2g", upTo, e.Hi())
		}
		return fmt.Sprintf("0%s%.*f", upTo, e.decimals(), e.Hi())
	}
	if !e.Known() || math.IsInf(e.Value, 0) || e.HalfWidth != 0 {
		return e.String()
	}
	digits := c.Digits
	if digits == 0 {
		digits = exactDigits
	}
	text := significant(e.Value, digits)
	if finest >= 0 && c.Digits == 0 && e.Value != 0 {
		if _, given := split(text); given <= finest && !strings.Contains(text, "e") {
			return fmt.Sprintf("%.*f", finest, e.Value)
		}
	}
	return text
}

// decimals is how many the finest interval of the column warrants; -1 without one.
func (c Column) decimals() (finest int) {
	finest = -1
	for _, e := range c.Values {
		if e.HalfWidth > 0 && !math.IsInf(e.HalfWidth, 0) && !math.IsNaN(e.Value) {
			finest = max(finest, min(6, e.decimals()))
		}
	}
	return finest
}

// significant is v with n significant digits, or all of those before the point.
// Zeros at the end stand for digits that were rounded to them: 15.04 is 15.0 and 15 is
// 15. Numbers far from 1 have an exponent.
func significant(v float64, n int) string {
	size := math.Abs(v)
	if v == 0 {
		return "0"
	}
	if size < 1e-4 || size >= 1e9 || (size >= 1e6 && v != math.Trunc(v)) {
		return fmt.Sprintf("%.*g", n, v)
	}
	decimals := max(0, n-1-int(math.Floor(math.Log10(size))))
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	rounded, _ := strconv.ParseFloat(text, 64)
	if math.Abs(rounded-v) <= 1e-12*size && strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Signs between the two numbers of a cell: of an interval about a value, and of one from 0 on.
const (
	between = " ± "
	upTo    = " to "
)

// positive says of the columns of estimates so far, but those of differences, that no value is
// negative: an interval wider than its value is shown as one from 0 on.
func (t *Table) positive() *Table {
	for i := range t.Columns {
		t.Columns[i].Positive = !strings.Contains(t.Columns[i].Name, "more than the first")
	}
	return t
}

// cut divides a cell where its sign stands.
func cut(cell string) (value, half, sign string) {
	for _, sign := range []string{between, upTo} {
		if value, half, found := strings.Cut(cell, sign); found {
			return value, half, sign
		}
	}
	return cell, "", ""
}

// blanks are what stands in place of a digit and of a decimal point.
type blanks struct{ digit, point string }

var (
	inText = blanks{" ", " "}
	onPage = blanks{"\u2007", "\u2008"} // as wide as a digit and a point
)

// cells are the rows as text. Numbers are padded with blanks so that their decimal
// points stand in one line, and the signs ± of intervals in another.
func (c Column) cells(rows int, blank blanks) []string {
	out := make([]string, rows)
	var values, halves parts
	finest, widest := c.decimals(), 0
	for r := range out {
		out[r] = c.cell(r, finest)
		if c.numeric() {
			value, half, sign := cut(out[r])
			values.widen(value)
			halves.widen(half)
			widest = max(widest, utf8.RuneCountInString(sign))
		}
	}
	for r := range out {
		if !c.numeric() || out[r] == "" {
			continue
		}
		value, half, sign := cut(out[r])
		out[r] = values.pad(value, blank)
		switch {
		case sign != "":
			out[r] += strings.Repeat(blank.digit, widest-utf8.RuneCountInString(sign)) + sign + halves.pad(half, blank)
		case halves.before+halves.after > 0:
			out[r] += strings.Repeat(blank.digit, widest+halves.before+halves.after)
		}
	}
	return out
}

// parts is the width that the numbers of a column take before and after the point, the
// point included.
type parts struct{ before, after int }

func split(number string) (before, after int) {
	whole, _, found := strings.Cut(number, ".")
	all, before := utf8.RuneCountInString(number), utf8.RuneCountInString(whole)
	if !found {
		return all, 0
	}
	return before, all - before
}

func (p *parts) widen(number string) {
	before, after := split(number)
	p.before, p.after = max(p.before, before), max(p.after, after)
}

// pad is a number in that width.
func (p parts) pad(number string, blank blanks) string {
	before, after := split(number)
	padded := strings.Repeat(blank.digit, p.before-before) + number
	if after == 0 && p.after > 0 {
		padded, after = padded+blank.point, 1
	}
	return padded + strings.Repeat(blank.digit, p.after-after)
}
