package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
)

// pictures are those of results that --plot can choose.
var pictures = map[string]func(rs []*result.Result) drawing{
	"means":     func(rs []*result.Result) drawing { return plots.Means(rs...) },
	"variances": func(rs []*result.Result) drawing { return plots.Variances(rs...) },
	"quantiles": func(rs []*result.Result) drawing { return plots.Quantiles(0.9, rs...) },
	"waste":     func(rs []*result.Result) drawing { return plots.Waste(rs...) },
	"tails":     func(rs []*result.Result) drawing { return plots.Tails(rs[0]) },
}

// resultOutput is an output for results of waiting times.
type resultOutput struct {
	output
	plot string
}

// add defines the flags.
func (o *resultOutput) add(c *cobra.Command) {
	o.output.add(c)
	c.Flags().StringVar(&o.plot, "plot", "", "picture of --svg: means, variances, quantiles, waste or tails (tails of one answer, means of several)")
	names := []string{"means", "variances", "quantiles", "waste", "tails"}
	_ = c.RegisterFlagCompletionFunc("plot", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// check says what is wrong with the flags, before anything is computed.
func (o *resultOutput) check() error {
	if _, known := pictures[o.plot]; !known && o.plot != "" {
		return input(fmt.Errorf("--plot: %q is no picture; choose means, variances, quantiles, waste or tails", o.plot))
	}
	return nil
}

// answer is that of results with a model each, or none.
func (o *resultOutput) answer(title string, before []section, rs []*result.Result) answer {
	var texts []string
	for _, r := range rs {
		texts = append(texts, r.String())
	}
	a := answer{
		text: strings.Join(texts, "\n"), data: rs, title: title,
		csv: func() string {
			if len(rs[0].All.Waiting.Beyond) > 0 {
				return beyondRows(rs)
			}
			return resultRows(rs)
		},
		picture:  func() drawing { return pictures[o.picture(rs)](rs) },
		sections: func() []section { return append(slices.Clone(before), resultSections(rs)...) },
	}
	if len(rs) == 1 {
		a.data = rs[0]
	}
	return a
}

// picture is the name of the picture asked for, or of what shows most.
func (o *resultOutput) picture(rs []*result.Result) string {
	switch {
	case o.plot != "":
		return o.plot
	case len(rs) == 1 && hasTails(rs[0]):
		return "tails"
	}
	return "means"
}

// hasTails reports whether a result has distributions.
func hasTails(r *result.Result) bool {
	w := &r.All.Waiting
	return r.Stable && (w.Curve.Known() || w.Dist.Total > 0 || len(w.Beyond) > 0)
}

// resultSections are the parts of a page about results.
func resultSections(rs []*result.Result) (parts []section) {
	for _, r := range rs {
		s := section{heading: fmt.Sprintf("Waiting times at λ = %.6g", r.Rate), html: r.HTML()}
		if hasTails(r) {
			s.picture = plots.Tails(r)
		}
		parts = append(parts, s)
	}
	if len(rs) > 1 {
		parts = append(parts,
			section{heading: "Against the arrival rate", picture: plots.Means(rs...)},
			section{picture: plots.Quantiles(0.9, rs...)}, section{picture: plots.Waste(rs...)})
	}
	return parts
}

// question asks one model.
type question func(ctx context.Context, m *mjq.Model, report func(done, total float64)) (*result.Result, error)

// ask asks each model in turn and writes the answers. When an interrupt comes it writes
// those that there are.
func (o *resultOutput) ask(c *cobra.Command, title string, models []*mjq.Model, targeted bool, q question) error {
	var results []*result.Result
	var failed error
	for i, m := range models {
		p := newProgress(c, o.streams, fmt.Sprintf("%s %d of %d", title, i+1, len(models)))
		r, err := q(c.Context(), m, p.report())
		p.end()
		if err != nil && c.Context().Err() == nil {
			return err
		}
		if err != nil && r != nil {
			r.Notes = append(r.Notes, interruption)
		}
		if r != nil {
			results = append(results, r)
		}
		if failed = err; err != nil {
			break
		}
	}
	if len(results) == 0 {
		return failed
	}
	before := []section{{heading: "Model", html: models[0].HTML()}}
	if err := o.write(o.answer(title, before, results)); err != nil {
		return err
	}
	return outcome(failed, targeted, results...)
}

// targeted says whether a target was set.
func targeted(c *cobra.Command) bool {
	return c.Flags().Changed("rel-err") || c.Flags().Changed("half-width")
}
