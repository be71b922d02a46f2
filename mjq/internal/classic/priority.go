package classic

import (
	"math"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
)

// PriorityClass is a class of jobs.
type PriorityClass struct {
	Rate    float64
	Level   int // 0 comes first
	Service law.Law
}

// PriorityMeans are those of a class. Means that a form does not give are NaN.
type PriorityMeans struct {
	Wait        float64 // response less service
	Start       float64 // wait until the first start
	AtOnce      float64 // probability to start at the arrival
	Preemptions float64 // a job
	Lost        float64 // time for which a job runs in vain
}

// level is what the classes of a level bring together.
type level struct {
	rate   float64
	load   float64 // Σ λ E[σ]
	square float64 // Σ λ E[σ²]
}

// levels are those of the classes, from the first to the last.
func levels(classes []PriorityClass) []level {
	n := 0
	for _, c := range classes {
		n = max(n, c.Level+1)
	}
	list := make([]level, n)
	for _, c := range classes {
		if c.Rate > 0 {
			l := &list[c.Level]
			l.rate += c.Rate
			l.load += c.Rate * c.Service.Mean()
			l.square += c.Rate * secondMoment(c.Service)
		}
	}
	return list
}

// levelled is a number of the levels above one, and of those up to it.
func levelled(list []level, at int, of func(l level) float64) (above, upTo float64) {
	for _, l := range list[:at] {
		above += of(l)
	}
	return above, above + of(list[at])
}

func secondMoment(l law.Law) float64 {
	m := l.Mean()
	return l.Variance() + m*m
}

// unknown are means of which none is given.
func unknown() PriorityMeans {
	nan := math.NaN()
	return PriorityMeans{nan, nan, nan, nan, nan}
}

// Nonpreemptive are the means of M/G/1 without preemption. Source: Cobham, Operations
// Research 2 (1954). Where a level never runs out, the server is always busy, and those
// above meet the rest of a service of that level if of no other.
func Nonpreemptive(classes []PriorityClass) []PriorityMeans {
	list := levels(classes)
	rest, busy := 0.0, 0.0 // E of the rest of the service that is going on; ρ
	for _, l := range list {
		part := 1.0
		if l.load > 0 {
			part = min(1, (1-busy)/l.load)
		}
		rest += part * l.square / 2
		busy += part * l.load
	}
	out := make([]PriorityMeans, len(classes))
	for i, c := range classes {
		above, upTo := levelled(list, c.Level, func(l level) float64 { return l.load })
		m := unknown()
		m.Wait, m.AtOnce, m.Preemptions, m.Lost = math.Inf(1), 0, 0, 0
		if upTo < 1 {
			m.Wait = rest / ((1 - above) * (1 - upTo))
			m.AtOnce = 1 - busy
		}
		m.Start = m.Wait
		out[i] = m
	}
	return out
}

// Resume are the means of M/G/1 with preemption, jobs resuming. Source: Jaiswal, Priority
// Queues (1968).
func Resume(classes []PriorityClass) []PriorityMeans {
	list := levels(classes)
	out := make([]PriorityMeans, len(classes))
	for i, c := range classes {
		above, upTo := levelled(list, c.Level, func(l level) float64 { return l.load })
		_, rest := levelled(list, c.Level, func(l level) float64 { return l.square / 2 })
		rate, _ := levelled(list, c.Level, func(l level) float64 { return l.rate })
		m := unknown()
		m.Wait, m.Start, m.AtOnce, m.Lost = math.Inf(1), math.Inf(1), 0, 0
		m.Preemptions = rate * c.Service.Mean()
		if upTo < 1 {
			m.Start = rest / ((1 - above) * (1 - upTo))
			m.Wait = m.Start + c.Service.Mean()*above/(1-above)
			m.AtOnce = 1 - upTo
		}
		out[i] = m
	}
	return out
}

// AlikePriorities are the means of M/M/c with services of one mean, without or with preemption, jobs
// resuming. Without, only the order of the jobs differs from the queue without levels
// (Cobham; Davis, Operations Research 14, 1966). With, levels up to one are a queue alone.
func AlikePriorities(servers int, mean float64, classes []PriorityClass, preemptive bool) []PriorityMeans {
	list := levels(classes)
	out := make([]PriorityMeans, len(classes))
	all := 0.0
	for _, l := range list {
		all += l.rate
	}
	for i, c := range classes {
		above, upTo := levelled(list, c.Level, func(l level) float64 { return l.rate })
		m := unknown()
		m.Wait, m.AtOnce, m.Lost = math.Inf(1), 0, 0
		full := float64(servers) / mean
		switch {
		case upTo >= full:
		case preemptive:
			m.AtOnce = 1 - mam.ErlangC(servers, upTo*mean)
			m.Wait = (queued(servers, upTo*mean) - queued(servers, above*mean)) / (upTo - above)
		default:
			m.AtOnce = 1 - mam.ErlangC(servers, all*mean)
			m.Wait = (1 - m.AtOnce) / full / ((1 - above/full) * (1 - upTo/full))
		}
		if !preemptive {
			m.Start, m.Preemptions = m.Wait, 0
		}
		out[i] = m
	}
	return out
}

// queued is the mean number of jobs that wait in M/M/c at a load a below c.
func queued(servers int, a float64) float64 {
	return mam.ErlangC(servers, a) * a / (float64(servers) - a)
}
