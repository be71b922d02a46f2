package limit

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

const (
	saturatedRuns  = 16    // whose rates make an interval
	saturatedFirst = 5_000 // jobs that end in one of the first runs, half as many before these not counted
)

// elasticSaturated is the limit first come first served by simulation: the rate at which jobs leave while
// some always wait. Twice the work arrives that could be done at best, so that they do.
func elasticSaturated(ctx context.Context, p *problem.Problem, o *problem.Options) (*result.Stability, error) {
	at := problem.New(p.WithRate(2 * p.IdealRate()))
	target, most := o.RelErr.Or(limitError), o.MaxJobs.Or(searchJobs(p, o))
	report, used := o.Throttled(), int64(0)
	var rate, half float64
	for length := int64(saturatedFirst); ; length *= 4 {
		left, time := make([]float64, saturatedRuns), make([]float64, saturatedRuns)
		sys := at.System(o.Seed, o.Workers)
		inParallel(ctx, saturatedRuns, o.Workers, func(i int, stop *atomic.Bool) {
			sim := events.New(*at.Compiled())
			sim.Replicate(sys.Input.Reader(uint64(i)).Until(stop))
			left[i], time[i] = leaving(sim, length, stop)
		})
		if ctx.Err() != nil {
			return nil, fmt.Errorf("interrupted before the limit was known: %w", context.Cause(ctx))
		}
		used += 3 * saturatedRuns * length
		rate, half = meanRate(left, time, o.Level)
		if report != nil {
			report(float64(used), float64(max(used, most)))
		}
		if half <= target*rate || used+12*saturatedRuns*length > most {
			break
		}
	}
	st := StabilityAt(p, rate, half, "saturated simulation", "rate at which jobs leave while some always wait")
	st.Level, st.Jobs, st.Seed, st.Met = o.Level, used, o.Seed, half <= target*rate
	withoutInterval(st, p, rate-half, rate+half)
	return st, nil
}

// meanRate is the mean of rates, and the half-width of its interval.
func meanRate(left, time []float64, level float64) (rate, half float64) {
	n, squares := float64(len(left)), 0.
	for i := range left {
		rate += left[i] / time[i] / n
	}
	for i := range left {
		squares += (left[i]/time[i] - rate) * (left[i]/time[i] - rate)
	}
	return rate, result.StudentT(level, len(left)-1) * math.Sqrt(squares/(n-1)/n)
}

// leaving is how many jobs leave in how long, once half as many have left.
func leaving(sim *events.Simulator, jobs int64, stop *atomic.Bool) (left, time float64) {
	n := int64(0)
	to := func(gone int64) (int64, float64) {
		start := n - int64(sim.InSystem())
		for n-int64(sim.InSystem()) < gone && !stop.Load() {
			n += 16
			sim.Until(n)
		}
		return n - int64(sim.InSystem()) - start, sim.Take().Time
	}
	to(jobs / 2)
	gone, over := to(jobs/2 + jobs)
	if !(over > 0) {
		return 0, math.NaN()
	}
	return float64(gone), over
}
