package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Typed is a Policy whose definition carries over to jobs that need units of several
// types of resources at once: cpus and gpus, say. A job fits if it fits in what is free
// of every type. Where needs have to be told large from small, a job is as large as the
// largest share that it takes of all units of some type, which for one type is its need;
// see [Kinds] for the order.
type Typed interface {
	Policy
	// TypedScheduler is Scheduler for so many units of each type and needs by kind and
	// type, in the order of Kinds.
	TypedScheduler(units []int, needs [][]int) Scheduler
}

// ValidateTyped says what keeps a policy from serving classes that need so many of the
// units of each type: that its definition does not carry over, or a fault of its own.
func ValidateTyped(p Policy, units []int, classes []TypedClass) error {
	if _, ok := p.(Typed); !ok {
		why := "it has no TypedScheduler"
		if x, known := p.(interface{ oneType() string }); known {
			why = x.oneType()
		}
		return fmt.Errorf("policy %s does not know types of resources: %s; choose FCFS, FirstFit, Backfill, Window, MostServersFirst, LeastServersFirst, AdaptiveQuickswap, MaxWeight or a preemptive one of these", p, why)
	}
	var all []Class
	total := 0
	for _, n := range units {
		total += n
	}
	for _, c := range classes {
		need := 0
		for _, n := range c.Units {
			need += n
		}
		all = append(all, Class{Name: c.Name, Need: need})
	}
	faults := []error{p.Validate(total, all)}
	if x, ok := p.(interface {
		validateTyped(units []int, classes int) error
	}); ok {
		faults = append(faults, x.validateTyped(units, len(classes)))
	}
	return errors.Join(faults...)
}

// TypedClass is what ValidateTyped must know of a class of jobs.
type TypedClass struct {
	Name  string
	Units []int // by type
}

// Kinds are the distinct ones of the needs, smallest first, and says which of them each
// of the needs is. The larger of two has the larger share of some type of resource; if
// these are equal, the larger second largest share, and so on; if all are, the larger
// share of the first type in which they differ.
func Kinds(units []int, needs [][]int) (kinds [][]int, of []int32) {
	kinds = slices.Clone(needs)
	slices.SortFunc(kinds, func(a, b []int) int { return bySize(units, a, b) })
	kinds = slices.CompactFunc(kinds, func(a, b []int) bool { return slices.Equal(a, b) })
	for _, n := range needs {
		k, _ := slices.BinarySearchFunc(kinds, n, func(a, b []int) int { return bySize(units, a, b) })
		of = append(of, int32(k))
	}
	return kinds, of
}

// share is a part of the units of a type.
type share struct{ need, units int }

// compare is without rounding.
func (a share) compare(b share) int {
	return cmp.Compare(int64(a.need)*int64(b.units), int64(b.need)*int64(a.units))
}

// bySize compares needs as Kinds says.
func bySize(units, a, b []int) int {
	if c := slices.CompareFunc(shares(units, a), shares(units, b), share.compare); c != 0 {
		return c
	}
	return slices.Compare(a, b)
}

// shares are those of all types, the largest first.
func shares(units, need []int) (list []share) {
	for j, n := range need {
		list = append(list, share{n, units[j]})
	}
	slices.SortFunc(list, func(a, b share) int { return b.compare(a) })
	return list
}

// TypedScheduler is Scheduler: the line does not look at needs.
func (p FCFS) TypedScheduler([]int, [][]int) Scheduler { return p.Scheduler(0, nil) }

// TypedScheduler is Scheduler with the order of Kinds.
func (p Window) TypedScheduler(_ []int, needs [][]int) Scheduler {
	return &window{jobs: p.Jobs, in: make([]int, len(needs))}
}

// TypedScheduler is Scheduler with the order of Kinds.
func (p MostServersFirst) TypedScheduler([]int, [][]int) Scheduler { return mostServersFirst{} }

// TypedScheduler is Scheduler with the order of Kinds.
func (p LeastServersFirst) TypedScheduler([]int, [][]int) Scheduler { return leastServersFirst{} }

// TypedScheduler is Scheduler with the order of Kinds.
func (p AdaptiveQuickswap) TypedScheduler([]int, [][]int) Scheduler { return new(adaptiveQuickswap) }

// TypedScheduler is the pass, which finds what is free by type in FreeUnits of its view,
// and what a kind needs in NeedUnits.
func (p own) TypedScheduler([]int, [][]int) Scheduler { return p }

func (ServerFilling) oneType() string {
	return "it fills the servers of one type, and several types have no single number to fill"
}

func (ServerFillingSRPT) oneType() string { return ServerFilling{}.oneType() }

func (FirstFitSRPT) oneType() string {
	return "its order is service time × servers, and units of different types do not add up"
}

func (Quickswap) oneType() string { return "it is for jobs of one server and of all servers" }

func (ArmedQuickswap) oneType() string { return Quickswap{}.oneType() }

func (Priority) oneType() string { return "its levels are for identical servers" }

func (*table) oneType() string { return "its decisions were computed for identical servers" }

func (MSR) oneType() string { return "its schedules are for identical servers" }
