package policy

import (
	"fmt"
	"slices"
)

// Placed is a Policy whose definition carries over to jobs on nodes. There the placement decides
// whether a job fits, and not the number of free servers: a larger kind may fit when a smaller one does
// not. So a pass asks [View.Fits] alone. Kinds are numbered by level, then by need, then by the number
// of nodes, all increasing.
type Placed interface {
	Policy
	// PlacedScheduler is Scheduler for such kinds of jobs.
	PlacedScheduler(kinds []PlacedKind) Scheduler
}

// PlacedKind is a kind of jobs: of one level, with one need, on one number of nodes.
type PlacedKind struct {
	Level int // 0 unless the policy is Leveled
	Nodes int // 0: the units may lie anywhere
}

// ValidatePlaced returns why a policy cannot serve classes on nodes with this number of units in all:
// its definition does not carry over, or it has a fault of its own.
func ValidatePlaced(p Policy, units int, classes []Class) error {
	why := ""
	if _, ok := p.(Placed); !ok {
		why = "it has no PlacedScheduler"
	}
	if x, known := p.(interface{ noNodes() string }); known {
		why = x.noNodes()
	} else if p.Properties().Preemptive {
		why = "it stops jobs and chooses again by the sum of the needs, and such a set of jobs need not fit on nodes"
	}
	if why == "" {
		return p.Validate(units, classes)
	}
	return fmt.Errorf("policy %s is not for nodes: %s; choose FCFS, FirstFit, Backfill, Window, MostServersFirst, LeastServersFirst, AdaptiveQuickswap or a Priority", p, why)
}

// PlacedScheduler is Scheduler: the queue does not depend on needs.
func (p FCFS) PlacedScheduler([]PlacedKind) Scheduler { return p.Scheduler(0, nil) }

// PlacedScheduler starts with an empty queue.
func (FirstFit) PlacedScheduler(kinds []PlacedKind) Scheduler {
	return typedFirstFit{newPresent(len(kinds))}
}

// PlacedScheduler is Scheduler: the largest job is the one with the largest need.
func (p Window) PlacedScheduler(kinds []PlacedKind) Scheduler {
	return &window{jobs: p.Jobs, in: make([]int, len(kinds))}
}

// PlacedScheduler is Scheduler.
func (MostServersFirst) PlacedScheduler([]PlacedKind) Scheduler { return mostServersFirst{} }

// PlacedScheduler is Scheduler.
func (LeastServersFirst) PlacedScheduler([]PlacedKind) Scheduler { return leastServersFirst{} }

// PlacedScheduler is Scheduler.
func (AdaptiveQuickswap) PlacedScheduler([]PlacedKind) Scheduler { return new(adaptiveQuickswap) }

// PlacedScheduler returns the policy itself, whose pass asks Fits of its view.
func (p own) PlacedScheduler([]PlacedKind) Scheduler { return p }

func (Quickswap) noNodes() string {
	return "it is for jobs of one server and of all servers"
}

func (ArmedQuickswap) noNodes() string { return Quickswap{}.noNodes() }

func (ServerFilling) noNodes() string {
	return "it fills the servers by the sum of the needs, and such a set of jobs need not fit on nodes"
}

func (ServerFillingSRPT) noNodes() string { return ServerFilling{}.noNodes() }

func (MaxWeight) noNodes() string {
	return "its schedules are sets of jobs by the sum of their needs, and such a set need not fit on nodes"
}

func (MSR) noNodes() string { return MaxWeight{}.noNodes() }

func (*table) noNodes() string { return "its decisions were computed for one pool of servers" }

// PlacedScheduler is Scheduler with reservations of nodes. EASY finds its reservation without a plan,
// unless units may lie anywhere; see placedEasy and placedBackfill.
func (p Backfill) PlacedScheduler(kinds []PlacedKind) Scheduler {
	switch anywhere := slices.ContainsFunc(kinds, func(k PlacedKind) bool { return k.Nodes == 0 }); {
	case p.Depth == 0:
		return FirstFit{}.PlacedScheduler(kinds)
	case p.Depth == 1 && !anywhere:
		return newPlacedEasy(len(kinds))
	}
	return &placedBackfill{depth: p.Depth}
}

// PlacedScheduler is LevelScheduler on nodes; see placedPreemptive.
func (p Priority) PlacedScheduler(kinds []PlacedKind) Scheduler {
	var list []Kind
	for _, k := range kinds {
		list = append(list, Kind{Level: k.Level})
	}
	of := newLevels(list)
	if p.Preempts != "" {
		return newPlacedPreemptive(of)
	}
	switch inner := p.Inner.(type) {
	case FirstFit:
		return placedLevelFirstFit{of}
	case MostServersFirst:
		return levelMost{of}
	case Backfill:
		return &placedLevelBackfill{of, placedBackfill{depth: inner.Depth}}
	}
	return newLevelLines(of, p.Passes)
}

func (p Priority) noNodes() string {
	if p.Preempts != "" && (p.Inner != nil || p.ExemptFor > 0) {
		return "on nodes, preemption is defined for first come, first served within the levels, without Within and Exempt"
	}
	return ""
}
