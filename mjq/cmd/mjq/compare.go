package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/plots"
)

// compareCommand serves the same jobs under several policies.
func compareCommand(s streams) *cobra.Command {
	var from modelFlags
	to := output{streams: s}
	c := &cobra.Command{
		Use:   "compare MODEL",
		Short: "Compare scheduling policies on the same jobs",
		Long: `Simulate the queue under each of several policies with the same jobs, so that
differences are sharper than what the results alone would show. --policy names
the policies, with semicolons between them.`,
		Example: "mjq compare queue.json --policy 'FCFS;EASY;Window(4)' --jobs 5000\nmjq compare queue.json --policy 'FCFS;FirstFit' --jobs 5000 --csv",
	}
	set := settings[mjq.CompareQuery]{flags: c.Flags()}
	set.integer("jobs", "recorded jobs a replication (as many as the slowest policy asks for)", mjq.CompareQuery.Jobs)
	set.integer("warm-up", "jobs left out before (a fifth of them)", mjq.CompareQuery.WarmUp)
	set.integer("replications", "independent replications (32)", mjq.CompareQuery.Replications)
	set.number("rel-err", "go on until the half-width of each mean wait is this part of it", mjq.CompareQuery.RelErr)
	set.number("half-width", "the same in units of time", mjq.CompareQuery.HalfWidth)
	set.number("slowdown-threshold", "services count as no shorter than this in slowdowns", mjq.CompareQuery.SlowdownThreshold)
	set.number("in-time", "time within which a job must start to be in time (0)", mjq.CompareQuery.InTime)
	set.seed(mjq.CompareQuery.Seed)
	set.level(mjq.CompareQuery.Level)
	set.workers(mjq.CompareQuery.Workers)
	from.add(c, true)
	to.add(c, forms{svg: true, html: true})
	c.RunE = action(func(c *cobra.Command, args []string) error {
		policies, err := from.severalPolicies()
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
		return compare(c, &to, models[0], set.apply(mjq.Compare(models[0], policies...)))
	})
	return c
}

// severalPolicies takes the policies out of the flags, which then leave the policy of
// the model as it is.
func (f *modelFlags) severalPolicies() (policies []mjq.Policy, err error) {
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
	if len(policies) < 2 {
		return nil, errors.New("--policy: a comparison needs two policies or more; give them as 'FCFS;EASY'")
	}
	f.policy = ""
	return policies, nil
}

// compare runs the query and writes what it says.
func compare(c *cobra.Command, to *output, m *mjq.Model, q mjq.CompareQuery) error {
	p := newProgress(c, to.streams, "compare")
	if report := p.report(); report != nil {
		q = q.Progress(report)
	}
	r, err := q.Run(c.Context())
	p.end()
	if err != nil && (c.Context().Err() == nil || r == nil) {
		return err
	}
	if err != nil {
		r.Notes = append(r.Notes, interruption)
	}
	a := answer{text: r.String(), data: r, title: "Policies compared", csv: func() string { return resultRows(r.Results) },
		picture: func() (drawing, error) { return plots.Compare(r), nil },
		sections: func() []section {
			return []section{{heading: "Model", html: m.HTML()}, {heading: "Policies", html: r.HTML(), picture: plots.CompareTails("", r)},
				{heading: "By class", html: r.ByClass().HTML(), picture: plots.Compare(r)}}
		}}
	if wrong := to.write(a); wrong != nil {
		return wrong
	}
	return outcome(err, targeted(c), r.Results...)
}
