package policy

// running are the ends of the jobs that run, by type of resource.
type running struct {
	needs [][]int // by kind and type
	ends  []ends  // by type
	pool  bool    // of servers that are alike, of which a job may hold others than its kind needs
}

func newRunning(s System) running {
	return running{s.needs(), make([]ends, len(s.units())), s.Units == nil}
}

// begins takes in a job that starts now.
func (r *running) begins(v *View, j *Job) {
	if r.pool {
		r.ends[0].insert(j.ID, j.Number, j.Need, v.Now+j.Estimate)
		return
	}
	for t, n := range r.needs[j.Kind] {
		if n > 0 {
			r.ends[t].insert(j.ID, j.Number, n, v.Now+j.Estimate)
		}
	}
}

// holds is how many units of a type a job has that runs.
func (r *running) holds(j *Job, t int) int {
	if r.pool {
		return j.Need
	}
	return r.needs[j.Kind][t]
}

// leaves forgets a job that has run, and returns when it was thought to end.
func (r *running) leaves(j *Job) (at float64) {
	if r.pool {
		return r.ends[0].remove(j.ID, j.Need)
	}
	for t, n := range r.needs[j.Kind] {
		if n > 0 {
			at = r.ends[t].remove(j.ID, n)
		}
	}
	return at
}

// Left forgets a job that has run.
func (r *running) Left(_ *View, j *Job) { r.leaves(j) }

// Shift moves the origin of time of the ends.
func (r *running) Shift(by float64) {
	for t := range r.ends {
		r.ends[t].shift(by)
	}
}

// agenda is what backfilling with more than one reservation goes by: of each type the ends of the
// jobs that run and the plan.
type agenda struct {
	running
	plans []plan
}

func newAgenda(s System) agenda {
	a := agenda{newRunning(s), make([]plan, len(s.units()))}
	for t := range a.plans {
		var of []int
		for _, need := range a.needs {
			of = append(of, need[t])
		}
		a.plans[t] = newPlan(of)
	}
	return a
}

// reset is the plan without reservations.
func (a *agenda) reset(v *View) {
	for t := range a.plans {
		a.plans[t].reset(v.Now, v.free(t), &a.ends[t])
	}
}

// forward drops what is past.
func (a *agenda) forward(now float64) {
	for t := range a.plans {
		a.plans[t].forward(now)
	}
}

// made reports whether there is a plan.
func (a *agenda) made() bool { return a.plans[0].made() }

// place is the earliest time from which all that a kind needs is free for so long: where
// the types, asked in turn, each for a time not before what the others have said, agree.
func (a *agenda) place(kind int, length float64) float64 {
	at, need := a.plans[0].begin(), a.needs[kind]
	for t, agreed := 0, 0; agreed < len(need); t = (t + 1) % len(need) {
		agreed++
		if need[t] == 0 {
			continue
		}
		if from := a.plans[t].place(need[t], length, at); from > at {
			at, agreed = from, 1
		}
	}
	return at
}

// reserve takes away what a kind needs for a stretch of time.
func (a *agenda) reserve(kind int, from, length float64) {
	for t, n := range a.needs[kind] {
		if n > 0 {
			a.plans[t].reserve(n, from, length)
		}
	}
}

// until is the time up to which what a kind needs is free from now on without a break.
func (a *agenda) until(kind int) (at float64) {
	at = forever
	for t, n := range a.needs[kind] {
		if n > 0 {
			at = min(at, a.plans[t].until(n))
		}
	}
	return at
}
