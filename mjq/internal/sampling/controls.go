package sampling

import (
	"cmp"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// ledger is what the jobs of a path have brought.
type ledger struct {
	n             float64 // jobs since the last look
	gap           float64
	squares       [3]float64 // of what jobs bring: work², work × gap, gap²
	jobs, service []float64  // by class
	level         float64    // of the queue at the last look
	first         float64    // of the queue at the first
	begun         bool       // there was a first look
	sums          []float64  // of the path
}

func (l *ledger) reset(classes, sums int) {
	if l.jobs == nil {
		l.jobs, l.service, l.sums = make([]float64, classes), make([]float64, classes), make([]float64, sums)
	}
	clear(l.sums)
	l.turn(0)
	l.begun = false
}

// turn opens a page for the jobs up to the next look.
func (l *ledger) turn(level float64) {
	l.n, l.gap, l.level = 0, 0, level
	l.squares = [3]float64{}
	clear(l.jobs)
	clear(l.service)
}

func (l *ledger) add(jobs []stream.Job) {
	gap := 0.0
	for i := range jobs {
		j := &jobs[i]
		gap += j.Gap
		l.jobs[j.Class]++
		l.service[j.Class] += j.Service
	}
	l.gap += gap
	l.n += float64(len(jobs))
}

// controls make control variates of a path. How full the queue was along a path
// has much to do with how much came. Let X_k be what job k brings, less what is
// expected, and V_k how full the queue was at the last look before it; then Σ X_k
// and Σ V_k X_k have expectation 0, since V_k depends on earlier jobs only. The
// first explains, where the queue is like reflected Brownian motion, as it is near
// the limit, half of the variance of the mean wait of a long path. The second would
// explain all: by Itô's formula W² grows by 2 W dX + dt, and since it does not grow
// in the long run, ∫ W dt follows from ∫ W dB. (Henderson and Glynn, Math. Oper.
// Res. 27, 2002, on such martingales.) Σ V_k² X_k would do the same for the second
// moment, but its tails make intervals too narrow where few jobs matter. W² also grows by
// X_k², which takes part of what is left where single jobs matter; its parts, the squares of
// the work and of the gap and their product, are controls where looks are close enough. There
// W² and W at the end of a path less those at its start are controls, too, which Itô's
// formula has and which have expectation 0 where the path is stationary. Where it is not
// yet, the mean wait along it is short of the stationary one by what W² has still grown, and
// taking that out lessens the error, too.
type controls struct {
	all    []control
	broad  int // the first ones, of all classes together
	powers int // with V_k: 2, without: 1

	squares bool // of what jobs bring, too, and the ends of the path
	nearby  int  // how many of a smaller queue stand before all of them
	enough  bool // which waits need no others beside
}

// control is a sum over the jobs of a path, less its mean per job.
type control struct {
	of   func(l *ledger) float64
	mean float64
}

// apart is how many classes have controls of their own, those that matter most,
// and often how many of a class must come along a path on average: of fewer, what
// some paths show tells little of others. Where that holds of the class that
// matters most, means over paths are far from normal, their intervals too narrow
// as they are, and there are no controls at all.
const (
	apart = 6
	often = 30
)

// addSquares is add, and of their squares.
func (l *ledger) addSquares(jobs []stream.Job) {
	l.add(jobs)
	for i := range jobs {
		j := &jobs[i]
		work := float64(j.Need) * j.Service
		l.squares[0] += work * work
		l.squares[1] += work * j.Gap
		l.squares[2] += j.Gap * j.Gap
	}
}

// controls are those of paths of a given number of jobs, with squares and ends if asked
// for. What has no variance, or an infinite one, is no control; and unless all services
// have exponential moments, waits may be so heavy that V_k X_k has an infinite one. Gaps
// that depend on each other have no controls yet: their means over a path are far from
// normal while bursts last.
func (s *System) controls(jobs int64, squares bool) (c controls) {
	in := s.Input.Plain()
	if in.Gap == nil {
		return c
	}
	if c.powers = 1; s.Light {
		c.powers = 2
	}
	work := make([]float64, len(s.Needs))
	mean, square := 0.0, 0.0
	for k, class := range in.Classes {
		work[k] = s.need(k) * class.Service.Mean()
		mean += s.Probs[k] * work[k]
		square += s.Probs[k] * (work[k]*work[k] + s.need(k)*s.need(k)*class.Service.Variance())
	}
	order := byNoise(s.Probs, work)
	if s.Probs[order[0]]*float64(jobs) < often {
		return c
	}
	c.add(in.Gap.Mean(), in.Gap.Variance(), func(l *ledger) float64 { return l.gap })
	c.add(mean, square-mean*mean, func(l *ledger) (sum float64) {
		for k, service := range l.service {
			sum += s.need(k) * service
		}
		return sum
	})
	if c.squares = squares && s.Light; c.squares {
		gap := in.Gap.Mean()
		for i, expected := range []float64{square, mean * gap, in.Gap.Variance() + gap*gap} {
			c.all = append(c.all, control{func(l *ledger) float64 { return l.squares[i] }, expected})
		}
	}
	c.broad = len(c.all)
	for i, k := range order[:min(apart, len(order)-1)] {
		p, service := s.Probs[k], in.Classes[k].Service
		if p*float64(jobs) < often {
			continue
		}
		c.add(p, p*(1-p), func(l *ledger) float64 { return l.jobs[k] })
		if mean := service.Mean(); i > 0 { // the first follows from the work
			c.add(0, p*service.Variance(), func(l *ledger) float64 { return l.service[k] - mean*l.jobs[k] })
		}
	}
	return c
}

// need is the weight of a class; types of resources may have none as servers.
func (s *System) need(class int) float64 { return math.Max(1, float64(s.Needs[class])) }

func (c *controls) add(mean, variance float64, of func(l *ledger) float64) {
	if variance > 1e-12*mean*mean && !math.IsInf(variance, 1) {
		c.all = append(c.all, control{of, mean})
	}
}

// number is how many control variates there are: the powers of the broad ones
// come first, then those of the classes.
func (c *controls) number() int {
	if c.squares {
		return c.nearby + ends + c.powers*len(c.all)
	}
	return c.powers * len(c.all)
}

// ends is how many controls say by how much the queue is fuller at the end of a path than
// at its start.
const ends = 2

// turnPage enters what came since the last page and opens the next page.
func (c *controls) turnPage(l *ledger, level float64) {
	sums := l.sums[c.nearby:]
	if c.squares {
		if !l.begun {
			l.first, l.begun = level, true
		}
		sums[0], sums[1] = level*level-l.first*l.first, level-l.first
		sums = sums[ends:]
	}
	for i, k := range c.all {
		at, by := i, c.broad
		if i >= c.broad {
			at, by = c.powers*c.broad+i-c.broad, len(c.all)-c.broad
		}
		x := k.of(l) - l.n*k.mean
		for range c.powers {
			sums[at] += x
			x *= l.level
			at += by
		}
	}
	l.turn(level)
}

// total enters a whole path at once, from all that came and from the same with every job
// counted as often as the level of the queue at the last look before it was high.
func (c *controls) total(came, weighted *ledger, sums []float64) {
	for i, k := range c.all {
		at, by := i, c.broad
		if i >= c.broad {
			at, by = c.powers*c.broad+i-c.broad, len(c.all)-c.broad
		}
		for _, l := range []*ledger{came, weighted}[:c.powers] {
			sums[at] = k.of(l) - l.n*k.mean
			at += by
		}
	}
}

// byNoise orders the classes by how much the randomness of their number moves
// the work, p E[α σ]², the most first.
func byNoise(probs, work []float64) []int {
	order := make([]int, len(probs))
	for c := range order {
		order[c] = c
	}
	noise := func(c int) float64 { return probs[c] * work[c] * work[c] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(noise(b), noise(a)) })
	return order
}
