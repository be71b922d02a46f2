package main

import (
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/result"
)

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
