package exact

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/spec"
)

// onFailing is for queues on servers that fail and are repaired.
var onFailing = &solver{
	needs: spec.Failing, serves: spec.Placed, refuses: spec.Reserving | spec.TypedNodes | spec.Turning | spec.Keeping | spec.Looped | spec.Arriving | spec.Serving,
	faults: func(f *check.Faults, s *spec.Spec) {
		_, err := problem.FailingQueue(s, 1)
		f.Join(err)
	},
	size: func(ctx context.Context, w *work) (Size, error) {
		q, err := problem.FailingQueue(w.Spec, 1)
		if err != nil {
			return Size{}, err
		}
		z, err := q.Size(ctx)
		return Size{Phases: int(z.States), Levels: z.Levels, Bytes: z.Bytes, Flops: z.Flops}, err
	},
	most:  func(*spec.Spec) string { return "mjq.Simulation{}" },
	solve: solveFailing,
}

// above is by how much a time is longer than another, but for rounding.
func above(time, other float64) float64 {
	if d := time - other; d > 1e-12*other {
		return d
	}
	return 0
}

// solveFailing solves by the chain of started jobs and of servers that are up.
func solveFailing(ctx context.Context, w *work) (*Answer, error) {
	if !w.begin(ctx, "exact", "quasi-birth-and-death process of started jobs and of servers that are up") {
		return nil, nil
	}
	q, err := problem.FailingQueue(w.Spec, w.Result.Rate)
	if err != nil {
		return nil, err
	}
	found, err := q.Solve(ctx, w.limits(1))
	if err != nil {
		return nil, err
	}
	if !found.Stable {
		return nil, &mam.Unstable{}
	}
	a := &Answer{Up: found.Up, Wasted: math.NaN(), Notes: []string{fmt.Sprintf("There are means but no distributions: where servers fail Exact solves a chain with %.0f states while jobs wait. Use mjq.Simulation{} for distributions.", found.States)}}
	for k, c := range w.Classes {
		of, rate := found.Classes[k], w.Result.Rate*c.Prob
		service := problem.AfterHit(w.Spec, k).Kept(c.Service, float64(q.Classes[k].Need)*q.Servers.Rate())
		a.Wait, a.Response = append(a.Wait, of.Jobs/rate-service), append(a.Response, of.Jobs/rate)
		a.FirstStart, a.AtOnce = append(a.FirstStart, of.Fresh/rate), append(a.AtOnce, of.AtOnce)
		a.Interruptions, a.Lost = append(a.Interruptions, of.Interruptions), append(a.Lost, above(of.Busy/rate, service))
		units := float64(w.Servers) / float64(q.All) // a node counts its units
		a.Busy += units * float64(q.Classes[k].Need) * of.Busy
		a.Good += float64(c.Need) * rate * service
	}
	return a, nil
}
