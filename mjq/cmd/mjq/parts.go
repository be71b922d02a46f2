package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
)

// division says how a sweep is divided: which part is computed, or what becomes of all.
type division struct {
	*call
	ask           asking[*result.Sweep]
	part          [2]int
	dir           string
	merge         int
	partial       bool
	status, watch bool
}

// inParts is the verb of a sweep that can be divided.
func inParts(v verb) verb {
	v.takesFile = "MODEL"
	v.build = func(c *call) func() error {
		d := &division{call: c, ask: gridFlags(c)}
		c.set.add(c.cmd, v.methods, v.options)
		c.models.add(c.cmd, v.arrivals)
		c.to.add(c.cmd, sweeps.names())
		d.add()
		return d.run
	}
	return v
}

// add defines the flags.
func (d *division) add() {
	flags := d.flags()
	flags.Var(partNumbers.one(&d.part), "part", "compute only part k of n, from 0, and keep it in --dir; slurm/n and k8s/n take k from the job array")
	flags.StringVar(&d.dir, "dir", "", "directory of the parts, which all machines reach")
	flags.Var(wholes.one(&d.merge), "merge", "write the answer of so many parts that --dir has")
	flags.BoolVar(&d.partial, "partial", false, "with --merge: write what there is, although parts are missing")
	flags.BoolVar(&d.status, "status", false, "say which parts --dir has")
	flags.BoolVar(&d.watch, "watch", false, "say so again and again until all are there")
	d.cmd.MarkFlagsMutuallyExclusive("part", "merge", "status", "shard")
	d.cmd.MarkFlagsMutuallyExclusive("part", "merge", "watch", "shard")
	d.cmd.Args = func(c *cobra.Command, args []string) error {
		if (d.status || d.watch) && len(args) == 0 {
			return nil
		}
		return d.files(c, args)
	}
}

// run carries out a sweep, or what concerns its parts.
func (d *division) run() error {
	given := d.flags().Changed
	if err := d.check(); err != nil {
		return input(err)
	}
	switch {
	case d.status || d.watch:
		return d.report()
	case given("part"):
		return d.compute()
	case given("merge"):
		return d.whole()
	}
	return about(d.call, sweeps, unlessEmpty(d.ask))
}

// check says what is wrong with the flags.
func (d *division) check() error {
	given := d.flags().Changed
	if given("partial") && !given("merge") {
		return errors.New("--partial goes with --merge; leave it out, or add --merge and the number of parts")
	}
	divided := given("part") || given("merge") || d.status || d.watch
	switch {
	case divided && d.dir == "":
		return errors.New("--dir is missing: give the directory of the parts, which all machines reach")
	case !divided && d.dir != "":
		return errors.New("--dir is of --part, --merge, --status and --watch; add one of them")
	case given("merge") && d.merge < 1:
		return fmt.Errorf("--merge %d: give the number of parts, n of --part k/n", d.merge)
	}
	if given("merge") || !divided {
		return nil
	}
	for _, name := range []string{"json", "csv", "svg", "html", "output", "plot"} {
		if f := d.flags().Lookup(name); f != nil && f.Changed {
			return fmt.Errorf("--%s: the answer is written by --merge; leave it out here", name)
		}
	}
	return nil
}

// partNumbers are the parts that tasks compute.
var partNumbers = kind[[2]int]{"k/n", "0/20, slurm/20 or k8s/20", readPart}

// arrays are the variables in which job arrays have the number of a task, and how to start
// n tasks from 0.
var arrays = map[string]struct{ variable, start string }{
	"slurm": {"SLURM_ARRAY_TASK_ID", "sbatch --array=0-%d"},
	"k8s":   {"JOB_COMPLETION_INDEX", "an Indexed Job with completions: %d"},
}

// readPart reads a part of several, from 0, whose number an array may know.
func readPart(text string) (part [2]int, err error) {
	from, of, _ := strings.Cut(text, "/")
	array, known := arrays[from]
	if !known {
		part, err = readShard(text)
		if err == nil && (part[0] < 0 || part[0] >= part[1]) {
			err = fmt.Errorf("%q: number the parts from 0 to one less than there are", text)
		}
		return part, err
	}
	n, err := readWhole(of)
	if err != nil || n < 1 {
		return part, fmt.Errorf("%q: give the number of parts, as %s/20", text, from)
	}
	start := fmt.Sprintf(array.start, n)
	if from == "slurm" {
		start = fmt.Sprintf(array.start, n-1)
	}
	k, err := readWhole(os.Getenv(array.variable))
	if err != nil {
		return part, fmt.Errorf("%q: %s is %q here; start the tasks by %s", text, array.variable, os.Getenv(array.variable), start)
	}
	if k < 0 || k >= n {
		return part, fmt.Errorf("%q: %s is %d, and parts are numbered from 0 to %d; start the tasks by %s", text, array.variable, k, n-1, start)
	}
	return [2]int{k, n}, nil
}

// swept is a sweep that is divided.
type swept struct {
	model mjq.Model
	opts  []mjq.Option
	text  []byte // all that its results depend on
}

// identity is what the results of a sweep depend on beside the program. The grid has points
// for rates, loads, servers and laws.
type identity struct {
	Model        mjq.Model           `json:"model"`
	Method       json.RawMessage     `json:"method,omitempty"`
	Grid         []result.SweepPoint `json:"grid"`
	Replications int                 `json:"replications"`
	Seed         uint64              `json:"seed"`
	Level        float64             `json:"level"`
	Targets      map[string]any      `json:"targets,omitempty"` // by their flags
}

// described checks the sweep without computing anything of it.
func (d *division) described() (*swept, error) {
	opts, err := d.set.all()
	if err := errors.Join(d.to.check(), err); err != nil {
		return nil, input(err)
	}
	models, err := d.read()
	if err != nil {
		return nil, input(err)
	}
	if len(models) > 1 {
		return nil, input(fmt.Errorf("%s has %d systems, and parts are of one; choose it by --system", d.args[0], len(models)))
	}
	ended, end := context.WithCancel(context.Background())
	end()
	plan, err := d.ask(models[0], ended, opts...)
	if plan == nil {
		return nil, err
	}
	x := identity{Model: models[0], Grid: plan.Points, Replications: plan.Replications, Seed: plan.Seed, Level: plan.Level, Targets: d.set.targets}
	if m, _ := d.set.chosen(); m != nil { // its error is among those above
		if x.Method, err = mjq.MarshalMethod(m); err != nil {
			return nil, input(err)
		}
	}
	text, err := json.Marshal(x)
	return &swept{models[0], opts, text}, err
}

// compute computes a part and keeps it, unless it is kept.
func (d *division) compute() error {
	s, err := d.described()
	if err != nil {
		return err
	}
	k, n := d.part[0], d.part[1]
	name := cache.PartName(s.text, k, n)
	if p, err := cache.RecallPart(d.dir, name); err == nil {
		d.say("part %d of %d was there already: %s", k, n, contents(&p))
		return nil
	}
	if err := cache.Writable(d.dir); err != nil {
		return fmt.Errorf("part %d of %d: %w", k, n, err)
	}
	bar, began := newProgress(d.call, fmt.Sprintf("part %d of %d", k, n)), time.Now()
	res, err := d.ask(s.model, d.ctx(), append(s.opts, mjq.Shard(k, n), bar.option())...)
	bar.end()
	if d.ctx().Err() != nil {
		return failure{temporary, fmt.Errorf("part %d of %d: interrupted, and nothing of it is kept; run the same command again", k, n)}
	}
	if panicked := (*mjq.Panic)(nil); res == nil || errors.As(err, &panicked) {
		return err
	}
	p := cache.PartOf(s.text, res, err, time.Since(began))
	if err := cache.KeepPart(d.dir, name, p); err != nil {
		return fmt.Errorf("part %d of %d: %w", k, n, err)
	}
	d.say("part %d of %d: %s", k, n, contents(&p))
	if err != nil {
		fmt.Fprintln(d.notes, "mjq:", message(err))
	}
	return nil
}

// contents is what a part has, in words.
func contents(p *cache.Part) string {
	text := fmt.Sprintf("jobs with a result: %d", len(p.Result.Jobs))
	if len(p.Failed) > 0 {
		text += ", and some without"
	}
	return fmt.Sprintf("%s; time: %s", text, p.Took.Round(time.Millisecond))
}

// say prints a line for the log of a task.
func (d *division) say(format string, args ...any) {
	fmt.Fprintln(d.out, escape.Lines(fmt.Sprintf(format, args...)))
}
