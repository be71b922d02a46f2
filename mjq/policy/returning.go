package policy

// Returner is a Scheduler that takes back a job that it has started, because a server of the job has
// failed. The job has its place in the queue by arrival, and its number, as before. If it runs, it has
// begun again on the servers that it holds, and only its estimate has changed. An engine tells of the
// job before the pass.
type Returner interface {
	Returned(v *View, j *Job, runs bool)
}

// accounting is a scheduler whose account of jobs is not that of what it is made of: what these take back,
// it does not.
type accounting interface{ accounts() }

// TakesBack reports whether jobs that run may return to the queue of a scheduler without its doing:
// it keeps no account of jobs, or is a [Returner].
func TakesBack(s Scheduler) bool {
	if _, is := s.(accounting); is {
		return false
	}
	_, arrives := s.(Arriver)
	_, leaves := s.(Leaver)
	_, returns := s.(Returner)
	return !arrives && !leaves || returns
}

// Returned puts the job back into the line at its place by number, which is near the head.
func (s *fcfs) Returned(_ *View, j *Job, runs bool) {
	if runs {
		return
	}
	s.line.PushFront(inLine{j.Number, int32(j.Kind)})
	for i := 1; i < s.line.Len() && s.line.At(i).number < j.Number; i++ {
		*s.line.At(i - 1), *s.line.At(i) = *s.line.At(i), *s.line.At(i - 1)
	}
}

// Returned puts the job back into the line of its level.
func (s *levelLines) Returned(v *View, j *Job, runs bool) { s.lines[s.of[j.Kind]].Returned(v, j, runs) }

// Returned takes in the kind of the job.
func (p *present) Returned(v *View, j *Job, _ bool) { p.Arrived(v, j) }

// Returned forgets when the job was thought to end, and puts it back into the line of its kind.
func (s *easy) Returned(v *View, j *Job, runs bool) {
	s.Left(v, j)
	if runs {
		s.continues(v, j)
		return
	}
	s.lines[j.Kind].insert(j)
	s.present.Arrived(v, j)
}

// insert puts a job at its place by number. Most come back to before the first.
func (e *earliest) insert(j *Job) {
	if e.count > 0 && e.first > 0 && j.Number < e.jobs[e.first].number {
		e.first--
		e.jobs[e.first] = place{number: j.Number, estimate: j.Estimate, id: j.ID, here: true}
		e.set(e.first, j.Estimate)
		e.count++
		return
	}
	e.push(j)
	for i := e.next - 1; i > e.first && e.jobs[i-1].number > j.Number; i-- {
		e.jobs[i-1], e.jobs[i] = e.jobs[i], e.jobs[i-1]
		a, b := e.tree[len(e.jobs)+i-1], e.tree[len(e.jobs)+i]
		e.set(i-1, b)
		e.set(i, a)
	}
}

// continues expects the end of a job that has begun again.
func (a *unitsAhead) continues(v *View, j *Job) { a.begins(v, j) }

// continues expects the end of a job that has begun again.
func (a *nodesAhead) continues(v *View, j *Job) { a.ends.insert(j.ID, j.Number, 1, v.Now+j.Estimate) }
