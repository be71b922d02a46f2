// Command mjq answers questions about multiserver-job queues from the command line:
// where a queue breaks down, how long its jobs wait, and what a log of jobs would have
// seen. Each command reads files, computes by package mjq and writes a table, JSON,
// comma-separated values, a picture or a page; see README.md beside this file.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
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

// run carries out a command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.notes)
	err := root.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(s.notes, "mjq:", message(err))
	}
	return exitCode(err)
}

const about = `mjq answers questions about multiserver-job queues: jobs that need several
servers at once, wait in line, and block those behind them.

A model is read from a file: JSON as package mjq writes it (or - for standard
input), TOML of mjqm-simulator, CSV with the columns servers, probability and
mean_service, or with --tuples lines such as (4, 0.25, 1.5); to the last two
--servers and --rate are added. Lists of rates are read by --rates. Logs of jobs are read
from the Standard Workload Format (.swf) or CSV, also compressed (.gz).

The answer is a table, or with --json, --csv, --svg or --html in that form, on
standard output or in the file of --output. Progress is shown on a terminal only.

Exit codes:
  0    answered
  1    no answer: the method is not for this model, or a file cannot be written
  2    the command line or an input is wrong; nothing is written
  3    the target of --rel-err or --half-width was not reached; the answer is written
  130  interrupted; what there was by then is written, with a note that says so`

// newRoot is the tree of commands.
func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "mjq",
		Short:         "Where a multiserver-job queue breaks down, and how long its jobs wait",
		Long:          about,
		Example:       "mjq stability queue.json\nmjq exact queue.json\nmjq sample classes.csv --servers 20 --rate 1 --method backward --seed 7",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          commandKnown,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(flagFault)
	root.PersistentFlags().BoolP("quiet", "q", false, "no progress, even on a terminal")
	root.AddCommand(stabilityCommand(s), exactCommand(s), sampleCommand(s), simulateCommand(s), compareCommand(s), sizeCommand(s),
		replayCommand(s), fitCommand(s), reportCommand(s), methodsCommand(s), versionCommand(s))
	return root
}
