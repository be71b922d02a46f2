package exposure

import (
	"math"
	"sort"
)

// orders are the moments of the work that are computed, up to that order.
const orders = 12

// moments are those of the work of a job, as far as it can be met, by the weights.
type moments [len(weights{})][orders + 1]float64

// add enters jobs of one size.
func (m *moments) add(size float64, c *cell) {
	for i := range m {
		power := c.weighted[i]
		for k := range m[i] {
			m[i][k] += power
			power *= size
		}
	}
}

// Run is what a run of a number of jobs can know.
type Run struct {
	Jobs     float64
	exposure *Exposure
	moments  moments
	episodes []episode
}

// episode is large jobs of one size, the largest first: how many jobs one of them holds
// up, and sums from the largest down to it.
type episode struct {
	prob    float64
	delayed float64 // jobs
	met     float64 // how many of that size or larger the run is expected to meet
	mass    float64 // Σ probability × delayed: the fraction of the jobs
	square  float64 // Σ probability × delayed²
}

// Over is what a run of so many jobs can know.
func (e *Exposure) Over(jobs float64) *Run {
	r := &Run{Jobs: jobs, exposure: e}
	e.held.each(r.number, func(size float64, c *cell) {
		r.moments.add(size, c)
		if d := size * e.busy(); d > 1 {
			r.episodes = append(r.episodes, episode{prob: c.prob, delayed: d})
		}
	})
	e.gaps.each(r.number, r.moments.add)
	for i := range r.episodes {
		e := &r.episodes[i]
		e.met = jobs * e.prob
		e.mass, e.square = e.prob*e.delayed, e.prob*e.delayed*e.delayed
		if i > 0 {
			e.mass += r.episodes[i-1].mass
			e.square += r.episodes[i-1].square
			e.met += r.episodes[i-1].met
		}
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
	n, _ := r.worst(k)
	return n
}

// worst is the least such number over the weights, and those moments.
func (r *Run) worst(k int) (n float64, of *[orders + 1]float64) {
	n = math.Inf(1)
	for i := range r.moments {
		m := &r.moments[i]
		if m[2*k] > 0 {
			if x := r.Jobs * m[k] * m[k] / m[2*k]; of == nil || x < n {
				n, of = x, m
			}
		}
	}
	alone := &r.moments[len(r.moments)-1]
	if lone := r.Jobs * alone[k] * alone[k] / alone[2*k]; n < 0.99*lone {
		n = math.Min(n/coincidence, lone)
	}
	return n, of
}

// coincidence divides the number of observations where it takes several large jobs at once,
// for they also vary in how long they run together: with 1 in its place
// BenchmarkRareServices finds the variance of queue #42 in 0.81 of 80 intervals.
const coincidence = 3

// Least is the least number of observations, in the sense of Effective, with which an
// average has an interval: with fewer, many runs meet none of the jobs that matter.
const Least = 1.5

// Plenty is how many observations, in the sense of Effective, make nothing of the number of
// large jobs: what is measured shows how averages vary with it.
const Plenty = 50

// FewEffective is below what their number, in the sense of Effective of the fourth power, a
// few large jobs decide what is fitted to squares of works.
const FewEffective = 100

// Shape is the squared skewness and the excess kurtosis of the average of the k-th power.
func (r *Run) Shape(k int) (skewness2, kurtosis float64) {
	_, m := r.worst(k)
	if m == nil || 4*k > orders {
		return 0, 0
	}
	return m[3*k] * m[3*k] / (m[2*k] * m[2*k] * m[2*k]) / r.Jobs, m[4*k] / (m[2*k] * m[2*k]) / r.Jobs
}

// seen is how many large jobs a run must meet before what it measures shows how averages
// vary with their number.
const seen = 20

// Fraction is how many independent jobs at most tell of a fraction q of the jobs that wait
// longest: they come in episodes, each held up by one large job, and if the largest ones
// made just this fraction it would vary with their number. It is +Inf where the run meets
// enough of them to show that, or where they make less of the fraction than it would notice.
func (r *Run) Fraction(q float64) float64 {
	if r.Effective(MeanWait) >= Plenty {
		return math.Inf(1)
	}
	i := sort.Search(len(r.episodes), func(i int) bool { return r.episodes[i].mass >= q || r.episodes[i].met >= seen })
	if i == len(r.episodes) {
		i--
	}
	if i < 0 || r.episodes[i].mass < minor*q {
		return math.Inf(1)
	}
	return q * (1 - q) * r.Jobs / r.episodes[i].square
}

// minor is the part of a fraction that does not matter to its interval.
const minor = 0.05

// Source is the large jobs that half of the k-th moment comes from.
type Source struct {
	Class    int     // -1: bursts of arrivals
	Service  float64 // beyond which they are large; of arrivals in another unit
	Expected float64 // how many of them the run meets
	Share    float64 // of the moment that the source has
}

// Largest is the source that has most of the 2k-th moment, on which the error depends.
func (r *Run) Largest(k int) Source {
	var largest *source
	most := 0.0
	for i := range r.exposure.sources {
		s, sum := &r.exposure.sources[i], 0.0
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
	return Source{Class: largest.class, Service: size / largest.scale, Expected: expected, Share: total / r.Jobs / r.moments[len(surely)-1][k]}
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
