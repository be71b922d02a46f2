package limit

import (
	"context"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/internal/policychain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// Levels are the limits of the levels of a priority, each while the others keep their rates;
// nil for other queues, and where arrivals are not Poisson.
func Levels(ctx context.Context, p *problem.Problem) (levels []result.LevelLimit, err error) {
	s, ok := p.Levels()
	if !ok {
		return nil, nil
	}
	all, err := Bound(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	endless := s.FirstEndless()
	stable := true // those before
	for k, classes := range p.Spec.Levels() {
		var names []string
		rate := 0.0
		for _, i := range classes {
			names = append(names, p.Classes[i].Name)
			rate += s.Classes[i].Rate
		}
		l := result.LevelLimit{Name: strings.Join(names, ", "), Rate: result.Exact(rate, "arrivals"), Limit: result.Unknown()}
		if stable || s.Policy.Preempts == "" {
			if l.Limit, err = levelLimit(ctx, p, s, k); err != nil {
				return nil, err
			}
		}
		if endless >= 0 && k >= endless {
			l.Limit = result.Exact(0, "endless services")
		}
		stable = stable && (endless < 0 || k < endless) && levelStable(ctx, p, s, k, l, all)
		l.Stable = stable
		levels = append(levels, l)
	}
	return levels, ctx.Err()
}

// WithLevels is a limit with those of the levels.
func WithLevels(ctx context.Context, p *problem.Problem, st *result.Stability) (*result.Stability, error) {
	levels, err := Levels(ctx, p)
	if levels == nil {
		return st, err
	}
	with := *st
	with.Levels = levels
	return &with, err
}

// levelLimit is the limit of a level; unknown if no method has it.
func levelLimit(ctx context.Context, p *problem.Problem, s classic.Priorities, level int) (result.Estimate, error) {
	if limit, ok := s.Limit(level); ok {
		return result.Exact(limit, "closed form"), nil
	}
	if level == 0 && s.Undisturbed() {
		alone, _ := p.LevelsAlone(1)
		st, err := Of(ctx, alone, nil)
		if err != nil {
			return result.Unknown(), err
		}
		e := st.Estimate()
		return e, nil
	}
	q, err := policychain.Of(p.Compiled(), p.Rate(), nil)
	if err != nil || q.Kinds() != len(p.Spec.Levels()) {
		return result.Unknown(), nil
	}
	limit, err := q.LevelLimit(ctx, level, standard.cut)
	if err != nil {
		return result.Unknown(), nil
	}
	return result.Exact(limit, "the servers that the levels above leave"), nil
}

// levelStable reports whether a level is stable, given that those above are.
func levelStable(ctx context.Context, p *problem.Problem, s classic.Priorities, level int, l result.LevelLimit, all *result.Stability) bool {
	switch {
	case p.Rate() < all.Rate:
		return true
	case l.Limit.Known():
		return l.Rate.Value < l.Limit.Value
	case level+1 == len(p.Spec.Levels()):
		return false
	case s.Undisturbed():
		alone, _ := p.LevelsAlone(level + 1)
		st, err := Bound(ctx, alone, nil)
		return err == nil && st.Method != "upper bound" && alone.Rate() < st.Rate
	}
	// Without preemption, of two levels the second has a limit only if the first is stable
	// however many jobs of the second there are.
	next, err := levelLimit(ctx, p, s, level+1)
	return err == nil && next.Known() && level == 0
}
