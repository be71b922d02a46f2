package policy

import "github.com/mjqueue/mjq/internal/ranks"

// PreemptiveFirstFit goes through all jobs in the system in order of arrival, serves
// each that fits in what the earlier ones leave, and stops the others.
type PreemptiveFirstFit struct{}

func init() { register(PreemptiveFirstFit{}) }

// String is the name.
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
	return &preemptiveFirstFit{order: ranks.New(len(s.Kinds)), more: make([]int, len(s.Kinds))}
}

// preemptiveFirstFit finds for each kind, from the largest need down, the place in the
// order of arrival from which on it no longer fits. Servers only get fewer along that
// order, so larger needs stop fitting earlier, and of each kind the earliest jobs run.
// Cost: O(kinds² log n) a pass after a completion, O(1) an arrival, besides the jobs
// that start and stop.
type preemptiveFirstFit struct {
	order *ranks.Order
	fresh []int32 // kinds of the jobs that have arrived since the last pass
	left  bool    // one has left since then
	more  []int   // of the fresh jobs, those that start, by kind
}

func (s *preemptiveFirstFit) Arrived(_ *View, j *Job) {
	s.order.Push(j.ID, j.Kind)
	s.fresh = append(s.fresh, int32(j.Kind))
}

func (s *preemptiveFirstFit) Left(_ *View, j *Job) {
	s.order.Remove(j.ID, j.Kind)
	s.left = true
}

func (s *preemptiveFirstFit) Pass(v *View) {
	if s.left {
		s.again(v)
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

// again goes through the whole order.
func (s *preemptiveFirstFit) again(v *View) {
	free := v.Servers // for the kinds up to the one at hand
	for k := len(v.Needs) - 1; k >= 0; k-- {
		jobs := v.Waiting[k] + v.Running[k]
		if jobs == 0 {
			continue
		}
		// Job after job of the kinds up to k, until less than the need of k is left. The
		// larger ones have been taken all at once, and no job of k is between those
		// that they come too early for.
		n := s.order.UpTo(s.order.Last(v.Needs[:k+1], free-v.Needs[k])+1, k)
		free -= n * v.Needs[k]
		served(v, k, n)
	}
}
