package method

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// matrices are the arrivals as the exact solvers see them.
func matrices(s *spec.Spec) (a states.Arrivals) {
	m, _ := arrival.AsMarkov(s.Arrivals)
	a.D0 = m.D0
	for i := range s.Classes {
		a.Drawn = append(a.Drawn, s.OpenProb(i))
	}
	for _, e := range m.Events {
		class := states.Open
		if e.Class != "" {
			class = slices.IndexFunc(s.Classes, func(c spec.Class) bool { return c.Name == e.Class })
		}
		a.Events = append(a.Events, states.Event{Rates: e.Rates, Size: e.Size, Class: class})
	}
	return a
}

// neverComes finds classes that the arrivals, which mark all others, leave out.
func neverComes(f *check.Faults, s *spec.Spec) {
	rates := arrival.ClassRates(s.Arrivals)
	for _, c := range s.Classes {
		f.That(rates == nil || rates[""] > 0 || rates[c.Name] > 0, "class %q: the arrivals bring none of its jobs; leave it out", c.Name)
	}
}

// mostDense is the number of phases up to which matrices are as fast as sweeps, and
// more exact.
const mostDense = 500

// exactSize is the size of the solution that the arrivals call for. Matrices are used for
// few phases, and, where they fit, for distributions that sweeps do not give.
func exactSize(p *Problem, x *states.Index, o *Options) ExactSize {
	if !p.Poisson() && p.Arrivals != nil {
		return open.SizeOfAges(x, matrices(p.Spec))
	}
	dense := open.SizeOf(x)
	curves := largeCurves(x, o)
	if dense.Phases <= mostDense || !o.has(MomentsOnly) && !curves && dense.Bytes <= o.float(MaxBytes, exactBytes) {
		return dense
	}
	size := open.SizeOfLarge(x)
	if curves {
		size.Flops *= open.WithCurves
	}
	return size
}

// solveAges solves under arrivals that are not Poisson.
func (x *run) solveAges(ctx context.Context, index *states.Index, size ExactSize) (*result.Result, error) {
	x.started = time.Now()
	arrivals, marked := matrices(x.Spec), marked(x.Spec)
	sol, unsolved := open.SolveAges(ctx, index, x.Servers, arrivals, x.part(0, size.Flops))
	var unstable *mam.Unstable
	if unsolved != nil && !errors.As(unsolved, &unstable) {
		return nil, fmt.Errorf("exact: %w", unsolved)
	}
	if marked {
		load := 0.0
		if unstable != nil {
			load = unstable.Load
		} else {
			load = sol.Load()
		}
		x.Problem = x.WithLimit(x.ageLimit(load))
	}
	ok, err := x.begin(ctx, "exact", "age of the job at the head of the line as a fluid queue, "+size.String())
	switch {
	case !ok:
		return x.r, err
	case unsolved != nil:
		return x.unsolved(unsolved)
	}
	classes, err := sol.Classes()
	if err != nil {
		return nil, err
	}
	x.ageResult(sol, classes)
	if !marked {
		counts, err := open.SolveCounts(ctx, index, x.Servers, arrivals, x.part(0.5, size.Flops))
		if err != nil {
			return nil, fmt.Errorf("exact: %w", err)
		}
		x.countResult(counts)
	}
	if !x.o.has(MomentsOnly) {
		var of []int
		var probs []float64
		for i, c := range classes {
			of, probs = append(of, i), append(probs, c.Rate/x.r.Rate)
		}
		if err := x.curves(ctx, sol, index.Classes, of, probs); err != nil {
			return x.r, err
		}
	}
	x.r.Run.Residual = max(x.r.Run.Residual, sol.Residual)
	x.finish(true)
	return x.r, nil
}

// part reports half of the work, that from the given part of it on.
func (x *run) part(from, total float64) func(part float64) {
	report := x.o.throttled()
	return func(part float64) {
		if report != nil {
			report((from+part/2)*total, total)
		}
	}
}

// ageResult fills in moments and idle servers, and by Little's law the mean number of
// jobs.
func (x *run) ageResult(sol *open.Ages, classes []open.Waited) {
	r, idle := x.r, sol.Idleness()
	known := func(v float64) result.Estimate { return result.Exact(v, "exact") }
	moments := func(wait, wait2, response, response2 float64) estimate.Tally {
		return solved(known, wait, wait2-wait*wait, response, response2-response*response)
	}
	var tallies []estimate.Tally
	var wait, wait2, response, response2 float64
	for i, k := range classes {
		share, mean := k.Rate/r.Rate, x.Classes[i].Service.Mean()
		second := k.Second + 2*k.Mean*mean + x.Classes[i].Service.Variance() + mean*mean
		tallies = append(tallies, moments(k.Mean, k.Second, k.Mean+mean, second))
		wait += share * k.Mean
		wait2 += share * k.Second
		response += share * (k.Mean + mean)
		response2 += share * second
	}
	all := moments(wait, wait2, response, response2)
	estimate.Fill(r, tallies, &all, x.shares())
	r.WastedHOL, r.Idle = known(idle.WastedHOL), known(idle.Idle)
	r.Utilization = known(1 - idle.Idle/float64(x.Servers))
	r.MeanJobs = known(r.Rate * response)
}

// countResult fills in the law of the number of jobs. Little's law between jobs in line
// and waits, which come from different equations, is part of the residual.
func (x *run) countResult(counts *open.Counts) {
	r := x.r
	jobs, queue := counts.Factorials()
	r.Jobs = result.Count{Factorial: jobs, P: counts.Levels(listedLevels), Decay: counts.Decay}
	r.Queue = result.Count{Factorial: queue, Decay: counts.Decay}
	little := math.Abs(jobs[0]/r.MeanJobs.Value - 1)
	r.Run.Residual = max(counts.Residual, little)
}
