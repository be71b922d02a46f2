package oneandn

import "math"

// power is q^i.
func (s *System) power(i int) float64 { return math.Exp(float64(i) * s.logQ) }

// CompletionAverage is P_d(i) of Lemma 5.4: the fraction of the completions
// that happen in state i; 0 outside 0..n.
func (s *System) CompletionAverage(i int) float64 {
	switch {
	case i < 0 || i > s.N:
		return 0
	case i == s.N:
		return s.qN
	}
	return s.P * s.power(i)
}

// TimeAverage is P_t(i) of Lemma 5.2: the fraction of time spent in state i; 0
// outside 0..n. It is X̄ P_d(i) over the completion rate of the state.
func (s *System) TimeAverage(i int) float64 {
	switch {
	case i < 0 || i > s.N:
		return 0
	case i == 0:
		return s.P * s.big / s.denominator
	}
	return s.x * s.CompletionAverage(i) / float64(i)
}

// TransitionAverage is the law of Lemma 5.1 over the states (i, blocked) of the
// chain that counts every arrival as a step of its own: i jobs of one server
// and, if blocked, one that needs them all, in service when i = 0. The chain
// admits a job from (i, false), i < n, and completes one from the others; half
// of its steps are of each sort. 0 for states that do not occur.
func (s *System) TransitionAverage(i int, blocked bool) float64 {
	switch {
	case i < 0 || i > s.N || blocked && i == s.N:
		return 0
	case !blocked && i >= s.N-1: // (n-1, false) is entered from n as well
		return s.power(i) / 2
	}
	return s.P * s.power(i) / 2
}

// Delta is Δ(i): how many more completions are to be expected in the long run
// from state i than from the time-average state. NaN outside 0..n.
func (s *System) Delta(i int) float64 {
	switch {
	case i < 0 || i > s.N:
		return math.NaN()
	case i == s.N:
		return s.top - s.offset
	}
	t := float64(i)
	return s.fromZero(t, harmonic(t)) - s.offset
}
