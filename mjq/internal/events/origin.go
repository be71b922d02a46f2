package events

// rebase makes now the origin of time.
func (s *Simulator) rebase() {
	by := s.view.Now
	s.moved = s.arrived
	s.origin += by
	s.shiftJobs(by)
	s.ends.shift(by)
	s.deadlines.shift(by)
	for i := range s.presence {
		s.presence[i].since -= by
	}
	if s.nodes != nil {
		s.nodes.shift(by)
	}
	s.arrival -= by
	if s.sleep != nil {
		s.sleep.setups.shift(by)
		s.sleep.idle.shift(by)
	}
	if s.stretch != nil {
		s.stretch.shift(by)
	}
	if s.senders != nil {
		s.open -= by
		s.senders.shift(by)
	}
	s.view.Now = 0
	if s.failing != nil {
		s.failing.shift(s, by)
	}
	if s.shifter != nil {
		s.shifter.Shift(by)
	}
}

// shiftJobs moves the times of the jobs in the system. Most of the slab being in use,
// it is faster to go through it all than along the lines.
func (s *Simulator) shiftJobs(by float64) {
	if len(s.system.all) <= 4*s.InSystem() {
		for i := range s.system.all {
			s.system.all[i].shift(by)
		}
		return
	}
	for _, line := range s.waiting {
		for id := line.head; id != nobody; id = s.system.all[id].next {
			s.system.all[id].shift(by)
		}
	}
	for _, end := range s.ends.heap {
		s.system.all[end.id].shift(by)
	}
	if s.failing != nil {
		for _, end := range s.failing.detects.heap {
			s.system.all[end.id].shift(by)
		}
	}
}
