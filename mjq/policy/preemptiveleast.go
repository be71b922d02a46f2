package policy

// PreemptiveLeastServersFirst serves the smallest jobs in the system first, ties to
// the earliest, each that fits, and stops the others. The smallest class sees no other.
type PreemptiveLeastServersFirst struct{}

func init() { register(PreemptiveLeastServersFirst{}) }

// String returns the name of the policy.
func (PreemptiveLeastServersFirst) String() string { return "PreemptiveLeastServersFirst" }

// Properties returns the properties of the policy.
func (PreemptiveLeastServersFirst) Properties() Properties {
	return Properties{Preemptive: true, Packs: true, InOrder: true, Order: SmallestOrder, Types: Served}
}

// Validate asks for nothing more.
func (PreemptiveLeastServersFirst) Validate(System) error { return nil }

// Scheduler has no state.
func (PreemptiveLeastServersFirst) Scheduler(s System) Scheduler { return newFavouring(s, false) }
