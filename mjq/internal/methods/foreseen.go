package methods

import (
	"context"
	"errors"
	"math"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/spec"
)

// limitPatience is how long Efforts waits for the stability limit before it takes a rough
// one, by a pile of roughJobs.
const (
	limitPatience = 100 * time.Millisecond
	roughJobs     = 400_000
	roughError    = 0.05
)

// Efforts is what every method that fits takes until the interval of the mean wait is
// within relErr of it, in seconds of one core, as foreseen from theory, a short run and the
// speed of this machine. It takes a fraction of a second. Unforeseen says why the list
// lacks the samplers.
func Efforts(ctx context.Context, p *problem.Problem, relErr float64) (list []Effort, unforeseen, err error) {
	defer problem.Caught("Methods", &err)
	var f check.Faults
	o := problem.Defaults()
	o.RelErr = problem.Give(relErr)
	o.Check(&f)
	if err := f.Err("Methods"); err != nil {
		return nil, nil, err
	}
	if x, ok := exactEffort(ctx, p); ok {
		list = append(list, x)
	}
	samplers, unforeseen := samplerEfforts(ctx, p, &o)
	return append(list, samplers...), unforeseen, nil
}

// samplerEfforts are those of all methods that have intervals.
func samplerEfforts(ctx context.Context, p *problem.Problem, o *problem.Options) (list []Effort, err error) {
	if p.Features().Has(spec.Reordered) {
		return nil, errors.New("the policy is not first come first served")
	}
	if err := run.Check(sampler.Forward{}, p, o); err != nil {
		return nil, err
	}
	p, load, err := roughly(ctx, p)
	if err != nil {
		return nil, err
	}
	if load >= 1 {
		return nil, errors.New("the queue is not stable")
	}
	if !foreseeable(p, load) {
		return nil, errors.New("interarrival or service times have no finite variance, or jobs bring no work")
	}
	t, err := try(ctx, p, true)
	if err != nil {
		return nil, err
	}
	for _, x := range newEfforts(ctx, p, load, &t, o).all() {
		x.Seconds = t.seconds(&x)
		list = append(list, x)
	}
	return list, nil
}

// roughly is the problem with its rate known, and its load, by the stability limit or,
// where that takes long, by a rough one.
func roughly(ctx context.Context, p *problem.Problem) (*problem.Problem, float64, error) {
	soon, stop := context.WithTimeout(ctx, limitPatience)
	defer stop()
	st, err := limit.Of(soon, p, nil)
	if err != nil && soon.Err() != nil && ctx.Err() == nil {
		o := problem.Defaults()
		o.RelErr, o.MaxJobs = problem.Give(roughError), problem.Give[int64](roughJobs)
		st, err = limit.Find(ctx, p, limit.Way{Piled: true}, o)
	}
	if err != nil {
		return nil, 0, err
	}
	known, err := limit.Resolve(ctx, p.WithLimit(st), nil)
	if err != nil {
		return nil, 0, err
	}
	return known, known.Rate() / st.Rate, nil
}

// exactEffort is that of the exact solution with distributions.
func exactEffort(ctx context.Context, p *problem.Problem) (Effort, bool) {
	if len(run.Fits(exact.Method{}, p.Spec)) > 0 {
		return Effort{}, false
	}
	o := problem.Defaults()
	size, err := exact.SizeOf(ctx, p, exact.Method{}, o)
	if err != nil || ctx.Err() != nil || size.Bytes > problem.UsualBytes {
		return Effort{}, false
	}
	return Effort{Method: exact.Method{}, Seconds: size.Flops / productSpeed()}, true
}

// productSpeed is the operations a second of a product of matrices, the best of several.
func productSpeed() float64 {
	const n, times = 96, 4
	m := func() blas64.General {
		full := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
		for i := range full.Data {
			full.Data[i] = 1 // products with 0 are left out
		}
		return full
	}
	a, b, c := m(), m(), m()
	best := math.Inf(1)
	for range times {
		started := processorTime()
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c)
		best = min(best, (processorTime() - started).Seconds())
	}
	return 2 * n * n * n / best
}
