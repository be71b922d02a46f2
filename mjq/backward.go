package mjq

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// SampleQuery chooses a sampler; see its methods.
type SampleQuery struct{ m *Model }

// Sample begins a query for samples of the stationary queue.
func (m *Model) Sample() SampleQuery { return SampleQuery{m} }

// BackwardQuery asks for samples by coupling from the past.
type BackwardQuery struct {
	Query[BackwardQuery]
	Target[BackwardQuery]
	Place[BackwardQuery]
	m         *Model
	samples   int
	window    int64
	maxWindow int64
	batch     int
}

// Backward samples by Algorithm 1 of Baccelli, Olliaro, Ajmone Marsan and
// Marin (SPS): each sample starts empty ever further in the past until
// doubling the window changes nothing. Samples are independent lower bounds of
// stationary ones.
//
// A batch of samples stops only when all of it agrees, as in the authors'
// program; that is what makes the remaining bias small. It shrinks further
// with a longer Window. It does not become small for services of infinite
// variance, where most doublings change nothing and the next may change all: a
// note of the result says so then, and Forward is to be preferred.
//
// Cost: about the window, twice, in steps of the recurrence for every sample.
func (s SampleQuery) Backward() *BackwardQuery {
	q := &BackwardQuery{m: s.m, batch: 256, window: s.m.rareJobs(10), maxWindow: 1 << 27}
	q.Query, q.Target, q.Place, q.samples = newQuery(q, seedBackward), newTarget(q), newPlace(q), byDefault
	return q
}

// N sets the number of samples; the default is 10,000.
func (q *BackwardQuery) N(samples int) *BackwardQuery {
	q.samples = samples
	return q
}

// Window sets the first window ℓ in jobs. The default holds on average ten
// jobs of the rarest class, at least 1000 jobs, as Section 7.1 of the paper
// advises.
func (q *BackwardQuery) Window(jobs int) *BackwardQuery {
	q.window = int64(jobs)
	return q
}

// MaxWindow bounds the doubling; the default is 2^27 jobs. Samples that still
// change there are kept as lower bounds, counted in Run.Capped and noted.
func (q *BackwardQuery) MaxWindow(jobs int) *BackwardQuery {
	q.maxWindow = int64(jobs)
	return q
}

// Batch sets how many samples must agree together; the default is 256.
func (q *BackwardQuery) Batch(samples int) *BackwardQuery {
	q.batch = samples
	return q
}

// PerSample stops every sample on its own agreement, the rule as the paper
// prints it. Beware: it is badly biased at high load, because a window too
// short to have met a rare large job agrees with its double just when that has
// not met one either. For 1 and 256 servers at 0.9 of the limit it gave a mean
// wait of 197 where the exact value is 330.6.
func (q *BackwardQuery) PerSample() *BackwardQuery { return q.Batch(1) }

// Run draws the samples. When ctx ends it returns the batches completed, with
// honest intervals, along with the error of the context.
func (q *BackwardQuery) Run(ctx context.Context) (_ *Result, err error) {
	defer caught("backward sampling", &err)
	var f faults
	q.Query.faults(&f)
	q.Target.faults(&f)
	q.Place.faults(&f)
	q.m.drawingFaults(&f)
	q.m.couplingFaults(&f)
	samples := q.number(q.samples, 10_000)
	f.check(samples >= 1, "N(%d): at least one sample is needed", samples)
	f.atMost("N", int64(samples), mostSamples)
	f.atMost("MaxWindow", q.maxWindow, mostJobs)
	f.memory(float64(min(q.batch, samples))*q.m.sampleBytes()*8*float64(min(q.workers, (samples-1)/max(1, q.batch)+1)),
		"Batch(%d) with Workers(%d)", q.batch, q.workers)
	f.check(q.batch >= 1, "Batch(%d): at least one sample makes a batch", q.batch)
	f.check(q.window >= 1, "Window(%d): at least one job is needed", q.window)
	f.check(q.maxWindow >= q.window, "MaxWindow(%d): must be at least the first window, %d jobs", q.maxWindow, q.window)
	if err := f.err("backward sampling"); err != nil {
		return nil, err
	}
	rule := "batch rule"
	if q.batch == 1 {
		rule = "per-sample rule"
	}
	run, err := q.open(ctx, q.m, float64(samples))
	if err != nil {
		return nil, err
	}
	sys := run.system(q.seed, q.workers)
	at, err := q.settle(&sys)
	if err != nil {
		return nil, err
	}
	defer at.end()
	r, ok, err := run.begin(ctx, "backward, "+rule, "Baccelli, Olliaro, Ajmone Marsan, Marin: Algorithm 1")
	if !ok {
		return r, err
	}
	if err := q.untargeted(ctx, run.Model, r.Rate, overSamples); err != nil {
		return nil, err
	}
	started := time.Now()
	b := sampling.Backward{System: sys, Samples: samples,
		Window: q.window, MaxWindow: q.maxWindow, Batch: q.batch, Enough: q.enough(512), Level: q.level}
	res := b.Run(ctx, q.throttled())
	if res.Failed != nil {
		return nil, res.Failed
	}
	at.tell(r)
	r.Run.Samples, r.Run.Steps, r.Run.Window = res.Done, res.Steps, q.window
	r.Run.Narrow, r.Run.Wide, r.Run.Capped = res.Narrow, res.Wide, res.Capped
	finish(&r.Run, started, res.Done == samples || ctx.Err() == nil)
	for c := range r.Classes {
		fillClass(&r.Classes[c], &res.Classes[c], q.level, "samples")
	}
	setPrecision(&r.All, &res.All)
	r.All.Waiting.Mean, r.All.Waiting.Variance = res.All.Waiting.Mean(q.level, "samples"), res.All.Waiting.Variance(q.level, "samples")
	hol := res.HOL.Mean(q.level, "samples")
	q.m.close(r, hol, float64(res.Done))
	q.m.closeResources(r, means(res.Kinds, q.level, "samples"))
	run.heavyTails(ctx, r, overSamples)
	q.note(r)
	if q.batch == 1 {
		r.Notes = append(r.Notes, "The per-sample rule is biased low at high load; prefer the batch rule.")
	}
	if slices.ContainsFunc(q.m.classes, func(c Class) bool { return heavy(c.Service) }) {
		r.Notes = append(r.Notes, "Windows into the past end before the rarest services of such a law: waits, and high quantiles most, are too low. Use Forward with many jobs.")
	}
	if res.Capped > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d samples still changed at the largest window of %d jobs: they are lower bounds.",
			res.Capped, res.Done, q.maxWindow))
	}
	return r, interrupted(ctx, r)
}
