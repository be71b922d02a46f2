package scarcity

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// holders knows how many jobs it takes to hold up the queue.
type holders struct {
	*spec.Spec
	alike     bool
	spare     float64   // servers without which the queue is at its limit
	byNeed    []int     // classes, the widest first
	likeliest []float64 // of the widest up to an index: the largest probability
}

func newHolders(s *spec.Spec, load float64) *holders {
	h := &holders{Spec: s, alike: alike(s), spare: 1.3 * (1 - load) * float64(s.Servers), likeliest: make([]float64, 1, len(s.Classes)+1)}
	for c := range s.Classes {
		h.byNeed = append(h.byNeed, c)
	}
	slices.SortStableFunc(h.byNeed, func(a, b int) int { return cmp.Compare(s.Classes[b].Need, s.Classes[a].Need) })
	for i, c := range h.byNeed {
		h.likeliest = append(h.likeliest, math.Max(h.likeliest[i], s.Classes[c].Prob))
	}
	return h
}

// together is how many jobs of the need of a class surely hold up the queue. One does if other
// jobs do not fit beside it, of a class that comes while it runs, or if the servers that it
// leaves are too few.
func (h *holders) together(c *spec.Class) int {
	if !h.alike || c.Need <= 0 {
		return 1
	}
	long := c.Service.Mean() * (1 + law.SCV(c.Service)) // of the service that a moment falls into
	wide := sort.Search(len(h.byNeed), func(i int) bool { return h.Classes[h.byNeed[i]].Need <= h.Servers-c.Need })
	if h.Rate()*h.likeliest[wide]*long > 0.1 {
		return 1
	}
	return max(1, int(math.Ceil(h.spare/float64(c.Need))))
}

// alike reports whether all servers are alike: what a job leaves free others can take.
func alike(s *spec.Spec) bool {
	if len(s.Resources) > 1 || s.RandomAssignment {
		return false
	}
	return !slices.ContainsFunc(s.Classes, func(c spec.Class) bool { return c.Pick != nil && c.Pick.Any < c.Need })
}

// jobs adds those of all classes: alone where one holds up the queue, else where several that
// are at least as wide are in service together.
func (e *Exposure) jobs(s *spec.Spec) {
	h, t := newHolders(s, e.load), newTimes(s.MeanService())
	bursts := 1.0
	if m, ok := arrival.AsMarkov(s.Arrivals); ok && !s.Poisson() {
		bursts = clump(m, s.SecondMoment()/s.Work())
	}
	wider := make([]float64, len(t)) // of jobs at least as wide: how many last longer
	var same []float64               // of those of one need of which it takes several
	together, last := 1, len(h.byNeed)-1
	for i, c := range ahead(len(h.byNeed), func(i int, c *class) { h.measure(c, h.byNeed[i], e.work, t) }) {
		if same == nil {
			same, together = make([]float64, len(t)), 1
		}
		if c.counts {
			e.take(&c.alone, c.sizes)
		}
		if c.tails.add(wider, c.alone.prob); c.together > 1 && c.light {
			together = c.together
			c.tails.add(same, c.alone.prob)
		}
		if i == last || h.Classes[h.byNeed[i+1]].Need != c.need {
			if together > 1 {
				e.several(c.need, together, overlap{times: t, starting: same, left: t.left(s.Rate()*bursts, wider)})
			}
			same = nil
		}
	}
}

// several adds jobs of a need that others at least as wide run beside, as many as may be
// supposed to hold up the queue where so many surely do.
func (e *Exposure) several(need, together int, o overlap) {
	for i := 0; i < min(together-1, len(surely)); i++ {
		o.others = together - 1 - i
		s := source{class: -1, together: together - i, need: need, prob: 1, holds: true, scale: float64(together-i) * float64(need) / e.work, law: o}
		s.weight[i] = 1
		e.add(s)
	}
}

// overlap is how long a job is in service together with so many others, or 0 if it never is: a
// job of some classes starts to last longer than a time, and so many others have longer to go.
// The number of these would be Poisson if none waited.
type overlap struct {
	times          times
	starting, left []float64 // probability, and mean number that an arrival meets
	others         int
}

// Mean is that of the services, beside which overlaps are not long.
func (o overlap) Mean() float64 { return o.times.left(1, o.starting)[0] / o.starting[0] }

func (o overlap) Survival(x float64) float64 {
	return o.times.value(o.starting, x) * atLeast(o.others, o.times.value(o.left, x))
}

// atLeast is about the probability of so many at least where the mean is that of a Poisson
// number: a bound, close where it is small.
func atLeast(n int, mean float64) float64 {
	if mean >= float64(n) {
		return 1
	}
	k := float64(n)
	log, _ := math.Lgamma(k + 1)
	return math.Min(1, math.Exp(k*math.Log(mean)-mean-log)*(k+1)/(k+1-mean))
}

// times are points of time, at which functions are kept that fall.
type times []float64

// lowest is how many octaves below the mean service the first lies.
const lowest = 24

func newTimes(mean float64) times {
	t := make(times, perOctave*octaves)
	for i := range t {
		t[i] = mean * math.Exp2(float64(i)/perOctave-lowest)
	}
	return t
}

// tails are how many services last longer than each time, as far as that is not faint.
type tails []float64

// tails appends those of a law to a list.
func (t times) tails(list tails, l law.Law) tails {
	from := l.Mean() / 64
	for _, x := range t {
		tail := 1.0
		if x > from {
			tail = l.Survival(x)
		}
		if list = append(list, tail); tail < faint {
			break
		}
	}
	return list
}

// add adds them times a factor.
func (t tails) add(to []float64, factor float64) {
	for i, tail := range t {
		to[i] += factor * tail
	}
}

// value is a function at x.
func (t times) value(of []float64, x float64) float64 {
	i, _ := slices.BinarySearch(t, x)
	switch i {
	case 0:
		return of[0]
	case len(t):
		return 0
	}
	part := (x - t[i-1]) / (t[i] - t[i-1])
	return (1-part)*of[i-1] + part*of[i]
}

// left is a rate times the integral of a function from each time on.
func (t times) left(rate float64, of []float64) []float64 {
	to := make([]float64, len(t))
	for i := len(t) - 2; i >= 0; i-- {
		to[i] = to[i+1] + rate*(t[i+1]-t[i])*(of[i]+of[i+1])/2
	}
	return to
}
