package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
)

// Bootstrap configures the question of that name.
type Bootstrap struct {
	Resamples int // logs that are drawn; by default 200
	Block     int // days that stay together; by default 2
}

// Bootstrapped is the answer to a question about a log, with what the log leaves open.
type Bootstrapped struct {
	Value     float64   // for the log as it is
	Low, High float64   // between which the answer lies at Level
	Level     float64   // such as 0.95
	Values    []float64 // of the resampled logs, ascending
	Notes     []string
}

// String is the answer with its interval.
func (b *Bootstrapped) String() string {
	return fmt.Sprintf("%.6g, between %.6g and %.6g at level %g (%d resampled logs)", b.Value, b.Low, b.High, b.Level, len(b.Values))
}

// fewDays is the number of blocks of days below which resampling says little.
const fewDays = 10

// Bootstrap asks a question about the log and about logs that might have come in its place, and
// returns the answer with the interval in which the answers of those lie: "96 servers, between 92
// and 104". A log that might have come has as many days, drawn from those of the log in blocks of
// consecutive days (moving blocks; Künsch, Annals of Statistics 17, 1989), so that times of day and
// runs of busy days stay. The interval is by percentiles.
//
// The question is asked on several goroutines; it should pass its context on, and NoCache for
// replays. It says what the log leaves open, not what the model does. Times must be in seconds.
// When ctx ends it returns what it has, along with the error of the context. Options: those of
// every question; Seed chooses the draws.
func (t *Trace) Bootstrap(ctx context.Context, how Bootstrap, ask func(context.Context, *Trace) (float64, error), opts ...mjq.Option) (_ *Bootstrapped, err error) {
	defer panics.Catch(&err)
	o, faults := problem.Read(ctx, "Bootstrap", opts)
	if how.Resamples == 0 {
		how.Resamples = 200
	}
	if how.Block == 0 {
		how.Block = 2
	}
	var f check.Faults
	f.That(how.Resamples >= 20 && how.Resamples <= 1_000_000, "Resamples %d: give 20 to 1,000,000, or 0 for 200", how.Resamples)
	f.That(how.Block >= 1, "Block %d: give a number of days from 1, or 0 for 2", how.Block)
	f.That(ask != nil, "Bootstrap: no question is given")
	f.Join(append(faults, t.daysFault())...)
	if err := f.Err("Bootstrap of trace " + t.Name); err != nil {
		return nil, err
	}
	b := &Bootstrapped{Level: o.Level}
	if b.Value, err = ask(ctx, t); err != nil {
		return nil, err
	}
	values, err := t.answers(ctx, how, o, ask)
	if len(values) < 20 {
		return nil, errors.Join(err, fmt.Errorf("Bootstrap of trace %s: only %d resampled logs have an answer; 20 are needed, so raise Resamples", t.Name, len(values)))
	}
	slices.Sort(values)
	b.Values, b.Low, b.High = values, at(values, (1-b.Level)/2), at(values, (1+b.Level)/2)
	if days, _ := t.days(); len(days) < fewDays*how.Block {
		b.Notes = append(b.Notes, fmt.Sprintf("The interval is too narrow: the log has %d days in blocks of %d. Give a log of at least %d days.", len(days), how.Block, fewDays*how.Block))
	}
	return b, err
}

// answers are those about the resampled logs, in their order.
func (t *Trace) answers(ctx context.Context, how Bootstrap, o problem.Options, ask func(context.Context, *Trace) (float64, error)) ([]float64, error) {
	values, failed := make([]float64, how.Resamples), make([]error, how.Resamples)
	for i := range values {
		values[i] = math.NaN()
	}
	done := 0
	each(ctx, len(values), o.Workers, func(i int) {
		x, err := ask(ctx, t.resampled(how.Block, o.Seed, uint64(i)))
		if failed[i] = err; err == nil {
			values[i] = x
		}
	}, func() {
		if done++; o.Progress != nil {
			o.Progress(float64(done), float64(len(values)))
		}
	})
	values = slices.DeleteFunc(values, math.IsNaN)
	if ctx.Err() != nil {
		return values, context.Cause(ctx)
	}
	return values, errors.Join(failed...)
}

// each does work for 0 to n-1 on several goroutines, by default one a processor, until the context ends. It tells of
// each that is done, of one at a time.
func each(ctx context.Context, n, workers int, work func(i int), done func()) {
	var telling sync.Mutex
	replicate.Each(n, cmp.Or(workers, runtime.GOMAXPROCS(0)), func(i int) {
		if ctx.Err() != nil {
			return
		}
		work(i)
		telling.Lock()
		defer telling.Unlock()
		done()
	})
}

// resampled is a log of as many days, in blocks drawn from the log. The last day is followed by the
// first.
func (t *Trace) resampled(block int, seed, number uint64) *Trace {
	days, _ := t.days()
	var jobs []Job
	for d, from := range drawnDays(rand.New(rand.NewPCG(seed, number)), len(days), block) {
		jobs = append(jobs, moved(days[from], d-from, nil)...)
	}
	return t.changed(fmt.Sprintf("resampled (%d)", number), jobs)
}

// drawnDays draws days in blocks.
func drawnDays(r *rand.Rand, days, block int) (list []int) {
	for len(list) < days {
		from := r.IntN(days)
		for k := 0; k < block && len(list) < days; k++ {
			list = append(list, (from+k)%days)
		}
	}
	return list
}
