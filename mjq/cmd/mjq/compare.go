package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
)

// compareCommand serves the same jobs under several policies.
func compareCommand(s streams) *cobra.Command {
	var from modelFlags
	var log logFlags
	to := output{streams: s}
	c := &cobra.Command{
		Use:   "compare MODEL|LOG",
		Short: "Compare scheduling policies on the same jobs, of a model or of a log",
		Long: `Serve the same jobs under each of several policies, so that differences are
sharper than what the results alone would show: jobs of a model, simulated, or
those of a log, where the waits that the log holds stand beside. --policy names
the policies, with semicolons between them. A CSV is a model if it has the column
probability, and a log otherwise.`,
		Example: "mjq compare queue.json --policy 'FCFS;EASY;Window(4)' --jobs 5000\nmjq compare queue.json --policy 'FCFS;FirstFit' --jobs 5000 --csv\nmjq compare centre.swf --policy 'FCFS;EASY' --by powers --slowdown-threshold 10",
	}
	set := settings[mjq.CompareQuery]{flags: c.Flags()}
	set.integer("jobs", "recorded jobs a replication (as many as the slowest policy asks for)", mjq.CompareQuery.Jobs)
	set.integer("warm-up", "jobs left out before (a fifth of them; of a log none)", mjq.CompareQuery.WarmUp)
	set.integer("replications", "independent replications (32)", mjq.CompareQuery.Replications)
	set.share("rel-err", "go on until the half-width of each mean wait is this part of it", mjq.CompareQuery.RelErr)
	set.number("half-width", "the same in units of time", mjq.CompareQuery.HalfWidth)
	set.number("slowdown-threshold", "services count as no shorter than this in slowdowns", mjq.CompareQuery.SlowdownThreshold)
	set.number("in-time", "time within which a job must start to be in time (0)", mjq.CompareQuery.InTime)
	set.seed(mjq.CompareQuery.Seed)
	set.level(mjq.CompareQuery.Level)
	set.workers(mjq.CompareQuery.Workers)
	log.reading(c, "need, powers, class or user")
	from.add(c, true)
	to.add(c)
	c.ValidArgsFunction = filesEnding("json", "toml", "csv", "swf", "gz")
	c.RunE = action(func(c *cobra.Command, args []string) error {
		if isLog(args[0]) {
			return compareOnLog(c, &to, &from, &log, args[0])
		}
		if err := belongs(c, ofLogs, args[0]+" is a model, not a log"); err != nil {
			return input(err)
		}
		policies, err := from.severalPolicies(2)
		if err != nil {
			return input(err)
		}
		models, err := from.arriving(args[0], s.in)
		if err != nil {
			return err
		}
		if len(models) > 1 {
			return input(fmt.Errorf("%s: policies are compared on one model at one rate, not on %d; choose by --system, --rate or --load", args[0], len(models)))
		}
		q := set.apply(mjq.Compare(models[0], policies...))
		return compare(c, &to, section{heading: "Model", html: models[0].HTML()}, func(ctx context.Context, report func(done, total float64)) (*result.Comparison, error) {
			if report != nil {
				q = q.Progress(report)
			}
			return q.Run(ctx)
		})
	})
	return c
}

// severalPolicies takes the policies, at least so many, out of the flags, which then leave
// the policy of the model as it is.
func (f *modelFlags) severalPolicies(least int) (policies []mjq.Policy, err error) {
	for _, text := range strings.Split(f.policy, ";") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		p, err := readPolicy(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		policies = append(policies, p)
	}
	if len(policies) < least {
		return nil, fmt.Errorf("--policy: a comparison needs %s or more; give them as 'FCFS;EASY'", []string{1: "one policy", 2: "two policies"}[least])
	}
	f.policy = ""
	return policies, nil
}

// compare asks and writes the answer, below what was compared on.
func compare(c *cobra.Command, to *output, on section, ask func(context.Context, func(done, total float64)) (*result.Comparison, error)) error {
	p := newProgress(c, to.streams, "compare")
	r, err := ask(c.Context(), p.report())
	p.end()
	if err != nil && (c.Context().Err() == nil || r == nil) {
		return err
	}
	if err != nil {
		r.Notes = append(r.Notes, interruption)
	}
	a := answer{text: r.String(), data: r, title: "Policies compared", csv: func() string { return namedRows("policy", r.Policies, r.Results) },
		picture: func() drawing { return plots.Compare(r) },
		sections: func() []section {
			return []section{on, {heading: "Policies", html: r.HTML(), picture: plots.CompareTails("", r)},
				{heading: "By class", html: r.ByClass().HTML(), picture: plots.Compare(r)}}
		}}
	if wrong := to.write(a); wrong != nil {
		return wrong
	}
	return outcome(err, targeted(c), r.Results...)
}
