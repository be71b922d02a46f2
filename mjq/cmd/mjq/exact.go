package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// exactCommand solves without simulation.
func exactCommand(s streams) *cobra.Command {
	var from modelFlags
	to := resultOutput{output: output{streams: s}}
	c := &cobra.Command{
		Use:   "exact MODEL",
		Short: "Solve for the waiting times, without simulation",
		Long: `Solve the queue exactly: means, variances and distributions of waiting and
response times by class. Services have to be phase-type; arrivals may be Poisson or
Markovian: MAP, MMPP, marked, in batches.`,
		Example: "mjq exact queue.json\nmjq exact classes.csv --servers 20 --load 0.5,0.9 --csv --moments-only\nmjq exact queue.json --rate 0.5,1,1.4 --plot means --svg -o means.svg",
	}
	set := settings[mjq.ExactQuery]{flags: c.Flags()}
	set.yes("moments-only", "no distributions, which take a third to two thirds of the time", mjq.ExactQuery.MomentsOnly)
	set.number("max-bytes", "most memory (1e9)", mjq.ExactQuery.MaxBytes)
	set.workers(mjq.ExactQuery.Workers)
	from.add(c, true)
	to.add(c)
	c.RunE = action(func(c *cobra.Command, args []string) error {
		if err := to.check(); err != nil {
			return err
		}
		models, err := from.arriving(args[0], s.in)
		if err != nil {
			return err
		}
		return to.ask(c, "exact", models, false, func(ctx context.Context, m *mjq.Model, report func(done, total float64)) (*result.Result, error) {
			q := set.apply(m.Exact())
			if report != nil {
				q = q.Progress(report)
			}
			return q.Run(ctx)
		})
	})
	return c
}
