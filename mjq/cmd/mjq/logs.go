package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// ofLog are the verbs of the questions about a log.
var ofLog = []verb{
	advising,

	logQuestion(verb{
		name: "replay", short: "Run the jobs of a log through the queue, under any scheduling policy",
		long: `Replay a log: its jobs arrive when they did and need what they needed, and wait
as they would on so many servers under the policy, or under the priorities of a Slurm site,
which --slurm-conf and --shares give. With --failures nodes
are down when they were. --loop has users wait for their jobs, --sleep switches
servers off that no job needs, and --elastic has jobs shrink and grow.`,
		example: "mjq replay jobs.csv --servers 8\nmjq replay jobs.csv --servers 8 --slurm-conf config.txt --shares shares.txt\nmjq replay centre.swf --policy EASY --slowdown-threshold 10\nmjq replay jobs.csv --servers 8 --sleep 600/300 --awake 2 --watts 350:180:250:15\nmjq replay jobs.csv --servers 8 --elastic 'need:4=0.5:2:Power(0.8)'\nmjq replay jobs.csv --nodes 2x4 --placement WorstFit\n" +
			`mjq replay centre.swf --by user --policy '{"policy":"Backfill","depth":1,"estimates":{"rule":"given"}}' --csv`,
	}, results, func(c *call) askingLog[*result.Result] {
		policyFlag(c.cmd, policies.one(&c.models.policy), policyUsage)
		c.models.nodes.add(c.flags())
		c.set.some(c.cmd, "WarmUp", "SlowdownThreshold", "Within", "Overtaking", "Loop", "Session")
		c.models.sleep.add(c.flags())
		var elastic elasticLogFlags
		elastic.add(c.flags())
		var site siteFlags
		site.add(c)
		var outages outageFlags
		outages.add(c)
		return func(t *trace.Trace, ctx context.Context, how trace.Replay, opts ...mjq.Option) (*result.Result, error) {
			how, _, err := site.apply(c, t, elastic.replayed(c.models.sleep.replayed(how)))
			if err == nil {
				how, err = outages.apply(c, t, how)
			}
			if err != nil {
				return nil, err
			}
			return t.Replay(ctx, how, opts...)
		}
	}),

	logQuestion(verb{
		name: "fit", short: "Make a model of a log",
		long: `Fit a model to a log: classes with their frequencies, distributions of service and
interarrival times. --json writes the model itself, which the other commands read; a table
and CSV compare its distributions with the log. With --arrivals a process is fitted by
maximum likelihood, best is that of the least BIC, and shown beside the log: index of
dispersion, correlation of interarrival times and, with --period, the rate by the time of
day.`,
		example: "mjq fit jobs.csv --servers 8 --moments 2\nmjq fit centre.swf --by powers --moments 3 --json -o centre.json\nmjq fit jobs.csv --servers 8 --moments 1 --arrivals poisson --json | mjq solve -\nmjq fit centre.swf --arrivals best --period 3600 --parts 4",
	}, fits, fit),
}

// askingLog asks a question about a log, as the methods of trace.Trace do.
type askingLog[T any] func(t *trace.Trace, ctx context.Context, how trace.Replay, opts ...mjq.Option) (T, error)

// logQuestion is the verb of a question about a log; see question.
func logQuestion[T comparable](v verb, f form[T], ask func(c *call) askingLog[T]) verb {
	v.takesFile = "LOG..."
	v.build = func(c *call) func() error {
		c.flags().Var(wholes.list(&c.models.servers, ","), "servers", "number of servers (as the log says)")
		ask := ask(c)
		c.logs.add(c.cmd)
		c.to.add(c.cmd, f.names())
		return func() error { return aboutLog(c, f, ask) }
	}
	return v
}

// aboutLog asks a question about the log of the file, and writes the answer.
func aboutLog[T comparable](c *call, f form[T], ask askingLog[T]) error {
	sizing := c.system.resolve(c)
	how, err := c.replaying()
	if err := errors.Join(c.to.check(), sizing, err); err != nil {
		return input(err)
	}
	c.logs.unit = cmp.Or(c.logs.unit, c.models.unit)
	t, err := panics.Until(c.ctx(), func() (*trace.Trace, error) {
		return c.logs.read(c.args, max(how.Servers, c.models.nodes.units()), c.streams)
	})
	if err != nil {
		return input(err)
	}
	p := newProgress(c, c.name)
	x, err := ask(t, c.ctx(), how, append(c.set.told, p.option())...)
	p.end()
	var none T
	switch {
	case err != nil && c.ctx().Err() == nil:
		return input(err) // all that these questions can refuse is the log or a flag
	case x == none:
		return err
	}
	var before []section
	if !f.page { // which says by itself what it is about
		before = []section{{heading: "Log", html: t.HTML()}}
	}
	return finish(c, f, before, []T{x}, err)
}

// replaying is how the flags have a log replayed. The fields that were given have the names of
// trace.Replay.
func (c *call) replaying() (how trace.Replay, err error) {
	text, err := json.Marshal(c.set.fields)
	if err == nil {
		err = json.Unmarshal(text, &how)
	}
	if len(c.models.servers) > 0 {
		how.Servers = c.models.servers[0]
	}
	how.Policy, how.Classes = c.models.policy, c.logs.by
	if len(c.models.servers) > 0 && len(c.models.nodes.kinds) > 0 {
		err = errors.Join(err, errors.New("--servers along with --nodes: give one of them"))
	}
	how.Nodes, how.Placement = c.models.nodes.specs(), c.models.nodes.placement
	return how, err
}

// Flags that only a log or only a model knows, of verbs that take both.
var (
	ofLogs   = []string{"faster", "skip-malformed", "columns", "no-header", "requested", "zero-run-time", "class-field", "by", "need", "class-column", "only", "without", "cluster", "since", "until", "format", "timezone", "times"}
	ofModels = []string{"method", "system", "tuples", "rate", "load", "rates", "arrivals", "jobs", "replications", "batch-means", "overtaking", "rel-err", "half-width", "max-jobs"}
)

// onLogToo has a question about a model take a log as well.
func onLogToo[T comparable](v verb, f form[T], ask func(c *call) askingLog[T]) verb {
	v.takesFile = "MODEL|LOG..."
	build := v.build
	v.build = func(c *call) func() error {
		onModel := build(c)
		c.logs.add(c.cmd)
		c.cmd.ValidArgsFunction = filesEnding("json", "toml", "csv", "swf", "gz")
		return func() error {
			if c.isLog() {
				if err := c.without(ofModels, "a log, which has its own"); err != nil {
					return input(err)
				}
				return aboutLog(c, f, ask(c))
			}
			err := c.without(ofLogs, "a model, not a log")
			if n := len(c.args); n > 1 {
				err = errors.Join(err, fmt.Errorf("%s takes several files of logs, or one model; %d are given, and %s is a model", c.name, n, c.args[0]))
			}
			if err != nil {
				return input(err)
			}
			return onModel()
		}
	}
	return v
}

// without is the error of flags that do not go with the file.
func (c *call) without(names []string, kind string) error {
	var wrong []error
	for _, name := range names {
		if f := c.flags().Lookup(name); f != nil && f.Changed {
			wrong = append(wrong, fmt.Errorf("--%s: %s is %s; leave it out", name, c.args[0], kind))
		}
	}
	return errors.Join(wrong...)
}

// arrivalsByName are the arrival processes that can be fitted, by their names on the command
// line.
var arrivalsByName = map[string]trace.Arrivals{"best": trace.Best, "poisson": trace.PoissonOnly, "hyper": trace.TwoGaps, "mmpp": trace.BurstsMMPP,
	"map": trace.BurstsMAP, "profile": trace.Hours, "profile-mmpp": trace.HoursOfBursts}

// fitted is a model of a log beside the times of the log itself.
type fitted struct {
	*trace.Fitted
	log *trace.Trace
	own *trace.Fitted
}

// String is the log, the model, its distributions and arrivals beside the log, and what became of its lines.
func (x *fitted) String() string {
	text := x.log.String() + "\n" + x.Fitted.String()
	for _, n := range x.Model.Spec().Notes {
		text += "Note: " + n + "\n"
	}
	return text
}

// fits is the form of such a model. In JSON it is the model itself.
var fits = form[*fitted]{
	title: "Model of a log", data: func(x *fitted) any { return x.Model }, parts: (*fitted).parts,
	pictures: []picture[*fitted]{apiece("distributions", (*fitted).picture)},
}

// fit makes a model of a log.
func fit(c *call) askingLog[*fitted] {
	var how trace.Fit
	c.flags().Var(notNegative(wholes).one(&how.Moments), "moments", "moments that the distributions have: 1, 2 or 3; 0 takes those of the log itself")
	c.flags().Var(notNegative(numbers).one(&how.Period), "period", "period of the rate, as a day, in the log's unit of time")
	c.flags().Var(notNegative(wholes).one(&how.Parts), "parts", "equal parts of the period (24)")
	names := slices.Sorted(maps.Keys(arrivalsByName))
	process := kind[trace.Arrivals]{"process", "best", func(text string) (trace.Arrivals, error) {
		a, known := arrivalsByName[text]
		if !known {
			return a, fmt.Errorf("%q is no process; choose %s", text, strings.Join(names, ", "))
		}
		return a, nil
	}}
	c.flags().Var(process.one(&how.Arrivals), "arrivals", "arrival process: "+strings.Join(names, ", ")+"; interarrival times by --moments if left out")
	_ = c.cmd.RegisterFlagCompletionFunc("arrivals", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	c.set.some(c.cmd)
	return func(t *trace.Trace, ctx context.Context, replaying trace.Replay, opts ...mjq.Option) (*fitted, error) {
		how.Servers, how.Classes = replaying.Servers, replaying.Classes
		x, err := t.Fit(ctx, how, opts...)
		if err != nil {
			return nil, err
		}
		own, err := t.Fit(ctx, trace.Fit{Servers: how.Servers, Classes: how.Classes}, opts...)
		return &fitted{x, t, own}, err
	}
}

// parts are the parts of a page.
func (x *fitted) parts() []section {
	all := []section{{heading: "Model", html: x.Model.HTML()}, {heading: "Distributions", html: x.Table().HTML(), picture: x.picture()}}
	if x.Arrivals != nil {
		all = append(all, section{heading: "Arrivals", html: x.Arrivals.HTML(), picture: plots.ArrivalFit(x.Arrivals)})
	}
	return all
}

// mostFits is how many distributions a picture tells apart.
const mostFits = 6

// picture has the tails of service times beside those of the log, on a logarithmic axis.
func (x *fitted) picture() *figure.Figure {
	f := figure.New("Service times, dashed, and the log").X("time x").Y("P(X > x)").LogY()
	for i, law := range x.Classes[:min(len(x.Classes), mostFits)] {
		own := x.own.Classes[i]
		end := 2 * law.Moments[0]
		for n := float64(max(own.N, 2)); own.Law.Survival(end) > 1/n; {
			end *= 1.2
		}
		var at, logged, model []float64
		for k := range 201 {
			t := end * float64(k) / 200
			at, logged, model = append(at, t), append(logged, own.Law.Survival(t)), append(model, law.Law.Survival(t))
		}
		f.Steps(law.Class, at, logged).Asymptotic(law.Class, at, model)
	}
	return f
}
