package main

import (
	"context"
	"math"
	"strconv"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// reportLoads are those of the pictures against the load.
var reportLoads = []float64{0.2, 0.4, 0.6, 0.7, 0.8, 0.9}

// reports is the form of a report, which is a page unless it is asked for in another one.
var reports = form[*reported]{
	title: "Report", page: true, rows: (*reported).rows, parts: func(r *reported) []section { return r.sections },
	pictures: []picture[*reported]{apiece("means", func(r *reported) *figure.Figure { return plots.Means(r.all()...) })},
}

// reported are the numbers of a report, and its page.
type reported struct {
	Limit *result.Stability // nil if it is not known
	Here  *result.Result    // at the rate of the model; nil if it has none
	Curve []*result.Result  // at loads up to the limit

	sections []section
}

// all are the results of a report.
func (r *reported) all() []*result.Result {
	if r.Here == nil {
		return r.Curve
	}
	return append([]*result.Result{r.Here}, r.Curve...)
}

// rows are those results as comma-separated values.
func (r *reported) rows() [][]string {
	rows := behind([][]string{header()}, "point")
	for i, x := range r.all() {
		rows = append(rows, behind(lines(x), strconv.Itoa(i+1))...)
	}
	return rows
}

// report gathers all that is worth knowing of a model. When the context ends it returns what
// there is, with a note. Simulations are shorter than usual, since a page has many of them.
func report(c *call) asking[*reported] {
	return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*reported, error) {
		if _, err := (mjq.Exact{}).Size(m); err != nil && m.Spec().Features().Has(spec.Reordered) && c.set.method == "" {
			opts = append([]mjq.Option{mjq.Simulation{Jobs: 20000}, mjq.RelErr(0.02)}, opts...)
		}
		r := new(reported)
		err := r.gather(ctx, m, opts)
		switch {
		case err != nil && (ctx.Err() == nil || r.sections == nil):
			return nil, err
		case err != nil:
			r.add(section{html: "<p><b>Note:</b> " + interruption + "</p>"})
		}
		return r, err
	}
}

func (r *reported) add(parts ...section) { r.sections = append(r.sections, parts...) }

// gather asks one question after the other.
func (r *reported) gather(ctx context.Context, m mjq.Model, opts []mjq.Option) error {
	limit, err := m.Stability(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		r.Limit = limit
		r.add(section{heading: "Stability limit", html: limit.HTML()})
	}
	if !math.IsNaN(m.Rate()) || !math.IsNaN(m.Load()) {
		r.Here, err = m.Solve(ctx, opts...)
		if r.Here != nil {
			r.add(resultParts(r.Here)...)
		}
		if err != nil {
			return err
		}
	}
	if _, err := m.AtLoad(0.5).Resolve(ctx); err == nil { // otherwise the limit is not known
		var curve []*result.Result
		for _, load := range reportLoads {
			x, err := m.AtLoad(load).Solve(ctx, opts...)
			if err != nil {
				return err
			}
			curve = append(curve, x)
		}
		r.Curve = curve
		up := againstRate(curve)
		up[0].heading = "Up to the limit"
		r.add(up...)
	}
	if t, err := m.Methods(ctx); err == nil {
		r.add(section{heading: "Methods", html: t.HTML()})
	}
	return ctx.Err()
}
