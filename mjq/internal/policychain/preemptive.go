package policychain

// fill begins a job of a kind of which more are to run than have begun. If its services
// have a single phase, nothing tells one that has begun from one that has not: then as
// many begin as could ever run.
func (p *plan) fill(s *state, serves func(s *state, kind int) int) action {
	for k, kind := range p.kinds {
		run := 0
		if len(kind.phases) > 1 || p.tells(kind) {
			run = serves(s, k)
		} else {
			run = min(s.jobs(k), p.servers/kind.need)
		}
		if run > len(s.begun[k]) {
			return action(k)
		}
	}
	return stop
}

// inOrder serves kind after kind, of each as many jobs as fit, and stops the others: the largest first is
// policy.PreemptiveMostServersFirst, and in their order policy.PreemptiveLeastServersFirst and a priority.
type inOrder struct {
	*plan
	largest bool // first
}

func (p inOrder) next(s *state) action {
	if s.line > 0 {
		return look
	}
	return p.fill(s, p.serves)
}

func (p inOrder) serves(s *state, kind int) (n int) {
	if p.largest {
		return p.most(s, kind)
	}
	free := p.servers
	for k := 0; k <= kind; k++ {
		n = min(s.jobs(k), free/p.kinds[k].need)
		free -= n * p.kinds[k].need
	}
	return n
}

// maxWeight is policy.MaxWeight.
type maxWeight struct{ *plan }

func (m maxWeight) next(s *state) action {
	if s.line > 0 {
		return look
	}
	return m.fill(s, m.serves)
}

// serves tries all ways to serve. Of equal worth the first is best: that with the
// most jobs of the largest need, then of the next.
func (m maxWeight) serves(s *state, kind int) int {
	best, found := -1, 0
	var try func(k, free, worth, of int)
	try = func(k, free, worth, of int) {
		if k < 0 {
			if worth > best {
				best, found = worth, of
			}
			return
		}
		need, jobs := m.kinds[k].need, s.jobs(k)
		for n := min(jobs, free/need); n >= 0; n-- {
			mine := of
			if k == kind {
				mine = n
			}
			try(k-1, free-n*need, worth+n*(jobs*(m.servers+1)+need), mine)
		}
	}
	try(len(m.kinds)-1, m.servers, 0, 0)
	return found
}
