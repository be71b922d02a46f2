package scarcity

import "math"

// Samples is what independent samples of the wait can know: its moments are about those of
// a single server that is held up by the same jobs (Takács). Like a run they are judged by the
// worst of the suppositions about how many jobs at once it takes.
type Samples struct {
	N        float64
	*single             // shared by those of thousands of classes
	measured [2]float64 // E[W] and E[W²]; +Inf is not known

	judged [2]judged // by moment, as far as it is known
	known  [2]bool
}

// single is the single server.
type single struct {
	rate         float64                // of arrivals
	all, several [len(weights{})]takacs // if everything holds up the queue, or only several jobs at once
}

// takacs is E[W^k] in times between two arrivals.
type takacs [9]float64

// Samples is what n independent samples can know. A sample falls into the time that a job
// holds up the queue as often as jobs come in that time.
func (e *Exposure) Samples(n float64) *Samples {
	var all, several moments
	e.held.each(func(size float64) float64 { return n * math.Max(1, size*e.busy()) }, func(size float64, c *cell) {
		all.add(size, &c.held)
		several.add(size, &c.several)
	})
	s := &Samples{N: n, single: &single{rate: e.rate}, measured: [...]float64{math.Inf(1), math.Inf(1)}}
	for i := range surely {
		s.all[i], s.several[i] = e.takacs(&all[i]), e.takacs(&several[i])
	}
	return s.Waiting(e.measured[0], e.measured[1])
}

// takacs are the moments of the wait for a single server from those of the work.
func (e *Exposure) takacs(work *powers) (waits takacs) {
	waits[0] = 1
	rate := 1 / (1 - e.load) // the unit of time is that between two arrivals
	for k := 1; k < len(waits); k++ {
		binomial := 1.0
		power := e.load
		for i := 1; i <= k; i++ {
			binomial *= float64(k-i+1) / float64(i)
			power *= e.load
			waits[k] += rate * binomial * work[i+1] * power / float64(i+1) * waits[k-i]
		}
	}
	return waits
}

// Waiting is the same of waits of which the mean and the variance have been measured.
func (s *Samples) Waiting(mean, variance float64) *Samples {
	to := *s
	to.known = [2]bool{}
	if mean > 0 {
		to.measured[0] = mean * s.rate
		if variance > 0 {
			to.measured[1] = (mean*mean + variance) * s.rate * s.rate
		}
	}
	return &to
}

// Number is the same of n samples.
func (s *Samples) Number(n float64) *Samples {
	to := *s
	to.N, to.known = n, [2]bool{}
	return &to
}

// worst is the worst of the suppositions for the k-th moment, which are gone through once.
func (s *Samples) worst(k int) *judged {
	if !s.known[k-1] {
		s.judged[k-1], s.known[k-1] = s.judge(k), true
	}
	return &s.judged[k-1]
}

// judge is the worst of the suppositions for the k-th moment. Where more was measured than one by
// which it takes several jobs at once explains, the rest has other causes.
func (s *Samples) judge(k int) judged {
	measured := s.N * s.measured[k-1]
	return worst(measured, func(i int) (all, several sums, ok bool) {
		all, several = s.sums(&s.all[i], k), s.sums(&s.several[i], k)
		if i < len(surely)-1 && several[2] > 0 && !math.IsInf(measured, 1) {
			all[1] = math.Max(all[1], measured)
		}
		return all, several, true
	})
}

// sums are those of the k-th power of the waits.
func (s *Samples) sums(of *takacs, k int) (sum sums) {
	for i := range sum {
		if i*k < len(of) {
			sum[i] = s.N * of[i*k]
		}
	}
	return sum
}

// Effective is how many independent observations of the k-th power of the wait there are:
// n E[W^k]²/E[W^2k].
func (s *Samples) Effective(k int) float64 { return s.worst(k).effective }

// Shape is the squared skewness and the excess kurtosis of the average of the k-th power.
func (s *Samples) Shape(k int) (skewness2, kurtosis float64) {
	return s.worst(k).shape(k > 1)
}

// Together is that of a Run.
func (s *Samples) Together(k int) bool { return s.worst(k).together }
