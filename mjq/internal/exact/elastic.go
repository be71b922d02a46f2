package exact

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/elastic"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/spec"
)

// resizing is for jobs that change their size, first come, first served.
var resizing = &solver{
	needs: spec.Resizing, refuses: spec.Away | spec.Ordered | spec.Leveled | spec.Marked | spec.Dependent | spec.Periodic | spec.Batched,
	faults: func(f *check.Faults, s *spec.Spec) {
		f.That(!s.Features().Has(spec.Ordered), "policy %v: queues with elastic jobs are solved first come, first served; use mjq.Simulation{}", s.Policy)
		f.That(s.Arrivals == nil || s.Poisson(), "arrivals %v: queues with elastic jobs are solved with Poisson arrivals; use mjq.Simulation{}", s.ArrivalName())
		f.That(!s.Away(), "Failures or Spares: queues with elastic jobs are solved on servers that are always there; use mjq.Simulation{}")
		_, err := elastic.Of(problem.Compile(s))
		f.That(err == nil, "%v; use mjq.Simulation{}", err)
	},
	size: func(_ context.Context, w *work) (Size, error) { return sizeOf(resizingChain(w.Spec)), nil },
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "chain of the jobs that run, by class and size, the class of the head and the jobs behind it") {
			return nil, nil
		}
		q, err := elastic.Of(w.Compiled())
		if err != nil {
			return nil, err
		}
		q.Rate = w.Rate()
		sol, err := q.Solve(ctx, w.limits(resizingChain(w.Spec).Flops))
		if err != nil {
			return nil, err
		}
		a := &Answer{Busy: sol.Busy, Wasted: sol.Wasted, MeanJobs: sol.Jobs}
		for k, c := range sol.Classes {
			come := w.Rate() * w.Classes[k].Prob
			a.Wait, a.Response = append(a.Wait, c.Waiting), append(a.Response, c.Response)
			a.NoWait = append(a.NoWait, c.NoWait)
			a.Queue, a.Served, a.Size = append(a.Queue, come*c.Waiting), append(a.Served, come*(c.Response-c.Waiting)), append(a.Size, c.Size)
		}
		a.Notes = []string{fmt.Sprintf("There is no truncation error: the chain of %d states repeats without end above %d jobs.", sol.States, sol.Levels)}
		return a, nil
	},
}

// resizingChain is about how large the chain is.
func resizingChain(s *spec.Spec) chain.Size {
	q, err := elastic.Of(problem.Compile(s))
	if err != nil {
		return endless
	}
	wide, levels := q.Size()
	n := wide * levels
	return chain.Size{States: n, Bytes: 8 * (3*levels + 8) * wide * wide, Flops: (30 + 2*levels) * wide * wide * wide}
}
