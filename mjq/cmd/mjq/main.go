// Command mjq answers questions about multiserver-job queues from the command line:
// where a queue becomes unstable, how long its jobs wait, how many servers it needs, and what
// a log of jobs would have seen. It has a verb for each question of package mjq. Each reads
// files, asks the package and writes a table, JSON, comma-separated values, a picture or a
// page; see README.md in this folder.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/result"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr, isTerminal(os.Stderr)}))
}

// streams are where a command reads and writes.
type streams struct {
	in         io.Reader
	out, notes io.Writer // answers; messages and progress
	terminal   bool      // somebody watches the notes
}

// watched remembers the first error of a writer.
type watched struct {
	io.Writer
	err error
}

// Write writes, and keeps the error.
func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.err = cmp.Or(w.err, err)
	return n, err
}

// run carries out a command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	out := &watched{Writer: s.out}
	s.out = out
	root := newRoot(s, args)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.notes)
	asked, err := root.ExecuteContextC(ctx)
	if out.err != nil { // help and version do not look after it
		err = failure{failed, out.err}
	}
	if err != nil {
		fmt.Fprintln(s.notes, "mjq:", inFlags(asked, message(err)))
	}
	return exitCode(err)
}

const summary = `mjq answers questions about multiserver-job queues: jobs that need several
servers at once, wait in the queue, and block those behind them.

mjq reads a model from a file: JSON as package mjq writes it (or - for standard
input), TOML of mjqm-simulator, CSV with the columns servers, probability and
mean_service, or with --tuples lines such as (4, 0.25, 1.5); add --servers and
--rate to the last two. It reads lists of rates by --rates, and logs of jobs from
the Standard Workload Format (.swf) or CSV, also compressed (.gz).

The answer is a table, or with --json, --csv, --svg or --html in that form, on
standard output or in the file of --output. Several rates or servers give several
answers. mjq shows progress on a terminal only.

Exit codes:
  0    answered
  1    no answer: the method is not for this model, or a file cannot be written
  2    the command line or an input is wrong; nothing is written
  3    the target of --rel-err or --half-width was not reached; the answer is written
  75   a part of a sweep was interrupted; run the same command again
  130  interrupted; what there was by then is written, with a note that says so`

// newRoot is the tree of commands, of which those have flags that the arguments name, or
// all if there are none.
func newRoot(s streams, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "mjq",
		Short: "Where a multiserver-job queue becomes unstable, and how long its jobs wait",
		Long:  summary,
		Example: `mjq stability queue.json
mjq solve queue.json
mjq solve classes.csv --servers 20 --rate 1 --method backward --seed 7
mjq fewest-servers queue.json --mean-wait 0.25`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          commandKnown,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(flagFault)
	root.PersistentFlags().BoolP("quiet", "q", false, "no progress, even on a terminal")
	for _, group := range []struct {
		title string
		verbs []verb
	}{{"Questions about a model:", questions}, {"Searches:", searches}, {"Questions about a log:", ofLog}, {"Other commands:", others}} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for i := range group.verbs {
			c := group.verbs[i].command(s, len(args) == 0 || slices.Contains(args, group.verbs[i].name))
			c.GroupID = group.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("Other commands:")
	root.SetCompletionCommandGroupID("Other commands:")
	return root
}

// others are the verbs of the command line itself.
var others = []verb{
	question(verb{
		name: "report", short: "Write a page on a model: its limit, its waits, and pictures up to the limit",
		long: `Write an HTML page that stands alone: the model, its stability limit, waiting times
at its arrival rate, pictures at loads up to 0.9 of the limit where that is known,
and which methods there are. mjq finds waits as mjq solve does. --json and --csv write the
numbers of the page, --svg its first picture.`,
		example: "mjq report queue.json -o report.html\nmjq report queue.json --csv\nmjq report classes.csv --servers 20 --rate 1 --policy FirstFit --rel-err 0.1 -o report.html",
		methods: waits, options: []string{"rel-err", "half-width", "max-jobs"}, arrivals: taken,
	}, reports, report),
	{
		name: "merge", takesFile: "PART...", short: "Put the parts of a sweep together, which --shard has computed",
		example: "mjq merge part0.json part1.json --csv",
		build:   merge,
	},
	{
		name: "version", short: "Print the version, which results name too", example: "mjq version",
		build: func(c *call) func() error {
			return func() error {
				_, err := fmt.Fprintln(c.out, "mjq", result.Version)
				return err
			}
		},
	},
}

// merge puts the parts of a sweep together.
func merge(c *call) func() error {
	c.to.add(c.cmd, sweeps.names())
	return func() error {
		parts := make([]*result.Sweep, len(c.args))
		for i, file := range c.args {
			text, err := panics.Until(c.ctx(), func() ([]byte, error) { return readInput(file, c.in, anyName) })
			if err != nil {
				return input(err)
			}
			parts[i] = new(result.Sweep)
			var of struct{ Points, Jobs json.RawMessage }
			if json.Unmarshal(text, &of) == nil && (of.Points == nil || of.Jobs == nil) {
				return input(fmt.Errorf("%s is no part of a sweep; give files that mjq sweep --shard K/N --json has written", file))
			}
			if err := parts[i].UnmarshalJSON(text); err != nil {
				return input(named(file, err))
			}
		}
		whole, err := result.MergeSweeps(parts...)
		if err := cmp.Or(c.to.check(), err); err != nil {
			return input(err)
		}
		return finish(c, sweeps, nil, []*result.Sweep{whole}, nil)
	}
}

// Exit codes, which the help of the root explains.
const (
	failed      = 1
	badInput    = 2
	notMet      = 3
	temporary   = 75  // EX_TEMPFAIL of sysexits.h: the same command may succeed later
	interrupted = 130 // 128 and the number of SIGINT, as shells have it
)

// failure is an error with its exit code.
type failure struct {
	code int
	error
}

// input marks an error as one of the command line or of a file; nil stays nil, and an
// interrupt is no fault of either.
func input(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return failure{badInput, err}
}

// coded is an error of what a command does: a failure of the computation unless it says
// otherwise. What cobra finds wrong before is an error of the command line.
func coded(ctx context.Context, err error) error {
	var coded failure
	var asked *check.Setting
	switch {
	case err == nil || errors.As(err, &coded):
		return err
	case errors.As(err, &asked):
		return input(err)
	case ctx.Err() != nil:
		return failure{interrupted, errors.New("interrupted before there was an answer")}
	}
	return failure{failed, err}
}

// exitCode is that of an error of the tree of commands.
func exitCode(err error) int {
	var coded failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &coded):
		return coded.code
	}
	return badInput
}

// message is an error without the name of the package, which the command has in common
// with it. Errors name what stands in files.
func message(err error) string { return escape.Lines(strings.TrimPrefix(err.Error(), "mjq: ")) }
