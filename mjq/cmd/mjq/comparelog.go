package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// Flags of compare that a log or a model alone knows.
var (
	ofModels = []string{"system", "tuples", "rate", "load", "rates", "arrivals", "jobs", "replications", "rel-err", "half-width", "workers"}
	ofLogs   = []string{"faster", "skip-malformed", "columns", "no-header", "requested", "zero-run-time", "class-field", "by"}
)

// belongs names all flags given that are of the other kind of file.
func belongs(c *cobra.Command, others []string, reason string) error {
	var wrong []error
	for _, name := range others {
		if c.Flags().Changed(name) {
			wrong = append(wrong, fmt.Errorf("--%s: %s; leave it out", name, reason))
		}
	}
	return errors.Join(wrong...)
}

// isLog tells a log from a model by its name, and a CSV by its first line: that of
// classes has the column probability. A file that cannot be read is none.
func isLog(file string) bool {
	packed := strings.HasSuffix(strings.ToLower(file), ".gz")
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(file), ".gz")) {
	case ".swf":
		return true
	case ".csv":
	default:
		return packed
	}
	in, err := open(file, nil)
	if err != nil {
		return false
	}
	defer func() { _ = in.Close() }() // it was only read
	header, _ := bufio.NewReader(in).ReadString('\n')
	columns := strings.Split(strings.TrimSpace(header), ",")
	return !slices.ContainsFunc(columns, func(name string) bool { return strings.Trim(name, ` "`) == "probability" })
}

// compareOnLog compares policies on the jobs of a log.
func compareOnLog(c *cobra.Command, to *output, from *modelFlags, how *logFlags, file string) error {
	by, err := how.classes()
	if err := errors.Join(belongs(c, ofModels, file+" is a log, which has its own"), err); err != nil {
		return input(err)
	}
	policies, err := from.severalPolicies(1)
	if err != nil {
		return input(err)
	}
	how.servers = from.servers
	t, err := how.read(c, file, to.streams)
	if err != nil {
		return err
	}
	set := onLog(c.Flags())
	q := set.apply(mjq.CompareReplay(t, how.servers, policies...))
	q = map[string]func(trace.CompareQuery) trace.CompareQuery{"need": trace.CompareQuery.ByNeed, "powers": trace.CompareQuery.PowersOfTwo,
		"class": trace.CompareQuery.ByClass, "user": trace.CompareQuery.ByUser}[by](q)
	return compare(c, to, section{heading: "Log", html: t.HTML()}, func(ctx context.Context, report func(done, total float64)) (*result.Comparison, error) {
		if report != nil {
			q = q.Progress(report)
		}
		r, err := q.Run(ctx)
		if err != nil && ctx.Err() == nil {
			err = input(err) // all that a replay can refuse is the log or a flag
		}
		return r, err
	})
}

// onLog are the settings of a comparison on a log, from the flags of one on a model.
func onLog(flags *pflag.FlagSet) settings[trace.CompareQuery] {
	set := settings[trace.CompareQuery]{flags: flags}
	float := func(name string, apply func(trace.CompareQuery, float64) trace.CompareQuery) {
		set.step(name, func(q trace.CompareQuery) trace.CompareQuery {
			return apply(q, *flags.Lookup(name).Value.(*number).value)
		})
	}
	float("slowdown-threshold", trace.CompareQuery.SlowdownThreshold)
	float("in-time", trace.CompareQuery.InTime)
	float("level", trace.CompareQuery.Level)
	set.step("warm-up", func(q trace.CompareQuery) trace.CompareQuery {
		return q.WarmUp(int(*flags.Lookup("warm-up").Value.(*whole)))
	})
	set.step("seed", func(q trace.CompareQuery) trace.CompareQuery {
		return q.Seed(uint64(*flags.Lookup("seed").Value.(*seed)))
	})
	return set
}
