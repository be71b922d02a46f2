// Command run executes notebooks headless through the kernel "Go (mjq)" and
// fails when a cell fails.
//
//	go run ./notebooks/run [flags] [NOTEBOOK...]
//
// Without arguments it runs every notebook in notebooks/. A cell fails when it
// does not compile, panics, or exits with a status other than 0; the cells
// after it run all the same, so that one run shows every fault. Executed copies
// go to build/notebooks, and with -html readable ones to build/report.
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
	"path/filepath"
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
}

func main() {
	var opt options
	flag.StringVar(&opt.effort, "effort", "quick", "MJQ_EFFORT for the cells: quick or full")
	flag.DurationVar(&opt.timeout, "timeout", 10*time.Minute, "limit for each notebook")
	flag.BoolVar(&opt.inPlace, "inplace", false, "write the outputs back to the notebooks that pass")
	flag.BoolVar(&opt.html, "html", false, "make HTML copies and an index in build/report")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, opt, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

// outcome is what became of one notebook.
type outcome struct {
	Name     string
	Faults   []fault
	Duration time.Duration
}

func (o outcome) Passed() bool { return len(o.Faults) == 0 }

// Executed reports whether the run came to the end, so that there are copies.
func (o outcome) Executed() bool {
	for _, f := range o.Faults {
		if f.Cell == 0 {
			return false
		}
	}
	return true
}

func run(ctx context.Context, opt options, notebooks []string) error {
	if opt.effort != "quick" && opt.effort != "full" {
		return fmt.Errorf("-effort %s: want quick or full", opt.effort)
	}
	at, err := findCheckout()
	if err != nil {
		return err
	}
	if len(notebooks) == 0 {
		if notebooks, err = filepath.Glob(filepath.Join(string(at), "notebooks", "*.ipynb")); err != nil {
			return err
		}
	}
	var outcomes []outcome
	failed := 0
	for _, path := range notebooks {
		o := runOne(ctx, at, path, opt)
		outcomes = append(outcomes, o)
		fmt.Print(o)
		if !o.Passed() {
			failed++
		}
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
	}
	if opt.html {
		if err := writeIndex(at.report(), opt.effort, outcomes); err != nil {
			return err
		}
	}
	fmt.Printf("%d passed, %d failed\n", len(outcomes)-failed, failed)
	if failed > 0 {
		os.Exit(1)
	}
	return nil
}

// runOne executes a notebook and writes its copies. Whatever goes wrong is a
// fault of the notebook.
func runOne(ctx context.Context, at checkout, path string, opt options) outcome {
	o := outcome{Name: strings.TrimSuffix(filepath.Base(path), ".ipynb")}
	start := time.Now()
	faults, err := at.execute(ctx, path, opt)
	o.Duration = time.Since(start)
	if err != nil {
		faults = append(faults, fault{Text: err.Error()})
	}
	o.Faults = faults
	return o
}

// String is the report on the terminal: one line, and the faults below it.
func (o outcome) String() string {
	word := "PASS"
	if !o.Passed() {
		word = "FAIL"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %-40s %7.1f s\n", word, o.Name, o.Duration.Seconds())
	for _, f := range o.Faults {
		b.WriteString(f.String())
	}
	return b.String()
}
