package main

import (
	"context"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/trace"
)

// advising is the verb that says what a log tells an operator.
var advising = logQuestion(verb{
	name: "advise", short: "Say on one page what a cluster's log shows, and what would shorten waits",
	long: `Write one page about a log of several days: what it shows, which policy explains its waits, what
would have changed them, what to do, and what a replay cannot know. The page names the policy whose replay comes nearest to
the log, or says that none does, and compares scenarios with that policy: other policies, more and
fewer servers, jobs of at most 24 hours, priorities, servers apart for wide jobs, other placement,
more jobs, and your own from --scenario. Each has its interval over the days of the log, or says why
it has none. Your own leave out what is as on the site. --policy names the policy of the site instead,
and --slurm-conf with --shares has its priorities tried, and other weights. Times must be in seconds. The page needs
no other file. Slurm writes the log with
  ` + trace.SacctCommand,
	example: "mjq advise quarter.txt.gz --nodes 4 --gpus 8 --only Partition=gpu -o gpus.html\n" +
		"mjq advise quarter.txt.gz --need gres/gpu --only Partition=gpu --servers 32 --json\n" +
		"mjq advise quarter.txt.gz --need gres/gpu --only Partition=gpu --servers 32 --scenario plans.json",
}, advices, func(c *call) askingLog[*trace.Advice] {
	var own string
	policyFlag(c.cmd, policies.one(&c.models.policy), policyUsage)
	c.flags().StringVar(&own, "scenario", "", `file with scenarios of your own, [{"name":"four more","servers":36}]; also policy, mostHours, mostNeed, jobs, elastic, setting, costs`)
	c.system.add(c)
	var site siteFlags
	site.add(c)
	var outages outageFlags
	outages.add(c)
	c.set.some(c.cmd)
	return func(t *trace.Trace, ctx context.Context, how trace.Replay, opts ...mjq.Option) (*trace.Advice, error) {
		how, files, err := site.apply(c, t, how)
		if err != nil {
			return nil, err
		}
		given := how
		if how, err = outages.apply(c, t, how); err != nil {
			return nil, err
		}
		scenarios, err := readScenarios(own, t, given)
		if files != nil {
			scenarios = append(scenarios, files.Scenarios(t, given)...)
		}
		if err != nil {
			return nil, err
		}
		return t.Advise(ctx, how, scenarios, opts...)
	}
})

// advices is the form of such a page.
var advices = form[*trace.Advice]{
	title: "Advice from a log", page: true, table: (*trace.Advice).Table,
	parts:    func(a *trace.Advice) []section { return []section{{html: a.HTML()}} },
	pictures: []picture[*trace.Advice]{apiece("changes", changes), apiece("hours", byHour), apiece("sizes", bySize)},
}

// changes has the change of the mean wait by scenario.
func changes(a *trace.Advice) *figure.Figure {
	f := figure.New("Change of the mean wait against " + a.Base.Name).X("change of the mean wait, hours").Reference(0).
		Caption("Left of the line jobs wait less long. Bars are confidence intervals over the days of the log.")
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		f.RowBetween(s.Name, s.Name, s.All.Waiting.Value/3600, s.Low/3600, s.High/3600)
	}
	return f
}

// byHour has the waits by the hour of the day, in the log and under the nearest policy.
func byHour(a *trace.Advice) *figure.Figure {
	f := figure.New("Mean wait by the hour of arrival").X("hour of the day").Y("hours")
	if len(a.Explained.Candidates) == 0 {
		return f
	}
	near := &a.Explained.Candidates[0]
	var hours, logged, replayed []float64
	for i, v := range near.ByHour {
		hours, logged, replayed = append(hours, float64(i)), append(logged, v.Logged/3600), append(replayed, v.Replayed/3600)
	}
	return f.Steps("log", hours, logged).Steps("replay: "+near.Name, hours, replayed)
}

// bySize has the waits by class.
func bySize(a *trace.Advice) *figure.Figure {
	f := figure.New("Mean wait by class").X("mean wait, hours")
	for _, c := range a.Shown.Classes {
		f.Row(c.Name, c.Name, c.Mean/3600, 0)
	}
	return f
}
