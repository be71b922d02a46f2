package policychain

// mostServers is policy.MostServersFirst.
type mostServers struct{ *plan }

func (m mostServers) next(s *state) action {
	if s.line > 0 {
		return look
	}
	return m.largest(s, m.free(s))
}

// leastServers is policy.LeastServersFirst, and under a priority the kinds in their order.
type leastServers struct{ *plan }

func (l leastServers) next(s *state) action {
	if s.line > 0 {
		return look
	}
	for k, waiting := range s.queue {
		if waiting > 0 {
			return l.ifFits(s, k)
		}
	}
	return stop
}

// ifFits begins a job of a kind if it fits.
func (p *plan) ifFits(s *state, kind int) action {
	if p.kinds[kind].need <= p.free(s) {
		return action(kind)
	}
	return stop
}

// firstFit is policy.FirstFit for up to two kinds. Of the jobs passed over all are
// large and stand before the line, which is not looked at once no small one fits.
type firstFit struct{ *plan }

func (f firstFit) next(s *state) action {
	free := f.free(s)
	if a := f.largest(s, free); a != stop {
		return a
	}
	if s.line > 0 && free >= f.least() {
		return look
	}
	return stop
}

// swap is the mode of adaptive in which the largest job that waits starts next.
const swap = 1

// adaptive is policy.AdaptiveQuickswap.
type adaptive struct{ *plan }

func (a adaptive) next(s *state) action {
	if s.line > 0 {
		return look
	}
	if s.mode == swap && s.waiting() == 0 { // all have given up
		s.mode = 0
	}
	if s.mode == swap {
		largest := len(s.queue) - 1
		for s.queue[largest] == 0 {
			largest--
		}
		begins := a.ifFits(s, largest)
		if begins != stop {
			s.mode = 0
		}
		return begins
	}
	if begins := a.largest(s, a.free(s)); begins != stop {
		return begins
	}
	for k, waiting := range s.queue {
		if waiting > 0 && len(s.begun[k]) > 0 {
			return stop
		}
	}
	if s.waiting() > 0 {
		s.mode = swap
	}
	return stop
}
