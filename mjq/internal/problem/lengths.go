package problem

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Relaxation is about how many jobs a queue at the given fraction of its limit needs
// to forget its state, τ = 2 (c_a² + c_w²)/(1-load)², with the squared coefficients
// of variation of the time between arrivals and of the work α σ that a job brings:
// that of the reflected Brownian motion which the queue resembles near its limit, and
// there also how many jobs tell as much of the mean wait as one independent
// observation (Whitt, Management Science 35, 1989, on the length of runs). Infinite
// if a variance is. O(classes).
func (m *Problem) Relaxation(load float64) float64 {
	load = m.Congestion(load)
	return 2 * m.spread() / ((1 - load) * (1 - load))
}

// spread is c_a² + c_w². What users send depends on the state: it is taken to vary as exponential
// times do.
func (m *Problem) spread() float64 {
	if m.Arrivals == nil {
		return 2
	}
	mean, square := 0.0, 0.0
	for _, c := range m.Classes {
		need, service := float64(c.Need), c.Service.Mean()
		mean += c.Prob * need * service
		square += c.Prob * need * need * (service*service + c.Service.Variance())
	}
	spread := arrival.Dispersion(m.Arrivals)
	if gap, ok := m.Gap(); ok {
		spread = law.SCV(gap)
	}
	return spread + square/(mean*mean) - 1
}

// Congestion is how near its limit a queue works: the fraction of the limit or, of a queue that
// turns jobs away or loses them and so has none, the offered load, as far as the jobs that it has
// room or patience for let it be felt.
func (m *Problem) Congestion(load float64) float64 {
	if !m.Features().Has(spec.Turning) || m.Limitless() == "" {
		return load
	}
	feels := math.Sqrt(float64(max(1, m.Servers)))
	if m.Room != nil {
		feels += float64(*m.Room)
	} else if m.Arrivals != nil {
		feels = math.Hypot(feels, m.endured())
	}
	most := 1 - 1/max(2, feels)
	if m.Arrivals == nil || math.IsNaN(feels) {
		return most
	}
	return min(m.OfferedLoad(), most)
}

// endured is how many jobs of waiting patience lets a queue feel. A share δ of the arrivals that
// gives up holds the line at about σ²/δ jobs, with σ² = c_a² + c_w², for σ²/δ² jobs; so it has n jobs
// where as many as σ²/n lose patience in the time in which n come. With exponential patience that is
// n² = σ² λ E[patience], and the queue forgets its state in about a mean patience, as M/M/∞ does
// (Garnett, Mandelbaum and Reiman, Manufacturing & Service Operations Management 4, 2002). Users of
// whom some wait much longer than the others make it that of the mean at least.
func (m *Problem) endured() float64 {
	mean, spread, rate := 0.0, m.spread(), m.Rate()
	for _, c := range m.Classes {
		if c.Prob > 0 { // others are sent by users
			mean += c.Prob * c.Patience.Mean()
		}
	}
	if !(rate*mean > 0) || !(spread > 0) || math.IsInf(rate*mean, 1) || math.IsInf(spread, 1) {
		return rate * mean
	}
	few, many := 0.0, rate*mean+spread
	lost := func(n float64) (share float64) {
		for _, c := range m.Classes {
			if c.Prob == 0 {
				continue
			}
			share += c.Prob * (1 - c.Patience.Survival(n/rate))
		}
		return share
	}
	for many*lost(many) < spread {
		few, many = many, 2*many
	}
	for range 60 {
		if n := (few + many) / 2; n*lost(n) < spread {
			few = n
		} else {
			many = n
		}
	}
	return max(many/spread, math.Sqrt(rate*mean/spread))
}

// Cluster is about how many jobs come while a rare state of the queue lasts, such as one in which
// jobs wait, or find no room: (c_a² + c_w²)/(2 (1-load)), the time that a queue with drift
// 1 - load takes to work off the mean residual of what has overfilled it, but at least 1.
func (m *Problem) Cluster(load float64) float64 {
	return max(1, m.spread()/2/(1-min(m.Congestion(load), 1-1e-9)))
}

// Settling is how long a queue takes to forget that it began empty, in jobs: the relaxation time, but
// with a finite room no longer than a Brownian motion takes between two barriers as far apart as the
// jobs that there is room for, 2 n²/(π² (c_a² + c_w²)), and the servers to be refilled.
func (m *Problem) Settling(load float64) float64 {
	open := m.Relaxation(load)
	if m.Room == nil || m.Arrivals == nil {
		return open
	}
	n, spread := math.Sqrt(float64(max(1, m.Servers)))+float64(*m.Room), m.spread()
	return min(open, 2*n*n/(math.Pi*math.Pi*spread)+(1+spread)*m.Rate()*m.MeanService())
}

// A replication records a multiple of the relaxation time by default, but at least
// StandardJobs and at most LongestJobs, which with 32 replications take some ten seconds
// of one core.
const (
	Relaxations  = 100
	StandardJobs = 1_000_000
	LongestJobs  = 10_000_000
)

// ReplicationJobs is the default length of a replication at the given fraction of
// the limit.
func (m *Problem) ReplicationJobs(load float64) int64 {
	want := max(Relaxations*m.Relaxation(load), m.Filling())
	if m.Features().Has(spec.Unlike|spec.Placed) || !(want > StandardJobs) || math.IsInf(want, 1) {
		return StandardJobs
	}
	return check.Whole(want, StandardJobs, LongestJobs)
}

// UsualReplications is the default number of replications, and as many are made before a
// target looks at their interval.
const UsualReplications, FewestReplications = 32, 32

// FollowedFirst is how many followed samples there are before the first look at
// their interval: means over long paths are nearer to normal than single waits.
const FollowedFirst = 128

// FewestRelaxations and FewestRare are what a replication, or a batch of a run, should be
// long enough for. Below LeastRelaxations intervals miss the truth too often.
const FewestRelaxations, LeastRelaxations, FewestRare = 10, 3, 30

// fillings is how many times a run lets as many jobs come as fill the servers of a queue without
// a limit, and lines how many times those that fill its line.
const fillings, lines = 50, 5

// Filling is how long a run from empty should be for a queue that turns jobs away or loses
// them: a multiple of the jobs that come in a mean service, in which the servers fill, and of
// those that come until the line is as long as it gets. It is 0 for others.
func (m *Problem) Filling() float64 {
	if rate := m.Rate(); m.Features().Has(spec.Turning) && rate > 0 {
		return fillings*rate*m.MeanService() + lines*m.line()
	}
	return 0
}

// line is about how many jobs come until the line of a queue that drops jobs is full: the room
// fills by drift, or by chance where there is none; jobs that give up do so within a time.
func (m *Problem) line() float64 {
	jobs := math.Inf(1)
	if m.Features().Has(spec.Looped) { // what waits is bounded, or near a limit
		jobs = 0
	}
	if m.Room != nil {
		room := float64(*m.Room)
		jobs = room / max(math.Abs(1-m.IdealRate()/m.Rate()), 1/room)
	}
	if !m.Features().Has(spec.Impatient) {
		return jobs
	}
	longest := 0.0
	for _, c := range m.Classes {
		if c.Patience != nil {
			longest = max(longest, min(c.Patience.Mean(), c.Patience.Quantile(0.9)))
		}
	}
	return min(jobs, m.Rate()*longest)
}

// RareJobs is a number of jobs that holds on average k of the rarest class,
// and at least 1000: long enough for a window to know every class (the advice
// of Section 7.1 of the paper).
func (m *Problem) RareJobs(k float64) int64 {
	rarest := 1.0
	for _, c := range m.Classes {
		rarest = min(rarest, c.Prob)
	}
	return check.Whole(k/rarest, 1000, 1e8)
}
