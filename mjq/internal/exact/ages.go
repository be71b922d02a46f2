package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
)

// mostDense is the number of phases up to which matrices are as fast as sweeps, and
// more exact.
const mostDense = 500

// exactSize is the size of the solution that the arrivals call for. Matrices are used for
// few phases, and, where they fit, for distributions that sweeps do not give.
func exactSize(p *problem.Problem, x *states.Index, o *asked) Size {
	if !p.Poisson() && p.Arrivals != nil {
		return open.SizeOfAges(x, problem.Matrices(p.Spec))
	}
	dense := open.SizeOf(x)
	curves := largeCurves(x, o.Method)
	if dense.Phases <= mostDense || !o.MomentsOnly && !curves && dense.Bytes <= o.Bytes() {
		return dense
	}
	size := open.SizeOfLarge(x)
	if curves {
		size.Flops *= open.WithCurves
	}
	return size
}

// solveAges solves under arrivals that are not Poisson.
func solveAges(ctx context.Context, x *run.Run, index *states.Index, size Size) (*result.Result, error) {
	x.Started = time.Now()
	arrivals, marked := problem.Matrices(x.Spec), problem.Marked(x.Spec)
	sol, unsolved := open.SolveAges(ctx, index, x.Servers, arrivals, part(x, 0, size.Flops))
	var unstable *mam.Unstable
	if unsolved != nil && !errors.As(unsolved, &unstable) {
		return nil, fmt.Errorf("Exact: %w", unsolved)
	}
	if marked {
		load := 0.0
		if unstable != nil {
			load = unstable.Load
		} else {
			load = sol.Load()
		}
		x.Problem = x.WithLimit(limit.AgeLimit(x.Problem, load))
	}
	ok, err := x.Begin(ctx, "exact", "age of the job at the head of the line as a fluid queue, "+size.String())
	switch {
	case !ok:
		return x.Result, err
	case unsolved != nil:
		return notSolved(x, unsolved)
	}
	classes, err := sol.Classes()
	if err != nil {
		return nil, err
	}
	ageResult(x, sol, classes)
	if !marked {
		counts, err := open.SolveCounts(ctx, index, x.Servers, arrivals, part(x, 0.5, size.Flops))
		if err != nil {
			return nil, fmt.Errorf("Exact: %w", err)
		}
		countResult(x, counts)
	}
	if !x.Method.(Method).MomentsOnly {
		var of []int
		var probs []float64
		for i, c := range classes {
			of, probs = append(of, i), append(probs, c.Rate/x.Result.Rate)
		}
		if err := curves(ctx, x, sol, index.Classes, of, probs); err != nil {
			return x.Result, err
		}
	}
	x.Result.Run.Residual = max(x.Result.Run.Residual, sol.Residual)
	x.Finish(true)
	return x.Result, nil
}

// part reports half of the work, that from the given part of it on.
func part(x *run.Run, from, total float64) func(part float64) {
	report := x.Options.Throttled()
	return func(part float64) {
		if report != nil {
			report((from+part/2)*total, total)
		}
	}
}

// ageResult fills in moments and idle servers, and by Little's law the mean number of
// jobs.
func ageResult(x *run.Run, sol *open.Ages, classes []open.Waited) {
	r, idle := x.Result, sol.Idleness()
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
	estimate.Fill(r, tallies, &all, x.Shares())
	r.WastedHOL, r.Idle = known(idle.WastedHOL), known(idle.Idle)
	r.Utilization = known(1 - idle.Idle/float64(x.Servers))
	r.MeanJobs = known(r.Rate * response)
}

// countResult fills in the law of the number of jobs. Little's law between jobs in line
// and waits, which come from different equations, is part of the residual.
func countResult(x *run.Run, counts *open.Counts) {
	r := x.Result
	jobs, queue := counts.Factorials()
	r.Jobs = result.Count{Factorial: jobs, P: counts.Levels(listedLevels), Decay: counts.Decay}
	r.Queue = result.Count{Factorial: queue, Decay: counts.Decay}
	little := math.Abs(jobs[0]/r.MeanJobs.Value - 1)
	r.Run.Residual = max(counts.Residual, little)
}
