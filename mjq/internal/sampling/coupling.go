package sampling

import (
	"math"
	"sync/atomic"
)

// seen is what one sample shows: for every class the wait and the waste that
// job 0 would have, and a service time for its response.
type seen struct {
	work        float64 // a number that other states do not have
	wait, waste []float64
	response    []float64
	kinds       []float64 // by class and, within it, type of resource: the waste of each
}

func newSeen(classes, kinds int) seen {
	return seen{wait: make([]float64, classes), waste: make([]float64, classes), response: make([]float64, classes),
		kinds: make([]float64, classes*kinds)}
}

// start computes the state met by job 0 when job -window found an empty system.
func (s *System) start(stop *atomic.Bool, w *worker, rep uint64, window int64, x *seen) bool {
	w.reader.Until(stop).Rewind(rep)
	w.long.empty()
	for at := -window; at < 0; {
		if stop.Load() {
			return false
		}
		jobs := w.read(at, 0)
		w.long.take(w.reader, at, jobs)
		w.long.rebase()
		w.steps += int64(len(jobs))
		at += int64(len(jobs))
	}
	s.observe(w, x)
	return !stop.Load()
}

// double computes the state of the window, given that of half of it. The long
// chain and, from -window/2 on, the short one take the same jobs; once they
// agree they agree for ever, so the rest is what x already holds (Remark 2 of
// the paper). It reports whether the state changed.
func (s *System) double(stop *atomic.Bool, w *worker, rep uint64, window int64, x *seen) (changed, ok bool) {
	w.reader.Until(stop).Rewind(rep)
	w.long.empty()
	half := -window / 2
	for at := -window; at < 0; {
		if stop.Load() {
			return false, false
		}
		to := int64(0)
		if at < half {
			to = half
		}
		if at == half {
			w.short.empty()
		}
		if at >= half && s.same(w.long.mark(), w.short.mark()) {
			return false, true
		}
		jobs := w.read(at, to)
		w.long.take(w.reader, at, jobs)
		w.long.rebase()
		w.steps += int64(len(jobs))
		if at >= half {
			w.short.take(w.reader, at, jobs)
			w.short.rebase()
			w.steps += int64(len(jobs))
		}
		at += int64(len(jobs))
	}
	before := x.work
	s.observe(w, x)
	return !s.same(before, x.work), !stop.Load()
}

// same compares total workloads of two chains of which one dominates, or other numbers
// that tell states apart, up to rounding: near 0 that is in proportion to the services, in any unit of time.
func (s *System) same(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(s.Input.Unit()+a+b) }

// observe records what job 0 meets.
func (s *System) observe(w *worker, x *seen) {
	x.work = w.long.mark()
	w.long.observe(w.reader, x)
	for c, wait := range x.wait {
		x.response[c] = wait + w.reader.Probe(c, 0)
	}
}
