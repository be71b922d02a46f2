package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
)

// reportLoads are those of the pictures against the load.
var reportLoads = []float64{0.2, 0.4, 0.6, 0.7, 0.8, 0.9}

// reportCommand writes all that is worth knowing of a model as a page.
func reportCommand(s streams) *cobra.Command {
	var from modelFlags
	c := &cobra.Command{
		Use:   "report MODEL",
		Short: "Write a page on a model: its limit, its waits, and pictures up to the limit",
		Long: `Write an HTML page that stands alone: the model, its stability limit, waiting times
at its arrival rate, pictures at loads up to 0.9 of the limit where that is known,
and which methods there are. Waits are exact where that takes less than a minute,
else simulated to --rel-err. --json and --csv are the numbers of the page, --svg is
its first picture.`,
		Example: "mjq report queue.json -o report.html\nmjq report queue.json --csv\nmjq report classes.csv --servers 20 --rate 1 --policy FirstFit --rel-err 0.1 -o report.html",
	}
	relErr := shareFlag(c.Flags(), "rel-err", 0.02, "half-width of a simulated mean wait over the mean")
	seed := seedFlag(c.Flags(), 1, "choose the randomness")
	to := output{streams: s}
	from.add(c, true)
	to.add(c)
	c.RunE = action(func(c *cobra.Command, args []string) error {
		models, err := from.models(args[0], s.in)
		if err != nil {
			return err
		}
		if len(models) > 1 {
			return input(fmt.Errorf("%s: a report is on one model at one rate, not on %d; choose by --system, --rate or --load", args[0], len(models)))
		}
		p := newProgress(c, s, "report")
		r := reporter{ctx: c.Context(), model: models[0], relErr: *relErr, seed: *seed, report: p.report()}
		sections, err := r.sections()
		p.end()
		if err != nil && (c.Context().Err() == nil || len(sections) == 1) {
			return err
		}
		if err != nil {
			sections = append(sections, section{html: "<p><b>Note:</b> " + interruption + "</p>"})
		}
		to.html = !to.json && !to.csv && !to.svg
		if wrong := to.write(r.answer("Report on "+args[0], sections)); wrong != nil {
			return wrong
		}
		return outcome(err, false)
	})
	return c
}

// reporter gathers what a report says.
type reporter struct {
	ctx    context.Context
	model  *mjq.Model
	relErr float64
	seed   uint64
	report func(done, total float64)
	found  reported
}

// reported are the numbers of a report.
type reported struct {
	Limit *result.Stability // nil if it is not known
	Here  *result.Result    // at the rate of the model; nil if it has none
	Curve []*result.Result  // at loads up to the limit
}

// answer is the report in all forms.
func (r *reporter) answer(title string, sections []section) answer {
	all := r.found.Curve
	if r.found.Here != nil {
		all = append([]*result.Result{r.found.Here}, all...)
	}
	a := answer{title: title, data: r.found, csv: func() string { return resultRows(all) }, sections: func() []section { return sections }}
	if len(all) > 0 {
		a.picture = func() drawing { return plots.Means(all...) }
	}
	return a
}

// sections are the parts of the report; with an error, those that there are.
func (r *reporter) sections() ([]section, error) {
	parts := []section{{heading: "Model", html: r.model.HTML()}}
	limit, err := r.model.Limit(r.ctx)
	if r.ctx.Err() != nil {
		return parts, err
	}
	if err == nil {
		r.found.Limit = limit
		parts = append(parts, section{heading: "Stability limit", html: limit.HTML()})
	}
	if !math.IsNaN(r.model.Rate()) || !math.IsNaN(r.model.Load()) {
		here, err := r.waits(r.model)
		r.found.Here = here
		if here != nil {
			parts = append(parts, resultSections([]*result.Result{here})...)
		}
		if err != nil {
			return parts, err
		}
	}
	if _, err := r.model.AtLoad(0.5).Resolve(r.ctx); err == nil { // else the limit is not known
		curve, err := r.curve()
		r.found.Curve = curve
		if err != nil {
			return parts, err
		}
		parts = append(parts, section{heading: "Up to the limit", picture: plots.Means(curve...)},
			section{picture: plots.Quantiles(0.9, curve...)}, section{picture: plots.Waste(curve...)})
	}
	return append(parts, section{heading: "Methods", html: r.model.Methods().HTML()}), nil
}

// curve is the waits at several loads.
func (r *reporter) curve() (curve []*result.Result, err error) {
	for _, load := range reportLoads {
		at, err := r.waits(r.model.AtLoad(load))
		if err != nil {
			return nil, err
		}
		curve = append(curve, at)
	}
	return curve, nil
}

// mostExact is how many operations an exact solution in a report may take.
const mostExact = 1e10

// waits are exact where that is soon done, else simulated.
func (r *reporter) waits(m *mjq.Model) (*result.Result, error) {
	m, err := m.Resolve(r.ctx)
	if err != nil {
		return nil, err
	}
	if size, err := m.Exact().Size(); err == nil && size.Flops < mostExact {
		q := m.Exact()
		if r.report != nil {
			q = q.Progress(r.report)
		}
		return q.Run(r.ctx)
	}
	q := m.Simulate().RelErr(r.relErr).Jobs(20000).Seed(r.seed)
	if r.report != nil {
		q = q.Progress(r.report)
	}
	return q.Run(r.ctx)
}
