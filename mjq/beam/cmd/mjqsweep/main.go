// Command mjqsweep computes a sweep over a model as a pipeline of Apache Beam
// and writes its table as comma-separated values.
//
//	mjqsweep -model model.json -loads 0.5,0.7,0.9 -servers 32,64 -samples 10000 > table.csv
//
// The model is a file as mjq.Model.MarshalJSON writes it, or, with the name
// ending in .toml, an experiment of mjqm-simulator with one first-come
// first-served run. The runner is Prism, in this process. -local computes without Beam, to
// the same digits. On a cluster of Apache Flink that has this program under /path/mjqsweep
// on all machines, and a directory that they share:
//
//	mjqsweep ... -flink localhost:8099 -slots 64 -program /path/mjqsweep -dir /shared/parts
//	mjqsweep -flink localhost:8099 -cancel JOB
//
// An interrupt cancels the job: its workers see so in the directory and stop. A second interrupt
// does not wait for the job server and says how to tell it.
//
// -runner=dataflow, spark, samza or universal choose other runners, with the flags that Beam
// has for them. A job array needs none of this: see mjq sweep --help.
//
// Tried: Prism, and Flink 1.19 with Beam's runner 2.70 on one machine. Not tried: several
// machines, Dataflow, Spark. All processors must have one architecture.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	sweeps "github.com/mjqueue/mjq/mjq/beam"
	"github.com/mjqueue/mjq/mjq/result"
)

var (
	sweep   sweeps.Sweep
	opt     sweeps.Options
	model   = flag.String("model", "", "file of the model, .json or .toml")
	out     = flag.String("out", "", "file of the table; standard output if empty")
	local   = flag.Bool("local", false, "compute in this process without Beam")
	verbose = flag.Bool("verbose", false, "show what the runner logs")
	remove  = flag.String("cancel", "", "cancel the `job` of this id on the job server of -flink, and do nothing else")
)

func init() {
	flag.Var(numbers[float64]{&sweep.Rates}, "rates", "arrival `rates`, with commas between")
	flag.Var(numbers[float64]{&sweep.Loads}, "loads", "fractions of the stability limit, with commas between")
	flag.Var(numbers[int]{&sweep.Servers}, "servers", "`numbers` of servers, with commas between")
	flag.Var(shapes{&sweep.Shapes}, "shape", "a service `law` for all classes by its shape, as 'Erlang={\"law\":\"ErlangMeanPhases\",\"mean\":1,\"phases\":2}'; may be repeated")
	flag.IntVar(&sweep.Samples, "samples", 10_000, "samples of each point")
	flag.Float64Var(&sweep.Eps, "eps", 0, "error probability of certified samples; 0 for backward samples")
	flag.IntVar(&sweep.Replications, "replications", 1, "jobs that each point is cut into")
	flag.Uint64Var(&sweep.Seed, "seed", 1, "seed, not 0")
	flag.Float64Var(&sweep.Level, "level", 0.95, "confidence level of the intervals")
	flag.IntVar(&opt.Parts, "parts", 0, "parts that the work is cut into; 0 for one each job")
	flag.IntVar(&opt.Workers, "goroutines", 1, "goroutines that compute one part")
	flag.StringVar(&opt.Dir, "dir", "", "directory for parts that are done, in reach of all workers; a second run goes on from there")
	flag.DurationVar(&opt.Limit, "limit", 0, "time after which a pipeline has failed; none if 0")
	flag.StringVar(&opt.Flink.JobServer, "flink", "", "job server of a cluster of Apache Flink, as `host:8099`; needs -slots and -dir")
	flag.IntVar(&opt.Flink.Slots, "slots", 0, "slots of that cluster that the sweep may use")
	flag.StringVar(&opt.Flink.Worker, "program", "", "path of this program on the machines of that cluster; as here if empty")
	flag.IntVar(&opt.Attempts, "attempts", 1, "pipelines submitted until one succeeds")
}

func main() {
	err := sweeps.Init()
	if err == nil {
		err = run(untilInterrupted())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mjqsweep:", err)
		os.Exit(1)
	}
}

// untilInterrupted ends with the first interrupt. The second ends the process at once.
func untilInterrupted() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		again, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		stop()
		<-again.Done()
		fmt.Fprintln(os.Stderr, "mjqsweep:", abandoned())
		os.Exit(130) // as shells have it for an interrupt
	})
	return ctx
}

// job is the id of the job on the job server, once it is submitted.
var job atomic.Pointer[string]

// abandoned says what becomes of the job when nobody waits until it is cancelled.
func abandoned() string {
	id := job.Load()
	if id == nil {
		return "interrupted twice; no job was submitted"
	}
	return fmt.Sprintf("interrupted twice; workers of the job %s stop when they see it in %s; tell the job server by mjqsweep -flink %s -cancel %s, or cancel the job on the web page of Flink's job manager (port 8081)", *id, opt.Dir, *jobopts.Endpoint, *id)
}

// run writes the table of the points that have a result, also when others have
// none.
func run(ctx context.Context) error {
	if !*verbose {
		slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	}
	if *remove != "" {
		return cancelled(ctx)
	}
	var err error
	if sweep.Model, err = readModel(*model); err != nil {
		return err
	}
	opt.Report = func(attempt int, err error) {
		fmt.Fprintf(os.Stderr, "mjqsweep: attempt %d of %d failed, going on with the next: %v\n", attempt, opt.Attempts, err)
	}
	opt.Progress = told
	opt.Submitted = func(id string) { job.Store(&id) }
	opt.Warn = func(text string) { fmt.Fprintln(os.Stderr, "mjqsweep: warning:", text) }
	var res *result.Sweep
	if *local {
		res, err = runLocally(ctx)
	} else {
		res, err = sweeps.Run(ctx, &sweep, opt)
	}
	if res == nil {
		return err
	}
	text := res.Table().CSV()
	if *out == "" {
		fmt.Print(text)
	} else if failed := os.WriteFile(*out, []byte(text), 0o644); failed != nil {
		return failed
	}
	return err
}

// cancelled cancels a job that an earlier command has submitted.
func cancelled(ctx context.Context) error {
	if opt.Flink.JobServer == "" {
		return errors.New("-cancel needs the job server of the job; add -flink host:port")
	}
	if err := sweeps.Cancel(ctx, opt.Flink.JobServer, *remove); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "mjqsweep: the job %s is cancelled\n", *remove)
	return nil
}

func runLocally(ctx context.Context) (*result.Sweep, error) { return sweep.Run(ctx) }

// told says how far a sweep on a cluster is.
func told(p sweeps.Progress) {
	if opt.Flink.JobServer == "" && !*verbose {
		return
	}
	text := fmt.Sprintf("mjqsweep: %d of %d parts, %s", p.Done, p.Parts, p.Elapsed.Round(time.Second))
	if p.Idle >= time.Minute && p.Done < p.Parts {
		text += fmt.Sprintf("; none for %s: the cluster may be waiting for free slots, see the web page of its job manager (port 8081)", p.Idle.Round(time.Second))
	}
	fmt.Fprintln(os.Stderr, text)
}
