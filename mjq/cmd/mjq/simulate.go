package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// simulateCommand simulates by a list of events, under any policy.
func simulateCommand(s streams) *cobra.Command {
	var from modelFlags
	to := resultOutput{output: output{streams: s}}
	c := &cobra.Command{
		Use:   "simulate MODEL",
		Short: "Simulate the queue under any scheduling policy",
		Long: `Simulate by a list of events from an empty start, for any arrivals, laws and
scheduling policy. Averages over time and intervals come from independent
replications, or from the batch means of one long run.`,
		Example: "mjq simulate queue.json --policy EASY --jobs 20000 --replications 16\nmjq simulate queue.json --policy 'Window(4)' --rate 1,2 --jobs 20000 --csv\n" +
			`mjq simulate queue.json --arrivals '{"arrivals":"MMPP","rates":[0.5,2],"generator":[[-0.1,0.1],[0.1,-0.1]]}' --jobs 20000`,
	}
	set := settings[mjq.SimulateQuery]{flags: c.Flags()}
	set.integer("jobs", "recorded jobs a replication (a million or more)", mjq.SimulateQuery.Jobs)
	set.integer("warm-up", "jobs left out before (a fifth of them)", mjq.SimulateQuery.WarmUp)
	set.integer("replications", "independent replications (32)", mjq.SimulateQuery.Replications)
	set.integer("batch-means", "one long run, with so many batches for the intervals", mjq.SimulateQuery.BatchMeans)
	set.share("rel-err", "go on until the half-width of the mean wait is this part of it", mjq.SimulateQuery.RelErr)
	set.number("half-width", "the same in units of time", mjq.SimulateQuery.HalfWidth)
	set.number("slowdown-threshold", "services count as no shorter than this in slowdowns", mjq.SimulateQuery.SlowdownThreshold)
	set.number("in-time", "time within which a job must start to be in time (0)", mjq.SimulateQuery.InTime)
	set.yes("overtaking", "count who overtakes whom, in the JSON", mjq.SimulateQuery.Overtaking)
	set.seed(mjq.SimulateQuery.Seed)
	set.level(mjq.SimulateQuery.Level)
	set.workers(mjq.SimulateQuery.Workers)
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
		return to.ask(c, "simulate", models, targeted(c), func(ctx context.Context, m *mjq.Model, report func(done, total float64)) (*result.Result, error) {
			q := set.apply(m.Simulate())
			if report != nil {
				q = q.Progress(report)
			}
			return q.Run(ctx)
		})
	})
	return c
}
