package events

// enduring are the jobs of a queue on servers that fail, where some of them change their size. Each goes
// through its run phase by phase, and all of its time is accounted for at the size that it has then. A
// failure takes its server from the job. One that shrinks goes on with the others, if they are at least its
// least, once the failure is detected; for all others follows what follows for jobs of one size. A job
// that takes servers takes those of the lowest numbers, and gives back those of the highest. Cost: that of
// stretching, and of a change of size a step for each server that changes hands.
type enduring struct {
	legs     []leg   // by job
	unseated []int32 // jobs that have started in this pass, which take their servers after it
	turns    uint64  // starts
}

// leg is the state of a job that neither its stretch nor its stint has.
type leg struct {
	turn     uint64  // of its last start, among all starts
	again    bool    // it has run before, and begins with a recovery
	recovers float64 // recovery that is to come
	worked   float64 // work since the last checkpoint
	writing  bool    // a checkpoint
	writes   float64 // what is left of it
	open     pending
	kept     amount  // work, and time to resize, that no failure can take
	held     float64 // time for which it held servers
	struck   []int32 // servers that have failed since it was hit
	changed  bool    // it has lost servers since its size was found
}

// amount is a time, and servers times time.
type amount struct{ time, servers float64 }

func (a *amount) add(time float64, size int) {
	a.time += time
	a.servers += time * float64(size)
}

// pending is what a job has done that a failure can take.
type pending struct{ work, stands, writes amount }

// enters takes in a job that comes.
func (e *enduring) enters(s *Simulator, j *job) {
	f := s.failing
	for int(j.ID) >= len(f.runs) {
		f.runs = append(f.runs, stint{})
	}
	for int(j.ID) >= len(e.legs) {
		e.legs = append(e.legs, leg{})
	}
	f.runs[j.ID] = stint{seats: f.runs[j.ID].seats[:0]}
	e.legs[j.ID] = leg{struck: e.legs[j.ID].struck[:0]}
	j.Estimate = e.next(s, j)
}

// rest is how long a run takes from here with so much work to do, at the present size and without failures.
func (e *enduring) rest(s *Simulator, j *job, work float64) float64 {
	l, after := &e.legs[j.ID], &s.failing.After[j.Class]
	work = max(0, work)
	n := checkpoints(after, work+l.worked)
	if l.writing {
		n--
	}
	return l.recovers + l.writes + max(0, n)*after.Cost + work/s.stretch.runs[j.ID].rate
}

// begins has a run begin, which is the first or comes after a failure.
func (e *enduring) begins(s *Simulator, j *job) {
	r, l := &s.stretch.runs[j.ID], &e.legs[j.ID]
	e.turns++
	l.turn, r.since, r.until = e.turns, s.view.Now, s.view.Now
	if l.again {
		l.recovers = s.failing.After[j.Class].Recovery
	}
	l.again, l.changed = true, false
	s.stretch.stale = true
	if s.stretch.varies(j.ID) {
		r.fresh = true
		s.stretch.order = append(s.stretch.order, j.ID)
	}
}

// starts has a job run that waited, and returns how long it does at its present size.
func (e *enduring) starts(s *Simulator, j *job) float64 {
	f := s.failing
	if run := &f.runs[j.ID]; run.waits {
		run.waits = false
		f.back--
	}
	e.unseated = append(e.unseated, j.ID)
	f.held += j.Need
	f.open -= j.Need
	f.level(s)
	e.begins(s, j)
	return e.rest(s, j, s.stretch.runs[j.ID].left)
}

// share finds the sizes after a pass. First those that shrink give servers back, then the jobs take theirs
// that have started, and then those grow that do.
func (e *enduring) share(s *Simulator) {
	x, f := s.stretch, s.failing
	if !x.stale {
		return
	}
	x.stale = false
	sizes := x.shares.find(x, s.view.Free)
	for i, id := range x.order {
		if less := x.runs[id].size - sizes[i]; less > 0 {
			e.gives(s, &s.system.all[id], f.runs[id].shed(less))
			e.resize(s, id, sizes[i])
		}
	}
	for _, id := range e.unseated {
		e.takes(s, &s.system.all[id], x.runs[id].size)
	}
	e.unseated = e.unseated[:0]
	for i, id := range x.order {
		if more := sizes[i] - x.runs[id].size; more > 0 {
			e.takes(s, &s.system.all[id], more)
			e.resize(s, id, sizes[i])
		} else if e.legs[id].changed {
			e.resize(s, id, sizes[i])
		}
		x.runs[id].fresh = false
	}
}

// takes gives servers to a job.
func (e *enduring) takes(s *Simulator, j *job, servers int) {
	f := s.failing
	f.runs[j.ID].seats = f.seats.take(f.runs[j.ID].seats, servers)
	f.clocks.taken(f, s, j)
}

// gives takes servers back from a job, and returns how many of them are up.
func (e *enduring) gives(s *Simulator, j *job, list []seat) (up int) {
	f := s.failing
	up = f.seats.give(list)
	if !f.clocks.plain {
		var servers []int32
		eachSeat(list, func(x int32) { servers = append(servers, x) })
		f.forgets(s, servers)
	}
	return up
}

// resize has a job go on with other servers. It stands still for a time, unless it has only just started.
func (e *enduring) resize(s *Simulator, id int32, size int) {
	x, l := s.stretch, &e.legs[id]
	j, r, f := &s.system.all[id], &x.runs[id], x.form(id)
	e.passes(s, j)
	x.extra += size - r.size
	r.size, r.rate, r.until = size, f.Speed[size], s.view.Now
	if !r.fresh {
		r.until += f.Cost
		r.Resizes++
	}
	l.changed = false
	s.ends.remove(id)
	e.continues(s, j)
}

// continues expects the end of a job that runs.
func (e *enduring) continues(s *Simulator, j *job) {
	r := &s.stretch.runs[j.ID]
	s.ends.push(departure{max(s.view.Now, r.until) + e.rest(s, j, r.left), j.ID})
	if returner := s.failing.returner; returner != nil {
		j.Estimate = max(0, r.until-s.view.Now) + e.rest(s, j, r.estimate)
		returner.Returned(s.view, &j.Job, true)
	}
}

// passes accounts for what a job that runs has done since its last change.
func (e *enduring) passes(s *Simulator, j *job) {
	r, l, from := &s.stretch.runs[j.ID], &e.legs[j.ID], max(s.stretch.runs[j.ID].since, s.stretch.runs[j.ID].until)
	now := s.view.Now
	l.open.stands.add(max(0, min(now, r.until)-r.since), r.size)
	e.holds(s, j)
	e.works(s, j, now-from)
}

// holds accounts for the servers that a job has held since its last change.
func (e *enduring) holds(s *Simulator, j *job) {
	s.stretch.hold(s, j, &s.stretch.runs[j.ID])
	r := &s.stretch.runs[j.ID]
	e.legs[j.ID].held += s.view.Now - r.since
	r.since = s.view.Now
}

// works has a job go on for a time.
func (e *enduring) works(s *Simulator, j *job, time float64) {
	r, l, after := &s.stretch.runs[j.ID], &e.legs[j.ID], &s.failing.After[j.Class]
	tiny := slack * s.view.Now
	for parts := 3 + 2*checkpoints(after, r.left+l.worked); parts > 0 && time > 0; parts-- {
		step := time
		switch {
		case l.recovers > 0:
			step = min(time, l.recovers)
			l.recovers -= step
			s.failing.hours.Recovery += step * float64(r.size)
		case l.writing:
			if step = min(time, l.writes); l.writes-step <= tiny {
				step = l.writes
			}
			l.open.writes.add(step, r.size)
			if l.writes -= step; l.writes == 0 {
				e.safe(s, j)
			}
		default:
			work, due := step*r.rate, false
			if left := after.Every - l.worked; checkpoints(after, r.left+l.worked) > 0 && left <= work+tiny*r.rate {
				step, work, due = left/r.rate, left, true
			}
			l.open.work.add(step, r.size)
			r.left, r.estimate, l.worked = r.left-work, r.estimate-work, l.worked+work
			if due && after.Cost == 0 {
				e.safe(s, j)
			} else if due {
				l.writing, l.writes = true, after.Cost
			}
		}
		time -= step
	}
}

// safe has no failure take what a job has done until now.
func (e *enduring) safe(s *Simulator, j *job) {
	l, h := &e.legs[j.ID], &s.failing.hours
	h.Kept += l.open.work.servers
	h.Resizing += l.open.stands.servers
	h.Checkpoints += l.open.writes.servers
	l.kept.time += l.open.work.time + l.open.stands.time
	l.kept.servers += l.open.work.servers + l.open.stands.servers
	l.open, l.worked, l.writing, l.writes = pending{}, 0, false, 0
}

// next is how long the next run of a job is expected to take.
func (e *enduring) next(s *Simulator, j *job) (time float64) {
	time = e.rest(s, j, s.stretch.runs[j.ID].estimate)
	if e.legs[j.ID].again {
		time += s.failing.After[j.Class].Recovery
	}
	return time
}

// ends takes out a job that has run.
func (e *enduring) ends(s *Simulator, j *job) {
	f, x := s.failing, s.stretch
	e.passes(s, j)
	e.safe(s, j)
	x.stale = true
	more := 0
	if x.varies(j.ID) {
		x.leave(j.ID)
		more = x.runs[j.ID].size - j.Need
		x.extra -= more
	}
	f.open += e.gives(s, j, f.runs[j.ID].seats) - more
	f.held -= j.Need
	f.level(s)
}

// serves returns the service of a job that leaves, the time that it lost, and its wait.
func (e *enduring) serves(s *Simulator, j *job) (service, lost, wait float64) {
	l, now := &e.legs[j.ID], s.view.Now
	service, wait = j.Service, j.began-j.Arrival
	form := s.stretch.runs[j.ID].form > 0
	if f := s.failing; f.runs[j.ID].hits == 0 && checkpoints(&f.After[j.Class], j.Service) == 0 {
		if form {
			service = now - j.began
		}
		return service, 0, wait
	}
	if j.dropped {
		service, lost = l.held, l.held
	} else {
		if form {
			service = l.kept.time
		}
		if lost = l.held - service; lost < slack*(service+l.held+now) { // by rounding
			lost = 0
		}
	}
	if wait = now - j.Arrival - service; wait < slack*(service+now) { // by rounding
		wait = 0
	}
	return service, lost, wait
}

// tells completes the record of a job that leaves.
func (e *enduring) tells(s *Simulator, j *job, to *Record) {
	r := &s.stretch.runs[j.ID]
	to.Sizes = r.Sizes
	if r.form > 0 {
		to.Need = s.stretch.Forms[r.form-1].Need
	}
	to.Service, to.Lost, to.Wait = e.serves(s, j)
	to.Interruptions, to.Dropped = int(s.failing.runs[j.ID].hits), j.dropped
	if to.Wasted = r.Held - e.legs[j.ID].kept.servers; j.dropped {
		to.Wasted = r.Held
	} else if to.Lost == 0 {
		to.Wasted = 0
	}
}

// reset is without jobs.
func (e *enduring) reset() { e.legs, e.unseated, e.turns = e.legs[:0], e.unseated[:0], 0 }
