package exact

import (
	"context"
	"errors"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/policychain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Under a priority there are closed forms, for one server and for services alike, and chains
// of counts. With preemption the first level is a queue alone, of which everything is known
// that is known of first come, first served.

// priorityWays is how a queue under a priority can be solved: by a closed form, by a chain,
// and its first level alone. It is for a rate of 1 if none is given.
type priorityWays struct {
	closed, chain, first bool
}

func waysOf(s *spec.Spec) (w priorityWays) {
	p := problem.New(s)
	if s.Arrivals == nil || s.Load != nil {
		p = problem.New(s.WithRate(1))
	}
	system, ok := p.Levels()
	if !ok {
		return w
	}
	_, _, w.closed = system.Closed()
	_, err := policychain.Of(problem.Compile(s), 1, nil)
	w.chain = err == nil
	if system.Undisturbed() && len(s.Levels()) > 1 {
		alone, _ := p.LevelsAlone(1)
		var f check.Faults
		phaseFaults(&f, alone.Spec)
		w.first = !alone.Features().Has(spec.Ordered) && f.None()
	}
	return w
}

// prioritized is for priorities of which something is known exactly that no chain has.
var prioritized = &solver{
	needs: spec.Ordered, serves: spec.Serving | spec.Dropping,
	fits: func(s *spec.Spec) bool {
		w := waysOf(s)
		return w.closed || w.first && !w.chain
	},
	size: func(_ context.Context, w *work) (Size, error) {
		if !waysOf(w.Spec).closed {
			_, err := policychain.Of(w.Compiled(), 1, nil)
			return Size{}, err
		}
		return Size{Phases: 1, Bytes: 1000, Flops: 1000}, nil
	},
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		how := waysOf(w.Spec)
		system, _ := w.Levels()
		means, source, _ := system.Closed()
		if !how.closed {
			source = "the first level alone"
		}
		ok := w.begin(ctx, "exact, "+w.Policy.String(), source)
		switch {
		case w.stopped != nil || !ok && !how.closed:
			return nil, nil
		case ok && how.closed:
			a := levelAnswer(w, system, means)
			a.then = w.firstLevel(how)
			return a, nil
		case ok:
			w.Result.Notes = append(w.Result.Notes, "Only the first level has results: the others do not disturb it, and no exact solution is known for them. Use mjq.Simulation{} for all levels.")
		default:
			classes, _ := levelAnswer(w, system, means).Tallies(w.Spec, w.Result.Rate)
			for i := range classes {
				if means[i].Wait < 1e300 { // of a queue that is not stable the levels that are
					fillLevel(w.Result, i, &classes[i])
				}
			}
		}
		if err := w.firstLevel(how)(ctx); err != nil {
			return nil, err
		}
		w.Finish(true)
		return nil, nil
	},
}

// levelAnswer is what a closed form knows.
func levelAnswer(w *work, s classic.Priorities, means []classic.PriorityMeans) *Answer {
	a := &Answer{By: "closed form", Wasted: math.NaN(),
		Notes: []string{"There are means but no distributions: the solution is a closed form. Use mjq.Simulation{} for distributions."}}
	for i, m := range means {
		c := &w.Classes[i]
		a.Wait, a.Response = append(a.Wait, m.Wait), append(a.Response, m.Wait+s.Served(i))
		a.Busy += w.Result.Rate * c.Prob * float64(c.Need) * (s.Served(i) + m.Lost)
		if s.Policy.Preempts == "" {
			a.NoWait = append(a.NoWait, m.AtOnce)
			continue
		}
		a.AtOnce, a.FirstStart = append(a.AtOnce, m.AtOnce), append(a.FirstStart, m.Start)
		a.Preemptions, a.Lost = append(a.Preemptions, m.Preemptions), append(a.Lost, m.Lost)
	}
	return a
}

// fillLevel fills one class of a result.
func fillLevel(r *result.Result, class int, t *estimate.Tally) {
	one := &result.Result{Level: r.Level, Classes: []result.ClassResult{r.Classes[class]}}
	var none estimate.Tally
	estimate.Fill(one, []estimate.Tally{*t}, &none, []float64{1})
	r.Classes[class] = one.Classes[0]
}

// firstLevel has the classes of the first level, where the others do not disturb it, be
// those of the queue of them alone, with distributions.
func (w *work) firstLevel(how priorityWays) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		if !how.first {
			return nil
		}
		alone, classes := w.LevelsAlone(1)
		r, err := run.Solve(ctx, alone, w.how, *w.Options)
		if err != nil && (r == nil || errors.Is(err, context.Cause(ctx))) {
			if ctx.Err() != nil || !how.closed && !how.chain {
				return err
			}
			return nil // means are known without it
		}
		run.TakeClasses(w.Result, r, classes)
		return nil
	}
}
