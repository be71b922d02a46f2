package policy

// agenda is what backfilling with more than one reservation, or with several types of
// resources, goes by: of each type the ends of the jobs that run and the plan.
type agenda struct {
	needs [][]int // by kind and type
	ends  []ends  // by type
	plans []plan
}

func newAgenda(types int, needs [][]int) agenda {
	a := agenda{needs, make([]ends, types), make([]plan, types)}
	for t := range a.plans {
		var of []int
		for _, need := range needs {
			of = append(of, need[t])
		}
		a.plans[t] = newPlan(of)
	}
	return a
}

// begins takes in a job that starts now.
func (a *agenda) begins(v *View, j *Job) {
	for t, n := range a.needs[j.Kind] {
		if n > 0 {
			a.ends[t].insert(j.ID, j.Number, n, v.Now+j.Estimate)
		}
	}
}

// leaves forgets a job that has run, and returns when it was thought to end.
func (a *agenda) leaves(j *Job) (at float64) {
	for t, n := range a.needs[j.Kind] {
		if n > 0 {
			at = a.ends[t].remove(j.ID, n)
		}
	}
	return at
}

// Shift moves the origin of time of the ends.
func (a *agenda) Shift(by float64) {
	for t := range a.ends {
		a.ends[t].shift(by)
	}
}

// reset is the plan without reservations.
func (a *agenda) reset(v *View) {
	if v.FreeUnits == nil {
		a.plans[0].reset(v.Now, v.Free, &a.ends[0])
		return
	}
	for t, free := range v.FreeUnits {
		a.plans[t].reset(v.Now, free, &a.ends[t])
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
