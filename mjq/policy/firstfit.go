package policy

// FirstFit goes through the whole queue in order of arrival and starts every job
// that fits in what is then free. It is Backfill with no reservation.
type FirstFit struct{}

func init() { register(FirstFit{}) }

// String returns the name of the policy.
func (FirstFit) String() string { return "FirstFit" }

// Properties returns the properties of the policy.
func (FirstFit) Properties() Properties {
	return Properties{Packs: true, InOrder: true, Interchangeable: true, Reserved: true, Order: ArrivalOrder, Types: Served, Nodes: Served}
}

// Validate asks for nothing more.
func (FirstFit) Validate(System) error { return nil }

// Scheduler starts with an empty queue.
func (FirstFit) Scheduler(s System) Scheduler {
	switch {
	case s.Booked:
		return &booked{}
	case s.Units == nil && !s.Nodes:
		return &poolFirstFit{}
	}
	return newFirstFit(s)
}

// firstFit starts the earliest job among the kinds that fit, level by level. That is the scan of the
// queue: servers only get fewer, so a job that was passed over never fits later in the pass.
// Cost: O(kinds that wait × types) a start.
type firstFit struct {
	*present
	base []int64 // by kind, what orders its level before the numbers of the jobs
}

func newFirstFit(s System) *firstFit {
	f, of := &firstFit{present: newPresent(len(s.Kinds))}, newLevels(s.Kinds)
	for k := range s.Kinds {
		f.base = append(f.base, of.base(k))
	}
	return f
}

func (s *firstFit) Pass(v *View) {
	for kinds := s.in(v); v.Jobs > 0; {
		first, kind := int64(None), -1
		for _, k := range kinds {
			if v.Waiting[k] > 0 && v.Oldest[k]+s.base[k] < first && v.Fits(k) {
				first, kind = v.Oldest[k]+s.base[k], k
			}
		}
		if kind < 0 {
			return
		}
		v.Start(kind)
	}
}

// poolFirstFit is firstFit for servers that are alike and one level, in less time: behind a need that
// does not fit no larger one does.
type poolFirstFit struct{}

func (*poolFirstFit) Pass(v *View) {
	for v.Jobs > 0 {
		first, kind := int64(None), -1
		for k, need := range v.Needs {
			if need > v.Free {
				break
			}
			if v.Oldest[k] < first {
				first, kind = v.Oldest[k], k
			}
		}
		if kind < 0 {
			return
		}
		v.engine.Start(kind)
	}
}
