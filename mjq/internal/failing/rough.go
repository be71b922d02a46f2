package failing

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"

	"github.com/mjqueue/mjq/mjq/law"
)

// rough is a holding time whose distribution is that of drawn times, and beyond the last of them a tail
// of its index or an exponential one. Its moments are those of the time.
type rough struct {
	plain
	times []float64 // ascending
	over  []float64 // over[i] is the sum of the times from the i-th on
	last  float64   // beyond which the tail follows
	scale float64   // of an exponential tail
	index float64
}

// sketch keeps a rough law that is made once.
type sketch struct {
	make sync.Once
	law  law.Law
}

const (
	roughDraws = 1 << 17
	roughLast  = 1 << 7 // draws beyond the last
)

// Rough is a law near this one that answers at once, to some hundredths: for plans, which ask for
// thousands of values, of which each takes the law itself an inversion.
func (l Holding) Rough() law.Law {
	if l.kept() {
		return l.Work
	}
	if !(l.TailIndex() > 1) {
		return l
	}
	l.drawn.make.Do(func() { l.drawn.law = l.rough() })
	return l.drawn.law
}

func (l Holding) rough() law.Law {
	rng, sampler := rand.NewPCG(1, 1), l.Prepare()
	r := rough{plain: plain{l}, times: make([]float64, roughDraws), over: make([]float64, roughDraws+1), index: l.TailIndex()}
	for i := range r.times {
		r.times[i] = sampler.Sample(rng)
	}
	slices.Sort(r.times)
	for i := roughDraws - 1; i >= 0; i-- {
		r.over[i] = r.over[i+1] + r.times[i]
	}
	r.last = r.times[roughDraws-roughLast]
	r.scale = r.over[roughDraws-roughLast]/roughLast - r.last
	return r
}

// above is how many of the times are longer.
func (r rough) above(x float64) int {
	return roughDraws - sort.Search(roughDraws, func(i int) bool { return r.times[i] > x })
}

// TailIndex and Moment are those of the time.
func (r rough) TailIndex() float64   { return r.index }
func (r rough) Moment(k int) float64 { return r.l.Moment(k) }

// Survival counts the times, or follows the tail.
func (r rough) Survival(x float64) float64 {
	n := r.above(x)
	if n >= roughLast {
		return float64(n) / roughDraws
	}
	return roughLast / float64(roughDraws) * r.tail(x)
}

// tail is P(C > x | C > last).
func (r rough) tail(x float64) float64 {
	switch {
	case x <= r.last:
		return 1
	case !math.IsInf(r.index, 1):
		return math.Pow(r.last/x, r.index)
	case r.scale > 0:
		return math.Exp(-(x - r.last) / r.scale)
	}
	return 0
}

// Excess sums the times, or integrates the tail.
func (r rough) Excess(x float64) float64 {
	if n := r.above(x); n >= roughLast {
		return (r.over[roughDraws-n] - float64(n)*x) / roughDraws
	}
	p := r.Survival(x)
	if !math.IsInf(r.index, 1) {
		return p * max(x, r.last) / (r.index - 1)
	}
	return p * r.scale
}

// Quantile is one of the times, or follows the tail.
func (r rough) Quantile(p float64) float64 {
	switch above := (1 - p) * roughDraws; {
	case math.IsNaN(p) || p < 0 || p > 1:
		return math.NaN()
	case p == 0:
		return r.l.least()
	case p == 1:
		return math.Inf(1)
	case above >= roughLast:
		return r.times[min(roughDraws-1, int(p*roughDraws))]
	case !math.IsInf(r.index, 1):
		return r.last * math.Pow(roughLast/above, 1/r.index)
	default:
		return r.last + r.scale*math.Log(roughLast/above)
	}
}
