package policy

import "fmt"

// Placed is a Policy whose definition carries over to jobs that are placed on nodes. Whether a
// job fits is then for the placement to say, and not for a number of free servers: of two kinds
// the larger may fit and the smaller not. The pass asks [View.Fits] alone. Kinds are numbered by
// need, then by the number of nodes, both increasing.
type Placed interface {
	Policy
	// PlacedScheduler is Scheduler for so many kinds of jobs.
	PlacedScheduler(kinds int) Scheduler
}

// ValidatePlaced says what keeps a policy from serving classes on nodes with so many units in
// all: that its definition does not carry over, or a fault of its own.
func ValidatePlaced(p Policy, units int, classes []Class) error {
	why := ""
	if _, ok := p.(Placed); !ok {
		why = "it has no PlacedScheduler"
	}
	if x, known := p.(interface{ noNodes() string }); known {
		why = x.noNodes()
	} else if p.Properties().Preemptive {
		why = "it chooses again which jobs run, by sums of their needs, and jobs do not move from node to node"
	}
	if why == "" {
		return p.Validate(units, classes)
	}
	return fmt.Errorf("policy %s is not for nodes: %s; choose FCFS, FirstFit, EASY, Window, MostServersFirst, LeastServersFirst or AdaptiveQuickswap", p, why)
}

// PlacedScheduler is Scheduler: the line does not look at needs.
func (p FCFS) PlacedScheduler(int) Scheduler { return p.Scheduler(0, nil) }

// PlacedScheduler starts with an empty queue.
func (FirstFit) PlacedScheduler(kinds int) Scheduler { return typedFirstFit{newPresent(kinds)} }

// PlacedScheduler is Scheduler: the largest job is the one of the largest need.
func (p Window) PlacedScheduler(kinds int) Scheduler {
	return &window{jobs: p.Jobs, in: make([]int, kinds)}
}

// PlacedScheduler is Scheduler.
func (MostServersFirst) PlacedScheduler(int) Scheduler { return mostServersFirst{} }

// PlacedScheduler is Scheduler.
func (LeastServersFirst) PlacedScheduler(int) Scheduler { return leastServersFirst{} }

// PlacedScheduler is Scheduler.
func (AdaptiveQuickswap) PlacedScheduler(int) Scheduler { return new(adaptiveQuickswap) }

// PlacedScheduler is the pass, which asks Fits of its view.
func (p own) PlacedScheduler(int) Scheduler { return p }

func (Quickswap) noNodes() string {
	return "it is for jobs of one server and of all, of which those of one leave no node to choose"
}

func (ArmedQuickswap) noNodes() string { return Quickswap{}.noNodes() }

func (ServerFilling) noNodes() string {
	return "its front is jobs that fill the servers by the sum of their needs, and what sums up need not fit on nodes"
}

func (ServerFillingSRPT) noNodes() string { return ServerFilling{}.noNodes() }

func (MaxWeight) noNodes() string {
	return "its schedules are all sets of jobs whose needs sum up to the servers, and what sums up need not fit on nodes"
}

func (MSR) noNodes() string { return MaxWeight{}.noNodes() }

func (*table) noNodes() string { return "it was found for servers that are not on nodes" }

// PlacedScheduler is Scheduler with a shadow placement; see placedEasy. More than one reservation
// is refused by ValidatePlaced.
func (p Backfill) PlacedScheduler(kinds int) Scheduler {
	if p.Depth == 0 {
		return FirstFit{}.PlacedScheduler(kinds)
	}
	return newPlacedEasy(kinds)
}

func (p Backfill) noNodes() string {
	if p.Depth == 0 || p.Depth == 1 {
		return ""
	}
	return "its reservations are places in time on every node, which are not built; EASY has one"
}

func (Priority) noNodes() string {
	return "its levels are of jobs on servers that are not on nodes"
}
