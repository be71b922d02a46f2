package stream

import (
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
)

// arrivals is a process whose gaps depend on each other, or whose jobs are of
// classes that it marks.
type arrivals struct {
	bridge  *bridge
	class   []int32 // by state, -1 where it is left open
	still   []bool  // by state: the next job comes at once; nil: never
	gap     law.Sampler
	gapLaw  law.Law // of gap; nil if phases draw it
	between *between
	clock   *clock // nil: time runs evenly
	from    uint64 // position of the clock at job -1, if set
	started bool
	idle    float64 // time from that position's first on in which nobody comes
	width   uint64  // job 0 comes anywhere in so much of the period after from; 0: nothing of this kind is set
}

// NewFrom compiles the input of any arrival process, which must be valid; names
// are those of the classes, which a process that marks jobs must know: probabilities
// then count for the jobs only whose class it leaves open. For a process whose gaps are independent and of one law the source is that of New.
//
// Every job keeps its own words, so that jobs are the same whatever window, order
// or goroutine asks; negative numbers lie in the past of a stationary process. A
// jump from one job to another costs as many draws as the binary logarithm of the
// number of jobs over which the process forgets, 64 at most, and reading on 2 a
// job. Of a [arrival.Profile], whose time of day is a sum of gaps, every gap
// between job 0 and the one wanted is drawn once; each reader keeps 8 bytes for
// every 4096 jobs passed.
func NewFrom(seed uint64, p arrival.Process, classes []Class, names ...string) *Source {
	c := p.Chain()
	if len(c.Start) == 1 && c.Gap != nil && c.Class == nil && c.Clock == nil {
		return New(seed, c.Gap, classes)
	}
	a := &arrivals{bridge: newBridge(c.Start, c.Move), still: c.Still, class: make([]int32, len(c.Start))}
	open := 0.0 // probability that the class is left to the model
	probs, shares := make([]float64, len(classes)), make([]float64, len(classes))
	for i, p := range c.Start {
		if a.class[i] = -1; c.Class != nil {
			a.class[i] = int32(slices.Index(names, c.Class[i]))
		}
		if k := a.class[i]; k >= 0 {
			shares[k] += p
		} else {
			open += p
		}
	}
	for k, class := range classes {
		shares[k] += open * class.Prob
		if probs[k] = class.Prob; open == 0 {
			probs[k] = shares[k]
		}
	}
	if c.Gap != nil {
		a.gap, a.gapLaw = ready(c.Gap), c.Gap
	} else {
		a.between = newBetween(c.Phases)
	}
	if c.Clock != nil {
		a.clock = newClock(c.Clock)
	}
	s := &Source{key: seed ^ domain, gapMean: 1 / p.Rate(), arrivals: a, long: true} // a gap may have very many phases
	s.compile(classes, probs, shares)
	return s
}

// From is the source of a [arrival.Profile] in which time begins that long after
// the beginning of a period, in every replication: job 0 is the first after it.
// The time until then is drawn as if a job had come at that moment, which is no
// matter for Poisson arrivals. Other sources stay as they are.
func (s *Source) From(time float64) *Source {
	if s.arrivals == nil || s.arrivals.clock == nil {
		return s
	}
	later, a := *s, *s.arrivals
	a.from, a.idle, a.started, a.width = a.clock.position(time), a.clock.idle(time), true, 0
	later.arrivals = &a
	return &later
}

// During is the source of a [arrival.Profile] in which job 0 of every replication
// arrives between two times after the beginning of a period, at a time that is as
// likely as the rates say. Everything else stays as it is, so that replications are
// the same but for that time. Other sources stay as they are, and so does one in which
// no job arrives between these times, or which gives the whole period.
func (s *Source) During(from, to float64) *Source {
	if s.arrivals == nil || s.arrivals.clock == nil {
		return s
	}
	only, a := *s, *s.arrivals
	a.from, a.started = a.clock.position(from), false
	a.width = a.clock.position(to) - a.from
	only.arrivals = &a
	return &only
}

// steps is how a reader goes through arrivals.
type steps struct {
	*arrivals
	walker *walker
	class  [ahead]int32
	time   [ahead]float64 // after the beginning of the period
	rep    uint64
	known  bool
	at     int64  // the job
	now    uint64 // whose position this is
	later  []uint64
	before []uint64 // positions of jobs k·apart, k = 0, 1, ... and -1, -2, ...
}

// apart is how many jobs lie between those whose position is kept.
const apart = 4096

func newSteps(s *Source) *steps {
	return &steps{arrivals: s.arrivals, walker: newWalker(s.arrivals.bridge, s.key)}
}

// stepOn puts the gaps, classes and times of n jobs into the draft; their words
// are there, and the clock stands at the first.
func (r *Reader) stepOn(first int64, n int) {
	x, d := r.steps, &r.draft
	x.walker.rewind(r.rep)
	x.walker.expect(first+1, n)
	for i := range d.gap[:n] {
		job := first + int64(i)
		now, next := x.walker.states(job)
		x.class[i] = x.arrivals.class[now]
		d.gap[i] = r.gapBetween(job, d.w0[i], now, next)
		if x.clock != nil {
			gap := d.gap[i]
			x.time[i], d.gap[i] = x.clock.time(x.now), x.clock.pass(x.now, gap)
			x.moved(job+1, x.now+x.clock.advance(gap))
		}
	}
}

// gapBetween is the gap between two arrivals by the states of both.
func (r *Reader) gapBetween(job int64, word uint64, now, next int32) float64 {
	x := r.steps
	if x.still != nil && x.still[now] {
		return 0
	}
	if r.stopped() {
		return r.src.gapMean
	}
	r.more.resetAfter(word, uint64(job), counter(r.rep, forGap, 0))
	if x.between != nil {
		return x.between.sample(now, next, &r.more)
	}
	gap := x.gap.Sample(&r.more)
	if !usable(gap) {
		refuse(x.gapLaw, gap)
	}
	return gap
}

// FillTimed is Fill that also writes how long after the beginning of the period
// every job arrives, for sources of a [arrival.Profile]; NaN for others.
func (r *Reader) FillTimed(dst []Job, times []float64, first int64) {
	for len(dst) > 0 {
		n := min(len(dst), ahead)
		r.Fill(dst[:n], first)
		for i := range times[:n] {
			times[i] = math.NaN()
			if r.steps != nil && r.steps.clock != nil {
				times[i] = r.steps.time[i]
			}
		}
		dst, times, first = dst[n:], times[n:], first+int64(n)
	}
}
