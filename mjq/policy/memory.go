package policy

// Modal is a Scheduler that decides by more than the jobs in the system. Mode returns what it
// remembers apart from them: two systems with the same jobs and the same mode go on alike. A
// comparison of two systems needs it; a scheduler without it is taken to remember nothing.
type Modal interface {
	Mode() int
}

// Mode is whether the servers are being drained, whether it is armed, and whether a small job has left
// since the last pass.
func (s *quickswap) Mode() int { return bits(s.drain, s.armed, s.smallLeft) }

// Mode is whether it waits for the largest need to fit.
func (s *adaptiveQuickswap) Mode() int { return bits(s.swap) }

// bits is a number that tells what is set.
func bits(set ...bool) (n int) {
	for i, b := range set {
		if b {
			n |= 1 << i
		}
	}
	return n
}
