// Command run executes notebooks headless through the kernel "Go (mjq)" and
// fails when a cell fails.
//
//	go run ./notebooks/run [flags] [NOTEBOOK...]
//
// Without arguments it runs every notebook in notebooks/. A cell fails when it
// does not compile, panics, or exits with a status other than 0; the cells
// after it run all the same, so that one run shows every fault. Executed copies
// go to build/notebooks/EFFORT, and with -html a report with readable ones to
// build/report (to build/report/quick for the quick effort).
//
// A notebook that has passed is not run again while its code, the module and
// the effort stay the same, so that a run that was interrupted goes on where it
// was; -fresh runs it all the same. With -matrix nothing is run: the results
// that are there go into the reproduction matrix of README.md.
//
// The private environment must be there: docker/setup.sh makes it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// options are the command line's.
type options struct {
	effort  string
	timeout time.Duration
	inPlace bool
	html    bool
	fresh   bool
	matrix  bool
}

func main() {
	var opt options
	flag.StringVar(&opt.effort, "effort", "quick", "MJQ_EFFORT for the cells: quick or full")
	flag.DurationVar(&opt.timeout, "timeout", 10*time.Minute, "limit for each notebook")
	flag.BoolVar(&opt.inPlace, "inplace", false, "write the outputs back to the notebooks that pass")
	flag.BoolVar(&opt.html, "html", false, "make the report, with HTML copies, in build/report")
	flag.BoolVar(&opt.fresh, "fresh", false, "run also what has passed with the same inputs")
	flag.BoolVar(&opt.matrix, "matrix", false, "run nothing; write the results that are there to README.md")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, opt, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

// outcome is what became of one notebook in this run.
type outcome struct {
	Name     string
	Faults   []fault
	Duration time.Duration
	Kept     bool // from an earlier run
}

func (o outcome) Passed() bool { return len(o.Faults) == 0 }

func run(ctx context.Context, opt options, notebooks []string) error {
	if opt.effort != "quick" && opt.effort != "full" {
		return fmt.Errorf("-effort %s: want quick or full", opt.effort)
	}
	at, err := findCheckout()
	if err != nil {
		return err
	}
	if opt.matrix {
		return at.writeMatrix(opt.effort)
	}
	if len(notebooks) == 0 {
		if notebooks, err = at.notebooks(); err != nil {
			return err
		}
	}
	bad, done := 0, 0
	tell := newProgress(os.Stdout)
	for i, path := range notebooks {
		o := runOne(ctx, at, path, opt, fmt.Sprintf("%d/%d %s", i+1, len(notebooks), nameOf(path)), tell)
		if ctx.Err() != nil {
			break
		}
		fmt.Print(o)
		done++
		if !o.Passed() {
			bad++
		}
	}
	if opt.html {
		if err := at.writeReport(opt.effort); err != nil {
			return err
		}
	}
	fmt.Printf("%d passed, %d failed\n", done-bad, bad)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted after %d of %d notebooks; the same command goes on from there", done, len(notebooks))
	case bad > 0:
		return fmt.Errorf("%d of %d notebooks failed", bad, len(notebooks))
	}
	return nil
}

// runOne executes a notebook, unless that has been done, and writes its copies.
// Whatever goes wrong is a fault of the notebook.
func runOne(ctx context.Context, at checkout, path string, opt options, place string, tell *progress) outcome {
	o := outcome{Name: nameOf(path)}
	if err := at.runNotebook(ctx, path, opt, place, tell, &o); err != nil {
		o.Faults = append(o.Faults, fault{Text: err.Error()})
	}
	return o
}

func (at checkout) runNotebook(ctx context.Context, path string, opt options, place string, tell *progress, o *outcome) error {
	nb, err := readNotebook(path)
	if err != nil {
		return err
	}
	before, err := at.sourceKey()
	if err != nil {
		return err
	}
	inputs := nb.key(before, opt.effort)
	if s, ok := at.kept(nb, o.Name, inputs, opt); ok {
		o.Kept, o.Duration = true, s.Duration
		return at.copies(ctx, path, opt, o)
	}
	end := tell.begin(place, len(nb.cells()))
	start := time.Now()
	faults, err := at.execute(ctx, path, opt, tell)
	o.Duration = time.Since(start)
	end()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		faults = append(faults, fault{Text: err.Error()})
	}
	o.Faults = faults
	if after, err := at.sourceKey(); err != nil || after != before {
		inputs = "changed during the run"
	}
	s := stamp{Inputs: inputs, Effort: opt.effort, Finished: time.Now(), Duration: o.Duration, Faults: faults}
	if err := s.write(at.stamp(o.Name, opt.effort)); err != nil {
		return err
	}
	return at.copies(ctx, path, opt, o)
}

// copies writes what the options ask for beside the executed copy.
func (at checkout) copies(ctx context.Context, path string, opt options, o *outcome) error {
	executed := at.executed(o.Name, opt.effort)
	nb, err := readNotebook(executed)
	if errors.Is(err, os.ErrNotExist) && !o.Passed() {
		return nil // it was stopped, which is among the faults
	}
	if err != nil {
		return err
	}
	if opt.inPlace && o.Passed() {
		if err := nb.write(path); err != nil {
			return err
		}
	}
	if opt.html {
		return at.render(ctx, o.Name, opt.effort)
	}
	return nil
}

// String is the report on the terminal: one line, and the faults below it.
func (o outcome) String() string {
	word, kept := "PASS", ""
	if !o.Passed() {
		word = "FAIL"
	}
	if o.Kept {
		kept = ", run before"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %-40s %7.1f s%s\n", word, o.Name, o.Duration.Seconds(), kept)
	for _, f := range o.Faults {
		b.WriteString(f.String())
	}
	return b.String()
}
