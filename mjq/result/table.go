package result

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mjqueue/mjq/internal/escape"
)

// Table is a list of named columns, of text or of numbers with intervals. It
// is plain data: results, comparisons with papers and sweeps all come as
// tables, and figures are drawn from them.
type Table struct {
	Title   string
	Columns []Column
	Note    string // a line under the table
	Unit    Unit   // of the times in it
}

// Column is one column of a table: Cells as text, or Values.
type Column struct {
	Name   string
	Cells  []string
	Values []Estimate
	Digits int // significant ones of exact values; 0 for three
	Power  int // of the unit of time: 1 for times, 2 for their squares, -1 for rates, 0 for other numbers

	Positive bool `json:",omitempty"` // no value can be negative: an interval wider than its value is one from 0 on
}

// NewTable is an empty table with a title, which may be "".
func NewTable(title string) *Table { return &Table{Title: title} }

// Text adds a column of text.
func (t *Table) Text(name string, cells ...string) *Table {
	t.Columns = append(t.Columns, Column{Name: name, Cells: cells})
	return t
}

// Numbers adds a column of plain numbers, shown with three significant digits unless
// Digits follows. NaN is shown as a dash.
func (t *Table) Numbers(name string, values ...float64) *Table {
	es := make([]Estimate, len(values))
	for i, v := range values {
		es[i] = Exact(v, "")
	}
	return t.Estimates(name, es...)
}

// Estimates adds a column of estimates, shown with their half-widths.
func (t *Table) Estimates(name string, values ...Estimate) *Table {
	t.Columns = append(t.Columns, Column{Name: name, Values: values})
	return t
}

// Row adds a cell to each column in turn: a text, a number or an Estimate, as the column takes. It panics if
// they do not fit.
func (t *Table) Row(cells ...any) *Table {
	for i, cell := range cells {
		c := &t.Columns[i]
		switch x := cell.(type) {
		case string:
			c.Cells = append(c.Cells, x)
		case int:
			c.Values = append(c.Values, Exact(float64(x), ""))
		case float64:
			c.Values = append(c.Values, Exact(x, ""))
		default:
			c.Values = append(c.Values, x.(Estimate))
		}
	}
	return t
}

// Rows is the length of the longest column.
func (t *Table) Rows() int {
	n := 0
	for _, c := range t.Columns {
		n = max(n, len(c.Cells), len(c.Values))
	}
	return n
}

func (c Column) cell(row, finest int) string {
	switch {
	case row < len(c.Cells):
		return escape.Line(c.Cells[row])
	case row < len(c.Values):
		return c.shown(c.Values[row], finest)
	}
	return ""
}

func (c Column) numeric() bool { return c.Values != nil }

// String is the table as aligned text.
func (t *Table) String() string {
	t = t.readable()
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintln(&b, escape.Line(t.Title))
	}
	widths, names, cells := make([]int, len(t.Columns)), make([]string, len(t.Columns)), make([][]string, len(t.Columns))
	for i, c := range t.Columns {
		cells[i] = c.cells(t.Rows(), inText)
		names[i] = escape.Line(c.Name)
		widths[i] = utf8.RuneCountInString(names[i])
		for _, text := range cells[i] {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	line := func(cell func(column int) string) {
		var row strings.Builder
		for i, c := range t.Columns {
			text := cell(i)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if c.numeric() {
				text = pad + text
			} else {
				text += pad
			}
			row.WriteString(text + "  ")
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	line(func(i int) string { return names[i] })
	for r := range t.Rows() {
		line(func(i int) string { return cells[i][r] })
	}
	if t.Note != "" {
		fmt.Fprintln(&b, escape.Line(t.Note))
	}
	return b.String()
}

// HTML is the table as a notebook shows it: numbers right-aligned, with digits
// of equal width. Where the page is narrow the table scrolls by itself.
func (t *Table) HTML() string {
	t = t.readable()
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto;max-width:100%"><table style="font-variant-numeric:tabular-nums">`)
	if t.Title != "" {
		fmt.Fprintf(&b, `<caption style="caption-side:top;text-align:left;font-weight:bold">%s</caption>`, escape.HTML(t.Title))
	}
	b.WriteString("<thead><tr>")
	cells, styles := make([][]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		cells[i], styles[i] = c.cells(t.Rows(), onPage), c.style()
		fmt.Fprintf(&b, `<th style="text-align:%s%s">%s</th>`, c.align(), c.least(), symbols(c.Name))
	}
	b.WriteString("</tr></thead><tbody>")
	for r := range t.Rows() {
		b.WriteString("<tr>")
		for i := range t.Columns {
			fmt.Fprintf(&b, `<td style="%s">%s</td>`, styles[i], symbols(cells[i][r]))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table></div>")
	if t.Note != "" {
		fmt.Fprintf(&b, "<p><small>%s</small></p>", escape.HTML(t.Note))
	}
	return b.String()
}

func (c Column) align() string {
	if c.numeric() {
		return "right"
	}
	return "left"
}

// least keeps a column of text from being squeezed to a word a line.
func (c Column) least() string {
	longest := 0
	for _, cell := range c.Cells {
		longest = max(longest, utf8.RuneCountInString(cell))
	}
	if longest <= 14 {
		return ""
	}
	return fmt.Sprintf(";min-width:%gem", float64(min(longest, 24))/2)
}

// style is that of a cell: numbers and short text stay in one line on narrow
// screens.
func (c Column) style() string {
	style := "text-align:" + c.align()
	if c.least() == "" {
		style += ";white-space:nowrap"
	}
	return style
}

// CSV is the table as comma-separated values with full precision, times in the unit of the table; a
// column with intervals is followed by one of half-widths. Unknown numbers are empty.
func (t *Table) CSV() string {
	var rows [][]string
	intervals := make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		intervals[i] = c.intervals()
	}
	row := func(text func(c Column) string, half func(c Column) string) {
		var cells []string
		for i, c := range t.Columns {
			cells = append(cells, text(c))
			if intervals[i] {
				cells = append(cells, half(c))
			}
		}
		rows = append(rows, cells)
	}
	name := func(c Column) string { return Scale{t.Unit, 1}.Label(c.Name, c.Power) }
	row(name, func(c Column) string { return name(c) + " half-width" })
	for r := range t.Rows() {
		row(func(c Column) string {
			if r < len(c.Values) {
				return csvNumber(c.Values[r].plain().Value)
			}
			return c.cell(r, -1)
		}, func(c Column) string {
			if r < len(c.Values) {
				return csvNumber(c.Values[r].plain().HalfWidth)
			}
			return ""
		})
	}
	return escape.CSV(rows)
}

func csvNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(fmt.Sprint(x)), "+") // a spreadsheet takes +Inf for a formula
	}
	return fmt.Sprint(x)
}

func (c Column) intervals() bool {
	for _, v := range c.Values {
		if v.HalfWidth != 0 && !math.IsNaN(v.HalfWidth) {
			return true
		}
	}
	return false
}

// intervals reports whether any value of the table has one.
func (t *Table) intervals() bool { return slices.ContainsFunc(t.Columns, Column.intervals) }

// index is that of a symbol, as in λ_c and μ_1: after a letter that stands alone.
var index = regexp.MustCompile(`(^|[^\pL\pN_])(\pL)_(\pL+|\pN+)`)

// symbols is escape, and sets indices below the line.
func symbols(s string) string {
	return index.ReplaceAllString(escape.HTML(s), "$1$2<sub>$3</sub>")
}
