package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// Filter is a condition on a column of a log, as "Partition=gpu,long", "State!=CANCELLED" or
// "AllocCPUS>=64". Several values of = are alternatives. A state counts by its word, so that
// "CANCELLED by 1001" is CANCELLED; a job that waits in several partitions is in each; lengths of
// time are compared as such, as Elapsed>=1:00:00, and points in time, as Submit>=2026-03-01T00:00:00. A
// column of CSV has the name of its header or that of a field of CSV, as class; those of SWF are in SWFColumns.
type Filter string

// comparisons are the operators, longer ones first.
var comparisons = []string{"!=", ">=", "<=", "=", ">", "<"}

// parts are those of a filter; the operator is "" if it is none.
func (f Filter) parts() (column, operator, value string) {
	at, found := len(f), ""
	for _, o := range comparisons {
		if i := strings.Index(string(f), o); i > 0 && (i < at || i == at && len(o) > len(found)) {
			at, found = i, o
		}
	}
	if found == "" {
		return "", "", ""
	}
	return strings.TrimSpace(string(f[:at])), found, strings.TrimSpace(string(f[at+len(found):]))
}

// Not is the filter that keeps what this one leaves out.
func (f Filter) Not() (Filter, error) {
	column, operator, value := f.parts()
	other := map[string]string{"=": "!=", "!=": "=", ">=": "<", "<=": ">", ">": "<=", "<": ">="}[operator]
	if other == "" {
		return "", fmt.Errorf("%q: write a column, one of = != >= <= > <, and a value, as Partition=gpu", string(f))
	}
	return Filter(column + other + value), nil
}

// check says what is wrong with a filter.
func (f Filter) check(faults *check.Faults) {
	if column, operator, _ := f.parts(); column == "" || operator == "" {
		faults.Add("Where %q: write a column, one of = != >= <= > <, and a value, as Partition=gpu", string(f))
	}
}

// filterFaults says what is wrong with the filters of a format.
func filterFaults(format string, list []Filter) error {
	var f check.Faults
	for _, w := range list {
		w.check(&f)
	}
	return f.Err(format)
}

// condition is a filter on a column of a file.
type condition struct {
	at       int
	column   string
	operator string
	values   []string
}

// conditionOf finds the column of a filter.
func conditionOf(f Filter, find func(name string) int) condition {
	column, operator, value := f.parts()
	values := strings.Split(value, ",")
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	return condition{find(column), strings.ToLower(column), operator, values}
}

// holds reports whether a line meets the condition.
func (c *condition) holds(cells [][]byte) bool {
	text := cells[c.at]
	switch c.operator {
	case "=":
		return c.is(text)
	case "!=":
		return !c.is(text)
	}
	order, comparable := compareCells(text, []byte(c.values[0]))
	switch {
	case !comparable:
		return false
	case c.operator == ">=":
		return order >= 0
	case c.operator == "<=":
		return order <= 0
	case c.operator == ">":
		return order > 0
	}
	return order < 0
}

// is reports whether a cell is one of the values.
func (c *condition) is(text []byte) bool {
	for _, v := range c.values {
		switch {
		case string(text) == v:
			return true
		case c.column == "state":
			s, known := slurm.StateOf(text)
			want, other := slurm.StateOf([]byte(v))
			if known && other && s.Name == want.Name {
				return true
			}
		case c.column == "partition":
			for one := range bytes.SplitSeq(text, []byte{','}) {
				if string(bytes.TrimSuffix(one, []byte{'*'})) == v {
					return true
				}
			}
		}
	}
	return false
}

// compareCells compares numbers, points in time or lengths of time; false if they are none.
func compareCells(a, b []byte) (order int, comparable bool) {
	x, err := strconv.ParseFloat(string(a), 64)
	y, wrong := strconv.ParseFloat(string(b), 64)
	if err == nil && wrong == nil {
		return cmp.Compare(x, y), true
	}
	clock := slurm.NewClock(nil)
	if at, known, _, err := clock.Read(a); err == nil && known {
		if than, known, _, err := clock.Read(b); err == nil && known {
			return cmp.Compare(at, than), true
		}
	}
	if x, known, err := slurm.Length(a); err == nil && known {
		if y, known, err := slurm.Length(b); err == nil && known {
			return cmp.Compare(x, y), true
		}
	}
	return 0, false
}

// sieve lets the lines through that meet all conditions.
type sieve struct {
	filters []Filter
	where   []condition
	passed  int    // lines
	example string // of what was left out
}

// of finds the columns of the filters.
func (s *sieve) of(find func(name string) int) {
	s.where = s.where[:0]
	for _, f := range s.filters {
		s.where = append(s.where, conditionOf(f, find))
	}
}

// passes reports whether a line gets through.
func (s *sieve) passes(cells [][]byte) bool {
	for i := range s.where {
		if c := &s.where[i]; !c.holds(cells) {
			if s.example == "" {
				s.example = fmt.Sprintf("%s %.40q", c.column, cells[c.at])
			}
			return false
		}
	}
	s.passed++
	return true
}

// fault is the error of filters that keep none of the jobs.
func (s *sieve) fault(r *Report) error {
	if r.Filtered == 0 || s.passed > 0 {
		return nil
	}
	return fmt.Errorf("the filters %q keep none of %d jobs; the first that they leave out has %s", s.filters, r.Filtered, s.example)
}

// note remarks filters that leave out nothing.
func (s *sieve) note(r *Report) {
	if len(s.filters) > 0 && r.Filtered == 0 {
		r.Adjusted = tick(r.Adjusted, filtersNothing, 1)
	}
}

// filters are all conditions, those of Only and Without among them.
func (o *Sacct) filters() (list []Filter) {
	for _, column := range slices.Sorted(maps.Keys(o.Only)) {
		list = append(list, Filter(column+"="+o.Only[column]))
	}
	for _, column := range slices.Sorted(maps.Keys(o.Without)) {
		list = append(list, Filter(column+"!="+o.Without[column]))
	}
	return append(list, o.Where...)
}
