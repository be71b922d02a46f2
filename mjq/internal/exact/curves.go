package exact

import (
	"context"
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
)

// curver finds the distributions of waiting and response times.
type curver interface {
	Curves(ctx context.Context, services []open.Service, workers int) (waiting, response []result.Curve, err error)
}

// largeCurves says whether distributions are found after sweeps: where phases are come
// back to, the transforms take some hundred times as long.
func largeCurves(index *states.Index, m Method) bool {
	return !m.MomentsOnly && open.Onward(index)
}

// openWaits prepares the distributions; nil where there are none to be had.
func openWaits(ctx context.Context, x *run.Run, sol *open.Solution) curver {
	switch {
	case x.Method.(Method).MomentsOnly:
		return nil
	case sol.Levelled() == 0:
		return open.NewWaits(ctx, sol)
	case !largeCurves(sol.Index, x.Method.(Method)):
		x.Result.Notes = append(x.Result.Notes, "There are no distributions: with cyclic phase-type service times they take too long for so many states. Use acyclic ones (Erlang, HyperExp, Cox2) or a sampler.")
		return nil
	}
	waits, err := open.NewLargeWaits(ctx, sol, x.Options.Throttled())
	if err != nil {
		x.Result.Notes = append(x.Result.Notes, fmt.Sprintf("There are no distributions: %v. Use a sampler for them.", err))
		return nil
	}
	return waits
}

// curves adds the distributions; of names the kind of each class, and probs are their
// shares of the jobs.
func curves(ctx context.Context, x *run.Run, waits curver, classes []states.Class, of []int, probs []float64) error {
	if x.Options.Moments != nil {
		x.Options.Moments(x.Result)
	}
	var services []open.Service
	for i, c := range classes {
		services = append(services, open.Service{Kind: of[i], Alpha: c.Alpha, A: c.A, Mean: x.Classes[i].Service.Mean()})
	}
	var waiting, response []result.Curve
	var err error
	if ctx.Err() == nil {
		waiting, response, err = waits.Curves(ctx, services, x.Options.Workers)
	}
	r := x.Result
	if ctx.Err() != nil {
		r.Notes = append(r.Notes, "There are no distributions: the question was interrupted before they were found. Moments are complete; ask again for the rest.")
		return errors.Join(errors.New("Exact: interrupted; the result holds the moments"), context.Cause(ctx))
	}
	if err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("There are no distributions: %v.", err))
		return nil
	}
	for i := range r.Classes {
		r.Classes[i].Waiting.Curve, r.Classes[i].Response.Curve = waiting[i], response[i]
	}
	r.All.Waiting.Curve, r.All.Response.Curve = result.MixCurves(waiting, probs), result.MixCurves(response, probs)
	return nil
}
