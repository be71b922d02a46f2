package policy

import (
	"math/rand/v2"
	"slices"
)

// LevelsOf returns the level of each class, by its name.
func (p Priority) LevelsOf(classes []Class) (levels []int) {
	for _, c := range classes {
		level := slices.IndexFunc(p.Levels, func(names []string) bool { return slices.Contains(names, c.Name) })
		if level < 0 {
			level = len(p.Levels)
		}
		levels = append(levels, level)
	}
	return levels
}

// Rules returns the policy itself.
func (p Priority) Rules() Priority { return p }

// Stopped returns the service of a preempted job and what is left of it.
func (p Priority) Stopped(c *Class, j *Job, left float64, draws rand.Source) (service, rest float64, leaves bool) {
	service = j.Service
	switch p.Preempts {
	case Drop:
		return service, 0, true
	case Restart:
		left = service
	case Resampled:
		service = c.Service.Sample(draws)
		left = service
	}
	if p.Added != nil {
		left += p.Added.Sample(draws)
	}
	return service, left, false
}

// Scheduler starts with an empty system.
func (p Priority) Scheduler(s System) Scheduler {
	of := newLevels(s.Kinds)
	inner, fills := p.Inner.(Backfill)
	switch {
	case fills && s.Fails && inner.Depth == 1: // whose outlook takes jobs back
		return Multifactor{Levels: p.Levels, Inner: inner}.Scheduler(s)
	case fills && s.Nodes:
		return &ranked{of, &placedBackfill{depth: inner.Depth}}
	case fills:
		return &ranked{of, newHybrid(inner.Depth, s)}
	case s.Nodes && p.Preempts != "":
		return newPlacedPreemptive(of)
	case p.Inner == ServerFilling{}:
		return newLevelOrders(of, (*levelOrders).fill)
	case p.Inner == FirstFit{} && p.Preempts != "":
		return newLevelOrders(of, (*levelOrders).firstFit)
	case p.Inner == FirstFit{}:
		return newFirstFit(s)
	case p.Inner == MostServersFirst{} && p.Preempts != "":
		return newFavouring(s, true)
	case p.Inner == MostServersFirst{}:
		return newMostServersFirst(s)
	case p.ExemptFor > 0:
		return newExempting(of, p.ExemptFor, p.Preempts == Drop)
	case p.Preempts != "":
		return newPrefixes(of)
	}
	return newLevelLines(of, p.Passes)
}

// levels tell kinds of jobs by level.
type levels struct {
	of    []int // the level of a kind, counted without gaps
	need  []int // of a kind
	first []int // the first kind of a level; last the number of kinds
}

func newLevels(kinds []Kind) levels {
	var l levels
	for k, kind := range kinds {
		if k == 0 || kind.Level != kinds[k-1].Level {
			l.first = append(l.first, k)
		}
		l.of, l.need = append(l.of, len(l.first)-1), append(l.need, kind.Need)
	}
	l.first = append(l.first, len(kinds))
	return l
}

// count is the number of levels.
func (l *levels) count() int { return len(l.first) - 1 }
