// Package scarcity says what a run of so many jobs can know of a queue before anything
// has been measured. Waits come from large jobs: the mean wait follows the second moment of
// the work that a job brings, its variance the third. Where a few jobs of a rare class, or
// of a rare long phase of its service, make most of such a moment, a run that has met them a
// few times, or never, cannot know how wrong it is: its own standard error is too small
// together with its mean. The law of the work is known, so it tells how many of them a run
// is expected to meet, and the least error that their number alone gives every average.
package scarcity

import (
	"math"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Exposure is the randomness that the jobs and the arrivals of a queue bring.
type Exposure struct {
	load    float64 // of the stability limit
	work    float64 // of a mean job
	rate    float64 // of arrivals
	sources []source
	held    sizes // of what holds up the queue
	gaps    sizes // of the times between arrivals
	waits   waits

	measured [2]float64 // mean and variance of the wait; 0 is not known
}

// waits are moments of the wait, the first and the second, as powers of the work that would
// make them on a single server; 0 is not known.
type waits [2]float64

// of is what the k-th power of the work would be by the wait, and +Inf if that is not known.
func (w *waits) of(k int) float64 {
	if i := k - MeanWait; i < len(w) && w[i] > 0 {
		return w[i]
	}
	return math.Inf(1)
}

// source is one kind of it: the jobs of a class, several of them at once, the bursts of an
// arrival phase, the times between arrivals.
type source struct {
	class  int     // -1: arrivals, or jobs of several classes
	prob   float64 // occurrences a job
	weight weights // part of them that holds up the queue
	holds  bool    // they do by lasting long, and gaps do not
	scale  float64 // what makes a time work, in units of the mean work of a job
	law    lasting

	together, need int // so many jobs at once, of that need at least; 0: one job
}

// lasting is how long a source lasts, of which the mean only says where to begin.
type lasting interface {
	Mean() float64
	Survival(x float64) float64
}

// Of is the exposure of a queue at a fraction of its stability limit; from 1 on, where the
// limit is not known for certain, it is that just below.
func Of(s *spec.Spec, load float64) *Exposure {
	load = min(load, 1-1e-9)
	work := s.Work()
	e := &Exposure{load: load, work: work, rate: s.Rate()}
	if !(work > 0) || math.IsInf(work, 1) || s.Arrivals == nil {
		return e // nothing is known of it
	}
	e.jobs(s)
	if gap, ok := s.Gap(); ok {
		e.add(source{class: -1, prob: 1, weight: surely, scale: 1 / gap.Mean(), law: gap})
	} else if m, ok := arrival.AsMarkov(s.Arrivals); ok {
		e.bursts(m)
	}
	return e
}

// Waiting is the exposure of a queue of which the mean and the variance of the wait have been
// measured: waits that are shorter than large jobs could make them are made by fewer of these.
func (e *Exposure) Waiting(mean, variance float64) *Exposure {
	to := *e
	limit := e.rate / e.load
	to.measured = [...]float64{mean, variance}
	to.waits = waits{2 * mean * limit / e.busy(), 3 * variance * limit * limit / e.busy()}
	return &to
}

// weights are parts by how many jobs at once it is supposed to take to hold up the queue: as
// many as surely do, one less, and two less. Which of these the waits come from is not known,
// so that a run is judged by the worst.
type weights [3]float64

// surely is the weight of what holds up the queue alone.
var surely = weights{1, 1, 1}

// Sizes of a source are taken at so many points an octave, from a 64th of the mean to
// where as few as that part of its occurrences lies above.
const (
	perOctave = 8
	faint     = 1e-18
	octaves   = 60
)

// heavy is the tail index up to which E[w⁴] is infinite. Sources so heavy are left out: their
// number says nothing of the error then, and package interval tells which averages have intervals.
const heavy = 4

// add takes in a source.
func (e *Exposure) add(s source) {
	if s.counts() {
		e.take(&s, s.sized(nil))
	}
}

// take takes in a source that counts, of these sizes.
func (e *Exposure) take(s *source, list []sized) {
	e.sources = append(e.sources, *s)
	to := &e.gaps
	if s.holds {
		to = &e.held
	}
	for i := range list {
		to.add(&list[i], s)
	}
}

// counts reports whether the number of occurrences says something of the error.
func (s *source) counts() bool {
	l, whole := s.law.(law.Law)
	return s.prob > 0 && s.law.Mean() > 0 && !math.IsInf(s.law.Mean(), 1) && !(whole && law.TailIndex(l) <= heavy)
}

// sized is occurrences of nearly one size: its place among the cells of sizes, and their probability.
type sized struct {
	at         int
	size, prob float64
}

// sized appends those of the source to a list.
func (s *source) sized(list []sized) []sized {
	s.cells(func(size, prob float64) {
		at := int(math.Floor(perOctave*math.Log2(size) + 0.37)) // or sizes of one class might lie at edges, on either side by the unit of time
		list = append(list, sized{at, size, prob})
	})
	return list
}

// cells calls use with the sizes of the source and the probability a job of each.
func (s *source) cells(use func(size, prob float64)) {
	from, above, step := 0.0, s.law.Survival(0), math.Exp2(1./perOctave)
	for x, end := s.law.Mean()/64, 0; end < octaves*perOctave; end++ {
		tail, size := s.law.Survival(x), math.Sqrt(from*x)
		if from == 0 {
			size = x / 2
		}
		if above > tail {
			use(size*s.scale, s.prob*(above-tail))
		}
		if tail < faint {
			return
		}
		from, above = x, tail
		x *= step
	}
}

// sizes are those of many sources together, by the eighth of an octave.
type sizes struct {
	first int
	cells []cell
}

// cell is sizes that are nearly equal: how many a job, their sum, how many of them are single
// jobs, how many hold up the queue, and how many of these are several jobs at once.
type cell struct {
	prob, sum, single float64
	held, several     weights
}

// add takes in those of a source.
func (t *sizes) add(s *sized, of *source) {
	if len(t.cells) == 0 {
		t.first = s.at
	}
	if more := t.first - s.at; more > 0 {
		t.first, t.cells = s.at, append(make([]cell, more), t.cells...)
	}
	if more := s.at - t.first - len(t.cells) + 1; more > 0 {
		t.cells = append(t.cells, make([]cell, more)...)
	}
	c := &t.cells[s.at-t.first]
	c.prob += s.prob
	c.sum += s.prob * s.size
	if of.together == 0 {
		c.single += s.prob
	}
	for i, w := range of.weight {
		c.held[i] += w * s.prob
		if of.together > 0 {
			c.several[i] += w * s.prob
		}
	}
}

// busy is how many jobs come in the time that the work of a mean job takes to go.
func (e *Exposure) busy() float64 { return e.load / (1 - e.load) }

// unlikely is the expected number of occurrences beyond which sizes are left out of what a
// run can meet.
const unlikely = 1e-4

// each calls use with sizes, the largest first, as far as they can be met under some
// supposition: jobs says how many meet one of a size.
func (t *sizes) each(jobs func(size float64) float64, use func(size float64, c *cell)) {
	var above weights
	single := 0.0
	for i := len(t.cells) - 1; i >= 0; i-- {
		c := t.cells[i]
		if c.prob == 0 {
			continue
		}
		size := c.sum / c.prob
		n := jobs(size)
		single += c.single
		met := n*single >= unlikely
		for i := range above {
			if above[i] += c.held[i]; n*above[i] >= unlikely {
				met = true
			} else {
				c.held[i], c.several[i] = 0, 0
			}
		}
		if met {
			use(size, &c)
		}
	}
}
