package events

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/policy"
)

// loses settles which part of a run is kept that a failure has ended.
func (e *enduring) loses(s *Simulator, j *job) {
	r, l, f := &s.stretch.runs[j.ID], &e.legs[j.ID], s.failing
	after := &f.After[j.Class]
	l.recovers = 0
	if after.How == policy.Resume {
		e.safe(s, j)
		return
	}
	r.left, r.estimate = r.left+l.worked, r.estimate+l.worked
	if after.How == policy.Restart {
		r.left = j.Service
	}
	f.hours.Lost += l.open.work.servers + l.open.stands.servers + l.open.writes.servers
	l.open, l.worked, l.writing, l.writes = pending{}, 0, false, 0
	if after.How == policy.Resampled {
		j.Service = f.Work[j.Class].Sample(f.clocks.draws(resampledDraws+uint64(j.Number), uint64(f.runs[j.ID].hits)))
		r.left, r.estimate, r.Work = j.Service, j.Service, j.Service
	}
}

// strikes has a job lose a server that fails. It holds all others until the failure is detected.
func (e *enduring) strikes(s *Simulator, id, server int32) {
	f, x := s.failing, s.stretch
	j, run, l := &s.system.all[id], &f.runs[id], &e.legs[id]
	if !slices.Contains(l.struck, server) {
		l.struck = append(l.struck, server)
	}
	if run.detects {
		return
	}
	e.passes(s, j)
	s.ends.remove(id)
	run.hits++
	run.detects = true
	f.hours.Detection += float64(x.runs[id].size) * f.After[j.Class].Detection
	if x.varies(id) {
		x.leave(id)
		more := x.runs[id].size - j.Need
		x.extra -= more
		f.held += more
		f.open -= more
	}
	f.detects.pushNew(departure{s.view.Now + f.After[j.Class].Detection, id})
}

// detected ends the detection of a failure.
func (e *enduring) detected(s *Simulator, id int32) {
	f, x := s.failing, s.stretch
	j, run, l := &s.system.all[id], &f.runs[id], &e.legs[id]
	after, size := &f.After[j.Class], x.runs[id].size
	run.detects = false
	e.holds(s, j)
	if left := size - len(l.struck); after.Shrink && x.varies(id) && left >= j.Need {
		e.shrinks(s, j, left)
		return
	}
	e.loses(s, j)
	all := after.How != policy.Drop
	eachSeat(run.seats, func(server int32) { all = all && f.up(s, server) })
	l.struck = l.struck[:0]
	if all {
		e.melts(s, j, size)
		e.begins(s, j)
		j.from = s.view.Now
		e.continues(s, j)
		return
	}
	e.stops(s, j)
	if after.How == policy.Drop {
		j.dropped = true
		s.ended(j)
		return
	}
	f.waitsAgain(s, j)
}

// shrinks has a job go on with the servers that it has left.
func (e *enduring) shrinks(s *Simulator, j *job, size int) {
	f, x, l := s.failing, s.stretch, &e.legs[j.ID]
	f.open += e.gives(s, j, f.runs[j.ID].without(l.struck))
	l.struck, l.changed = l.struck[:0], true
	r := &x.runs[j.ID]
	held := r.size
	r.size, r.rate, r.until = size, x.form(j.ID).Speed[size], s.view.Now
	e.melts(s, j, held)
	at := 0
	for at < len(x.order) && e.legs[x.order[at]].turn < l.turn {
		at++
	}
	x.order = slices.Insert(x.order, at, j.ID)
	s.ends.push(departure{s.view.Now + e.rest(s, j, r.left), j.ID})
}

// melts has a job that held so many servers by force hold what it has beyond its least by leave.
func (e *enduring) melts(s *Simulator, j *job, held int) {
	f, x := s.failing, s.stretch
	if !x.varies(j.ID) {
		return
	}
	more := x.runs[j.ID].size - j.Need
	f.held -= held - j.Need
	f.open += more
	x.extra += more
	x.stale = true
	f.level(s)
}

// stops takes the servers of a job away that was hit.
func (e *enduring) stops(s *Simulator, j *job) {
	f, r := s.failing, &s.stretch.runs[j.ID]
	f.open += e.gives(s, j, f.runs[j.ID].seats)
	f.runs[j.ID].seats = f.runs[j.ID].seats[:0]
	f.held -= r.size
	f.level(s)
	j.running = false
	s.view.Running[j.Kind]--
	s.stretch.stale, s.passDue = true, true
	if r.form > 0 {
		form := &s.stretch.Forms[r.form-1]
		j.Need, r.size, r.rate = form.Least, form.Least, form.Speed[form.Least]
	}
	j.Estimate = e.next(s, j)
}
