package planning

import (
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/loss"
	"github.com/mjqueue/mjq/mjq/spec"
)

// onePass is the fewest servers, from a least on, of a system without room with targets about
// the jobs that are turned away alone: the recursion for many servers is that for fewer on the
// way. It is for Poisson arrivals; once reports whether the query is one of these.
func (l *looker) onePass(least int) (servers int, once bool) {
	p := l.q.Problem
	if p.Room == nil || *p.Room > 0 || p.Features()&^(spec.Bounded|spec.Typed|spec.Serving) != 0 || !p.Poisson() || l.q.Costed ||
		l.q.Asked != nil && !is[exact.Method](l.q.Asked) {
		return 0, false
	}
	var goals []loss.Goal
	for _, t := range l.q.Targets {
		if t.Kind != Blocked {
			return 0, false
		}
		g := loss.Goal{Weights: make([]float64, len(p.Classes)), Most: t.Bound}
		for k, c := range p.Classes {
			if t.Class == "" {
				g.Weights[k] = c.Prob
			} else if t.Class == c.Name {
				g.Weights[k] = 1
			}
		}
		goals = append(goals, g)
	}
	return loss.Fewest(loss.Of(p.Compiled()).Classes, goals, least, mostServers)
}

// around looks at a number at which the property should begin to hold, and at the one below. The
// solution of each decides, because the recursion loses tiny shares to rounding.
func (b *border) around(n int) error {
	for _, at := range []int{n - 1, n} {
		if at <= b.misses {
			continue
		}
		p, err := b.at(at)
		if err != nil {
			return err
		}
		if p.Verdict.OK() {
			b.meets, b.known = at, true
			return nil
		}
		b.misses = at
	}
	return nil
}
