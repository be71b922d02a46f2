package beam

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
)

// Options say how a sweep is computed; they do not change the result.
type Options struct {
	Parts    int           // the work is cut into so many; 0: one for each job
	Workers  int           // goroutines of a part; 1 if 0, for parts run side by side
	Dir      string        // see Run; "": a temporary directory of this machine
	Attempts int           // pipelines submitted until one succeeds; 1 if 0
	Limit    time.Duration // after which an attempt has failed; none if 0
	Flink    Flink         // the cluster; zero: the runner that the flags name

	Report    func(attempt int, err error)
	Progress  func(Progress)    // called every Every, where Dir is a directory of this machine
	Every     time.Duration     // 5 s if 0
	Submitted func(id string)   // called with the id of each job on a job server, for Cancel
	Warn      func(text string) // called with reasons for which digits may differ from those of this program here
}

// Run computes the sweep as a pipeline on Options.Flink, or else on the runner that the flag
// -runner names, and returns the result; Init must have been called.
//
// Parts that are done, and in the end the result, are kept in files in
// Options.Dir: a directory, or a place like gs://bucket/path, that this program
// and all workers can reach. A pipeline that finds the file of a part does not
// compute it again, and where the result is kept nothing is submitted. So Run may be
// repeated, by Attempts or later by hand, when a pipeline has failed. Flink repeats what a lost worker was doing if it has a restart
// strategy, Prism gives the pipeline up. But Prism (Beam 2.77) may also wait for
// ever: where workers are processes and one dies, it can take the end of the
// process for an orderly one. With a Limit such a pipeline is given up too.
// Report is called with each failure that is followed by another attempt.
//
// A point whose verb fails is left out and named in the error, which comes with
// the result of the others, as from mjq.Sweep; the order in which they
// are named is alphabetical. A sweep that cannot run at all is refused before
// anything is submitted, and so are a remote runner without a directory and Flink without
// the number of its slots. When ctx ends, or an attempt is given up, the job on a remote
// runner is cancelled: a file in the directory tells its workers, which stop within seconds. When
// its job server ends, the error says what is kept. Workers of another version of mjq refuse to
// compute.
func Run(ctx context.Context, s *Sweep, opt Options) (*result.Sweep, error) {
	text, err := s.check()
	if err != nil {
		return nil, err
	}
	if opt.Parts < 0 || opt.Workers < 0 || opt.Attempts < 0 {
		return nil, fmt.Errorf("beam: Parts %d, Workers %d, Attempts %d: none may be negative; 0 is the default", opt.Parts, opt.Workers, opt.Attempts)
	}
	if opt.Parts == 0 {
		opt.Parts = s.jobs()
	}
	opt.Workers, opt.Attempts = max(opt.Workers, 1), max(opt.Attempts, 1)
	clear, err := opt.prepare(ctx)
	if err != nil {
		return nil, err
	}
	defer clear()
	j := &job{Options: &opt, sweep: text, log: submitted{tell: opt.Submitted}}
	all, known := j.whole(ctx)
	if !known {
		if err := j.compute(ctx); err != nil {
			return nil, err
		}
		if all, known = j.whole(ctx); !known {
			return nil, fmt.Errorf("beam: the pipeline succeeded, but its result is not in %s; give a directory that the workers can reach too", opt.Dir)
		}
	}
	opt.warn(elsewhere(&all))
	return &all.Result, all.Failure()
}

// whole is the result, if it is kept.
func (j *job) whole(ctx context.Context) (cache.Part, bool) {
	return recall(ctx, j.Dir, cache.PartName(j.sweep, j.Parts, j.Parts))
}

// compute has the result computed and kept.
func (j *job) compute(ctx context.Context) error {
	if err := answers(ctx); err != nil {
		return fmt.Errorf("beam: no job server answers: %w; start it, or give the host and port at which it listens", err)
	}
	if j.Flink != (Flink{}) {
		j.warn(strange(j.Flink.Worker))
	}
	return j.submit(ctx)
}

// prepare fills in the directory and the flags of the runner; clear removes what was only
// for this run.
func (o *Options) prepare(ctx context.Context) (clear func(), err error) {
	clear = func() {}
	if o.Flink != (Flink{}) {
		if clear, err = o.Flink.use(); err != nil {
			return nil, err
		}
	}
	if err := o.refuse(ctx); err != nil {
		clear()
		return nil, err
	}
	if o.Dir != "" {
		return clear, nil
	}
	if o.Dir, err = os.MkdirTemp("", "mjqsweep"); err != nil {
		clear()
		return nil, err
	}
	before := clear
	return func() {
		before()
		os.RemoveAll(o.Dir)
	}, nil
}

// submit submits pipelines until one succeeds.
func (j *job) submit(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		if err := j.probe(ctx); err != nil {
			return err
		}
		err := j.attempted(ctx)
		if err == nil {
			return nil
		}
		if attempt == j.Attempts || ctx.Err() != nil {
			return fmt.Errorf("beam: the pipeline failed (attempt %d of %d): %w", attempt, j.Attempts, err)
		}
		if j.Report != nil {
			j.Report(attempt, err)
		}
	}
}

// attempted runs a pipeline until it ends or the limit is reached.
func (j *job) attempted(ctx context.Context) error {
	began := time.Now() // before the clock of the limit starts
	whole := context.WithoutCancel(ctx)
	if j.Limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, j.Limit)
		defer stop()
	}
	j.log.id.Store(nil)
	log.SetLogger(&j.log)
	watched := j.watch(ctx)
	// At once, for a job server that does not answer keeps the client waiting.
	begun := context.AfterFunc(ctx, func() { _ = j.withdraw(whole) })
	err := beamx.Run(ctx, j.pipeline())
	begun()
	watched()
	switch {
	case err == nil:
		j.done(whole)
		return nil
	case ctx.Err() != nil && remote():
		err = fmt.Errorf("%w; %s", context.Cause(ctx), j.cancelled(whole))
	case remote() && serverEnded(err):
		if _, known := j.whole(ctx); known {
			return nil
		}
		err = j.lost(ctx, err)
	case remote():
		j.done(whole)
		err = caused(err)
	}
	if j.Limit > 0 && time.Since(began) >= j.Limit {
		return fmt.Errorf("it was not done in %v: %w", j.Limit, err)
	}
	return err
}

// check is the sweep as JSON, or what is wrong with it.
func (s *Sweep) check() ([]byte, error) {
	ended, end := context.WithCancel(context.Background())
	end()
	if res, err := s.Run(ended); res == nil { // checked, but not begun
		return nil, err
	}
	return json.Marshal(s)
}

// pipeline is the numbers of the parts, dealt out, computed, combined and kept.
func (j *job) pipeline() *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	numbers := make([]int, j.Parts)
	for k := range numbers {
		numbers[k] = k
	}
	dealt := beam.Reshuffle(s, beam.CreateList(s, numbers))
	parts := beam.ParDo(s, &partFn{Sweep: j.sweep, Parts: j.Parts, Workers: j.Workers, Dir: j.Dir, Probe: j.probed, Version: result.Version}, dealt)
	beam.ParDo0(s, &keepFn{Dir: j.Dir, Name: cache.PartName(j.sweep, j.Parts, j.Parts), Probe: j.probed}, beam.Combine(s, &mergeFn{}, parts))
	return p
}
