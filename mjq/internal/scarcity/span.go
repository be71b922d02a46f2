package scarcity

import (
	"cmp"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/law"
)

// Visits are looks at a part of time: of each day, or of replications from a state on.
type Visits struct {
	N      float64 // how many
	Before float64 // jobs that come from the last visit, or from the start, to the part
	Within float64 // jobs that come in the part
	Again  bool    // the next visit follows, as the next day does: long jobs are met by several
}

// Begun is a job that is there at the start of every replication, with what is left of it.
type Begun struct {
	Class, Need int
	Left        law.Law
}

// Span is what visits can know of what jobs meet in a part of time: what Run is of a path. A
// job of size w holds up the w·busy jobs after it, as many of them in the part as that has.
type Span struct {
	exposure *Exposure
	visits   Visits
	begun    []source
	met      []large // the largest first
	episodes episodes
	known
}

// large is jobs of one size.
type large struct {
	size         float64
	all, several weights // number that the visits meet, and of several jobs at once
	delayed      float64 // jobs in the part that one of them holds up
	episodic     bool    // and does so for a time: it is no gap
}

// Span is what visits can know, each of which finds the jobs that have begun.
func (e *Exposure) Span(v Visits, begun ...Begun) *Span {
	var from []source
	for _, b := range begun {
		from = append(from, source{class: b.Class, prob: 1, weight: surely, holds: true, scale: math.Max(1, float64(b.Need)) / e.work, law: b.Left})
	}
	return e.span(v, from)
}

// Begun is what n replications can know of what follows from the jobs that have begun alone.
func (e *Exposure) Begun(n float64, begun ...Begun) *Span {
	return (&Exposure{load: e.load, work: e.work}).Span(Visits{N: n, Within: 1}, begun...)
}

func (e *Exposure) span(v Visits, begun []source) *Span {
	s := &Span{exposure: e, visits: v, begun: begun}
	var left sizes
	for i := range begun {
		for _, x := range begun[i].sized(nil) {
			left.add(&x, &begun[i])
		}
	}
	s.meet(&e.held, s.number, true)
	s.meet(&left, s.each, true)
	s.meet(&e.gaps, s.number, false)
	slices.SortFunc(s.met, func(a, b large) int { return cmp.Compare(b.size, a.size) })
	for i := range s.met {
		if l := &s.met[i]; l.episodic && l.delayed > 1 {
			s.episodes.add(&l.all, l.delayed, v.N*v.Within)
		}
	}
	s.judge(s.worst)
	return s
}

// meet takes in sizes, of which number says how many jobs can have one.
func (s *Span) meet(t *sizes, number func(size float64) float64, episodic bool) {
	t.each(number, func(size float64, c *cell) {
		n := number(size)
		l := large{size: size, delayed: s.delayed(size), episodic: episodic}
		for i := range l.all {
			l.all[i], l.several[i] = n*c.held[i], n*c.several[i]
		}
		s.met = append(s.met, l)
	})
}

// each is how many jobs have begun, one a visit.
func (s *Span) each(float64) float64 { return s.visits.N }

// number is how many jobs there are of which one of that size would hold up the part.
func (s *Span) number(size float64) float64 {
	return s.visits.N * (s.visits.Within + math.Min(s.visits.Before, size*s.exposure.busy()))
}

// delayed is how many jobs of the part one of that size holds up.
func (s *Span) delayed(size float64) float64 {
	v, d := &s.visits, math.Max(1, size*s.exposure.busy())
	n := math.Min(d, v.Within)
	if day := v.Before + v.Within; v.Again && d > day {
		n *= d / day
	}
	return n
}

// worst is the worst of the suppositions for the k-th power.
func (s *Span) worst(k int) judged {
	return worst(math.Inf(1), func(i int) (all, several sums, ok bool) {
		for j := range s.met {
			l := &s.met[j]
			part := l.delayed * power(l.size, k-1)
			x, y := l.all[i], l.several[i]
			for n := range all {
				all[n] += x
				several[n] += y
				x *= part
				y *= part
			}
		}
		return all, several, true
	})
}

// Fraction is that of a Run: how many independent jobs at most tell of a fraction q of them.
func (s *Span) Fraction(q float64) float64 {
	if s.Plenty(MeanWait) {
		return math.Inf(1)
	}
	return s.episodes.fraction(q, s.visits.N*s.visits.Within, func(int) bool { return false })
}

// Largest is that of a Run, with no share.
func (s *Span) Largest(k int) Source {
	part := func(size float64) float64 { return s.delayed(size) * power(size, k-1) }
	l, size, expected, _ := largest(&s.known[k], part, met{s.exposure.sources, s.number}, met{s.begun, s.each})
	return l.said(size, expected, 0)
}

// Enough is how many times as many visits have so many effective observations of the k-th
// power, to two digits; +Inf beyond 1e12.
func (s *Span) Enough(k int, effective float64) float64 {
	return enough(12, func(times float64) bool {
		more := s.visits
		more.N *= times
		return s.exposure.span(more, s.begun).Effective(k) >= effective
	})
}
