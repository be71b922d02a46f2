package main

import (
	"encoding/csv"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/result"
)

// field is a column of the CSV of results; half says that one of half-widths follows it.
type field struct {
	name string
	of   func(r *result.Result, c *result.ClassResult) result.Estimate
	half bool
}

// ofClass is a field that depends on the class alone, ofSystem one on the whole.
func ofClass(name string, of func(c *result.ClassResult) result.Estimate) field {
	return field{name, func(_ *result.Result, c *result.ClassResult) result.Estimate { return of(c) }, true}
}

func ofSystem(name string, of func(r *result.Result) result.Estimate) field {
	return field{name, func(r *result.Result, _ *result.ClassResult) result.Estimate { return of(r) }, true}
}

// fields are the columns after the names. They are the same for every method and every
// model, so that tables can be put under one another.
var fields = []field{
	{"rate", func(r *result.Result, _ *result.ClassResult) result.Estimate { return result.Estimate{Value: r.Rate} }, false},
	{"probability", func(_ *result.Result, c *result.ClassResult) result.Estimate {
		return result.Estimate{Value: c.Prob}
	}, false},
	ofClass("waiting_mean", func(c *result.ClassResult) result.Estimate { return c.Waiting.Mean }),
	ofClass("waiting_variance", func(c *result.ClassResult) result.Estimate { return c.Waiting.Variance }),
	ofClass("waiting_p50", func(c *result.ClassResult) result.Estimate { return c.Waiting.Quantile(0.5) }),
	ofClass("waiting_p90", func(c *result.ClassResult) result.Estimate { return c.Waiting.Quantile(0.9) }),
	ofClass("waiting_p99", func(c *result.ClassResult) result.Estimate { return c.Waiting.Quantile(0.99) }),
	ofClass("response_mean", func(c *result.ClassResult) result.Estimate { return c.Response.Mean }),
	ofClass("slowdown_mean", func(c *result.ClassResult) result.Estimate { return c.Slowdown.Mean }),
	ofSystem("utilization", func(r *result.Result) result.Estimate { return r.Utilization }),
	ofSystem("wasted_hol", func(r *result.Result) result.Estimate { return r.WastedHOL }),
	ofSystem("idle", func(r *result.Result) result.Estimate { return r.Idle }),
	ofSystem("mean_jobs", func(r *result.Result) result.Estimate { return r.MeanJobs }),
}

// resultRows are results as comma-separated values: a line for each class, and one for
// all jobs, of each result in turn, which has its number from 1 in the first column.
func resultRows(results []*result.Result) string {
	names := make([]string, len(results))
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	return namedRows("answer", names, results)
}

// namedRows are resultRows with names in the first column, which has a name itself.
func namedRows(column string, names []string, results []*result.Result) string {
	header := []string{column, "method", "class", "servers"}
	for _, f := range fields {
		if header = append(header, f.name); f.half {
			header = append(header, f.name+"_half_width")
		}
	}
	lines := [][]string{header}
	for i, r := range results {
		for c, servers := range classes(r) {
			line := []string{names[i], r.Solver, c.Name, servers}
			for _, f := range fields {
				e := f.of(r, c)
				if line = append(line, digits(e.Value)); f.half {
					line = append(line, digits(e.HalfWidth))
				}
			}
			lines = append(lines, line)
		}
	}
	return csvText(lines)
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

// beyondRows are results of runs that split: a line for each class, and one for all jobs,
// and each time that the run looked at.
func beyondRows(results []*result.Result) string {
	lines := [][]string{{"answer", "method", "class", "servers", "rate", "time", "exceeded", "exceeded_half_width"}}
	for i, r := range results {
		for c, servers := range classes(r) {
			for _, b := range c.Waiting.Beyond {
				lines = append(lines, []string{strconv.Itoa(i + 1), r.Solver, c.Name, servers, digits(r.Rate), digits(b.Time), digits(b.Prob.Value), digits(b.Prob.HalfWidth)})
			}
		}
	}
	return csvText(lines)
}

// csvText is a table as comma-separated values.
func csvText(lines [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.WriteAll(lines) // a strings.Builder takes all
	return b.String()
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
