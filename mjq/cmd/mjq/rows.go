package main

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/result"
)

// ofClass are the columns of the CSV of results that depend on the class, ofSystem those
// that depend on the whole; each has a column of half-widths behind it. They are the same for
// every method and every model, so that tables can be put under one another.
var (
	ofClass = []struct {
		name string
		of   func(c *result.ClassResult) result.Estimate
	}{
		{"waiting_mean", func(c *result.ClassResult) result.Estimate { return c.Waiting.Mean }},
		{"waiting_variance", func(c *result.ClassResult) result.Estimate { return c.Waiting.Variance }},
		{"waiting_p50", func(c *result.ClassResult) result.Estimate { return c.Waiting.Quantile(0.5) }},
		{"waiting_p90", func(c *result.ClassResult) result.Estimate { return c.Waiting.Quantile(0.9) }},
		{"waiting_p99", func(c *result.ClassResult) result.Estimate { return c.Waiting.Quantile(0.99) }},
		{"response_mean", func(c *result.ClassResult) result.Estimate { return c.Response.Mean }},
		{"slowdown_mean", func(c *result.ClassResult) result.Estimate { return c.Slowdown.Mean }},
		{"blocked", func(c *result.ClassResult) result.Estimate { return c.Blocked }},
		{"left", func(c *result.ClassResult) result.Estimate { return c.Left }},
		{"in_line", func(c *result.ClassResult) result.Estimate { return c.InLine }},
	}
	ofSystem = []struct {
		name string
		of   func(r *result.Result) result.Estimate
	}{
		{"utilization", func(r *result.Result) result.Estimate { return r.Utilization }},
		{"wasted_hol", func(r *result.Result) result.Estimate { return r.WastedHOL }},
		{"idle", func(r *result.Result) result.Estimate { return r.Idle }},
		{"mean_jobs", func(r *result.Result) result.Estimate { return r.MeanJobs }},
	}
)

// resultRows are a result as comma-separated values: a line for each class, and one for all
// jobs. A result of runs that split has a line for each time that they looked at.
func resultRows(r *result.Result) [][]string {
	if len(r.All.Waiting.TailProbability) == 0 {
		return append([][]string{header()}, lines(r)...)
	}
	rows := [][]string{{"method", "class", "servers", "rate", "time", "exceeded", "exceeded_half_width"}}
	for c, servers := range classes(r) {
		for _, b := range c.Waiting.TailProbability {
			rows = append(rows, []string{r.Solver, c.Name, servers, digits(r.Rate), digits(b.Time), digits(b.Prob.Value), digits(b.Prob.HalfWidth)})
		}
	}
	return rows
}

// header is the first line of results, lines are those that follow.
func header() []string {
	names := []string{"method", "class", "servers", "rate", "probability"}
	for _, f := range ofClass {
		names = append(names, f.name, f.name+"_half_width")
	}
	for _, f := range ofSystem {
		names = append(names, f.name, f.name+"_half_width")
	}
	return names
}

func lines(r *result.Result) (rows [][]string) {
	for c, servers := range classes(r) {
		row := []string{r.Solver, c.Name, servers, digits(r.Rate), digits(c.Prob)}
		for _, f := range ofClass {
			e := f.of(c)
			row = append(row, digits(e.Value), digits(e.HalfWidth))
		}
		for _, f := range ofSystem {
			e := f.of(r)
			row = append(row, digits(e.Value), digits(e.HalfWidth))
		}
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
	rows := behind([][]string{header()}, "point", "law", "system_servers", "load")
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
	return [][]string{{"method", "limit", "limit_half_width", "ideal_rate", "wasted", "wasted_half_width"},
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
		return strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
