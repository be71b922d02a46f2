package policy

// MostServersFirst starts the largest job that fits, ties to the earliest, until none
// fits; also called Best-Fit. It is not preemptive.
type MostServersFirst struct{}

func init() { register(MostServersFirst{}) }

// String is the name.
func (MostServersFirst) String() string { return "MostServersFirst" }

// Properties returns the properties of the policy.
func (MostServersFirst) Properties() Properties {
	return Properties{Packs: true, InOrder: true, Interchangeable: true, Order: LargestOrder, Types: Served, Nodes: Served}
}

// Validate asks for nothing more.
func (MostServersFirst) Validate(System) error { return nil }

// Scheduler has no state.
func (MostServersFirst) Scheduler(System) Scheduler { return mostServersFirst{} }

// mostServersFirst costs O(kinds) a pass.
type mostServersFirst struct{}

func (mostServersFirst) Pass(v *View) {
	for k := len(v.Needs) - 1; k >= 0 && v.Jobs > 0; k-- {
		for v.Waiting[k] > 0 && v.Start(k) {
		}
	}
}
