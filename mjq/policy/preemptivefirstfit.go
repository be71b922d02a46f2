package policy

// PreemptiveFirstFit goes through all jobs in the system in order of arrival, serves
// each that fits in what the earlier ones leave, and stops the others.
type PreemptiveFirstFit struct{}

func init() { register(PreemptiveFirstFit{}) }

// String returns the name of the policy.
func (PreemptiveFirstFit) String() string { return "PreemptiveFirstFit" }

// Properties returns the properties of the policy.
func (PreemptiveFirstFit) Properties() Properties {
	return Properties{Preemptive: true, Packs: true, InOrder: true, Types: Served}
}

// Validate asks for nothing more.
func (PreemptiveFirstFit) Validate(System) error { return nil }

// Scheduler starts with an empty system.
func (PreemptiveFirstFit) Scheduler(s System) Scheduler {
	if s.Units != nil {
		return newTypedPreemptiveFirstFit(len(s.Units), len(s.Kinds))
	}
	return &preemptiveFirstFit{levelOrders: newLevelOrders(newLevels(s.Kinds), (*levelOrders).firstFit), more: make([]int, len(s.Kinds))}
}

// preemptiveFirstFit is levelOrders.firstFit of one level, where jobs that arrive are last in the
// order and stop nobody. Cost: O(kinds² log n) a pass after a completion, O(1) an arrival, besides the
// jobs that start and stop.
type preemptiveFirstFit struct {
	*levelOrders
	fresh []int32 // kinds of the jobs that have arrived since the last pass
	left  bool    // one has left since then
	more  []int   // of the fresh jobs, those that start, by kind
}

func (s *preemptiveFirstFit) Arrived(v *View, j *Job) {
	s.levelOrders.Arrived(v, j)
	s.fresh = append(s.fresh, int32(j.Kind))
}

func (s *preemptiveFirstFit) Left(v *View, j *Job) {
	s.levelOrders.Left(v, j)
	s.left = true
}

// Reneged takes a job out.
func (s *preemptiveFirstFit) Reneged(v *View, j *Job) { s.Left(v, j) }

func (s *preemptiveFirstFit) Pass(v *View) {
	if s.left {
		s.firstFit(v, 0, v.Servers)
	} else {
		s.append(v)
	}
	s.fresh, s.left = s.fresh[:0], false
}

// append serves what fits of the jobs that are last in the order.
func (s *preemptiveFirstFit) append(v *View) {
	free := v.Free
	for _, k := range s.fresh {
		if v.Needs[k] <= free {
			free -= v.Needs[k]
			s.more[k]++
		}
	}
	for _, k := range s.fresh {
		if s.more[k] > 0 {
			v.Serve(int(k), v.Running[k]+s.more[k])
			s.more[k] = 0
		}
	}
}
