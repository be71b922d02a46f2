package policychain

// Modes of the quickswaps, as bits.
const (
	drain     = 1 << iota // no small job starts before a big one has
	armed                 // a big job that waits has the servers drained
	smallLeft             // in this pass
)

// quickswap is policy.Quickswap, or policy.ArmedQuickswap if it arms.
type quickswap struct {
	*plan
	threshold  int
	arms       bool
	small, big int // kinds; -1 without one
}

func newQuickswap(p *plan, threshold int, arms bool) quickswap {
	q := quickswap{p, threshold, arms, -1, -1}
	for k, kind := range p.kinds {
		if kind.need == p.servers {
			q.big = k
		} else {
			q.small = k
		}
	}
	return q
}

func (q quickswap) left(s *state, kind int) {
	if q.arms && kind == q.small {
		s.mode |= smallLeft
	}
}

// count is the number of jobs in a list by kind; 0 if there is no such kind.
func count(list []int, kind int) int {
	if kind < 0 {
		return 0
	}
	return list[kind]
}

func (q quickswap) next(s *state) action {
	if s.line > 0 {
		return look
	}
	bigWaits := count(s.queue, q.big) > 0
	if !bigWaits { // the last may have given up
		s.mode &^= drain
	}
	bigRuns := q.big >= 0 && len(s.begun[q.big]) > 0
	smallRun := 0
	if q.small >= 0 {
		smallRun = len(s.begun[q.small])
	}
	switch {
	case bigRuns:
	case bigWaits && smallRun == 0:
		if s.mode&drain != 0 {
			s.mode = 0
		}
		s.mode &^= smallLeft
		return action(q.big)
	case s.mode&drain != 0:
	case s.mode&armed != 0 && bigWaits:
		s.mode |= drain
	case count(s.queue, q.small) > 0 && smallRun < q.servers:
		return action(q.small)
	default:
		q.swaps(s, bigWaits, smallRun)
	}
	s.mode &^= smallLeft
	return stop
}

// swaps sets the mode once no more small jobs start.
func (q quickswap) swaps(s *state, bigWaits bool, smallRun int) {
	few := smallRun <= q.threshold
	if q.arms {
		if s.mode&smallLeft != 0 && few {
			s.mode |= armed
		}
		few = s.mode&armed != 0
	}
	if few && bigWaits {
		s.mode |= drain
	}
}
