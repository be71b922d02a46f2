package policy

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/mjqueue/mjq/mjq/law"
)

// Leveled is a Policy under which classes differ by level and not by need alone. A kind of
// jobs is then a level and a need. An engine numbers the kinds by level and then by need,
// both increasing; see [KindsOf].
type Leveled interface {
	Policy
	// Level is that of a class by its index; level 0 comes first.
	Level(class int) int
	// LevelScheduler is Scheduler for such kinds.
	LevelScheduler(servers int, kinds []Kind) Scheduler
}

// Kind is jobs of one level and one need.
type Kind struct{ Level, Need int }

// KindsOf are the kinds of classes that need so many servers, and says which of them each
// class is.
func KindsOf(p Leveled, needs []int) (kinds []Kind, of []int32) {
	compare := func(a, b Kind) int { return cmp.Or(a.Level-b.Level, a.Need-b.Need) }
	var each []Kind
	for class, need := range needs {
		each = append(each, Kind{p.Level(class), need})
	}
	kinds = slices.Clone(each)
	slices.SortFunc(kinds, compare)
	kinds = slices.Compact(kinds)
	for _, k := range each {
		at, _ := slices.BinarySearchFunc(kinds, k, compare)
		of = append(of, int32(at))
	}
	return kinds, of
}

// Stopper is a Policy that says how a preempted job goes on. Without it the job resumes.
type Stopper interface {
	// Stopped returns the service of a preempted job, what is left of it, and whether the
	// job leaves instead. Left is what is left as it stops. The draws differ from
	// preemption to preemption.
	Stopped(j *Job, left float64, draws rand.Source) (service, rest float64, leaves bool)
}

// Bound is what Bind must know of a class of jobs.
type Bound struct {
	Name    string
	Service law.Law // nil if it is not known
}

// Bind is a policy for classes in the order of their indices. A policy that tells classes
// by their names needs it before it can run; any other is returned as it is.
func Bind(p Policy, classes []Bound) Policy {
	if b, ok := p.(Binder); ok {
		return b.For(classes)
	}
	return p
}

// Binder is a Policy that tells classes by their names or their service times. For returns the
// policy for these classes, which then is mostly [Leveled].
type Binder interface {
	Policy
	For(classes []Bound) Policy
}

// For returns the policy for the classes of a model, or of a log, by their names.
func (p Priority) For(classes []Bound) Policy {
	b := BoundPriority{Priority: p}
	for _, c := range classes {
		b.level = append(b.level, p.LevelOf(c.Name))
		b.services = append(b.services, c.Service)
	}
	return b
}

// BoundPriority is a Priority for the classes of a model; see Bind.
type BoundPriority struct {
	Priority
	level    []int     // by class
	services []law.Law // by class
}

// Level is that of a class.
func (p BoundPriority) Level(class int) int { return p.level[class] }

// Properties returns those of the policy for these classes: if all are of one level, the
// policy within decides alone.
func (p BoundPriority) Properties() Properties {
	k := p.Priority.Properties()
	for _, level := range p.level {
		if level != p.level[0] {
			return k
		}
	}
	k.InOrder = p.Inner == nil || p.Inner.Properties().InOrder
	return k
}

// Validate is that of the settings: the classes have been found by their names.
func (p BoundPriority) Validate(servers int, classes []Class) error {
	q := p.Priority
	q.Levels = nil
	return q.Validate(servers, classes)
}

// Stopped is the service of a preempted job and what is left of it.
func (p BoundPriority) Stopped(j *Job, left float64, draws rand.Source) (service, rest float64, leaves bool) {
	service = j.Service
	switch p.Preempts {
	case Drop:
		return service, 0, true
	case Restart:
		left = service
	case Resampled:
		service = p.services[j.Class].Sample(draws)
		left = service
	}
	if p.Added != nil {
		left += p.Added.Sample(draws)
	}
	return service, left, false
}

// Scheduler is that of a single level.
func (p Priority) Scheduler(servers int, needs []int) Scheduler {
	var kinds []Kind
	for _, n := range needs {
		kinds = append(kinds, Kind{0, n})
	}
	return p.LevelScheduler(servers, kinds)
}

// LevelScheduler starts with an empty system.
func (p Priority) LevelScheduler(servers int, kinds []Kind) Scheduler {
	of := newLevels(kinds)
	switch inner := p.Inner.(type) {
	case FirstFit:
		if p.Preempts != "" {
			return newLevelOrders(of, (*levelOrders).firstFit)
		}
		return levelFirstFit{of}
	case MostServersFirst:
		if p.Preempts != "" {
			return levelLargest{of}
		}
		return levelMost{of}
	case ServerFilling:
		return newLevelOrders(of, (*levelOrders).fill)
	case Backfill:
		return newLevelBackfill(of, inner.Depth)
	}
	switch {
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
