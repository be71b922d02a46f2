package policy

import (
	"cmp"
	"math"
	"slices"
)

// Scheduler starts with an empty queue and without usage.
func (p Multifactor) Scheduler(s System) Scheduler {
	order := newRanking(&p, s)
	inner, fills := p.Inner.(Backfill)
	anywhere := slices.ContainsFunc(s.Kinds, func(k Kind) bool { return k.Nodes == 0 })
	switch {
	case fills && s.Nodes && (inner.Depth != 1 || anywhere):
		return &rankedPlaced{rankedOver: over(order, &placedBackfill{depth: inner.Depth})}
	case fills && inner.Depth != 1:
		a := newAgenda(s)
		return &rankedConservative{over(order, &a)}
	case fills && s.Nodes:
		return &rankedEasy{over[outlook](order, new(nodesAhead))}
	case fills:
		return &rankedEasy{over[outlook](order, newUnitsAhead(s))}
	case p.Inner != nil:
		return &rankedFirstFit{order}
	}
	return &rankedLine{order}
}

// rankedLine starts the head of the queue while it fits.
type rankedLine struct{ *ranking }

func (s *rankedLine) Pass(v *View) {
	for first := true; v.Jobs > 0; first = false {
		if first {
			s.rank(v)
		}
		g := s.head(v)
		if !v.Fits(int(s.groups[g].kind)) {
			return
		}
		v.engine.StartJob(s.take(v, g, s.groups[g].line.first).ID)
	}
}

// rankedFirstFit starts every job that fits, in the order of the priorities.
type rankedFirstFit struct{ *ranking }

func (s *rankedFirstFit) Pass(v *View) {
	if v.Jobs == 0 || !s.any(v) {
		return
	}
	s.rank(v)
	for {
		best := s.next(v, func(int) float64 { return math.Inf(1) })
		if best.group < 0 {
			return
		}
		v.engine.StartJob(s.take(v, best.group, best.at).ID)
	}
}

// any reports whether a job that waits fits.
func (p *present) any(v *View) bool {
	for _, k := range p.in(v) {
		if v.Waiting[k] > 0 && v.Fits(k) {
			return true
		}
	}
	return false
}

// rankedOver is a ranking with an account of the jobs that run.
type rankedOver[A account] struct {
	*ranking
	account A
}

type account interface {
	Leaver
	Shifter
}

func over[A account](order *ranking, account A) rankedOver[A] { return rankedOver[A]{order, account} }

// Left forgets a job that has run.
func (s *rankedOver[A]) Left(v *View, j *Job) {
	s.ranking.Left(v, j)
	s.account.Left(v, j)
}

// Shift moves the origin of time.
func (s *rankedOver[A]) Shift(by float64) {
	s.ranking.Shift(by)
	s.account.Shift(by)
}

// rankedEasy is easy by priorities.
type rankedEasy struct{ rankedOver[outlook] }

func (s *rankedEasy) Pass(v *View) {
	if v.Jobs == 0 || !s.any(v) {
		return
	}
	s.rank(v)
	for v.Jobs > 0 {
		g := s.head(v)
		if kind := int(s.groups[g].kind); !v.Fits(kind) {
			if s.any(v) {
				s.backfill(v, s.account.shadow(v, kind))
			}
			return
		}
		s.account.start(v, s.take(v, g, s.groups[g].line.first), false)
	}
}

// backfill starts jobs behind the head that do not delay it.
func (s *rankedEasy) backfill(v *View, shadow float64) {
	for {
		best := s.next(v, func(kind int) float64 {
			if s.account.spares(kind) {
				return forever
			}
			return shadow
		})
		if best.group < 0 {
			return
		}
		beyond := v.Now+s.groups[best.group].line.jobs[best.at].estimate > shadow
		s.account.start(v, s.take(v, best.group, best.at), beyond)
	}
}

// Returned forgets when the job was thought to end.
func (s *rankedEasy) Returned(v *View, j *Job, runs bool) {
	s.account.Left(v, j)
	if runs {
		s.account.continues(v, j)
	}
	s.ranking.Returned(v, j, runs)
}

// rankedConservative reserves for every job by priority, anew at each pass, up to the last job that
// could start now. Cost: O(types × plan) for each of these.
type rankedConservative struct{ rankedOver[*agenda] }

func (s *rankedConservative) accounts() {} // its plan takes no job back, nor does that of rankedPlaced
func (s *rankedPlaced) accounts()       {}

func (s *rankedConservative) Pass(v *View) {
	if v.Jobs == 0 || !s.any(v) {
		return
	}
	s.rank(v)
	s.account.reset(v)
	s.heap = s.heap[:0]
	at := make(map[int32]int, len(s.full)) // by group, the place of its job in the heap
	for _, g := range s.full {
		at[g] = s.groups[g].line.first
		s.heap.Push(s.key(v, g, at[g]))
	}
	for len(s.heap) > 0 {
		g := s.heap.Pop().ID
		x, here := &s.groups[g], at[g]
		next := x.line.after(here)
		j := v.engine.Job(x.line.jobs[here].id)
		from := s.account.place(j.Kind, j.Estimate)
		s.account.reserve(j.Kind, from, j.Estimate)
		if from <= v.Now && v.Fits(j.Kind) {
			v.engine.StartJob(s.take(v, g, here).ID)
			s.account.begins(v, j)
			if !s.any(v) {
				return
			}
		}
		if next >= 0 && x.line.count > 0 {
			at[g] = next
			s.heap.Push(s.key(v, g, next))
		}
	}
}

// rankedPlaced has placedBackfill go through the queue by priority.
type rankedPlaced struct {
	rankedOver[*placedBackfill]
	queue []heapPlace // of the pass
}

// heapPlace is a job in the order of the priorities.
type heapPlace struct {
	group int32
	id    int32
	key   float64
	tie   int64
}

func (s *rankedPlaced) Pass(v *View) {
	if v.Jobs == 0 {
		return
	}
	s.rank(v)
	inner := s.account
	s.queue, inner.queue = s.queue[:0], inner.queue[:0]
	for _, g := range s.full {
		for line, at := &s.groups[g].line, s.groups[g].line.first; at >= 0; at = line.after(at) {
			s.queue = append(s.queue, heapPlace{g, line.jobs[at].id, s.key(v, g, at).Key, line.jobs[at].number})
		}
	}
	slices.SortFunc(s.queue, func(a, b heapPlace) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.tie, b.tie)) })
	for i, x := range s.queue {
		inner.queue = append(inner.queue, numberedJob{int64(i), x.id, s.groups[x.group].kind})
	}
	inner.Pass(v)
	for _, x := range s.queue {
		if v.engine.Runs(x.id) {
			s.take(v, x.group, s.groups[x.group].line.at(x.tie))
		}
	}
}
