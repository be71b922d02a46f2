package policychain

import "slices"

// state is what is known of the jobs in the system. States are never altered once
// others have seen them.
type state struct {
	// begun are the phases of the jobs that have begun, by kind. Under a preemptive
	// policy they stand in order of arrival, and the first of them run; they are at
	// most as many as ever ran at once, since of each kind the earliest run. Else all
	// run and the order means nothing; they are sorted.
	begun [][]uint8
	queue []int // jobs looked at that have not begun, by kind
	line  int   // jobs not looked at
	mode  uint8 // of the policy

	phase  uint8 // of the arrivals
	coming uint8 // jobs of a batch that have still to come, while the clock stands still
	marked uint8 // their kind plus one; 0 if it is drawn
}

func (s *state) clone() *state {
	t := *s
	t.begun, t.queue = slices.Clone(s.begun), slices.Clone(s.queue)
	return &t
}

// jobs is the number of jobs of a kind that are known.
func (s *state) jobs(kind int) int { return len(s.begun[kind]) + s.queue[kind] }

// seen is the number of jobs looked at.
func (s *state) seen() (n int) {
	for k := range s.queue {
		n += s.jobs(k)
	}
	return n
}

// total is the number of jobs in the system.
func (s *state) total() int { return s.seen() + s.line }

// waiting is the number of jobs looked at that have not begun.
func (s *state) waiting() (n int) {
	for _, q := range s.queue {
		n += q
	}
	return n
}

// with is the state with other jobs of a kind that have begun.
func (s *state) with(kind int, begun []uint8) *state {
	t := s.clone()
	t.begun[kind] = begun
	return t
}

// key is the state without its line as a string.
func (s *state) key() string {
	b := make([]byte, 0, 32)
	b = append(b, s.mode, s.phase, s.coming, s.marked)
	for k, phases := range s.begun {
		q, n := s.queue[k], len(phases)
		b = append(b, byte(q), byte(q>>8), byte(n), byte(n>>8))
		b = append(b, phases...)
	}
	return string(b)
}
