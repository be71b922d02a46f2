package policy

// LeastServersFirst starts the smallest job, ties to the earliest, until the smallest
// does not fit. It is not preemptive.
type LeastServersFirst struct{}

func init() { register(LeastServersFirst{}) }

// String returns the name of the policy.
func (LeastServersFirst) String() string { return "LeastServersFirst" }

// Properties returns the properties of the policy.
func (LeastServersFirst) Properties() Properties {
	return Properties{Packs: true, InOrder: true, Interchangeable: true, Order: SmallestOrder, Types: Served, Nodes: Served}
}

// Validate asks for nothing more.
func (LeastServersFirst) Validate(System) error { return nil }

// Scheduler has no state.
func (LeastServersFirst) Scheduler(System) Scheduler { return leastServersFirst{} }

// leastServersFirst costs O(kinds) a pass.
type leastServersFirst struct{}

func (leastServersFirst) Pass(v *View) {
	for k := range v.Needs {
		for v.Waiting[k] > 0 && v.Start(k) {
		}
		if v.Waiting[k] > 0 {
			return
		}
	}
}
