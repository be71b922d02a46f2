package events

import "github.com/mjqueue/mjq/mjq/policy"

// pass asks the policy what starts and stops now.
func (s *Simulator) pass() {
	if s.held != nil {
		s.letIn()
	}
	s.passDue, s.justArrived = false, false
	s.sched.Pass(s.view)
	if s.more || s.known.Preemptive {
		s.afterPass()
	}
}

// afterPass does what a pass has asked for, and tells nodes, sleep and sizes of it.
func (s *Simulator) afterPass() {
	if s.nodes != nil {
		s.lookAtHead()
	}
	if len(s.asked) > 0 {
		s.serve()
	}
	if s.sleep != nil {
		s.sleep.adjust(s)
	}
	switch {
	case s.endure != nil:
		s.endure.share(s)
	case s.stretch != nil:
		s.stretch.share(s)
	}
}

// serve stops and starts jobs until those run that the policy has asked for.
func (s *Simulator) serve() {
	for _, k := range s.asked {
		for s.view.Running[k] > s.want[k] {
			s.preempt(s.running[k].tail)
		}
	}
	for _, k := range s.asked {
		for s.view.Running[k] < s.want[k] {
			s.start(s.waiting[k].head)
		}
		s.want[k] = -1
	}
	s.asked = s.asked[:0]
}

// start has a job run that waits.
func (s *Simulator) start(id int32) {
	j := &s.system.all[id]
	v := s.view
	if j.Need > v.Free {
		panic(s.tooMany())
	}
	if s.stretch != nil {
		s.stretch.sized(s, j)
	}
	line := &s.waiting[j.Kind]
	s.system.remove(line, id)
	v.Free -= j.Need
	v.Jobs--
	v.Waiting[j.Kind]--
	v.Running[j.Kind]++
	s.oldest(j.Kind)
	if s.known.Preemptive {
		s.system.append(&s.running[j.Kind], id)
	}
	for int(id) >= len(s.ends.place) {
		s.ends.place = append(s.ends.place, 0)
	}
	length := j.left
	if s.more {
		length = s.takesServers(j)
	}
	s.ends.push(departure{v.Now + length, id})
	j.running, j.from = true, v.Now
	if s.Seizes != nil {
		s.Seizes(j.Number, j.Need)
	}
	if s.laws != nil && (!j.started || s.stopped) {
		s.starts(id)
	}
	if j.started {
		return
	}
	j.started, j.began = true, v.Now
	if s.overtook != nil {
		s.overtakes(j)
	}
	if s.Started != nil {
		s.Started(j.Number, j.Class, v.Now-j.Arrival, j.Service)
	}
	if !s.filesLast {
		s.file(j, v.Now+j.left, v.Now-j.Arrival)
	}
}

// takesServers takes the servers or units of a job that starts, and returns how long it holds them.
func (s *Simulator) takesServers(j *job) (length float64) {
	if s.types != nil {
		s.seize(j.Kind)
	}
	if s.nodes != nil {
		s.nodes.seize(j, s.view.Now)
	}
	switch {
	case s.endure != nil:
		return s.endure.starts(s, j)
	case s.failing != nil:
		return s.failing.takes(s, j)
	case s.stretch != nil:
		return s.stretch.starts(s, j)
	}
	return j.left
}

// tooMany is what a policy of a user's is told of jobs that do not fit.
func (s *Simulator) tooMany() string {
	return "the policy " + s.policy.String() + " serves jobs that need more servers together than there are"
}

// oldest says which job of a kind waits longest.
func (s *Simulator) oldest(kind int) {
	s.view.Oldest[kind] = policy.None
	if head := s.waiting[kind].head; head != nobody {
		s.view.Oldest[kind] = s.system.all[head].Number
	}
}

// preempt stops a job, which waits again before all others of its kind or has left.
func (s *Simulator) preempt(id int32) (left bool) {
	j := &s.system.all[id]
	v := s.view
	j.left = s.remaining(id)
	s.ends.remove(id)
	s.system.remove(&s.running[j.Kind], id)
	j.running = false
	j.stopped++
	v.Free += j.Need
	if s.types != nil {
		s.release(j.Kind)
	}
	if s.nodes != nil {
		s.nodes.release(j, v.Now)
	}
	v.Running[j.Kind]--
	s.served(j)
	if s.stopper != nil && s.loses(j) {
		return true
	}
	s.system.prepend(&s.waiting[j.Kind], id)
	v.Jobs++
	v.Waiting[j.Kind]++
	v.Oldest[j.Kind] = j.Number
	if s.laws != nil && s.stopped {
		s.waitsAgain(id)
	}
	return false
}

func (s *Simulator) remaining(id int32) float64 {
	j := &s.system.all[id]
	if !j.running {
		return j.left
	}
	return s.ends.heap[s.ends.place[id]].at - s.view.Now
}

// engine is a Simulator as policies know it.
type engine Simulator

// Start starts the earliest job of a kind that waits.
func (e *engine) Start(kind int) { (*Simulator)(e).start(e.waiting[kind].head) }

// StartJob starts a job that waits.
func (e *engine) StartJob(id int32) { (*Simulator)(e).start(id) }

// Preempt stops a job that runs. It reports whether the job has left.
func (e *engine) Preempt(id int32) (left bool) { return (*Simulator)(e).preempt(id) }

// Serve is carried out at the end of the pass.
func (e *engine) Serve(kind, jobs int) {
	if !e.known.Preemptive {
		panic("the policy " + e.policy.String() + " stops jobs and does not say that it is preemptive; make it with NewPreemptive")
	}
	if e.want[kind] < 0 {
		e.asked = append(e.asked, kind)
	}
	e.want[kind] = jobs
}

// Job is a job in the system.
func (e *engine) Job(id int32) *policy.Job { return &e.system.all[id].Job }

// Remaining is the service that a job has still to get.
func (e *engine) Remaining(id int32) float64 { return (*Simulator)(e).remaining(id) }

// Runs reports whether a job runs.
func (e *engine) Runs(id int32) bool { return e.system.all[id].running }

// Queue appends the jobs that wait, kind by kind.
func (e *engine) Queue(dst []*policy.Job) []*policy.Job {
	for _, line := range e.waiting {
		for id := line.head; id != nobody; id = e.system.all[id].next {
			dst = append(dst, &e.system.all[id].Job)
		}
	}
	return dst
}
