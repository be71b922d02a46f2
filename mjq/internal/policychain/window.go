package policychain

// window starts the largest of the first jobs that wait, as policy.Window. It looks
// only while some job could start.
type window struct {
	*plan
	jobs int
}

func (w window) next(s *state) action {
	free := w.free(s)
	if free < w.least() {
		return stop
	}
	if s.line > 0 && s.waiting() < w.jobs {
		return look
	}
	return w.largest(s, free)
}

func (w window) sees() int { return w.servers/w.least() + w.jobs }

// free is the number of servers that no job holds if all that have begun run.
func (p *plan) free(s *state) int {
	free := p.servers
	for k, list := range s.begun {
		free -= len(list) * p.kinds[k].need
	}
	return free
}

// largest starts the largest job known that fits.
func (p *plan) largest(s *state, free int) action {
	for k := len(p.kinds) - 1; k >= 0; k-- {
		if s.queue[k] > 0 && p.kinds[k].need <= free {
			return action(k)
		}
	}
	return stop
}
