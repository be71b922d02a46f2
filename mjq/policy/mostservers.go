package policy

// MostServersFirst starts the largest job that fits, ties to the earliest, until none
// fits; also called Best-Fit. It is not preemptive.
type MostServersFirst struct{}

func init() { register(MostServersFirst{}) }

// String returns the name of the policy.
func (MostServersFirst) String() string { return "MostServersFirst" }

// Properties returns the properties of the policy.
func (MostServersFirst) Properties() Properties {
	return Properties{Packs: true, InOrder: true, Interchangeable: true, Order: LargestOrder, Types: Served, Nodes: Served}
}

// Validate asks for nothing more.
func (MostServersFirst) Validate(System) error { return nil }

// Scheduler has no state.
func (MostServersFirst) Scheduler(s System) Scheduler { return newMostServersFirst(s) }

// mostServersFirst starts the largest jobs of level after level. Cost: O(kinds) a pass.
type mostServersFirst struct{ order []int }

func newMostServersFirst(s System) *mostServersFirst {
	return &mostServersFirst{largestFirst(s.Kinds)}
}

func (s *mostServersFirst) Pass(v *View) {
	if v.Jobs == 0 {
		return
	}
	for _, k := range s.order {
		for v.Waiting[k] > 0 && v.Start(k) {
		}
	}
}
