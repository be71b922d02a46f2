// Package stream turns a seed into the input of a multiserver-job queue: for
// every (seed, replication, job index) the gap to the next arrival, the class,
// the servers needed and the service time. The index may be any int64; job -n
// of a replication is the same whatever window, order or goroutine asks for
// it, which is what coupling from the past needs. Replications are numbered
// below 2^40.
package stream

import (
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/law"
)

// Job is one customer. Gap is the time to the next arrival (τ in equation (2)
// of Baccelli et al.), Service is σ, Need is α.
type Job struct {
	Gap, Service float64
	Class, Need  int32
}

// Class is what the stream must know of a class.
type Class struct {
	Need    int
	Prob    float64
	Service law.Law
}

// Source is the compiled input of a model: immutable, shared by goroutines.
type Source struct {
	key         uint64
	gap         law.Law
	gapMean     float64
	unit        float64
	readyGap    law.Sampler
	classes     alias
	quick       *[1 << quickBits]int32
	services    []service
	poisson     bool      // gaps are exponential
	exponential bool      // every law is
	wordy       bool      // services often take more than one word
	long        bool      // some draws take long, or nobody knows how long
	arrivals    *arrivals // nil if gaps are independent and of one law
}

// service is what Fill must know of a class.
type service struct {
	mean        float64
	need        int32
	exponential bool
	ready       law.Sampler
	law         law.Law
}

// domain keeps our words apart from other users of the same generator and seed.
const domain = 0x6d6a71_73747265 // "mjqstre"

// oftenEnough is the part of the services from which a second block is drawn for
// all jobs together, and not alone for who needs it. No result depends on it.
const oftenEnough = 0.3

// New compiles the input of a renewal process. Probabilities must be non-negative
// and sum to about 1; laws must be valid.
func New(seed uint64, gap law.Law, classes []Class) *Source {
	s := &Source{key: seed ^ domain, gap: gap, gapMean: gap.Mean(), readyGap: ready(gap)}
	_, s.long = wordiness(s.readyGap)
	_, s.poisson = law.MemorylessRate(gap)
	s.exponential = s.poisson
	shares := make([]float64, len(classes))
	for i, c := range classes {
		shares[i] = c.Prob
	}
	s.compile(classes, shares, shares)
	return s
}

// compile prepares the classes: probs are their probabilities where arrivals leave
// them open, shares those among all jobs.
func (s *Source) compile(classes []Class, probs, shares []float64) {
	more := 0.0 // P(a service takes more than one word)
	mean := 0.0 // service
	for i, c := range classes {
		_, ok := law.MemorylessRate(c.Service)
		s.exponential = s.exponential && ok
		ready := ready(c.Service)
		s.services = append(s.services, service{c.Service.Mean(), int32(c.Need), ok, ready, c.Service})
		part, long := wordiness(ready)
		more, s.long = more+shares[i]*part, s.long || long
		mean += shares[i] * c.Service.Mean()
	}
	s.wordy = more > oftenEnough
	s.unit = powerOfTwo(mean, s.gapMean)
	s.classes = newAlias(probs)
	s.quick = s.classes.quick()
}

// Unit is the time that tolerances of absolute times are measured in, so that
// nothing depends on the caller's unit: the mean service rounded down to a power
// of two, by which times are divided without rounding; that
// of the gaps where no service takes any time.
func (s *Source) Unit() float64 { return s.unit }

// powerOfTwo rounds down the first of the times that is positive and finite; 1
// if none is.
func powerOfTwo(times ...float64) float64 {
	for _, x := range times {
		if x > 0 && !math.IsInf(x, 1) {
			_, e := math.Frexp(x)
			return math.Ldexp(1, max(e-1, -1022))
		}
	}
	return 1
}

// Reader reads one replication. It belongs to one goroutine.
type Reader struct {
	src   *Source
	rep   uint64
	more  words
	draft draft
	steps *steps       // through arrivals that depend on each other
	stop  *atomic.Bool // nil: nothing stops it
}

// Reader is a reader of replication rep.
func (s *Source) Reader(rep uint64) *Reader {
	r := &Reader{src: s, rep: rep, more: words{key: s.key}}
	if s.arrivals != nil {
		r.steps = newSteps(s)
	}
	return r
}

// Rewind turns the reader to another replication without allocating.
func (r *Reader) Rewind(rep uint64) { r.rep = rep }

// Until has Fill end soon once stop is set, however long a draw takes: the jobs that are not drawn
// by then bring no work. Whoever sets it has no use for them. It returns the reader.
func (r *Reader) Until(stop *atomic.Bool) *Reader {
	r.stop = stop
	return r
}

// Stop is what Until has been told, nil if nothing.
func (r *Reader) Stop() *atomic.Bool { return r.stop }

// stopped reports whether draws that take long are to be left out.
func (r *Reader) stopped() bool { return r.src.long && r.stop != nil && r.stop.Load() }

// Fill writes jobs first, first+1, ... into dst. Cost: a Philox block and two
// logarithms a job for exponential laws; no allocation. The jobs are made some
// at a time, one loop after another for the words, the logarithms and the
// classes, so that the processor overlaps what a single job would wait for.
func (r *Reader) Fill(dst []Job, first int64) {
	if r.steps != nil {
		r.seek(first)
	}
	for len(dst) > 0 {
		n := min(len(dst), ahead)
		draw(&r.draft.w0, &r.draft.w1, uint64(first), counter(r.rep, forJob, 0), r.src.key, n)
		if r.src.exponential {
			r.fillExponential(dst[:n], uint64(first))
		} else {
			r.fillAny(dst[:n], uint64(first))
		}
		dst, first = dst[n:], first+int64(n)
	}
}

// fillExponential is fillAny for exponential gaps and services, without a call
// a law.
func (r *Reader) fillExponential(dst []Job, first uint64) {
	s, d := r.src, &r.draft
	n := len(dst)
	fastmath.NegLogUnits(d.gap[:n], d.w0[:n])
	fastmath.NegLogUnits(d.service[:n], d.w1[:n])
	w0, w1, gap, service := d.w0[:n], d.w1[:n], d.gap[:n], d.service[:n]
	gapMean, services, quick := s.gapMean, s.services, s.quick
	for i := range dst {
		class := quick[w0[i]&(1<<quickBits-1)]
		if class < 0 {
			class = r.class(first+uint64(i), w0[i], w1[i])
		}
		c := &services[class]
		dst[i] = Job{gapMean * gap[i], c.mean * service[i], class, c.need}
	}
}

// fillAny takes one law after another, and still one loop after another for
// what most jobs share: words, Poisson arrivals, and the second block of words
// of the services.
func (r *Reader) fillAny(dst []Job, first uint64) {
	s, d := r.src, &r.draft
	n := len(dst)
	r.gaps(first, n)
	if s.wordy {
		draw(&d.w2, &d.w3, first, counter(r.rep, forService, 0), s.key, n)
	}
	for i := range dst {
		class := s.quick[d.w0[i]&(1<<quickBits-1)]
		if class < 0 {
			class = r.class(first+uint64(i), d.w0[i], d.w1[i])
		}
		if r.steps != nil && r.steps.class[i] >= 0 {
			class = r.steps.class[i]
		}
		c := &s.services[class]
		dst[i] = Job{d.gap[i], r.service(c, first+uint64(i), i), class, c.need}
	}
}

// gaps puts the gaps of n jobs into the draft.
func (r *Reader) gaps(first uint64, n int) {
	s, d := r.src, &r.draft
	if r.steps != nil {
		r.stepOn(int64(first), n)
		return
	}
	if s.poisson {
		fastmath.NegLogUnits(d.gap[:n], d.w0[:n])
		for i := range d.gap[:n] {
			d.gap[i] *= s.gapMean
		}
		return
	}
	for i := range d.gap[:n] {
		if r.stopped() {
			d.gap[i] = s.gapMean
			continue
		}
		r.more.resetAfter(d.w0[i], first+uint64(i), counter(r.rep, forGap, 0))
		x := s.readyGap.Sample(&r.more)
		if !usable(x) {
			refuse(s.gap, x)
		}
		d.gap[i] = x
	}
}

// service is the service of a job of the class, the i-th of the draft.
func (r *Reader) service(c *service, job uint64, i int) float64 {
	d := &r.draft
	switch {
	case c.exponential:
		return c.mean * fastmath.NegLog(fastmath.Unit(d.w1[i]))
	case r.stopped():
		return 0
	case r.src.wordy:
		r.more.resetAfterThree(d.w1[i], d.w2[i], d.w3[i], job, counter(r.rep, forService, 1))
	default:
		r.more.resetAfter(d.w1[i], job, counter(r.rep, forService, 0))
	}
	return c.sample(&r.more)
}

// sample is a service, which must be a time.
func (c *service) sample(w *words) float64 {
	x := c.ready.Sample(w)
	if !usable(x) {
		refuse(c.law, x)
	}
	return x
}

// class is the class of a job by the bits that its uniforms leave over.
func (r *Reader) class(job, w0, w1 uint64) int32 {
	word := w0<<53 | w1&0x7ff<<42
	class, sure := r.src.classes.pickFew(word)
	if !sure {
		class = r.src.classes.pick(word | r.classBits(job))
	}
	return class
}

// Probe is the service of a customer of the given class tagged onto job, drawn
// from randomness of its own: the arrival that observes a stationary state.
// Classes take their words far enough apart for any law.
func (r *Reader) Probe(class int, job int64) float64 {
	if r.stopped() {
		return 0
	}
	r.more.reset(uint64(job)^uint64(class)<<48, counter(r.rep, forProbe, 0))
	return r.src.services[class].sample(&r.more)
}

// Remaining draws the service left to the n-th of the jobs that are there at the start.
func (r *Reader) Remaining(n int, of law.Sampler) float64 {
	if r.stopped() {
		return 0
	}
	r.more.reset(uint64(n), counter(r.rep, forStart, 0))
	return of.Sample(&r.more)
}

// Uniform is a number in (0, 1] of the replication itself, of no job.
func (r *Reader) Uniform() float64 {
	w, _ := philox(0, counter(r.rep, forReplication, 0), r.src.key)
	return fastmath.Unit(w)
}

// classBits are the 42 bits that complete the class word.
func (r *Reader) classBits(job uint64) uint64 {
	w, _ := philox(job, counter(r.rep, forClass, 0), r.src.key)
	return w >> few
}
