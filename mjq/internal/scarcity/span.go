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

// Effective is that of a Run.
func (s *Span) Effective(k int) float64 { return s.worst(k).effective }

// Shape is that of a Run.
func (s *Span) Shape(k int) (skewness2, kurtosis float64) {
	j := s.worst(k)
	return j.shape(k >= VarianceWait)
}

// Plenty is that of a Run.
func (s *Span) Plenty(k int) bool {
	j := s.worst(k)
	return j.plenty(k)
}

// Together is that of a Run.
func (s *Span) Together(k int) bool { return s.worst(k).together }

// Fraction is that of a Run: how many independent jobs at most tell of a fraction q of them.
func (s *Span) Fraction(q float64) float64 {
	least := math.Inf(1)
	if s.Plenty(MeanWait) {
		return least
	}
	jobs := s.visits.N * s.visits.Within
	for supposed := range surely {
		met, mass, square := 0.0, 0.0, 0.0
		for i := range s.met {
			l := &s.met[i]
			if !l.episodic || l.delayed <= 1 {
				continue
			}
			n := l.all[supposed]
			met += n
			mass += n * l.delayed / jobs
			square += n * l.delayed * l.delayed / jobs
			if mass >= q || met >= seen {
				break
			}
		}
		if mass >= minor*q {
			least = math.Min(least, q*(1-q)*jobs/square)
		}
	}
	return least
}

// Largest is that of a Run, with no share.
func (s *Span) Largest(k int) Source {
	largest, most, worst := (*source)(nil), 0.0, s.worst(k)
	var number func(size float64) float64
	part := func(size float64) float64 { return s.delayed(size) * power(size, k-1) }
	look := func(from []source, of func(size float64) float64) {
		for i := range from {
			sum := 0.0
			if from[i].weight[worst.supposed] == 0 || worst.together && from[i].together == 0 {
				continue
			}
			from[i].cells(func(size, prob float64) {
				if n := of(size) * prob; n >= unlikely {
					sum += n * part(size) * part(size)
				}
			})
			if sum > 1.01*most {
				largest, most, number = &from[i], sum, of
			}
		}
	}
	look(s.exposure.sources, s.number)
	look(s.begun, s.each)
	if largest == nil {
		return Source{Class: -1}
	}
	size, expected, _ := largest.half(number, part)
	return Source{Class: largest.class, Together: largest.together, Need: largest.need, Service: size / largest.scale, Expected: expected}
}

// Enough is how many times as many visits have so many effective observations of the k-th
// power, to two digits; +Inf beyond 1e12.
func (s *Span) Enough(k int, effective float64) float64 {
	lo, hi := 0.0, 12.0
	for range 12 {
		mid := (lo + hi) / 2
		more := s.visits
		more.N *= math.Pow(10, mid)
		if s.exposure.span(more, s.begun).Effective(k) < effective {
			lo = mid
		} else {
			hi = mid
		}
	}
	if hi == 12 {
		return math.Inf(1)
	}
	return math.Pow(10, hi)
}
