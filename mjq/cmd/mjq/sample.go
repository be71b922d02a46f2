package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// sampleMethods are the names of the methods, the default first.
var sampleMethods = []string{"forward", "backward", "certified", "unbiased", "dominated", "rare"}

// chosen is the query with the method of that name. Of certified, eps is the chance that
// a sample is not exact; of rare, beyond is the wait that hardly any job has.
func chosen(q mjq.SampleQuery, name string, eps, beyond float64) (mjq.SampleQuery, error) {
	switch name {
	case "forward":
		return q.Forward(), nil
	case "backward":
		return q.Backward(), nil
	case "certified":
		return q.Certified(eps), nil
	case "unbiased":
		return q.Unbiased(), nil
	case "dominated":
		return q.Dominated(), nil
	case "rare":
		return q.Rare(beyond), nil
	}
	return q, input(fmt.Errorf("--method: %q is not known%s", name, check.OneOf(name, sampleMethods)))
}

// sampleCommand draws samples of the stationary queue.
func sampleCommand(s streams) *cobra.Command {
	var from modelFlags
	to := resultOutput{output: output{streams: s}}
	c := &cobra.Command{
		Use:   "sample MODEL",
		Short: "Sample the waiting times, for any laws",
		Long: `Sample the stationary queue:
  forward    a long run from empty: cheapest (the default)
  backward   independent samples, coupled from the past; lower bounds
  certified  exact but for a probability of --eps each
  unbiased   means and variances without bias, near the limit
  dominated  exact, at loads at which one job at a time would do
  rare       how seldom a job waits longer than --beyond, down to 1e-9, by splitting

A setting that a method does not take is an error that names those which do.`,
		Example: "mjq sample queue.json --jobs 50000 --seed 7\nmjq sample classes.csv --servers 20 --rate 1 --method certified --eps 1e-6 --samples 200\nmjq sample queue.json --load 0.8 --jobs 20000 --rel-err 0.05 --control-variates --json\nmjq sample queue.json --load 0.9 --method rare --beyond 250 --jobs 20000",
	}
	set := settings[mjq.SampleQuery]{flags: c.Flags()}
	sampleSettings(&set)
	method := c.Flags().String("method", "forward", "forward, backward, certified, unbiased, dominated or rare")
	eps := shareFlag(c.Flags(), "eps", 1e-6, "of certified: the chance that a sample is not exact")
	beyond := numberFlag(c.Flags(), "beyond", 0, "of rare: the wait that hardly any job has")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(sampleMethods, cobra.ShellCompDirectiveNoFileComp))
	from.add(c, true)
	to.add(c)
	c.RunE = action(func(c *cobra.Command, args []string) error {
		if err := to.check(); err != nil {
			return err
		}
		for _, s := range [][2]string{{"eps", "certified"}, {"beyond", "rare"}} {
			if c.Flags().Changed(s[0]) && *method != s[1] {
				return input(fmt.Errorf("--%s is a setting of --method %s, not of %s; leave it out", s[0], s[1], *method))
			}
		}
		if *method == "rare" && !c.Flags().Changed("beyond") {
			return input(fmt.Errorf("--method rare needs --beyond: the wait that hardly any job has"))
		}
		if _, err := chosen(mjq.SampleQuery{}, *method, *eps, *beyond); err != nil {
			return err
		}
		models, err := from.arriving(args[0], s.in)
		if err != nil {
			return err
		}
		return to.ask(c, "sample", models, targeted(c), func(ctx context.Context, m *mjq.Model, report func(done, total float64)) (*result.Result, error) {
			q, err := chosen(set.apply(m.Sample()), *method, *eps, *beyond)
			if err != nil {
				return nil, err
			}
			if report != nil {
				q = q.Progress(report)
			}
			return q.Run(ctx)
		})
	})
	return c
}

// sampleSettings defines the settings of the methods.
func sampleSettings(set *settings[mjq.SampleQuery]) {
	set.integer("samples", "number of samples (10000; of unbiased 2000)", mjq.SampleQuery.N)
	set.integer("jobs", "of forward: recorded jobs a replication (a million or more)", mjq.SampleQuery.Jobs)
	set.integer("warm-up", "of forward: jobs left out before (a fifth of them)", mjq.SampleQuery.WarmUp)
	set.integer("replications", "of forward: independent replications (32)", mjq.SampleQuery.Replications)
	set.yes("control-variates", "of forward: narrower intervals by what is known of the jobs", mjq.SampleQuery.ControlVariates)
	set.integer("window", "of backward and unbiased: first window in jobs", mjq.SampleQuery.Window)
	set.integer("max-window", "of backward: largest window", mjq.SampleQuery.MaxWindow)
	set.integer("agree-together", "of backward: samples that must agree (256)", mjq.SampleQuery.AgreeTogether)
	set.yes("per-sample", "of backward: the rule as printed, which is biased at high load", mjq.SampleQuery.PerSample)
	set.integer("path-length", "of certified and unbiased: jobs that each sample goes on for", mjq.SampleQuery.PathLength)
	set.share("rel-err", "go on until the half-width of the mean wait is this part of it", mjq.SampleQuery.RelErr)
	set.number("half-width", "the same in units of time", mjq.SampleQuery.HalfWidth)
	set.seed(mjq.SampleQuery.Seed)
	set.level(mjq.SampleQuery.Level)
	set.workers(mjq.SampleQuery.Workers)
}
