package main

import (
	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// replayCommand runs a log through the queue.
func replayCommand(s streams) *cobra.Command {
	var from logFlags
	to := resultOutput{output: output{streams: s}}
	c := &cobra.Command{
		Use:   "replay LOG",
		Short: "Run the jobs of a log through the queue, under any scheduling policy",
		Long: `Replay a log: its jobs arrive when they did and need what they needed, and wait
as they would on so many servers under the policy.`,
		Example: "mjq replay jobs.csv --servers 8\nmjq replay centre.swf --policy EASY --slowdown-threshold 10\n" +
			`mjq replay centre.swf --by user --policy '{"policy":"Backfill","depth":1,"estimates":{"rule":"given"}}' --csv`,
	}
	flags := c.Flags()
	how := flags.String("policy", "", policyUsage)
	_ = c.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(policyNames(), cobra.ShellCompDirectiveNoFileComp))
	set := settings[trace.ReplayQuery]{flags: flags}
	set.integer("warm-up", "jobs whose waits are left out at the beginning", trace.ReplayQuery.WarmUp)
	set.number("slowdown-threshold", "services count as no shorter than this in slowdowns", trace.ReplayQuery.SlowdownThreshold)
	set.number("in-time", "time within which a job must start to be in time (0)", trace.ReplayQuery.InTime)
	set.yes("overtaking", "count who overtakes whom, in the JSON", trace.ReplayQuery.Overtaking)
	set.seed(trace.ReplayQuery.Seed)
	set.level(trace.ReplayQuery.Level)
	from.add(c, "need, powers, class or user")
	to.add(c)
	c.RunE = action(func(c *cobra.Command, args []string) error {
		if err := to.check(); err != nil {
			return err
		}
		by, err := from.classes()
		if err != nil {
			return err
		}
		t, err := from.read(c, args[0], s)
		if err != nil {
			return err
		}
		q := set.apply(t.Replay(from.servers))
		q = map[string]func(trace.ReplayQuery) trace.ReplayQuery{"need": trace.ReplayQuery.ByNeed, "powers": trace.ReplayQuery.PowersOfTwo,
			"class": trace.ReplayQuery.ByClass, "user": trace.ReplayQuery.ByUser}[by](q)
		if *how != "" {
			p, err := readPolicy(*how)
			if err != nil {
				return input(err)
			}
			q = q.Policy(p)
		}
		return replay(c, &to, t, q)
	})
	return c
}

// replay runs the query and writes what it says.
func replay(c *cobra.Command, to *resultOutput, t *trace.Trace, q trace.ReplayQuery) error {
	p := newProgress(c, to.streams, "replay")
	if report := p.report(); report != nil {
		q = q.Progress(report)
	}
	r, err := q.Run(c.Context())
	p.end()
	if err != nil && c.Context().Err() == nil {
		return input(err) // all that a replay can refuse is the log or a flag
	}
	if err != nil && r == nil {
		return err
	}
	if err != nil {
		r.Notes = append(r.Notes, interruption)
	}
	if wrong := to.write(to.answer("Replay of "+t.Name, []section{{heading: "Log", html: t.HTML()}}, []*result.Result{r})); wrong != nil {
		return wrong
	}
	return outcome(err, false)
}
