package policy

// PreemptiveMostServersFirst serves the largest jobs in the system first, ties to the
// earliest, each that fits, and stops the others. The largest class sees no other.
type PreemptiveMostServersFirst struct{}

func init() { register(PreemptiveMostServersFirst{}) }

// String is the name.
func (PreemptiveMostServersFirst) String() string { return "PreemptiveMostServersFirst" }

// Properties returns the properties of the policy.
func (PreemptiveMostServersFirst) Properties() Properties {
	return Properties{Preemptive: true, Packs: true, InOrder: true}
}

// Validate asks that every class fits.
func (p PreemptiveMostServersFirst) Validate(servers int, classes []Class) error {
	return fits(p, servers, classes)
}

// Scheduler has no state.
func (PreemptiveMostServersFirst) Scheduler(_ int, needs []int) Scheduler {
	return &preemptiveMost{make([]int, len(needs))}
}

// preemptiveMost costs O(kinds) a pass, besides the jobs that start and stop.
type preemptiveMost struct{ jobs []int }

func (s *preemptiveMost) Pass(v *View) {
	for k := range s.jobs {
		s.jobs[k] = v.Waiting[k] + v.Running[k]
	}
	serveMost(v, s.jobs)
}
