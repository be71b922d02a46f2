package events

// Area is what a run has accumulated: an amount of time and the integrals over it of
// the jobs in the system, of those that wait, of the idle servers, and of the servers
// idle while a job waits.
type Area struct {
	Time, System, Queue, Idle, Wasted float64
	On, Setup                         float64 // of servers that sleep: those on, and those in setup
}

// add adds an area so many times.
func (a *Area) add(b *Area, times float64) {
	if times == 0 {
		return
	}
	a.Time += times * b.Time
	a.System += times * b.System
	a.Queue += times * b.Queue
	a.Idle += times * b.Idle
	a.Wasted += times * b.Wasted
	a.On += times * b.On
	a.Setup += times * b.Setup
}

// Take returns what has been accumulated since the last Take, and forgets it.
func (s *Simulator) Take() Area {
	a := s.area
	s.area = Area{}
	return a
}

// advance moves the clock to t and accumulates what passes.
func (s *Simulator) advance(t float64) {
	before := s.view.Now
	dt := t - before
	s.view.Now = t
	waiting := float64(s.view.Jobs)
	free := dt * float64(s.view.Free)
	idle, serving := free, len(s.ends.heap)
	if s.more {
		free, idle = s.accumulates(dt, free)
		serving = s.inService()
	}
	s.area.Time += dt
	s.area.System += dt * (waiting + float64(serving))
	s.area.Queue += dt * waiting
	s.area.Idle += idle
	if s.view.Jobs > 0 {
		s.area.Wasted += free
	} else if dt > 0 && s.clear > s.origin+before {
		s.clear = s.origin + before
	}
}

// accumulates returns the integrals over a time of the servers that jobs could have and of those that no
// job holds, where servers sleep or fail or jobs change their size. Given is the integral of the free ones.
func (s *Simulator) accumulates(dt, given float64) (free, idle float64) {
	free = given
	if z := s.sleep; z != nil {
		free += dt * float64(s.view.Servers-z.on)
		s.area.On += dt * float64(z.on)
		s.area.Setup += dt * float64(len(z.setups))
	}
	if s.stretch != nil {
		free -= dt * float64(s.stretch.extra)
	}
	idle = free
	if s.failing != nil {
		s.failing.advance(dt)
		idle = dt * float64(s.view.Servers-s.failing.held)
		if s.stretch != nil {
			idle -= dt * float64(s.stretch.extra)
		}
	}
	if s.types != nil {
		s.types.advance(s.view, dt)
	}
	if s.nodes != nil {
		s.nodes.advance(s.view, dt)
	}
	return free, idle
}

// presence is the integral over time of the jobs of one class in the system, up to its
// last change.
type presence struct {
	jobs            int
	since, integral float64
}

func (p *presence) upTo(now float64) {
	p.integral += float64(p.jobs) * (now - p.since)
	p.since = now
}

func (s *Simulator) enters(class int32) {
	for int(class) >= len(s.presence) {
		s.presence = append(s.presence, presence{})
	}
	p := &s.presence[class]
	p.upTo(s.view.Now)
	p.jobs++
}

func (s *Simulator) leaves(class int32) {
	p := &s.presence[class]
	p.upTo(s.view.Now)
	p.jobs--
}

// takePresence puts the integrals over time of the jobs of each class into dst, and forgets them.
func takePresence(by []presence, now float64, dst []float64) {
	for c := range by {
		p := &by[c]
		p.upTo(now)
		dst[c] = p.integral
		p.integral = 0
	}
}

// averages is the clock of a queue without a policy, and what it has accumulated.
type averages struct {
	now      float64
	area     Area
	presence []presence // by class
}

// take is Simulator.take.
func (a *averages) take(to *integrals, times float64) {
	to.area.add(&a.area, times)
	a.area = Area{}
	takePresence(a.presence, a.now, to.presence)
}
