package scarcity

import (
	"math"
	"sort"
)

// orders are the moments of the work that are computed, up to that order.
const orders = 12

// moments are those of the work of what holds up the queue, as far as it can be met, by the
// suppositions.
type moments [len(weights{})]powers

// add enters occurrences of one size, so many of them by supposition.
func (m *moments) add(size float64, number *weights) {
	for i := range m {
		m[i].add(size, number[i])
	}
}

// powers are moments up to that order.
type powers [orders + 1]float64

func (p *powers) add(size, number float64) {
	for k := range p {
		p[k] += number
		number *= size
	}
}

// Run is what a run of a number of jobs can know.
type Run struct {
	Jobs         float64
	exposure     *Exposure
	all, several moments // of everything, and of several jobs at once
	single       powers  // of what comes alone, whether or not it holds up the queue
	episodes     episodes
	known
}

// episode is large jobs of one size, the largest first: how many jobs one of them holds
// up, and sums from the largest down to it.
type episode struct {
	met    float64 // how many of that size or larger are expected to be met
	mass   float64 // Σ probability × delayed: the fraction of the jobs
	square float64 // Σ probability × delayed²
}

// episodes are those of a supposition each.
type episodes [len(weights{})][]episode

// add takes in jobs of one size, of which each holds up so many of all jobs: how many are met, by
// supposition.
func (e *episodes) add(met *weights, delayed, jobs float64) {
	for i, n := range met {
		if n > 0 {
			var l episode
			if k := len(e[i]); k > 0 {
				l = e[i][k-1]
			}
			mass := n * delayed / jobs
			e[i] = append(e[i], episode{l.met + n, l.mass + mass, l.square + mass*delayed})
		}
	}
}

// fraction is how many independent jobs at most tell of a fraction q of all jobs, by the suppositions
// that are not refuted; see Run.Fraction.
func (e *episodes) fraction(q, jobs float64, refuted func(supposed int) bool) float64 {
	least := math.Inf(1)
	for supposed, list := range e {
		if len(list) == 0 || refuted(supposed) {
			continue
		}
		i := sort.Search(len(list)-1, func(i int) bool { return list[i].mass >= q || list[i].met >= seen })
		if list[i].mass >= minor*q {
			least = math.Min(least, q*(1-q)*jobs/list[i].square)
		}
	}
	return least
}

// Over is what a run of so many jobs can know.
func (e *Exposure) Over(jobs float64) *Run {
	r := &Run{Jobs: jobs, exposure: e}
	e.held.each(r.number, func(size float64, c *cell) {
		r.all.add(size, &c.held)
		r.several.add(size, &c.several)
		r.single.add(size, c.single)
		if d := size * e.busy(); d > 1 {
			met := c.held
			for i := range met {
				met[i] *= jobs
			}
			r.episodes.add(&met, d, jobs)
		}
	})
	e.gaps.each(r.number, func(size float64, c *cell) {
		r.all.add(size, &c.held)
		r.single.add(size, c.single)
	})
	r.judge(r.worst)
	return r
}

// number is how many jobs a run has, of whatever size.
func (r *Run) number(float64) float64 { return r.Jobs }

// Powers of the work that waits follow.
const (
	MeanWait     = 2
	VarianceWait = 3
)

// worst is the worst of the suppositions for the k-th power.
func (r *Run) worst(k int) judged {
	return worst(r.Jobs*r.exposure.waits.of(k), func(i int) (all, several sums, ok bool) {
		return r.sums(&r.all[i], k), r.sums(&r.several[i], k), !r.refuted(i)
	})
}

// refuted reports whether the mean wait is far longer than under a supposition by which it takes
// several jobs at once.
func (r *Run) refuted(i int) bool {
	waits := r.exposure.waits[0]
	return i < len(surely)-1 && r.several[i][MeanWait] > 0 && waits > 2*r.all[i][MeanWait]
}

// sums are those of the k-th power over the run.
func (r *Run) sums(of *powers, k int) (s sums) {
	for i := range s {
		if i*k <= orders {
			s[i] = r.Jobs * of[i*k]
		}
	}
	return s
}

// Least is the least number of observations, in the sense of Effective, with which an
// average has an interval: with fewer, many runs meet none of the jobs that matter.
const Least = 1.5

// Plenty is how many observations, in the sense of Effective, make nothing of the number of
// large jobs, unless few of these make much of the error all the same: what is measured shows
// how averages vary with it.
const Plenty = 50

// Fitted is how many independent observations what is fitted to squares of works has, in the
// sense of Effective of the fourth power, of all jobs whether or not they hold up the queue.
// Below FewEffective a few large jobs decide it.
func (r *Run) Fitted() float64 {
	s := r.sums(&r.single, 4)
	return s.effective(s[1])
}

// FewEffective is how many observations, in the sense of Fitted, are few.
const FewEffective = 100

// seen is how many large jobs a run must meet before what it measures shows how averages
// vary with their number.
const seen = 20

// Fraction is how many independent jobs at most tell of a fraction q of the jobs that wait
// longest: they come in episodes, each held up by one large job, and if the largest ones
// made just this fraction it would vary with their number. It is +Inf where the run meets
// enough of them to show that, or where they make less of the fraction than it would notice.
func (r *Run) Fraction(q float64) float64 {
	if r.Plenty(MeanWait) {
		return math.Inf(1)
	}
	return r.episodes.fraction(q, r.Jobs, r.refuted)
}

// minor is the part of a fraction that does not matter to its interval.
const minor = 0.05

// Source is the large jobs that half of the k-th moment comes from.
type Source struct {
	Class          int     // -1: bursts of arrivals, or Together
	Together, Need int     // jobs at once, each of that need or more; 0: one job
	Service        float64 // beyond which they are large; of arrivals in another unit
	Expected       float64 // how many of them the run meets
	Share          float64 // of the moment that the source has
}

// Largest is the source that has most of the 2k-th moment, on which the error depends.
func (r *Run) Largest(k int) Source {
	part := func(size float64) float64 { return power(size, k) }
	l, size, expected, total := largest(&r.known[k], part, met{r.exposure.sources, r.number})
	return l.said(size, expected, total/r.Jobs/r.all[len(surely)-1][k])
}

// met are sources of which number says how many jobs can have a size.
type met struct {
	sources []source
	number  func(size float64) float64
}

// largest is the source that has most of the sum of the squared parts, nil without one, and its
// half; see there.
func largest(worst *judged, part func(size float64) float64, among ...met) (found *source, size, above, total float64) {
	most := 0.0
	var number func(size float64) float64
	for _, m := range among {
		for i := range m.sources {
			s, sum := &m.sources[i], 0.0
			if s.weight[worst.supposed] == 0 || worst.together && s.together == 0 {
				continue
			}
			s.cells(func(size, prob float64) {
				if n := m.number(size) * prob; n >= unlikely {
					sum += n * part(size) * part(size)
				}
			})
			if sum > 1.01*most {
				found, most, number = s, sum, m.number
			}
		}
	}
	if found != nil {
		size, above, total = found.half(number, part)
	}
	return found, size, above, total
}

// said is a source for who asks, given the size beyond which its jobs are large; none is said of nil.
func (s *source) said(size, expected, share float64) Source {
	if s == nil {
		return Source{Class: -1}
	}
	return Source{Class: s.class, Together: s.together, Need: s.need, Service: size / s.scale, Expected: expected, Share: share}
}

// half is the size above which half of the sum of the parts of a source lies, the expected
// number of its jobs above, and the sum; number says of how many jobs one has a size.
func (s *source) half(number, part func(size float64) float64) (size, above, total float64) {
	var sizes, met, parts []float64
	s.cells(func(size, prob float64) {
		if n := number(size) * prob; n >= unlikely {
			sizes, met, parts = append(sizes, size), append(met, n), append(parts, n*part(size))
			total += n * part(size)
		}
	})
	sum := 0.0
	for i := len(parts) - 1; i >= 0 && sum < total/2; i-- {
		sum += parts[i]
		size, above = sizes[i], above+met[i]
	}
	return size, above, total
}

func power(x float64, k int) float64 {
	p := 1.0
	for range k {
		p *= x
	}
	return p
}

// Enough is the least number of jobs of a run with so many effective observations of the
// k-th power, to two digits; +Inf beyond 1e18.
func (e *Exposure) Enough(k int, effective float64) float64 {
	return enough(18, func(jobs float64) bool { return e.Over(jobs).Effective(k) >= effective })
}

// enough is the least number that suffices, to two digits; +Inf beyond 10 to the highest power.
func enough(highest float64, suffices func(n float64) bool) float64 {
	lo, hi := 0.0, highest
	for range 12 {
		if mid := (lo + hi) / 2; suffices(math.Pow(10, mid)) {
			hi = mid
		} else {
			lo = mid
		}
	}
	if hi == highest {
		return math.Inf(1)
	}
	return math.Pow(10, hi)
}
