package main

import (
	"encoding/csv"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// drawing is a figure, or several.
type drawing interface {
	SVG() ([]byte, error)
	Title() string
}

// picture is one that --plot can choose.
type picture[T comparable] struct {
	name string
	draw func(found []T) drawing
}

// together draws all answers in one figure.
func together[T comparable](name string, draw func(found ...T) *figure.Figure) picture[T] {
	return picture[T]{name, func(found []T) drawing { return draw(found...) }}
}

// apiece draws a figure for each answer.
func apiece[T comparable](name string, draw func(x T) *figure.Figure) picture[T] {
	return picture[T]{name, func(found []T) drawing {
		if len(found) == 1 {
			return draw(found[0])
		}
		var figures []*figure.Figure
		for _, x := range found {
			figures = append(figures, draw(x))
		}
		return figure.Grid(2, figures...)
	}}
}

// form is how answers of a type are written. What is nil follows from the answers, which
// write themselves as text and HTML, and are plain data.
type form[T comparable] struct {
	title    string
	table    func(x T) *result.Table   // in place of the text
	rows     func(x T) [][]string      // of CSV, with a header, if not those of the table
	data     func(x T) any             // of JSON
	pictures []picture[T]              // the first unless usual says otherwise
	usual    func(found []T) string    // the name of the picture that shows most
	parts    func(x T) []section       // of a page
	several  func(found []T) []section // at the end of the page of several answers
	missed   func(x T) bool            // its target
	partial  bool                      // an answer may come along with an error
	page     bool                      // in place of text
}

// names are those of the pictures.
func (f *form[T]) names() (names []string) {
	for _, p := range f.pictures {
		names = append(names, p.name)
	}
	return names
}

// picture is that of the name, or the usual one; nil if there is none.
func (f *form[T]) picture(name string, found []T) drawing {
	if name == "" && f.usual != nil {
		name = f.usual(found)
	}
	for _, p := range f.pictures {
		if name == "" || p.name == name {
			return p.draw(found)
		}
	}
	return nil
}

// text is an answer for people.
func (f *form[T]) text(x T) string {
	if f.table != nil {
		return f.table(x).String()
	}
	return strings.TrimSuffix(any(x).(fmt.Stringer).String(), "\n") + "\n"
}

// html is an answer on a page.
func (f *form[T]) html(x T) string {
	if f.table != nil {
		return f.table(x).HTML()
	}
	return any(x).(interface{ HTML() string }).HTML()
}

// plain is an answer as data.
func (f *form[T]) plain(x T) any {
	if f.data != nil {
		return f.data(x)
	}
	return x
}

// lines are those of CSV: the header, and what each answer has, after its number from 1.
func (f *form[T]) lines(found []T) (lines [][]string, err error) {
	for i, x := range found {
		var rows [][]string
		switch tabled, is := any(x).(interface{ Table() *result.Table }); {
		case f.rows != nil:
			rows = f.rows(x)
		case f.table != nil:
			rows, err = rowsOf(f.table(x))
		case is:
			rows, err = rowsOf(tabled.Table())
		}
		if err != nil {
			return nil, err
		}
		for k, row := range rows {
			if first := k == 0; first && i == 0 {
				lines = append(lines, slices.Concat([]string{"answer"}, row))
			} else if !first {
				lines = append(lines, slices.Concat([]string{strconv.Itoa(i + 1)}, row))
			}
		}
	}
	return lines, nil
}

// rowsOf are the rows of a table as it writes them.
func rowsOf(t *result.Table) ([][]string, error) {
	return csv.NewReader(strings.NewReader(t.CSV())).ReadAll()
}

// sections are the parts of a page.
func (f *form[T]) sections(found []T) (all []section) {
	for _, x := range found {
		if f.parts != nil {
			all = append(all, f.parts(x)...)
			continue
		}
		all = append(all, section{heading: f.title, html: f.html(x), picture: f.picture("", []T{x})})
	}
	if f.several != nil && len(found) > 1 {
		all = append(all, f.several(found)...)
	}
	return all
}

// ofClass are the columns of the CSV of results that depend on the class, ofSystem those
// that depend on the whole, by their keys in JSON; each has a column of half-widths behind it.
// They are the same for every method and every model, so that tables can be put under one
// another. JSON has the distribution in place of the quantiles.
var (
	ofClass = append([]string{"waiting.mean", "waiting.variance", "waiting.noWait", "waiting.p50", "waiting.p90", "waiting.p99"},
		otherKeys(reflect.TypeFor[result.ClassResult]())...)
	ofSystem = []string{"utilization", "wastedHOL", "idle", "meanJobs", "fragmentation.held", "fragmentation.stranded", "fragmentation.unusable", "fragmentation.emptyNodes"}
)

// otherKeys are the keys of the estimates of a class beside the waits, in their order.
func otherKeys(class reflect.Type) (keys []string) {
	for i := range class.NumField() {
		switch f := class.Field(i); {
		case f.Type == reflect.TypeFor[result.Metric]() && f.Name != "Waiting":
			keys = append(keys, result.Key(f.Name)+".mean")
		case f.Type == reflect.TypeFor[result.Estimate]():
			keys = append(keys, result.Key(f.Name))
		}
	}
	return keys
}

// at is the estimate of a key in a struct, or a quantile.
func at(of reflect.Value, key string) result.Estimate {
	for _, name := range strings.Split(key, ".") {
		if m, is := of.Addr().Interface().(*result.Metric); is && name[0] == 'p' {
			percent, _ := strconv.ParseFloat(name[1:], 64)
			return m.Quantile(percent / 100)
		}
		of = of.FieldByNameFunc(func(field string) bool { return result.Key(field) == name })
	}
	return of.Interface().(result.Estimate)
}

// resultRows are a result as comma-separated values: a line for each class, and one for all
// jobs. A result of runs that split has a line for each time that they looked at.
func resultRows(r *result.Result) [][]string {
	if len(r.All.Waiting.TailProbability) == 0 {
		return append([][]string{header()}, lines(r)...)
	}
	rows := [][]string{{"solver", "class", "need", "rate", "time", "prob", "prob.halfWidth"}}
	for c, need := range classes(r) {
		for _, b := range c.Waiting.TailProbability {
			rows = append(rows, []string{r.Solver, c.Name, need, digits(r.Rate), digits(b.Time), digits(b.Prob.Value), digits(b.Prob.HalfWidth)})
		}
	}
	return rows
}

// header is the first line of results, lines are those that follow.
func header() []string {
	names := []string{"solver", "class", "need", "rate", "prob"}
	for _, key := range slices.Concat(ofClass, ofSystem) {
		names = append(names, key, key+".halfWidth")
	}
	return names
}

func lines(r *result.Result) (rows [][]string) {
	for c, need := range classes(r) {
		row := []string{r.Solver, c.Name, need, digits(r.Rate), digits(c.Prob)}
		add := func(of reflect.Value, keys []string) {
			for _, key := range keys {
				e := at(of, key)
				row = append(row, digits(e.Value), digits(e.HalfWidth))
			}
		}
		add(reflect.ValueOf(c).Elem(), ofClass)
		add(reflect.ValueOf(r).Elem(), ofSystem)
		rows = append(rows, row)
	}
	return rows
}

// behind puts cells before each row.
func behind(rows [][]string, cells ...string) [][]string {
	for i := range rows {
		rows[i] = slices.Concat(cells, rows[i])
	}
	return rows
}

// comparedRows are the results of a comparison behind the names of the policies.
func comparedRows(c *result.Comparison) [][]string {
	rows := behind([][]string{header()}, "policy")
	for i, r := range c.Results {
		rows = append(rows, behind(lines(r), c.Policies[i])...)
	}
	return rows
}

// sweptRows are the results of a sweep behind the points of its grid.
func sweptRows(s *result.Sweep) [][]string {
	rows := behind([][]string{header()}, "point", "law", "servers", "load")
	for i, p := range s.Points {
		if r := s.At(i); r != nil {
			rows = append(rows, behind(lines(r), strconv.Itoa(i+1), p.Law, strconv.Itoa(p.Servers), digits(p.Load))...)
		}
	}
	return rows
}

// limitRows are a limit as comma-separated values.
func limitRows(st *result.Stability) [][]string {
	wasted := st.WastedInterval()
	return [][]string{{"method", "rate", "halfWidth", "idealRate", "wasted", "wasted.halfWidth"},
		{st.Method, digits(st.Rate), digits(st.HalfWidth), digits(st.IdealRate), digits(wasted.Value), digits(wasted.HalfWidth)}}
}

// classes yields each class with the servers that it needs, then all jobs with none.
func classes(r *result.Result) iter.Seq2[*result.ClassResult, string] {
	return func(yield func(*result.ClassResult, string) bool) {
		for i := range r.Classes {
			if !yield(&r.Classes[i], strconv.Itoa(r.Classes[i].Need)) {
				return
			}
		}
		yield(&r.All, "")
	}
}

// digits is a number with as many digits as it has, in words that R and pandas know;
// nothing if it is unknown.
func digits(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64)), "+") // a spreadsheet takes +inf for a formula
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
