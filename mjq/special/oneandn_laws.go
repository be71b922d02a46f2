package special

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/result"
)

// Delta returns Δ(i), the relative completions of state i: the expected surplus of completions
// in the long run of a start in i over a start in the time-average state. It solves the Poisson
// equation (1) of the paper with a time average of 0. The error is about 1e-13 of the largest
// Δ. NaN outside 0..n.
func (o OneAndN) Delta(i int) float64 {
	s := o.solved()
	switch {
	case i < 0 || i > s.n:
		return math.NaN()
	case i == s.n:
		return s.top - s.offset
	}
	t := float64(i)
	return s.fromZero(t, harmonic(t)) - s.offset
}

// TimeAverage is P_t(i), the fraction of time that the saturated system spends in
// state i (Lemma 5.2); 0 outside 0..n. It is X̄ P_d(i) over the completion rate of
// the state.
func (o OneAndN) TimeAverage(i int) float64 {
	s := o.solved()
	switch {
	case s.err != nil:
		return math.NaN()
	case i < 0 || i > s.n:
		return 0
	case i == 0:
		return s.p * s.big / s.denominator
	}
	return s.x * o.CompletionAverage(i) / float64(i)
}

// CompletionAverage is P_d(i), the fraction of the completions of the saturated
// system that happen in state i (Lemma 5.4): p q^i for i < n and q^n for n,
// q = 1-p; 0 outside 0..n.
func (o OneAndN) CompletionAverage(i int) float64 {
	s := o.solved()
	switch {
	case s.err != nil:
		return math.NaN()
	case i < 0 || i > s.n:
		return 0
	case i == s.n:
		return s.qN
	}
	return s.p * s.power(i)
}

// TransitionAverage returns the distribution of Lemma 5.1, over the finer chain in which every
// admission and every completion is a step. It is the fraction of its steps out of the state
// with i 1-server jobs and, if blocked, an n-server job, in service when i = 0. Half the steps
// are admissions, from (i, false) with i < n; the others are completions. 0 for states that do
// not occur.
func (o OneAndN) TransitionAverage(i int, blocked bool) float64 {
	s := o.solved()
	switch {
	case s.err != nil:
		return math.NaN()
	case i < 0 || i > s.n || blocked && i == s.n:
		return 0
	case !blocked && i >= s.n-1: // (n-1, false) is entered from n as well
		return s.power(i) / 2
	}
	return s.p * s.power(i) / 2
}

// power is q^i.
func (s *solvedOneAndN) power(i int) float64 { return math.Exp(float64(i) * s.logQ) }

// Table lists, for the states given, the three stationary laws and Δ. Without
// states it lists all of them up to n = 32, and else 0, 1, 2, 5, 10, 20, 50, ...,
// n-1, n. With invalid parameters it has no rows.
func (o OneAndN) Table(states ...int) *result.Table {
	s := o.solved()
	if s.err != nil {
		return result.NewTable(s.err.Error())
	}
	if len(states) == 0 {
		states = s.someStates()
	}
	var at, admitting, completing, done, time, delta []float64
	for _, i := range states {
		at = append(at, float64(i))
		steps, blocked := o.TransitionAverage(i, false), o.TransitionAverage(i, true)
		if i >= s.n {
			steps, blocked = 0, steps // nothing is admitted to n; its jobs complete
		}
		admitting, completing = append(admitting, steps), append(completing, blocked)
		done, time, delta = append(done, o.CompletionAverage(i)), append(time, o.TimeAverage(i)), append(delta, o.Delta(i))
	}
	t := result.NewTable(o.String()).Numbers("1-server jobs i", at...).Numbers("steps that admit", admitting...).
		Numbers("steps that complete", completing...).Numbers("completion average", done...).
		Numbers("time average", time...).Numbers("Δ(i)", delta...)
	t.Note = "The two columns of steps are the transition average; the laws sum to 1 over all states."
	return t
}

// someStates are the states that Table lists without being told.
func (s *solvedOneAndN) someStates() []int {
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

// String gives the parameters and the throughput in a line, or the error.
func (o OneAndN) String() string {
	s := o.solved()
	if s.err != nil {
		return s.err.Error()
	}
	return fmt.Sprintf("1-and-n queue: %d servers, n-server jobs with probability %g, rates %g and %g: throughput %.6g, %s",
		s.n, s.p, s.mu1, s.mun, o.Throughput(), o.Regime())
}

// HTML returns the line as HTML, for a notebook.
func (o OneAndN) HTML() string { return "<p>" + escape.HTML(o.String()) + "</p>" }
