package exact

import (
	"context"
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
)

// distributions adds the distributions of waiting and response times.
func (w *work) distributions(ctx context.Context, a *Answer) error {
	r := w.Result
	if w.Options.Moments != nil {
		w.Options.Moments(r)
	}
	var waiting, response []result.Curve
	var err error
	if ctx.Err() == nil {
		waiting, response, err = a.curves(ctx)
	}
	if ctx.Err() != nil {
		r.Notes = append(r.Notes, "There are no distributions: the question was interrupted before they were found. Moments are complete; ask again for the rest.")
		return errors.Join(errors.New("Exact: interrupted; the result holds the moments"), context.Cause(ctx))
	}
	if err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("There are no distributions: %s.", check.First(err)))
		return nil
	}
	_, carried := a.rates(w.Spec, r.Rate)
	parts := shares(carried)
	for k := range waiting {
		r.Classes[k].Waiting.Curve = waiting[k]
	}
	r.All.Waiting.Curve = result.MixCurves(waiting, parts)
	if response == nil {
		return nil
	}
	for k := range response {
		r.Classes[k].Response.Curve = response[k]
	}
	r.All.Response.Curve = result.MixCurves(response, parts)
	return nil
}

// curver finds the distributions of waiting and response times.
type curver interface {
	Curves(ctx context.Context, services []open.Service, workers int) (waiting, response []result.Curve, err error)
}

// inverted are the distributions from transforms; of names the kind of each class.
func (w *work) inverted(waits curver, classes []states.Class, of func(class int) int) func(ctx context.Context) (waiting, response []result.Curve, err error) {
	if waits == nil {
		return nil
	}
	var services []open.Service
	for i, c := range classes {
		services = append(services, open.Service{Kind: of(i), Alpha: c.Alpha, A: c.A, Mean: w.Classes[i].Service.Mean()})
	}
	return func(ctx context.Context) (waiting, response []result.Curve, err error) {
		return waits.Curves(ctx, services, w.Options.Workers)
	}
}

// largeCurves says whether distributions are found after sweeps: where phases are come
// back to, the transforms take some hundred times as long.
func largeCurves(index *states.Index, m Method) bool {
	return !m.MomentsOnly && open.Onward(index)
}
