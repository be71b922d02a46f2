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
	episodes     [len(weights{})][]episode
	judged       [VarianceWait + 1]judged // by power, for those that are asked for by every class
}

// episode is large jobs of one size, the largest first: how many jobs one of them holds
// up, and sums from the largest down to it.
type episode struct {
	met    float64 // how many of that size or larger the run is expected to meet
	mass   float64 // Σ probability × delayed: the fraction of the jobs
	square float64 // Σ probability × delayed²
}

// Over is what a run of so many jobs can know.
func (e *Exposure) Over(jobs float64) *Run {
	r := &Run{Jobs: jobs, exposure: e}
	var last [len(weights{})]episode
	e.held.each(r.number, func(size float64, c *cell) {
		r.all.add(size, &c.held)
		r.several.add(size, &c.several)
		r.single.add(size, c.single)
		d := size * e.busy() // jobs delayed
		if d <= 1 {
			return
		}
		for i, prob := range c.held {
			if prob > 0 {
				l := &last[i]
				*l = episode{l.met + jobs*prob, l.mass + prob*d, l.square + prob*d*d}
				r.episodes[i] = append(r.episodes[i], *l)
			}
		}
	})
	e.gaps.each(r.number, func(size float64, c *cell) {
		r.all.add(size, &c.held)
		r.single.add(size, c.single)
	})
	for k := MeanWait; k < len(r.judged); k++ {
		r.judged[k] = r.judge(k)
	}
	return r
}

// number is how many jobs a run has, of whatever size.
func (r *Run) number(float64) float64 { return r.Jobs }

// Powers of the work that waits follow.
const (
	MeanWait     = 2
	VarianceWait = 3
)

// Effective is how many independent observations of the k-th power of a job's work, in the
// sense of one over the squared relative error of its average, the run has:
// N E[w^k]²/E[w^2k]. An exponential phase of which n are expected counts n/6 for k = 2 and
// n/20 for k = 3.
func (r *Run) Effective(k int) float64 {
	return r.worst(k).effective
}

// worst is the worst of the suppositions.
func (r *Run) worst(k int) *judged { return &r.judged[k] }

func (r *Run) judge(k int) judged {
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

// Shape is the squared skewness and the excess kurtosis of the average of the k-th power.
func (r *Run) Shape(k int) (skewness2, kurtosis float64) {
	return r.worst(k).shape(k >= VarianceWait)
}

// Plenty reports whether what is measured shows how averages of the k-th power vary.
func (r *Run) Plenty(k int) bool {
	return r.worst(k).plenty(k)
}

// Together reports whether the number of observations of the k-th power is that of several
// large jobs at once, which no control variate knows.
func (r *Run) Together(k int) bool { return r.worst(k).together }

// seen is how many large jobs a run must meet before what it measures shows how averages
// vary with their number.
const seen = 20

// Fraction is how many independent jobs at most tell of a fraction q of the jobs that wait
// longest: they come in episodes, each held up by one large job, and if the largest ones
// made just this fraction it would vary with their number. It is +Inf where the run meets
// enough of them to show that, or where they make less of the fraction than it would notice.
func (r *Run) Fraction(q float64) float64 {
	least := math.Inf(1)
	if r.Plenty(MeanWait) {
		return least
	}
	for supposed, list := range r.episodes {
		if r.refuted(supposed) {
			continue
		}
		i := sort.Search(len(list), func(i int) bool { return list[i].mass >= q || list[i].met >= seen })
		if i == len(list) {
			i--
		}
		if i >= 0 && list[i].mass >= minor*q {
			least = math.Min(least, q*(1-q)*r.Jobs/list[i].square)
		}
	}
	return least
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
	var largest *source
	most, worst := 0.0, r.worst(k)
	for i := range r.exposure.sources {
		s, sum := &r.exposure.sources[i], 0.0
		if s.weight[worst.supposed] == 0 || worst.together && s.together == 0 {
			continue
		}
		s.cells(func(size, prob float64) {
			if r.Jobs*prob >= unlikely {
				sum += prob * power(size, 2*k)
			}
		})
		if sum > 1.01*most {
			largest, most = s, sum
		}
	}
	if largest == nil {
		return Source{Class: -1}
	}
	size, expected, total := largest.half(r.number, func(size float64) float64 { return power(size, k) })
	return Source{Class: largest.class, Together: largest.together, Need: largest.need, Service: size / largest.scale, Expected: expected,
		Share: total / r.Jobs / r.all[len(surely)-1][k]}
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
	lo, hi := 0.0, 18.0
	for range 12 {
		if mid := (lo + hi) / 2; e.Over(math.Pow(10, mid)).Effective(k) < effective {
			lo = mid
		} else {
			hi = mid
		}
	}
	if hi == 18 {
		return math.Inf(1)
	}
	return math.Pow(10, hi)
}
