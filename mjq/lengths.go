package mjq

import (
	"fmt"
	"math"
)

// relaxation is about how many jobs a queue at the given fraction of its limit needs
// to forget its state, τ = 2 (c_a² + c_w²)/(1-load)², with the squared coefficients
// of variation of the time between arrivals and of the work α σ that a job brings:
// that of the reflected Brownian motion which the queue resembles near its limit, and
// there also how many jobs tell as much of the mean wait as one independent
// observation (Whitt, Management Science 35, 1989, on the length of runs). Infinite
// if a variance is. O(classes).
func (m *Model) relaxation(load float64) float64 {
	mean, square := 0.0, 0.0
	for _, c := range m.classes {
		need, service := float64(c.Need), c.Service.Mean()
		mean += c.Prob * need * service
		square += c.Prob * need * need * (service*service + c.Service.Variance())
	}
	return 2 * (scv(m.arrivals) + square/(mean*mean) - 1) / ((1 - load) * (1 - load))
}

// A replication records so many relaxation times by default, but at least
// standardJobs and at most longestJobs, which with 32 replications take some ten seconds
// of one core.
const (
	relaxations  = 100
	standardJobs = 1_000_000
	longestJobs  = 10_000_000
)

// replicationJobs is the default length of a replication at the given fraction of
// the limit.
func (m *Model) replicationJobs(load float64) int64 {
	want := relaxations * m.relaxation(load)
	if m.variant != nil || !(want > standardJobs) || math.IsInf(want, 1) {
		return standardJobs
	}
	return int64(min(want, longestJobs))
}

// fewestRelaxations and fewestRare are what a replication, or a batch of a run, must
// be long enough for: intervals of shorter ones are too narrow.
const fewestRelaxations, fewestRare = 10, 30

// shortNotes says in the result of runs from an empty start how short a stretch of so
// many recorded jobs is. It does not know the relaxation time of queues other than
// the plain one, nor with services of infinite variance.
func (m *Model) shortNotes(r *Result, jobs int64, stretch string) {
	if m.variant != nil {
		return
	}
	n, forget := float64(jobs), m.relaxation(r.Rate/r.Limit.Rate)
	if least := fewestRelaxations * forget; n < least && !math.IsInf(least, 1) {
		r.Notes = append(r.Notes, fmt.Sprintf("A %s records %d jobs, and near its limit this queue takes about %d to forget its state: the means may be too low, and intervals too narrow. Ask for at least %d.",
			stretch, jobs, int64(math.Round(forget)), int64(math.Round(least))))
		return
	}
	most, rare := 0.0, 0
	for i, c := range m.classes {
		if w := float64(c.Need) * c.Service.Mean(); c.Prob*w*w > most {
			most, rare = c.Prob*w*w, i
		}
	}
	if c := m.classes[rare]; c.Prob*n < fewestRare {
		r.Notes = append(r.Notes, fmt.Sprintf("The jobs of class %s, whose number moves the waits most, come only about %.2g times in a %s: intervals may be too narrow. Ask for at least %d jobs.",
			c.Name, c.Prob*n, stretch, int64(math.Ceil(fewestRare/c.Prob))))
	}
}
