package beam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/mjqueue/mjq/mjq/result"
)

// Options say how a sweep is computed; they do not change the result.
type Options struct {
	Parts    int           // the work is cut into so many; 0: one for each job
	Workers  int           // goroutines of a part; 1 if 0, for parts run side by side
	Dir      string        // see Run; "": a temporary directory of this machine
	Attempts int           // pipelines submitted until one succeeds; 1 if 0
	Limit    time.Duration // after which an attempt has failed; none if 0
	Report   func(attempt int, err error)
}

// Run computes the sweep as a pipeline on the runner that the flag -runner
// names, and returns the result; Init must have been called.
//
// Parts that are done, and in the end the result, are kept in files in
// Options.Dir: a directory, or a place like gs://bucket/path, that this program
// and all workers can reach. A pipeline that finds the file of a part does not
// compute it again. So Run may be repeated, by Attempts or later by hand, when
// a pipeline has failed: Flink and Dataflow repeat what a lost worker was
// doing, Prism gives the pipeline up. But Prism (Beam 2.77) may also wait for
// ever: where workers are processes and one dies, it can take the end of the
// process for an orderly one. With a Limit such a pipeline is given up too.
// Report is called with each failure that is followed by another attempt.
//
// A point whose verb fails is left out and named in the error, which comes with
// the result of the others, as from mjq.Sweep; the order in which they
// are named is alphabetical. A sweep that cannot run at all is refused before
// anything is submitted.
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
	if opt.Dir == "" {
		if opt.Dir, err = os.MkdirTemp("", "mjqsweep"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(opt.Dir)
	}
	place := strings.TrimSuffix(opt.Dir, "/") + "/" + wholeName(text, opt.Parts)
	for attempt := 1; ; attempt++ {
		err = attempted(ctx, pipeline(text, place, &opt), opt.Limit)
		if err == nil {
			break
		}
		if attempt == opt.Attempts || ctx.Err() != nil {
			return nil, fmt.Errorf("beam: the pipeline failed (attempt %d of %d): %w", attempt, opt.Attempts, err)
		}
		if opt.Report != nil {
			opt.Report(attempt, err)
		}
	}
	o, known := recall(ctx, place)
	if !known {
		return nil, fmt.Errorf("beam: the pipeline succeeded, but its result is not in %s; give a directory that the workers can reach too", place)
	}
	if len(o.Failed) > 0 {
		err = errors.New(strings.Join(o.Failed, "\n"))
	}
	return &o.Result, err
}

// attempted runs a pipeline until it ends or the limit is reached.
func attempted(ctx context.Context, p *beam.Pipeline, limit time.Duration) error {
	began := time.Now() // before the clock of the limit starts
	if limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	err := beamx.Run(ctx, p)
	if err != nil && limit > 0 && time.Since(began) >= limit {
		return fmt.Errorf("it was not done in %v: %w", limit, err)
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

// wholeName is the file name of the result of all parts.
func wholeName(sweep []byte, parts int) string {
	return strings.TrimPrefix(keptPart(".", sweep, parts, parts), "./")
}

// pipeline is the numbers of the parts, dealt out, computed, combined and kept.
func pipeline(sweep []byte, place string, opt *Options) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	numbers := make([]int, opt.Parts)
	for k := range numbers {
		numbers[k] = k
	}
	dealt := beam.Reshuffle(s, beam.CreateList(s, numbers))
	outcomes := beam.ParDo(s, &partFn{Sweep: sweep, Parts: opt.Parts, Workers: opt.Workers, Kept: opt.Dir}, dealt)
	beam.ParDo0(s, &keepFn{Place: place}, beam.Combine(s, &mergeFn{}, outcomes))
	return p
}
