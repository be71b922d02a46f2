// Package exposure says what a run of so many jobs can know of a queue before anything
// has been measured. Waits come from large jobs: the mean wait follows the second moment of
// the work that a job brings, its variance the third. Where a few jobs of a rare class, or
// of a rare long phase of its service, make most of such a moment, a run that has met them a
// few times, or never, cannot know how wrong it is: its own standard error is too small
// together with its mean. The law of the work is known, so it tells how many of them a run
// is expected to meet, and the least error that their number alone gives every average.
package exposure

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Exposure is the randomness that the jobs and the arrivals of a queue bring.
type Exposure struct {
	load    float64 // of the stability limit
	work    float64 // mean of a job
	sources []source
}

// source is one kind of it: the jobs of a class, the bursts of an arrival phase, the
// times between arrivals.
type source struct {
	class  int     // -1: arrivals
	prob   float64 // occurrences a job
	weight float64 // part of them that holds up the queue
	holds  bool    // they do by lasting long, and gaps do not
	scale  float64 // servers a job keeps; what makes a time work
	law    law.Law
	size   []float64 // work, ascending
	above  []float64 // probability of more; above[i] - above[i+1] lie between size[i] and size[i+1]
}

// Of is the exposure of a queue at a fraction of its stability limit; from 1 on, where the
// limit is not known for certain, it is that just below.
func Of(s *spec.Spec, load float64) *Exposure {
	load = min(load, 1-1e-9)
	e := &Exposure{load: load, work: s.Work()}
	for c, class := range s.Classes {
		need := math.Max(1, float64(class.Need))
		e.add(source{class: c, prob: class.Prob, weight: weight(s, c, load), holds: true, scale: need, law: class.Service})
	}
	if gap, ok := s.Gap(); ok {
		e.add(source{class: -1, prob: 1, weight: 1, scale: e.work / gap.Mean(), law: gap})
	} else if m, ok := arrival.AsMarkov(s.Arrivals); ok {
		e.bursts(m)
	}
	return e
}

// weight is the part of the jobs of a class that hold up the queue. One job does if other
// jobs do not fit beside it, of a class that comes while it runs, or if the servers that
// it leaves are too few; else it takes several of the class at once, whose number in
// service would be Poisson if they did not wait.
func weight(s *spec.Spec, class int, load float64) float64 {
	c := &s.Classes[class]
	running := s.Rate() * c.Prob * c.Service.Mean()
	if !s.Plain() || c.Need <= 0 {
		return 1
	}
	long := c.Service.Mean() * (1 + law.SCV(c.Service)) // of the service that a moment falls into
	for _, other := range s.Classes {
		if other.Need > s.Servers-c.Need && s.Rate()*other.Prob*long > 0.1 {
			return 1
		}
	}
	spare := 1.3 * (1 - load) * float64(s.Servers) // near the border both happen, and several are the rarer
	together := math.Max(1, math.Ceil(spare/float64(c.Need)))
	return math.Min(1, math.Pow(running, together-1))
}

// bursts adds the phases of arrivals that bring more than the mean rate: the work beyond
// it that comes before the phase is left.
func (e *Exposure) bursts(m arrival.Markov) {
	n := len(m.D0)
	generator, rates, leave := mat.NewDense(n, n, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		row := slices.Clone(m.D0[i])
		for _, v := range m.Events {
			for j, rate := range v.Rates[i] {
				row[j] += rate
				rates[i] += rate * float64(v.Size)
			}
		}
		row[i] = 0
		for _, rate := range row {
			leave[i] += rate
		}
		row[i] = -leave[i]
		generator.SetRow(i, row)
	}
	pi, err := mam.GTH(generator)
	if err != nil {
		return
	}
	mean := 0.0
	for i, p := range pi {
		mean += p * rates[i]
	}
	for i, p := range pi {
		if more := rates[i] - mean; more > 1e-9*mean && leave[i] > 0 && p > 0 {
			e.add(source{class: -1, prob: p * leave[i] / mean, weight: 1, holds: true, scale: 1, law: law.ExpMean(more * e.work / leave[i])})
		}
	}
}

// Sizes of a source are tabled at so many points an octave, from a 64th of the mean to
// where as few as that part of its occurrences lies above.
const (
	perOctave = 8
	faint     = 1e-18
	octaves   = 60
)

// add tables a source.
func (e *Exposure) add(s source) {
	x := s.law.Mean() / 64
	if !(s.prob > 0 && x > 0) || math.IsInf(x, 1) {
		return
	}
	s.size, s.above = []float64{0}, []float64{1}
	for range octaves * perOctave {
		tail := s.law.Survival(x)
		s.size, s.above = append(s.size, x*s.scale), append(s.above, tail)
		if tail < faint {
			break
		}
		x *= math.Exp2(1. / perOctave)
	}
	e.sources = append(e.sources, s)
}

// busy is how many jobs come in the time that a unit of work takes to go.
func (e *Exposure) busy() float64 { return e.load / (1 - e.load) / e.work }

// unlikely is the expected number of occurrences beyond which sizes are left out of what a
// run can meet.
const unlikely = 1e-4

// cells calls use with the sizes of all sources and their probability a job, weighted, as
// far as they can be met: jobs says how many meet one of a size.
func (e *Exposure) cells(jobs func(size float64) float64, use func(s *source, size, prob float64)) {
	for i := range e.sources {
		s := &e.sources[i]
		for k, x := range s.size[1:] {
			if jobs(x)*s.prob*s.above[k] < unlikely {
				break
			}
			size := math.Sqrt(x * s.size[k])
			if k == 0 {
				size = x / 2
			}
			use(s, size, s.weight*s.prob*(s.above[k]-s.above[k+1]))
		}
	}
}
