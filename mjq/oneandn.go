package mjq

import (
	"fmt"
	"html"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/oneandn"
)

// OneAndNSystem is the 1-and-n queue of Grosof and Ayhan, "Multiserver-job
// Response Time under Multilevel Scaling": n servers, jobs that need one of
// them or all, exponential services. Its methods are exact to about 1e-13
// whatever the number of servers, unless they say otherwise.
//
// Most of them speak of the saturated system, in which a job always waits. Its
// state is the number i of 1-server jobs in service: with i = 0 an n-server job
// is in service, with 0 < i < n one is blocked at the head of the line, with
// i = n all servers hold 1-server jobs.
type OneAndNSystem struct {
	n           int
	p, mu1, mun float64
	solved      *oneandn.System // nil if there is an err
	err         error
}

// OneAndN solves the queue of n servers whose jobs need all n with probability
// p and one otherwise, served at rates mun and mu1. It takes at most a few
// tenths of a millisecond, for any n. It needs n of at least 2, a probability
// strictly between 0 and 1, and positive finite rates; otherwise Err says all
// that is wrong and every number is NaN.
func OneAndN(n int, p, mu1, mun float64) *OneAndNSystem {
	var f check.Faults
	f.That(n >= 2, "n = %d: the number of servers must be at least 2, or 1-server and n-server jobs are the same", n)
	f.That(p > 0 && p < 1, "p = %v: the probability of an n-server job must lie strictly between 0 and 1; with one class alone the queue is M/M/n or M/M/1", p)
	f.That(mu1 > 0 && !math.IsInf(mu1, 1), "mu1 = %v: the rate of 1-server jobs must be positive and finite", mu1)
	f.That(mun > 0 && !math.IsInf(mun, 1), "mun = %v: the rate of n-server jobs must be positive and finite", mun)
	s := &OneAndNSystem{n: n, p: p, mu1: mu1, mun: mun, err: faultsOf(&f, "1-and-n queue")}
	if s.err == nil {
		s.solved = oneandn.New(n, p, mu1, mun)
	}
	return s
}

// Err is nil, or says everything that is wrong with the parameters.
func (s *OneAndNSystem) Err() error { return s.err }

// Throughput is X̄, the completions per unit of time of the saturated system
// (Lemma 5.3). The queue is stable for every arrival rate below it and for none
// above.
func (s *OneAndNSystem) Throughput() float64 {
	if s.err != nil {
		return math.NaN()
	}
	return s.solved.Throughput
}

// RelativeCompletions is E[Δ(Y_d)], the mean over the completions of the
// saturated system of the relative completions Δ of the state they happen in
// (Lemma 5.5): how much completions cluster. It is never negative.
func (s *OneAndNSystem) RelativeCompletions() float64 {
	if s.err != nil {
		return math.NaN()
	}
	return s.solved.Completions
}

// Delta is Δ(i), the relative completions of state i: how many more completions
// are to be expected in the long run by starting in i rather than in the
// time-average state; it solves the Poisson equation (1) of the paper with a
// time average of 0. The error is about 1e-13 of the largest Δ. NaN outside
// 0..n.
func (s *OneAndNSystem) Delta(i int) float64 {
	if s.err != nil {
		return math.NaN()
	}
	return s.solved.Delta(i)
}

// TimeAverage is the fraction of time that the saturated system spends in state
// i (Lemma 5.2); 0 outside 0..n.
func (s *OneAndNSystem) TimeAverage(i int) float64 {
	if s.err != nil {
		return math.NaN()
	}
	return s.solved.TimeAverage(i)
}

// CompletionAverage is the fraction of the completions of the saturated system
// that happen in state i (Lemma 5.4): p q^i for i < n and q^n for n, q = 1-p.
func (s *OneAndNSystem) CompletionAverage(i int) float64 {
	if s.err != nil {
		return math.NaN()
	}
	return s.solved.CompletionAverage(i)
}

// TransitionAverage is the law of Lemma 5.1, over the finer chain that takes
// every admission and every completion as a step: the fraction of its steps out
// of the state with i 1-server jobs and, if blocked, an n-server job, in service
// when i = 0. Half the steps are admissions, from (i, false) with i < n; the
// others are completions. 0 for states that do not occur.
func (s *OneAndNSystem) TransitionAverage(i int, blocked bool) float64 {
	if s.err != nil {
		return math.NaN()
	}
	return s.solved.TransitionAverage(i, blocked)
}

// Table lists, for the states given, the three stationary laws and Δ. Without
// states it lists all of them up to n = 32, and else 0, 1, 2, 5, 10, 20, 50, ...,
// n-1, n. With invalid parameters it has no rows.
func (s *OneAndNSystem) Table(states ...int) *Table {
	if s.err != nil {
		return NewTable(s.err.Error())
	}
	if len(states) == 0 {
		states = s.someStates()
	}
	var at, admitting, completing, done, time, delta []float64
	for _, i := range states {
		at = append(at, float64(i))
		steps, blocked := s.TransitionAverage(i, false), s.TransitionAverage(i, true)
		if i >= s.n {
			steps, blocked = 0, steps // nothing is admitted to n; its jobs complete
		}
		admitting, completing = append(admitting, steps), append(completing, blocked)
		done, time, delta = append(done, s.CompletionAverage(i)), append(time, s.TimeAverage(i)), append(delta, s.Delta(i))
	}
	t := NewTable(s.String()).Numbers("1-server jobs i", at...).Numbers("steps that admit", admitting...).
		Numbers("steps that complete", completing...).Numbers("completion average", done...).
		Numbers("time average", time...).Numbers("Δ(i)", delta...)
	t.Note = "The two columns of steps are the transition average; the laws sum to 1 over all states."
	return t
}

func (s *OneAndNSystem) someStates() []int {
	all := []int{0}
	if s.n <= 32 {
		for i := 1; i <= s.n; i++ {
			all = append(all, i)
		}
		return all
	}
	for ten := 1; ten < s.n; ten *= 10 {
		for _, i := range []int{ten, 2 * ten, 5 * ten} {
			if i < s.n-1 {
				all = append(all, i)
			}
		}
		if ten > math.MaxInt/10 {
			break
		}
	}
	return append(all, s.n-1, s.n)
}

// String says the parameters and the throughput in a line.
func (s *OneAndNSystem) String() string {
	if s.err != nil {
		return s.err.Error()
	}
	return fmt.Sprintf("1-and-n queue: %d servers, n-server jobs with probability %g, rates %g and %g: throughput %.6g, %s",
		s.n, s.p, s.mu1, s.mun, s.Throughput(), s.Regime())
}

// HTML is the line for a notebook.
func (s *OneAndNSystem) HTML() string { return "<p>" + html.EscapeString(s.String()) + "</p>" }
