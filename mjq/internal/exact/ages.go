package exact

import (
	"context"
	"errors"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// solveAges solves under arrivals that are not Poisson.
func solveAges(ctx context.Context, w *work, index *states.Index, size Size) (*Answer, error) {
	in, marked := *states.Matrices(w.Compiled()), w.Features().Has(spec.Marked)
	sol, unsolved := open.SolveAges(ctx, index, w.Servers, in, w.report(0, 0.5, size.Flops))
	var unstable *mam.Unstable
	if unsolved != nil && !errors.As(unsolved, &unstable) {
		return nil, unsolved
	}
	if marked {
		load := 0.0
		if unstable != nil {
			load = unstable.Load
		} else {
			load = sol.Load()
		}
		w.Problem = w.WithLimit(limit.AgeLimit(w.Problem, load))
	}
	if !w.begin(ctx, "exact", "age of the job at the head of the line as a fluid queue, "+size.String()) {
		return nil, nil
	}
	if unsolved != nil {
		return nil, unsolved
	}
	classes, err := sol.Classes()
	if err != nil {
		return nil, err
	}
	idle := sol.Idleness()
	a := &Answer{Idle: idle.Idle, Wasted: idle.WastedHOL, Residual: sol.Residual}
	response := 0.0
	for i, k := range classes {
		a.Wait, a.Second = append(a.Wait, k.Mean), append(a.Second, k.Second)
		response += k.Rate * (k.Mean + w.Classes[i].Service.Mean())
	}
	if !marked {
		counts, err := open.SolveCounts(ctx, index, w.Servers, in, w.report(0.5, 1, size.Flops))
		if err != nil {
			return nil, err
		}
		a.counts(counts, response)
	}
	a.curves = w.inverted(sol, index.Classes, func(class int) int { return class })
	return a, nil
}

// counts fills in the law of the number of jobs. Little's law between jobs in line
// and waits, which come from different equations, is part of the residual.
func (a *Answer) counts(counts *open.Counts, mean float64) {
	jobs, queue := counts.Factorials()
	a.Jobs = result.Count{Factorial: jobs, P: counts.Levels(listedLevels), Decay: counts.Decay}
	a.Line = result.Count{Factorial: queue, Decay: counts.Decay}
	a.Residual = max(a.Residual, counts.Residual, math.Abs(jobs[0]/mean-1))
}
