package policychain

// filling serves the largest jobs of the front, as policy.ServerFilling. A front never
// loses a job but by its completion: what is left after it is either still the
// shortest prefix or needs fewer servers than there are.
type filling struct{ *plan }

func (f filling) next(s *state) action {
	need := 0
	for k := range f.kinds {
		need += s.jobs(k) * f.kinds[k].need
	}
	if need < f.servers && s.line > 0 {
		return look
	}
	return f.fill(s, f.serves)
}

func (f filling) sees() int { return (f.servers-1)/f.least() + 1 }

func (f filling) serves(s *state, kind int) int { return f.most(s, kind) }

// most is how many jobs of a kind run if the largest known go first.
func (p *plan) most(s *state, kind int) (n int) {
	free := p.servers
	for k := len(p.kinds) - 1; k >= kind; k-- {
		n = min(s.jobs(k), free/p.kinds[k].need)
		free -= n * p.kinds[k].need
	}
	return n
}
