package exposure

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// orders are the moments of the work that are computed, up to that order.
const orders = 12

// Run is what a run of a number of jobs can know.
type Run struct {
	Jobs     float64
	exposure *Exposure
	moments  [orders + 1]float64 // of the work of a job, as far as the run can meet it
	episodes []episode
}

// episode is large jobs of one size, the largest first: how many jobs one of them holds
// up, and sums from the largest down to it.
type episode struct {
	prob    float64
	delayed float64 // jobs
	mass    float64 // Σ probability × delayed: the fraction of the jobs
	square  float64 // Σ probability × delayed²
}

// Over is what a run of so many jobs can know.
func (e *Exposure) Over(jobs float64) *Run {
	r := &Run{Jobs: jobs, exposure: e}
	e.cells(r.met, r.add)
	slices.SortFunc(r.episodes, func(a, b episode) int { return cmp.Compare(b.delayed, a.delayed) })
	met := 0.0
	for i := range r.episodes {
		e := &r.episodes[i]
		if met += jobs * e.prob; met > seen {
			r.episodes = r.episodes[:i]
			break
		}
		e.mass, e.square = e.prob*e.delayed, e.prob*e.delayed*e.delayed
		if i > 0 {
			e.mass += r.episodes[i-1].mass
			e.square += r.episodes[i-1].square
		}
	}
	return r
}

// add enters jobs of one size.
func (r *Run) add(s *source, size, prob float64) {
	power := prob
	for k := range r.moments {
		r.moments[k] += power
		power *= size
	}
	if d := size * r.exposure.busy(); s.holds && d > 1 {
		r.episodes = append(r.episodes, episode{prob: prob, delayed: d})
	}
}

// met is how many jobs a run has, of whatever size.
func (r *Run) met(float64) float64 { return r.Jobs }

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
	if r.moments[2*k] == 0 {
		return math.Inf(1)
	}
	return r.Jobs * r.moments[k] * r.moments[k] / r.moments[2*k]
}

// Least is the least number of observations, in the sense of Effective, with which an
// average has an interval: with fewer, many runs meet none of the jobs that matter.
const Least = 1.5

// FewEffective is below what their number, in the sense of Effective of the fourth power, a
// few large jobs decide what is fitted to squares of works.
const FewEffective = 100

// Shape is the squared skewness and the excess kurtosis of the average of the k-th power.
func (r *Run) Shape(k int) (skewness2, kurtosis float64) {
	m := &r.moments
	if m[2*k] == 0 || 4*k > orders {
		return 0, 0
	}
	return m[3*k] * m[3*k] / (m[2*k] * m[2*k] * m[2*k]) / r.Jobs, m[4*k] / (m[2*k] * m[2*k]) / r.Jobs
}

// seen is how many of the largest jobs a run must meet before what it measures shows how
// averages vary with their number.
const seen = 200

// Fraction is how many independent jobs at most tell of a fraction q of the jobs that wait
// longest: they come in episodes, each held up by one large job, and if the largest ones
// made just this fraction it would vary with their number. It knows of the largest ones that
// the run meets a few hundred times together; +Inf if they hold up nobody.
func (r *Run) Fraction(q float64) float64 {
	i := sort.Search(len(r.episodes), func(i int) bool { return r.episodes[i].mass >= q })
	if i == len(r.episodes) {
		i--
	}
	if i < 0 || r.episodes[i].square == 0 {
		return math.Inf(1)
	}
	return q * (1 - q) * r.Jobs / r.episodes[i].square
}

// Source is the large jobs that half of the k-th moment comes from.
type Source struct {
	Class    int     // -1: bursts of arrivals
	Work     float64 // beyond which they are large
	Service  float64 // the same as a time
	Expected float64 // how many of them the run meets
	Share    float64 // of the moment that the source has
}

// Largest is the source that has most of the 2k-th moment, on which the error depends.
func (r *Run) Largest(k int) (most Source) {
	parts := make(map[*source][2]float64)
	r.exposure.cells(r.met, func(s *source, size, prob float64) {
		p := parts[s]
		p[0] += prob * math.Pow(size, float64(k))
		p[1] += prob * math.Pow(size, float64(2*k))
		parts[s] = p
	})
	var of *source
	for i := range r.exposure.sources {
		if s := &r.exposure.sources[i]; of == nil || parts[s][1] > parts[of][1] {
			of = s
		}
	}
	if of == nil {
		return Source{Class: -1}
	}
	most.Class, most.Share = of.class, parts[of][0]/r.moments[k]
	sum, above := 0.0, 0.0
	r.exposure.cells(r.met, func(s *source, size, prob float64) {
		if s != of {
			return
		}
		if sum += prob * math.Pow(size, float64(k)); sum < parts[of][0]/2 {
			most.Work, above = size, above+prob
		}
	})
	total := 0.0
	r.exposure.cells(r.met, func(s *source, _, prob float64) {
		if s == of {
			total += prob
		}
	})
	most.Service, most.Expected = most.Work/of.scale, r.Jobs*(total-above)
	return most
}

// Enough is the least number of jobs of a run with so many effective observations of the
// k-th power, to two digits; +Inf beyond 1e18.
func (e *Exposure) Enough(k int, effective float64) float64 {
	if math.IsInf(e.work, 1) {
		return math.Inf(1)
	}
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
