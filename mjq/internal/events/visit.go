package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// Record is the history of a job that has left. Times count from the arrival of the first job, or are
// those of the log.
type Record struct {
	Number         int64
	Class          int32
	Need           int
	Arrival, Start float64 // Start is the first
	End            float64
	Estimate       float64
	Fate           Fate
	estimate.Served
	Scattered bool // as many units were free as it needs when it came, and it had no place on the nodes
	Sizes          // of a job that has run, where some change their size
}

// arrive has the next job come and schedules its successor.
func (s *Simulator) arrive() {
	s.advance(s.arrival)
	if s.senders != nil && s.open > s.arrival {
		s.senders.send(s)
		s.arrived++
		s.nextArrival()
		return
	}
	if len(s.ready) == 0 {
		s.refill()
	}
	in := &s.ready[0]
	if s.held == nil {
		s.enter(in, s.arrived)
	} else {
		s.come(in, s.arrived)
	}
	s.arrival = s.view.Now + in.Gap
	s.ready = s.ready[1:]
	s.arrived++
	if s.senders != nil {
		s.open = s.arrival
		s.nextArrival()
	}
}

// enter puts a job into the queue.
func (s *Simulator) enter(in *Job, number int64) {
	if s.stretch != nil {
		in = s.stretch.least(in)
	}
	kind := s.kindOf(in)
	id, j := s.system.add()
	*j = job{}
	if s.senders != nil {
		s.senders.entered(id)
	}
	j.ID, j.Class, j.Owner, j.Kind, j.Need, j.Number = id, in.Class, in.Owner, kind, int(in.Need), number
	j.Arrival, j.Service, j.Estimate = s.view.Now, in.Service, in.Service
	if s.known.Estimates {
		s.estimate(j, in)
	}
	j.left = j.Service
	if s.more {
		s.introduce(j, in.Form)
	}
	s.system.append(&s.waiting[kind], id)
	if s.view.Waiting[kind]++; s.view.Waiting[kind] == 1 {
		s.view.Oldest[kind] = j.Number
	}
	s.view.Jobs++
	s.enters(in.Class)
	s.passDue, s.justArrived = true, true
	if s.overtook != nil {
		s.line.Push(id, int(in.Class))
	}
	if s.arriver != nil {
		s.arriver.Arrived(s.view, &j.Job)
	}
	if s.laws != nil {
		s.deadline(j)
	}
	if s.room != nil {
		s.admit(id, number)
	}
}

// depart ends the service that ends first.
func (s *Simulator) depart() {
	s.advance(s.ends.first())
	id := s.ends.pop().id
	j := &s.system.all[id]
	s.view.Free += j.Need
	if s.more {
		s.leavesServers(j)
	}
	s.view.Running[j.Kind]--
	j.running = false
	if s.known.Preemptive {
		s.system.remove(&s.running[j.Kind], id)
	}
	s.passDue = true
	if s.stretch == nil {
		s.served(j)
	}
	s.ended(j)
}

// introduce tells failures, sizes and nodes of a job that enters.
func (s *Simulator) introduce(j *job, form int32) {
	if s.stretch != nil {
		s.stretch.enters(j, form)
	}
	switch {
	case s.endure != nil:
		s.endure.enters(s, j)
	case s.failing != nil:
		s.failing.enters(j)
	}
	if s.nodes != nil {
		j.scattered = s.parted(j.Kind)
	}
}

// leavesServers gives back the servers or units of a job whose service is over.
func (s *Simulator) leavesServers(j *job) {
	if s.types != nil {
		s.release(j.Kind)
	}
	var servers []int32
	switch {
	case s.endure != nil:
		s.endure.ends(s, j)
	case s.stretch != nil:
		s.stretch.ends(s, j)
	case s.failing != nil:
		servers = s.failing.onlyBusy(s, j)
		s.failing.ends(j)
		s.failing.gives(s, j)
	}
	if s.nodes != nil {
		s.nodes.release(j, s.view.Now)
	}
	if servers != nil {
		s.failing.forgets(s, servers)
	}
}

// ended takes out a job that does not run any more.
func (s *Simulator) ended(j *job) {
	s.leaves(j.Class)
	if s.held != nil {
		s.leavesLimits(j)
	}
	if s.senders != nil {
		s.senders.left(s, j)
	}
	if s.filesLast {
		wait := j.began - j.Arrival
		if j.stopped > 0 || s.failing != nil && s.endure == nil && s.failing.changed(s, j) {
			wait = max(0, s.view.Now-j.Arrival-j.Service)
			if s.failing != nil && wait < slack*(j.Service+math.Abs(s.view.Now)) { // by rounding
				wait = 0
			}
		}
		s.file(j, s.view.Now, wait)
	}
	if s.leaver != nil {
		s.leaver.Left(s.view, &j.Job)
	}
	s.system.free = append(s.system.free, j.ID)
}

// served reports that a job has run until now.
func (s *Simulator) served(j *job) {
	if s.Served != nil {
		s.Served(j.Number, j.Class, j.Need, s.origin+j.from, s.origin+s.view.Now)
	}
}

// file records a job.
func (s *Simulator) file(j *job, end, wait float64) {
	if s.Recorded == nil {
		return
	}
	r := &s.record
	r.Number, r.Class, r.Need, r.Estimate = j.Number, j.Class, j.Need, j.Estimate
	r.Arrival, r.Start, r.End = s.origin+j.Arrival, s.origin+j.began, s.origin+end
	r.Wait, r.Service, r.FirstWait, r.Preemptions = wait, j.Service, j.began-j.Arrival, int(j.stopped)
	r.Fate, r.Killed, r.Scattered = j.fate, j.killed, j.scattered
	if s.filesLast {
		s.fileCourse(j, end, r)
	}
	s.Recorded(r)
}

// fileCourse records what came between the start of a job and its end.
func (s *Simulator) fileCourse(j *job, end float64, r *Record) {
	r.Lost, r.Dropped, r.Interruptions = 0, false, 0
	if s.stopper != nil && j.stopped > 0 {
		r.lose(j, s.ran[j.ID]+(end-j.from))
	}
	switch {
	case s.endure != nil:
		s.endure.tells(s, j, r)
	case s.failing != nil:
		r.Interruptions, r.Lost, r.Dropped = int(s.failing.runs[j.ID].hits), s.failing.lost(s, j), j.dropped
	case s.stretch != nil:
		s.stretch.tells(j, end, r)
	}
}

// refill reads jobs ahead. It also moves the origin of time to now, so that long runs keep their
// precision. It does so only once as many jobs have arrived as there are times to change, so that the
// cost of a job does not grow with the queue.
func (s *Simulator) refill() {
	s.ready = s.jobs[:s.feed.Next(s.jobs[:])]
	if !s.paired && s.arrived-s.moved >= int64(s.InSystem()) {
		s.rebase()
	}
}
