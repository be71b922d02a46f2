package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// waits adds the moments of the waits, and how to find their laws, given the shares of the jobs that
// start at once and the waits of those of a class that join the queue.
func (a *Answer) waits(w *work, atOnce []float64, of func(class int) (*queue.Wait, error)) error {
	n := len(w.Classes)
	if w.Room != nil && *w.Room == 0 {
		a.neverWait(n)
		return nil
	}
	if w.Features().Has(spec.Batched) {
		a.Notes = append(a.Notes, "There are no waits of the jobs that start: jobs come in batches. Use InLine, the mean time in the queue of all jobs let in, or mjq.Simulation{}.")
		return nil
	}
	var all []*queue.Wait
	a.Wait, a.Second = make([]float64, n), make([]float64, n)
	for k := range n {
		wait, err := of(k)
		if err != nil {
			return err
		}
		all = append(all, wait)
		waits := wait.Joins * wait.Starts
		if starts := atOnce[k] + waits; waits > 0 {
			a.Wait[k], a.Second[k] = wait.Mean*waits/starts, wait.Second*waits/starts
		}
	}
	work := 0.0
	for _, w := range all {
		if w.Joins > 0 {
			work += w.Operations(farOut * w.Mean)
		}
	}
	if work > mostOperations {
		a.Notes = append(a.Notes, fmt.Sprintf("There are no distributions: phases of service change so often during a wait that they take %.2g operations. Use mjq.Simulation{} for distributions.", work))
		return nil
	}
	a.curves = func(ctx context.Context) (waiting, response []result.Curve, err error) {
		waiting, err = taggedCurves(ctx, atOnce, all)
		return waiting, nil, err
	}
	return nil
}

// farOut is about how many mean waits the laws of waits are followed for, each panel more than once.
const farOut = 100

// never is the law of waits that are all 0.
var never = result.Curve{Atom: 1, Edges: []float64{0, 1}, Coef: [][]float64{{0}}, Rate: 1}

// neverWait has the waits of n classes be 0.
func (a *Answer) neverWait(n int) {
	a.Wait, a.Second = make([]float64, n), make([]float64, n)
	a.curves = func(context.Context) (waiting, response []result.Curve, err error) {
		return slices.Repeat([]result.Curve{never}, n), nil, nil
	}
}

// curvesTo is how exact the distributions are.
const curvesTo = 1e-10

// taggedCurves are the laws of the waits of the jobs that start, given the shares that start at once.
func taggedCurves(ctx context.Context, atOnce []float64, waits []*queue.Wait) ([]result.Curve, error) {
	atoms, rates, part := make([]float64, len(waits)), make([]float64, len(waits)), make([]float64, len(waits))
	scale := 0.0
	for k, w := range waits {
		started := atOnce[k] + w.Joins*w.Starts
		atoms[k], part[k], rates[k] = atOnce[k]/started, w.Joins*w.Starts/started, math.Inf(1)
		if w.Joins > 0 {
			scale, rates[k] = max(scale, w.Mean), 1/w.Mean
		}
	}
	if scale == 0 {
		scale = 1
	}
	all, whole := estimate.FitCurves(func(x []float64) [][]float64 {
		out := make([][]float64, len(waits))
		for k, w := range waits {
			out[k] = make([]float64, len(x))
			for i, at := range slices.Backward(x) { // ascending
				if ctx.Err() == nil && w.Joins > 0 {
					out[k][i] = part[k] * w.Survival(ctx, at)
				}
			}
		}
		return out
	}, 0, atoms, rates, scale, curvesTo)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	} else if !whole {
		return nil, errRough
	}
	return all, nil
}

// errRough is why there are no distributions although ctx has not ended.
var errRough = errors.New("the waits have too many kinks; use mjq.Simulation{} for them")

// generalCurve is the law of the waits of the jobs that start in M/M/c+G.
func generalCurve(ctx context.Context, w *classic.ImpatientWaits) (result.Curve, error) {
	if w.Mean == 0 {
		return never, nil
	}
	curves, whole := estimate.FitCurves(func(x []float64) [][]float64 {
		out := make([]float64, len(x))
		for i, at := range slices.Backward(x) { // ascending
			if w.Err() == nil {
				out[i] = w.Survival(ctx, at)
			}
		}
		return [][]float64{out}
	}, 0, []float64{w.AtOnce()}, []float64{1 / w.Mean}, w.Mean, curvesTo, w.Kinks()...)
	if err := w.Err(); err != nil {
		return never, err
	} else if !whole {
		return never, errRough
	}
	return curves[0], nil
}
