package policy

// Ahead is a [Placer] that finds where a job would lie once running jobs have ended.
type Ahead interface {
	Placer
	// Foresee begins the search for the future place of a job of a kind, from the current contents of the
	// nodes.
	Foresee(kind int)
	// Ends removes a running job from a copy of the nodes, and reports whether the job that Foresee named
	// then has a place.
	Ends(id int32) bool
	// Reserve reserves the place that this job then has.
	Reserve()
	// Spares reports whether a job of a kind has a place now that takes no reserved units.
	Spares(kind int) bool
	// StartSparing starts a job at such a place, which it keeps beyond the shadow time.
	StartSparing(id int32)
}

// nodesAhead is the outlook on nodes. The shadow time is the first time at which the head of the queue
// has a place if the running jobs end as estimated and no job starts. That place is reserved.
// Cost: O(jobs that run and end before the shadow time) for a shadow.
type nodesAhead struct {
	ahead Ahead
	ends  ends
}

func (a *nodesAhead) shadow(v *View, kind int) (at float64) {
	a.ahead = v.placer.(Ahead)
	a.ahead.Foresee(kind)
	shadow, found := v.Now, false
	a.ends.ascend(func(id int32, at float64) bool {
		if found && at > shadow {
			return false
		}
		if a.ahead.Ends(id) && !found {
			shadow, found = max(v.Now, at), true
		}
		return true
	})
	if !found { // nodes are down
		return forever
	}
	a.ahead.Reserve()
	return shadow
}

func (a *nodesAhead) spares(kind int) bool { return a.ahead.Spares(kind) }

func (a *nodesAhead) start(v *View, j *Job, beyond bool) {
	if beyond {
		a.ahead.StartSparing(j.ID)
	} else {
		v.engine.StartJob(j.ID)
	}
	a.ends.insert(j.ID, j.Number, 1, v.Now+j.Estimate)
}

// Left forgets a job that has run.
func (a *nodesAhead) Left(_ *View, j *Job) { a.ends.remove(j.ID, 1) }

// Shift moves the origin of time.
func (a *nodesAhead) Shift(by float64) { a.ends.shift(by) }
