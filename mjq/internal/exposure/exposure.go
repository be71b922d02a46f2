// Package exposure says what a run of so many jobs can know of a queue before anything
// has been measured. Waits come from large jobs: the mean wait follows the second moment of
// the work that a job brings, its variance the third. Where a few jobs of a rare class, or
// of a rare long phase of its service, make most of such a moment, a run that has met them a
// few times, or never, cannot know how wrong it is: its own standard error is too small
// together with its mean. The law of the work is known, so it tells how many of them a run
// is expected to meet, and the least error that their number alone gives every average.
package exposure

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Exposure is the randomness that the jobs and the arrivals of a queue bring.
type Exposure struct {
	load    float64 // of the stability limit
	work    float64 // of a mean job
	sources []source
	held    sizes // of what holds up the queue
	gaps    sizes // of the times between arrivals
}

// source is one kind of it: the jobs of a class, the bursts of an arrival phase, the
// times between arrivals.
type source struct {
	class  int     // -1: arrivals
	prob   float64 // occurrences a job
	weight weights // part of them that holds up the queue
	holds  bool    // they do by lasting long, and gaps do not
	scale  float64 // what makes a time work, in units of the mean work of a job
	law    law.Law
}

// Of is the exposure of a queue at a fraction of its stability limit; from 1 on, where the
// limit is not known for certain, it is that just below.
func Of(s *spec.Spec, load float64) *Exposure {
	load = min(load, 1-1e-9)
	work := s.Work()
	e := &Exposure{load: load, work: work}
	if !(work > 0) || math.IsInf(work, 1) {
		return e // nothing is known of it
	}
	h := newHolders(s, load)
	for c, class := range s.Classes {
		need := math.Max(1, float64(class.Need))
		e.add(source{class: c, prob: class.Prob, weight: h.weight(c), holds: true, scale: need / work, law: class.Service})
	}
	if gap, ok := s.Gap(); ok {
		e.add(source{class: -1, prob: 1, weight: surely, scale: 1 / gap.Mean(), law: gap})
	} else if m, ok := arrival.AsMarkov(s.Arrivals); ok {
		e.bursts(m)
	}
	return e
}

// weights are parts by how many jobs at once it is supposed to take to hold up the queue: as
// many as surely do, one less, and two less. Which of these the waits come from is not known,
// so that a run is judged by the worst.
type weights [3]float64

// surely is the weight of what holds up the queue alone.
var surely = weights{1, 1, 1}

// holders knows which jobs hold up the queue.
type holders struct {
	*spec.Spec
	load, rate float64
	alike      bool
	byNeed     []spec.Class // ascending
	likeliest  []float64    // of those from an index on: the largest probability
}

func newHolders(s *spec.Spec, load float64) *holders {
	h := &holders{Spec: s, load: load, rate: s.Rate(), alike: alike(s), byNeed: slices.Clone(s.Classes)}
	slices.SortStableFunc(h.byNeed, func(a, b spec.Class) int { return cmp.Compare(a.Need, b.Need) })
	h.likeliest = make([]float64, len(h.byNeed)+1)
	for i, c := range slices.Backward(h.byNeed) {
		h.likeliest[i] = math.Max(c.Prob, h.likeliest[i+1])
	}
	return h
}

// weight is the part of the jobs of a class that hold up the queue. One job does if other
// jobs do not fit beside it, of a class that comes while it runs, or if the servers that
// it leaves are too few; else it takes several of the class at once, whose number in
// service would be Poisson if they did not wait.
func (h *holders) weight(class int) (w weights) {
	c := &h.Classes[class]
	running := h.rate * c.Prob * c.Service.Mean()
	if !h.alike || c.Need <= 0 {
		return surely
	}
	long := c.Service.Mean() * (1 + law.SCV(c.Service)) // of the service that a moment falls into
	wide := sort.Search(len(h.byNeed), func(i int) bool { return h.byNeed[i].Need > h.Servers-c.Need })
	if h.rate*h.likeliest[wide]*long > 0.1 {
		return surely
	}
	spare := 1.3 * (1 - h.load) * float64(h.Servers)
	together := math.Ceil(spare / float64(c.Need))
	for i := range w {
		w[i] = math.Min(1, math.Pow(running, math.Max(0, together-float64(i)-1)))
	}
	return w
}

// alike reports whether all servers are alike: what a job leaves free others can take.
func alike(s *spec.Spec) bool {
	if len(s.Resources) > 1 || s.RandomAssignment {
		return false
	}
	return !slices.ContainsFunc(s.Classes, func(c spec.Class) bool { return c.Pick != nil && c.Pick.Any < c.Need })
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
			e.add(source{class: -1, prob: p * leave[i] / mean, weight: surely, holds: true, scale: 1, law: law.ExpMean(more / leave[i])})
		}
	}
}

// Sizes of a source are taken at so many points an octave, from a 64th of the mean to
// where as few as that part of its occurrences lies above.
const (
	perOctave = 8
	faint     = 1e-18
	octaves   = 60
)

// heavy is the tail index up to which E[w⁴] is infinite. Sources so heavy are left out: their
// number says nothing of the error then, and package tails tells which averages have intervals.
const heavy = 4

// add takes in a source.
func (e *Exposure) add(s source) {
	if !(s.prob > 0 && s.law.Mean() > 0) || math.IsInf(s.law.Mean(), 1) || law.TailIndex(s.law) <= heavy {
		return
	}
	e.sources = append(e.sources, s)
	to := &e.gaps
	if s.holds {
		to = &e.held
	}
	s.cells(func(size, prob float64) { to.add(size, prob, &s.weight) })
}

// cells calls use with the sizes of the source and the probability a job of each.
func (s *source) cells(use func(size, prob float64)) {
	from, above, step := 0.0, 1.0, math.Exp2(1./perOctave)
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

// cell is sizes that are nearly equal: how many a job, their sum, and as many weighted.
type cell struct {
	prob, sum float64
	weighted  weights
}

// add takes in one.
func (t *sizes) add(size, prob float64, weight *weights) {
	at := int(math.Floor(perOctave*math.Log2(size) + 0.37)) // or sizes of one class might lie at edges, on either side by the unit of time
	if len(t.cells) == 0 {
		t.first = at
	}
	if more := t.first - at; more > 0 {
		t.first, t.cells = at, append(make([]cell, more), t.cells...)
	}
	if more := at - t.first - len(t.cells) + 1; more > 0 {
		t.cells = append(t.cells, make([]cell, more)...)
	}
	c := &t.cells[at-t.first]
	c.prob += prob
	c.sum += prob * size
	for i, w := range weight {
		c.weighted[i] += w * prob
	}
}

// busy is how many jobs come in the time that the work of a mean job takes to go.
func (e *Exposure) busy() float64 { return e.load / (1 - e.load) }

// unlikely is the expected number of occurrences beyond which sizes are left out of what a
// run can meet.
const unlikely = 1e-4

// each calls use with sizes, the largest first, as far as they can be met: jobs says how many
// meet one of a size.
func (t *sizes) each(jobs func(size float64) float64, use func(size float64, c *cell)) {
	above := 0.0
	for i := len(t.cells) - 1; i >= 0; i-- {
		c := &t.cells[i]
		if c.prob == 0 {
			continue
		}
		size := c.sum / c.prob
		if above += c.prob; jobs(size)*above >= unlikely {
			use(size, c)
		}
	}
}
