package planning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// A look begins with so many jobs a replication and grows fourfold. It may say that
// targets are met only when a replication is long against the relaxation time, because
// a run from empty that is too short waits too little.
const (
	firstJobs   = 10_000
	growth      = 4
	relaxations = 20
	usualJobs   = 200_000_000 // of all replications of a look
	quickFlops  = 3e9         // of an exact solution that is preferred to sampling
	replicates  = 32
)

// looker answers for one description after another.
type looker struct {
	q        *Query
	found    *result.Sizing
	notes    map[float64][]string // of the last run at each size
	spent    int                  // runs that had an error probability
	done     int                  // looks
	unsolved bool                 // the exact solution says nothing of some target
}

// at looks at a description until its targets are decided, or the look has cost all it
// may; known is what its stability limit is shared with, or nil.
func (l *looker) at(ctx context.Context, value float64, s *spec.Spec, known *problem.Problem) (_ *result.SizingPoint, err error) {
	defer func() { l.done++ }()
	point := &result.SizingPoint{Value: value, Verdict: result.Misses, Cost: result.Unknown()}
	if tooWide(s) {
		point.Solver = "a job needs more than there is"
		return l.keep(point), nil
	}
	if faults := s.Validate(); len(faults) > 0 {
		return nil, fmt.Errorf("%s = %.6g: %w", l.found.What, value, faults[0])
	}
	p := problem.New(s.Normalized())
	if known != nil {
		p = known.WithArrivals(s)
	} else if p, err = l.judged(ctx, p); err != nil {
		return nil, err
	}
	if err := l.decide(ctx, p, point); err != nil {
		return nil, err
	}
	return l.keep(point), nil
}

// judged is the problem with a limit that is only as good as it takes to tell that the
// queue is stable, or that it is not: a better one would cost more than the rest of the
// look.
func (l *looker) judged(ctx context.Context, p *problem.Problem) (*problem.Problem, error) {
	if !run.Serves(sampler.Forward{}, p.Spec) {
		return p, nil
	}
	o := problem.Defaults()
	o.Workers = l.q.Options.Workers
	o.RelErr = problem.Give(0.03)
	st, err := limit.Find(ctx, p, limit.Way{}, o)
	if err != nil || math.Abs(p.Rate()-st.Rate) <= 4*st.HalfWidth || !st.Met {
		return p, err
	}
	return p.WithLimit(st), nil
}

// keep adds a point to what was found, in its place.
func (l *looker) keep(point *result.SizingPoint) *result.SizingPoint {
	points := &l.found.Points
	k, _ := slices.BinarySearchFunc(*points, point.Value, func(p result.SizingPoint, v float64) int {
		switch {
		case p.Value < v:
			return -1
		case p.Value > v:
			return 1
		}
		return 0
	})
	*points = slices.Insert(*points, k, *point)
	return point
}

// tooWide reports whether some job can never start.
func tooWide(s *spec.Spec) bool {
	if s.Features().Has(spec.Placed) {
		return len(s.Validate()) > 0 // the model itself is right
	}
	for _, c := range s.Classes {
		for k, units := range c.Units {
			if units > s.Resources[k].Units {
				return true
			}
		}
		if c.Need > s.Servers {
			return true
		}
	}
	return false
}

// decide asks, ever more closely unless the user has chosen how.
func (l *looker) decide(ctx context.Context, p *problem.Problem, point *result.SizingPoint) error {
	if l.q.Asked != nil {
		return l.once(ctx, p, point)
	}
	if l.solvable(p) {
		o := problem.Defaults()
		o.Fresh = l.q.Options.Fresh
		r, err := l.ask(ctx, p, exact.Method{}, o, point)
		if err != nil || !r.Stable || l.silent(point) < 0 {
			return err
		}
		l.unsolved = true // it says nothing of some goal, whatever the size
	}
	for jobs := int64(firstJobs); ; jobs *= growth {
		r, err := l.ask(ctx, p, l.sampling(jobs), l.q.Options, point)
		if err != nil {
			return err
		}
		last := growth*jobs*replicates > l.q.maxJobs()
		need := settled(p, r)
		if point.Verdict == result.Meets && float64(jobs) < need {
			point.Verdict = result.LikelyMeets
			// The next run is as long as this takes, not just somewhat longer.
			for !last && float64(growth*jobs) < need && growth*growth*jobs*replicates <= l.q.maxJobs() {
				jobs *= growth
			}
		}
		if k := l.silent(point); last && r.Stable && k >= 0 {
			return fmt.Errorf("%s: %d jobs, as many as MaxJobs allows, say nothing of it; raise MaxJobs", l.q.Targets[k].call(), jobs*replicates)
		}
		if point.Verdict.Sure() || last || nothingSeen(point) && float64(jobs) >= need {
			return nil
		}
	}
}

// once asks by the method that the user has chosen.
func (l *looker) once(ctx context.Context, p *problem.Problem, point *result.SizingPoint) error {
	asked := l.q.Asked
	s, simulated := asked.(simulation.Method)
	if x := l.q.threshold(); x > 0 {
		s.SlowdownThreshold = x
		asked = s
	}
	r, err := l.ask(ctx, p, asked, l.q.Options, point)
	if err != nil || !r.Stable {
		return err
	}
	if k := l.silent(point); k >= 0 {
		return fmt.Errorf("%s: %s says nothing of it; leave the method out, or give mjq.Simulation{} with enough Jobs", l.q.Targets[k].call(), asked.Row().Name)
	}
	fromEmpty := simulated || is[sampler.Forward](asked)
	if point.Verdict == result.Meets && fromEmpty && float64(r.Run.Jobs) < settled(p, r) {
		point.Verdict = result.LikelyMeets
	}
	return nil
}

// settled is how many jobs of a run from empty may say that targets are met.
func settled(p *problem.Problem, r *result.Result) float64 {
	return max(relaxations*p.Settling(r.Rate/r.Limit.Rate), p.Filling())
}

// silent is the index of a target of which a look knows nothing, or -1.
func (l *looker) silent(p *result.SizingPoint) int {
	return slices.IndexFunc(p.Targets, func(e result.Estimate) bool { return !e.Known() })
}

// nothingSeen reports whether a long run has met a target without an interval, because no
// job waited: longer ones hardly decide it.
func nothingSeen(p *result.SizingPoint) bool {
	return p.Verdict == result.LikelyMeets && slices.ContainsFunc(p.Targets, func(e result.Estimate) bool { return e.Value == 0 && math.IsNaN(e.HalfWidth) })
}

// solvable reports whether the exact solution costs less than sampling.
func (l *looker) solvable(p *problem.Problem) bool {
	if l.unsolved || p.Features().Has(spec.Serving|spec.Placed) && !p.Features().Has(spec.Turning) || l.q.threshold() > 0 || len(run.Fits(exact.Method{}, p.Spec)) > 0 {
		return false
	}
	size, err := exact.SizeOf(context.Background(), p, exact.Method{}, problem.Defaults())
	return err == nil && size.Flops < quickFlops
}

// sampling is how to sample so many jobs a replication.
func (l *looker) sampling(jobs int64) run.Method {
	x := l.q.threshold()
	if x > 0 || !run.Serves(sampler.Forward{}, l.q.Problem.Spec) {
		return simulation.Method{Jobs: int(jobs), Replications: replicates, SlowdownThreshold: x}
	}
	m := sampler.Forward{Jobs: int(jobs), Replications: replicates}
	if !slices.ContainsFunc(l.q.Targets, func(t Target) bool { return t.Kind != MeanWait }) {
		m.Controls = problem.PlainControls
	}
	return m
}

// is reports whether a method is of a type.
func is[T run.Method](m run.Method) bool {
	_, same := m.(T)
	return same
}

// ask asks once and sets the verdict.
func (l *looker) ask(ctx context.Context, p *problem.Problem, m run.Method, o problem.Options, point *result.SizingPoint) (*result.Result, error) {
	o.SetSeed(l.q.Seed)
	o.Workers, o.Level = l.q.Options.Workers, 1-l.share(m)
	o.Progress, o.Interval = l.progress(), nil
	r, err := run.Solve(ctx, p, m, o)
	if err != nil {
		return nil, err
	}
	point.Solver = r.Solver
	l.judge(p, r, point)
	l.notes[point.Value] = r.Notes
	return r, nil
}

// share is the error probability of each interval of the next look.
func (l *looker) share(m run.Method) float64 {
	if is[exact.Method](m) {
		return 1 - l.q.Level // nothing is spent
	}
	l.spent++
	parts := float64(l.spent) * float64(l.spent+1) * float64(max(1, len(l.q.Targets)))
	return (1 - l.q.Level) / parts
}

// judge sets verdict, estimates and cost.
func (l *looker) judge(p *problem.Problem, r *result.Result, point *result.SizingPoint) {
	point.Targets, point.Verdict = nil, result.Meets
	worst := map[result.Verdict]int{result.Meets: 0, result.LikelyMeets: 1, result.LikelyMisses: 2, result.Misses: 3}
	for _, t := range l.q.Targets {
		e := t.of(l.q.Problem.Spec, r)
		if v := t.verdict(e); worst[v] > worst[point.Verdict] {
			point.Verdict = v
		}
		point.Targets = append(point.Targets, e)
	}
	if !r.Stable {
		point.Verdict = result.Misses
	}
	point.Cost = l.q.Costs.of(p.Servers, r)
}

// note adds a note to what was found.
func (l *looker) note(text string) { l.found.Notes = append(l.found.Notes, text) }

// progress tells of looks done, of which some dozen are usual.
func (l *looker) progress() func(done, total float64) {
	report := l.q.Options.Progress
	if report == nil {
		return nil
	}
	done, all := float64(l.done), math.Max(12, float64(l.done+2))
	return func(part, total float64) { report(done+math.Min(part/total, 0.999), all) }
}
