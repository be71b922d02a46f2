package policy

// FirstFit goes through the whole queue in order of arrival and starts every job
// that fits in what is then free. It is Backfill with no reservation.
type FirstFit struct{}

func init() { register(FirstFit{}) }

// String is the name.
func (FirstFit) String() string { return "FirstFit" }

// Properties returns the properties of the policy.
func (FirstFit) Properties() Properties {
	return Properties{Packs: true, InOrder: true, Interchangeable: true, Order: ArrivalOrder, Types: Served, Nodes: Served}
}

// Validate asks for nothing more.
func (FirstFit) Validate(System) error { return nil }

// Scheduler starts with an empty queue.
func (FirstFit) Scheduler(s System) Scheduler {
	if s.Units != nil || s.Nodes {
		return newTypedFirstFit(len(s.Kinds))
	}
	return firstFit{}
}

// firstFit starts the earliest job among the kinds that fit. That is the scan of the
// queue: servers only get fewer, so a job that was passed over never fits later in
// the pass. Cost: O(kinds) a start.
type firstFit struct{}

func (firstFit) Pass(v *View) {
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
		v.Start(kind)
	}
}
