package run

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// TakeClasses has classes of a result, by their indices, be those of a result of these
// classes alone, in order.
func TakeClasses(r, alone *result.Result, classes []int) {
	for k, i := range classes {
		prob := r.Classes[i].Prob
		old := r.Classes[i]
		r.Classes[i] = alone.Classes[k]
		r.Classes[i].Prob = prob
		keepPreemptions(&r.Classes[i], &old)
	}
}

// keepPreemptions keeps what a queue without levels does not have.
func keepPreemptions(c, old *result.ClassResult) {
	for _, x := range [...]struct{ to, of *result.Estimate }{{&c.FirstStart, &old.FirstStart}, {&c.AtOnce, &old.AtOnce},
		{&c.Preemptions, &old.Preemptions}, {&c.Lost, &old.Lost}, {&c.LostShare, &old.LostShare}} {
		if x.of.Known() {
			*x.to = *x.of
		}
	}
}

// levels closes the result of a priority of which not all levels are stable: those above
// that are have the answer of the queue of them alone, if those below do not disturb them.
func levels(ctx context.Context, p *problem.Problem, m Method, o problem.Options, r *result.Result) (*result.Result, error) {
	q := p.WithArrivals(p.WithRate(r.Rate))
	system, ok := q.Levels()
	if !ok {
		if above := p.Spec.Levels(); p.Features().Has(spec.Sent) && len(above) > 1 && math.IsInf(r.All.Waiting.Mean.Value, 1) {
			names := forget(r, above[:len(above)-1])
			r.Notes = append(r.Notes, fmt.Sprintf("Waits of classes %s are unknown: their levels may be stable, and with Users no queue of a level alone is known. Lower the rate.", names))
		}
		return r, nil
	}
	var err error
	if r.Limit.Levels, err = limit.Levels(ctx, q); err != nil {
		return r, err
	}
	stable := 0
	for stable < len(r.Limit.Levels) && r.Limit.Levels[stable].Stable {
		stable++
	}
	if k := system.FirstEndless(); k >= 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Level %d, of classes %s, has infinite waits: its jobs begin again so often that the mean time from the first start to the end is infinite. The reason is that E[exp(λσ)] is infinite for the rate λ of the jobs that preempt them. Choose mjq.Resume, or bound the service times.", k, r.Limit.Levels[k].Name))
	}
	if stable == 0 {
		return r, nil
	}
	_, known := r.Limit.Levels, r.Classes[p.Spec.Levels()[0][0]].Waiting.Mean
	switch {
	case system.Undisturbed():
		alone, classes := q.LevelsAlone(stable)
		above, err := answer(ctx, alone, Under(m, alone.Spec), o)
		if above == nil {
			return r, err
		}
		TakeClasses(r, above, classes)
		r.Run, r.Solver = above.Run, above.Solver
		r.Notes = append(r.Notes, fmt.Sprintf("Only levels up to that of classes %s have results: they are stable, and lower levels do not disturb them.", r.Limit.Levels[stable-1].Name))
		return r, err
	case known.Value > 1e300: // by no closed form
		names := forget(r, p.Spec.Levels()[:stable])
		r.Notes = append(r.Notes, fmt.Sprintf("Waits of classes %s are unknown: their levels are stable, but these jobs wait behind jobs of lower levels that never run out. Lower the rate, or use Preemptive.", names))
	}
	return r, nil
}

// forget makes what is told of the classes of some levels unknown, and names them.
func forget(r *result.Result, levels [][]int) string {
	var names []string
	for _, of := range levels {
		for _, i := range of {
			c := &r.Classes[i]
			*c = result.ClassResult{Name: c.Name, Need: c.Need, Prob: c.Prob}
			names = append(names, c.Name)
		}
	}
	result.MarkUnknown(r)
	return strings.Join(names, ", ")
}
