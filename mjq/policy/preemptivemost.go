package policy

// PreemptiveMostServersFirst serves the largest jobs in the system first, ties to the
// earliest, each that fits, and stops the others. The largest class sees no other.
type PreemptiveMostServersFirst struct{}

func init() { register(PreemptiveMostServersFirst{}) }

// String returns the name of the policy.
func (PreemptiveMostServersFirst) String() string { return "PreemptiveMostServersFirst" }

// Properties returns the properties of the policy.
func (PreemptiveMostServersFirst) Properties() Properties {
	return Properties{Preemptive: true, Packs: true, InOrder: true, Fills: true, Order: LargestOrder, Types: Served}
}

// Validate asks for nothing more.
func (PreemptiveMostServersFirst) Validate(System) error { return nil }

// Scheduler has no state.
func (PreemptiveMostServersFirst) Scheduler(s System) Scheduler { return newFavouring(s, true) }
