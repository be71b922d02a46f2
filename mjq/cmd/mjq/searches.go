package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// aboutGoals is what all searches have in common.
const aboutGoals = `

Goals are of all jobs, or of one class whose name comes last, after a colon; they can be
repeated, and all have to be met. --mean-wait 0.25:big, --wait-quantile 0.99:10,
--service-level 0.5:80% (of all jobs that arrive at least 80 % start within 0.5),
--mean-slowdown 10:2. Goals on waits of a queue that drops jobs need one on the drops:
--blocked, --left or --service-level. A run is lengthened until its interval decides;
--level is the probability that the answer is right.`

// searches are the verbs of the questions that have goals.
var searches = []verb{
	search(verb{
		name: "fewest-servers", short: "Find the fewest servers that meet goals",
		long: "Find the smallest number of servers with which the queue meets its goals." + aboutGoals,
		example: `mjq fewest-servers queue.json --mean-wait 0.25
mjq fewest-servers queue.json --wait-quantile 0.9:1:big --service-level 0.5:80% --json
mjq fewest-servers queue.json --loss --blocked 1%:big`,
		needs: []string{"goal"},
	}, ofGoals(mjq.Model.FewestServers)),

	search(verb{
		name: "cheapest-servers", short: "Find the number of servers of least cost",
		long:    "Find the number of servers of least cost, among those that meet the goals if there are any." + aboutGoals,
		example: "mjq cheapest-servers queue.json --costs 1:5 --csv\nmjq cheapest-servers queue.json --costs 1:5 --mean-wait 0.25",
		needs:   []string{"costs"},
	}, func(c *call) asking[*result.Sizing] {
		read := func(text string) (mjq.Costs, error) {
			const form = "SERVER:WAIT or SERVER:WAIT:ENERGY"
			each := []kind[float64]{numbers, numbers, numbers}
			x, rest, err := readParts(text, form, each[:min(3, max(2, 1+strings.Count(text, ":")))]...)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("%q has more than three numbers; give %s", text, form)
			}
			if err != nil {
				return mjq.Costs{}, err
			}
			x = append(x, 0)
			return mjq.Costs{Server: x[0], Wait: x[1], Energy: x[2]}, nil
		}
		costs := define(c.flags(), kind[mjq.Costs]{"costs", "1:5", read}, "costs", mjq.Costs{}, "of a server, and of a job that waits, in a unit of time, SERVER:WAIT, and of energy, SERVER:WAIT:ENERGY")
		return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Sizing, error) {
			return m.CheapestServers(ctx, *costs, opts...)
		}
	}),

	search(verb{
		name: "cheapest-mix", short: "Find the cheapest numbers of units of several types of resources that meet goals",
		long:    "Find the numbers of units of each type of resource that cost least and meet the goals." + aboutGoals,
		example: "mjq cheapest-mix cluster.json --prices cpu=1,gpu=10 --mean-wait 3 --max-jobs 2e6",
		needs:   []string{"goal", "prices"},
	}, func(c *call) asking[*result.Sizing] {
		prices := define(c.flags(), pairs, "prices", nil, "price of a unit of each type of resource, TYPE=PRICE,...")
		return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Sizing, error) {
			return m.CheapestMix(ctx, *prices, nil, opts...)
		}
	}),

	search(verb{
		name: "largest-rate", short: "Find the largest arrival rate at which goals are met",
		long:    "Find the largest arrival rate at which the queue meets its goals, to 1 % or --rel-err." + aboutGoals,
		example: "mjq largest-rate queue.json --mean-wait 0.25\nmjq largest-rate queue.json --mean-wait 0.25 --rel-err 5% --json",
		needs:   []string{"goal"}, options: []string{"rel-err"},
	}, ofGoals(mjq.Model.LargestRate)),

	search(verb{
		name: "largest-need", short: "Find the largest number of servers that jobs of a class can need with goals met",
		long:    "Find the largest number of servers that jobs of --class can need with the goals met." + aboutGoals,
		example: "mjq largest-need queue.json --class big --mean-wait 1",
		needs:   []string{"goal", "class"},
	}, func(c *call) asking[*result.Sizing] {
		class := define(c.flags(), names, "class", "", "class whose need is sought")
		return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Sizing, error) {
			return m.LargestNeed(ctx, *class, nil, opts...)
		}
	}),
}

// ofGoals is a search without flags of its own. Its goals are among the options.
func ofGoals(ask func(m mjq.Model, ctx context.Context, goal mjq.Goal, opts ...mjq.Option) (*result.Sizing, error)) func(*call) asking[*result.Sizing] {
	return just(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Sizing, error) {
		return ask(m, ctx, nil, opts...)
	})
}

// search is the verb of a question that has goals.
func search(v verb, ask func(c *call) asking[*result.Sizing]) verb {
	v.methods, v.options = waits, append(v.options, "max-jobs", "goals")
	return question(v, sizings, ask)
}

// goalFlags defines the flags of goals: numbers and a class, which may be left out, with
// colons between them. They can be repeated.
func (s *settings) goalFlags() {
	goal := func(name, usage string, of func(x []float64, classes ...string) mjq.Goal, each ...kind[float64]) {
		read := func(text string) (mjq.Goal, error) {
			x, class, err := readParts(text, usage[strings.LastIndex(usage, " ")+1:], each...)
			if err != nil {
				return nil, err
			}
			return of(x, class...), nil
		}
		option(s, kind[mjq.Goal]{"goal", strings.Repeat("0.5:", len(each)-1) + "0.5", read}, name, usage, func(g mjq.Goal) mjq.Option { return g })
	}
	goal("mean-wait", "mean waiting time of at most TIME[:CLASS]",
		func(x []float64, c ...string) mjq.Goal { return mjq.MeanWait(x[0], c...) }, numbers)
	goal("wait-quantile", "quantile of the waiting time, PROBABILITY:TIME[:CLASS]",
		func(x []float64, c ...string) mjq.Goal { return mjq.WaitQuantile(x[0], x[1], c...) }, shares, numbers)
	goal("service-level", "share of the jobs that arrive which start within a time, TIME:SHARE[:CLASS]",
		func(x []float64, c ...string) mjq.Goal { return mjq.ServiceLevel(x[0], x[1], c...) }, numbers, shares)
	goal("blocked", "share of the jobs that is turned away of at most SHARE[:CLASS]",
		func(x []float64, c ...string) mjq.Goal { return mjq.Blocked(x[0], c...) }, shares)
	goal("left", "share of the jobs that gives up of at most SHARE[:CLASS]",
		func(x []float64, c ...string) mjq.Goal { return mjq.Left(x[0], c...) }, shares)
	goal("ettr", "effective share of the time of jobs where servers fail, of at least SHARE[:CLASS]",
		func(x []float64, c ...string) mjq.Goal { return mjq.ETTR(x[0], c...) }, shares)
	goal("mean-slowdown", "mean slowdown, with service times of at least a threshold, THRESHOLD:MOST[:CLASS]",
		func(x []float64, c ...string) mjq.Goal { return mjq.MeanSlowdown(x[0], x[1], c...) }, numbers, numbers)
}
