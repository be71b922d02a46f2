package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
)

// The forms of the answers that several verbs have.
var (
	results = form[*result.Result]{
		title: "Waiting times", rows: resultRows, parts: resultParts, several: againstRate, usual: showsMost,
		missed: func(r *result.Result) bool { return r.Stable && !r.Run.Met },
		pictures: []picture[*result.Result]{
			together("means", plots.Means), together("variances", plots.Variances), together("quantiles", quantiles),
			together("waste", plots.Waste), {"tails", func(found []*result.Result) drawing { return plots.Tails(found[0]) }},
		},
	}
	comparisons = form[*result.Comparison]{
		title: "Policies compared", rows: comparedRows, parts: comparedParts,
		missed: func(c *result.Comparison) bool { return slices.ContainsFunc(c.Results, results.missed) },
		pictures: []picture[*result.Comparison]{
			apiece("means", plots.Compare), apiece("slowdowns", plots.CompareSlowdowns),
			apiece("quantiles", func(c *result.Comparison) *figure.Figure { return plots.CompareQuantiles(0.9, c) }),
			apiece("tails", func(c *result.Comparison) *figure.Figure { return plots.CompareTails("", c) }),
		},
	}
	limits = form[*result.Stability]{
		title: "Stability limit", rows: limitRows,
		missed:   func(st *result.Stability) bool { return st.HalfWidth > 0 && !st.Met },
		pictures: []picture[*result.Stability]{together("limits", limitPicture)},
	}
	sizings = form[*result.Sizing]{title: "Sizes", pictures: []picture[*result.Sizing]{apiece("goals", plots.Sizing)}}
	courses = form[*result.Transient]{title: "As time goes by", pictures: []picture[*result.Transient]{
		apiece("means", plots.ByTime), apiece("no-wait", plots.NoWaitByTime), apiece("jobs", plots.JobsByTime),
		apiece("quantiles", func(c *result.Transient) *figure.Figure { return plots.QuantilesByTime(0.9, c) }),
	}}
	optima = form[*result.Optimum]{title: "Optimal policy", pictures: []picture[*result.Optimum]{
		apiece("decisions", func(o *result.Optimum) *figure.Figure { return plots.Decisions(o, 10) }),
	}}
	sweeps = form[*result.Sweep]{
		title: "Sweep", rows: sweptRows, partial: true,
		missed: func(s *result.Sweep) bool { return slices.ContainsFunc(s.Results(), results.missed) },
		pictures: []picture[*result.Sweep]{
			apiece("means", func(s *result.Sweep) *figure.Figure { return plots.Means(s.Results()...) }),
			apiece("quantiles", func(s *result.Sweep) *figure.Figure { return quantiles(s.Results()...) }),
			apiece("waste", func(s *result.Sweep) *figure.Figure { return plots.Waste(s.Results()...) }),
		},
	}
	paths   = form[*result.Path]{title: "Path", pictures: []picture[*result.Path]{apiece("waits", pathPicture)}}
	heavy   = form[*result.HeavyTraffic]{title: "Heavy traffic", pictures: []picture[*result.HeavyTraffic]{apiece("jobs", heavyPicture)}}
	methods = form[*result.Table]{title: "Methods", table: func(t *result.Table) *result.Table { return t }, data: records}
)

func quantiles(found ...*result.Result) *figure.Figure { return plots.Quantiles(0.9, found...) }

// showsMost is the picture that shows most of results.
func showsMost(found []*result.Result) string {
	if len(found) == 1 && hasTails(found[0]) {
		return "tails"
	}
	return "means"
}

// hasTails reports whether a result has distributions.
func hasTails(r *result.Result) bool {
	w := &r.All.Waiting
	return r.Stable && (w.Curve.Known() || w.Dist.Total > 0 || len(w.TailProbability) > 0)
}

// resultParts are the part of a page about a result.
func resultParts(r *result.Result) []section {
	s := section{heading: "Waiting times" + r.AtRate(6), html: r.HTML()}
	if hasTails(r) {
		s.picture = plots.Tails(r)
	}
	return []section{s}
}

// againstRate are pictures of several results.
func againstRate(found []*result.Result) []section {
	return []section{{heading: "Against the arrival rate", picture: plots.Means(found...)},
		{picture: quantiles(found...)}, {picture: plots.Waste(found...)}}
}

// comparedParts are the parts of a page about policies.
func comparedParts(c *result.Comparison) []section {
	return []section{{heading: "Policies", html: c.HTML(), picture: plots.CompareTails("", c)},
		{heading: "By class", html: c.ByClass().HTML(), picture: plots.Compare(c)}}
}

// limitPicture has the limits beside what they would be if no server were ever blocked,
// in the order of the answers.
func limitPicture(found ...*result.Stability) *figure.Figure {
	f := figure.New("Stability limit").X("arrival rate, jobs per unit of time")
	for i, st := range found {
		name := fmt.Sprint("answer ", i+1)
		f.Row(name, "limit", st.Rate, st.HalfWidth).Row(name, "without blocking", st.IdealRate, 0)
	}
	return f
}

// pathPicture has the wait of each job at its arrival.
func pathPicture(p *result.Path) *figure.Figure {
	f := figure.New("Waits job by job").X("time of arrival").Y("waiting time")
	for k, name := range p.Classes {
		var x, y []float64
		for _, j := range p.Jobs {
			if j.Class == k {
				x, y = append(x, j.Arrival), append(y, j.Waiting())
			}
		}
		f.Scatter(name, x, y)
	}
	return f
}

// heavyPicture is the mean number of jobs against the load.
func heavyPicture(h *result.HeavyTraffic) *figure.Figure {
	var jobs []float64
	for _, load := range result.HeavyLoads {
		jobs = append(jobs, h.MeanJobs(load*h.Limit.Rate))
	}
	return figure.New("Heavy traffic").X("λ/λ_c").Y("mean number of jobs").LogY().Asymptotic("approximation", result.HeavyLoads, jobs)
}

// records are the rows of a table as objects. Numbers that are not known are left out.
func records(t *result.Table) any {
	rows := make([]map[string]any, t.Rows())
	for i := range rows {
		rows[i] = map[string]any{}
		for _, c := range t.Columns {
			switch {
			case i < len(c.Cells):
				rows[i][c.Name] = c.Cells[i]
			case i < len(c.Values) && !math.IsNaN(c.Values[i].Value):
				rows[i][c.Name] = c.Values[i].Value
			}
		}
	}
	return rows
}
