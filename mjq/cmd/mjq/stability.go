package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// stabilityCommand finds stability limits.
func stabilityCommand(s streams) *cobra.Command {
	var from modelFlags
	to := output{streams: s}
	c := &cobra.Command{
		Use:   "stability MODEL",
		Short: "Find the arrival rate at which the queue breaks down",
		Long: `Find the stability limit: the queue is stable below this arrival rate and not
above. The method is the best for the model, exact where there is one, else
the pile, a simulation of the saturated system; --exact and --pile force one.`,
		Example: "mjq stability queue.json\nmjq stability classes.csv --servers 20 --pile --rel-err 0.02 --json\nmjq stability experiment.toml --csv",
	}
	set := settings[mjq.StabilityQuery]{flags: c.Flags()}
	set.yes("exact", "an exact method or none", mjq.StabilityQuery.Exact)
	set.yes("pile", "the pile", mjq.StabilityQuery.Pile)
	c.MarkFlagsMutuallyExclusive("exact", "pile")
	set.share("rel-err", "target of the pile: half-width over the limit (0.002)", mjq.StabilityQuery.RelErr)
	set.integer("max-jobs", "most jobs of the pile (100000000)", mjq.StabilityQuery.MaxJobs)
	set.integer("replications", "piles side by side (64)", mjq.StabilityQuery.Replications)
	set.seed(mjq.StabilityQuery.Seed)
	set.level(mjq.StabilityQuery.Level)
	set.workers(mjq.StabilityQuery.Workers)
	from.add(c, false)
	to.add(c)
	c.RunE = action(func(c *cobra.Command, args []string) error {
		models, err := from.models(args[0], s.in)
		if err != nil {
			return err
		}
		return limits(c, &to, models, func(ctx context.Context, m *mjq.Model, report func(done, total float64)) (*result.Stability, error) {
			q := set.apply(m.Stability())
			if report != nil {
				q = q.Progress(report)
			}
			return q.Run(ctx)
		})
	})
	return c
}

// limits finds the limit of each model and writes them.
func limits(c *cobra.Command, to *output, models []*mjq.Model, find func(context.Context, *mjq.Model, func(done, total float64)) (*result.Stability, error)) error {
	var found []*result.Stability
	var cut error
	for i, m := range models {
		p := newProgress(c, to.streams, fmt.Sprintf("stability %d of %d", i+1, len(models)))
		st, err := find(c.Context(), m, p.report())
		p.end()
		if err != nil && c.Context().Err() == nil {
			return err
		}
		if err != nil && st != nil {
			st.Notes = append(st.Notes, interruption)
		}
		if st != nil {
			found = append(found, st)
		}
		if cut = err; err != nil {
			break
		}
	}
	if len(found) == 0 {
		return cut
	}
	if err := to.write(limitAnswer(models, found)); err != nil {
		return err
	}
	if cut != nil {
		return outcome(cut, false)
	}
	for _, st := range found {
		if st.HalfWidth > 0 && !st.Met {
			return failure{notMet, errors.New("the interval of the limit is wider than was asked for; the notes say why")}
		}
	}
	return nil
}

// limitAnswer is that of limits.
func limitAnswer(models []*mjq.Model, found []*result.Stability) answer {
	var texts []string
	for _, st := range found {
		texts = append(texts, st.String()+"\n")
	}
	a := answer{text: strings.Join(texts, ""), data: found, title: "Stability limit", csv: func() string { return limitRows(found) },
		picture: func() drawing { return limitPicture(found) },
		sections: func() (parts []section) {
			for i, st := range found {
				parts = append(parts, section{heading: "Model", html: models[i].HTML() + st.HTML()})
			}
			return parts
		}}
	if len(found) == 1 {
		a.data = found[0]
	}
	return a
}

// limitRows are limits as comma-separated values.
func limitRows(found []*result.Stability) string {
	lines := [][]string{{"answer", "method", "limit", "limit_half_width", "ideal_rate", "wasted", "wasted_half_width"}}
	for i, st := range found {
		wasted := st.WastedInterval()
		lines = append(lines, []string{fmt.Sprint(i + 1), st.Method, digits(st.Rate), digits(st.HalfWidth), digits(st.IdealRate), digits(wasted.Value), digits(wasted.HalfWidth)})
	}
	return csvText(lines)
}
