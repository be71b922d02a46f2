package policychain

import "math"

// Measures are stationary means. Waiting is the time to the start without preemption, and response
// less service with it. If jobs give up, waiting is the time in the queue of all jobs, and
// response has no meaning.
type Measures struct {
	Wait, Response          float64 // of all jobs
	Queue, Jobs, JobsSquare float64 // jobs that do not run; jobs in the system, and their square
	Utilisation             float64 // part of the servers that is held
	Empty, AllBusy          float64 // probabilities
	Classes                 []ClassMeasures
	Levels                  []float64 // P(N = n), as far as computed one by one
	Decay                   float64   // P(N = n+1) / P(N = n) for large n

	States   int     // of the chain: of a homogeneous level, or all
	Cut      int     // most jobs of the chain; 0 if there is no cut
	Error    float64 // absolute, of every mean above: Proved if that is small enough, else as bound has it; 0 without a cut
	Proved   float64 // a bound on the error that is proved; +Inf if none was found, 0 without a cut
	Residual float64 // largest imbalance, relative
}

// ClassMeasures are those of a class.
type ClassMeasures struct {
	Wait, Response float64
	NoWait         float64 // probability to start at the arrival; NaN under a preemptive policy
	AtOnce         float64 // the same where a job may be stopped later; NaN under a policy that is not preemptive, and unless arrivals are Poisson
	Left           float64 // share that gives up
	Lost           float64 // mean time for which a job runs in vain; NaN where it is not told
	Queue, Served  float64 // mean numbers of its jobs that do not run, and that do
}

// sums collects the means over the states.
type sums struct {
	q                *Queue
	jobs, jobsSquare float64
	queue, busy      float64
	empty, allBusy   float64
	present, served  []float64 // jobs by class
	left             []float64 // by class, rate at which jobs give up
	atOnce           []float64 // by kind: probability, or rate if arrivals are not Poisson
	settled          float64   // probability that no batch is coming
}

func newSums(q *Queue) *sums {
	return &sums{q: q, present: make([]float64, len(q.classes)), served: make([]float64, len(q.classes)), left: make([]float64, len(q.classes)), atOnce: make([]float64, len(q.kinds))}
}

// add takes in a state of probability p whose line is longer than its own by a
// random number k of jobs: first and second are E[k] and E[k²] on it.
func (m *sums) add(s *state, p, first, second float64) {
	if s.coming > 0 {
		return
	}
	m.settled += p
	n := float64(s.total())
	m.jobs += p*n + first
	m.jobsSquare += p*n*n + 2*n*first + second
	busy, running := 0, 0
	for k, kind := range m.q.kinds {
		r := m.q.running(s, k)
		running += r
		busy += r * kind.need
	}
	m.queue += p*(n-float64(running)) + first
	m.busy += p * float64(busy)
	if n == 0 {
		m.empty += p
	}
	if busy == m.q.servers {
		m.allBusy += p
	}
	line := p*float64(s.line) + first
	for c, share := range m.q.classes {
		m.class(s, c, share, p, line)
	}
	if r, ok := m.q.rule.(preemptive); ok {
		for k := range m.q.kinds {
			if bool(m.q.input.poisson) && joins(r, s, k) {
				m.atOnce[k] += p
			}
		}
		return
	}
	if !m.q.input.poisson {
		m.q.started(s, p, m.atOnce)
		return
	}
	for k := range m.q.kinds {
		if m.q.startsAtOnce(s, k) {
			m.atOnce[k] += p
		}
	}
}

// joins reports whether a job of a kind that arrives runs at once.
func joins(r preemptive, s *state, kind int) bool {
	if o, ok := r.(over); ok {
		return o.joins(s, kind)
	}
	if s.line > 0 {
		return false
	}
	t := s.clone()
	t.queue[kind]++
	return r.serves(t, kind) == t.jobs(kind)
}

// class adds the jobs of a class: those whose phase tells it, and of the others its
// part.
func (m *sums) class(s *state, c int, share share, p, line float64) {
	if share.prob == 0 {
		return
	}
	running := m.q.running(s, share.kind)
	begun, served := 0, 0
	for i, ph := range s.begun[share.kind] {
		if int(ph) >= share.lo && int(ph) < share.hi {
			begun++
			if i < running {
				served++
			}
		}
	}
	m.served[c] += p * share.among * float64(served)
	m.addLeaving(s, c, share, p, line)
	m.present[c] += p*(share.among*float64(begun)+share.part*float64(s.queue[share.kind])) + line*share.part*m.q.kinds[share.kind].prob
}

// measures are the means, given the sums over all states and the probabilities of the
// levels.
func (m *sums) measures(levels []float64) *Measures {
	q := m.q
	for _, list := range [][]float64{levels, m.present, m.served, m.left, m.atOnce} {
		for i := range list {
			list[i] /= m.settled
		}
	}
	for _, x := range []*float64{&m.jobs, &m.jobsSquare, &m.queue, &m.busy, &m.empty, &m.allBusy} {
		*x /= m.settled
	}
	_, stops := q.rule.(preemptive)
	out := &Measures{
		Queue: m.queue, Jobs: m.jobs, JobsSquare: m.jobsSquare,
		Wait:        m.queue / q.rate,
		Utilisation: m.busy / float64(q.servers), Empty: m.empty, AllBusy: m.allBusy, Levels: levels,
	}
	mean := 0.0
	for c, share := range q.classes {
		if share.prob == 0 {
			nan := math.NaN()
			out.Classes = append(out.Classes, ClassMeasures{Wait: nan, Response: nan, NoWait: nan, AtOnce: nan, Lost: nan})
			continue
		}
		rate, line := q.rate*share.prob, m.present[c]-m.served[c]
		x := ClassMeasures{Wait: line / rate, NoWait: math.NaN(), AtOnce: math.NaN(), Lost: math.NaN(), Left: m.left[c] / rate, Queue: line, Served: m.served[c]}
		if !stops {
			x.NoWait = m.atOnce[share.kind]
			if !q.input.poisson {
				x.NoWait *= share.part / rate
			}
		}
		if stops && bool(q.input.poisson) {
			x.AtOnce = m.atOnce[share.kind]
		}
		x.Response = x.Wait + share.mean
		mean += share.prob * share.mean
		out.Classes = append(out.Classes, x)
	}
	out.Response = out.Wait + mean
	return out
}
