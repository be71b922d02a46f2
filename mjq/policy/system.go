package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
)

// System is what a policy serves: servers, or units of several types of resources, and classes of
// jobs. For finds the kinds of jobs.
type System struct {
	Servers   int   // units of all types together
	Units     []int // by type of resources; nil where servers are alike
	Nodes     bool  // the units lie on nodes, so that a placement decides what fits
	NodeCount int   // nodes
	Booked    bool  // servers are reserved at times
	Fails     bool  // jobs that run may return to the queue: see [Returner]
	Classes   []Class
	Kinds     []Kind // by level, then by need, then by number of nodes, all increasing
	// Owners are those whom [Job.Owner] counts, in a log; nil in a model, where each class is one.
	Owners []Owner
}

// Owner is a user of an account, whose jobs a policy may tell from those of others.
type Owner struct{ Account, User string }

// Class is what a policy may know of a class of jobs.
type Class struct {
	Name    string
	Need    int     // servers, or units of all types together
	Units   []int   // by type; nil where servers are alike
	Nodes   int     // that a job lies on; 0: its units may lie anywhere
	Mean    float64 // service time: of the model, or of the jobs of a log; 0 if it is not known
	Service law.Law // nil in a log
	Kind    int     // index in Kinds, which For finds
}

// Kind is jobs of one level and one need, on one number of nodes. Jobs of a kind are mostly served
// in order of arrival.
type Kind struct {
	Level int   // 0 unless the policy is Leveled
	Need  int   // servers, or units of all types together
	Units []int // by type; nil where servers are alike
	Nodes int   // that a job lies on; 0: its units may lie anywhere
}

// Leveled is a Policy under which classes differ by level, and not by need alone. Jobs of
// different levels are of different kinds.
type Leveled interface {
	Policy
	// LevelsOf returns the level of each class; level 0 comes first.
	LevelsOf(classes []Class) []int
}

// Prioritized is a Policy that serves its levels as a [Priority] does, which solvers know. Rules
// returns that priority, whose own Levels do not matter.
type Prioritized interface {
	Leveled
	Rules() Priority
}

// Stopper is a Policy that says how a preempted job goes on. Without it the job resumes.
type Stopper interface {
	// Stopped returns the service of a preempted job of a class, what is left of it, and whether
	// the job leaves instead. Left is what is left as it stops. The draws differ from preemption
	// to preemption.
	Stopped(c *Class, j *Job, left float64, draws rand.Source) (service, rest float64, leaves bool)
}

// LevelsOf returns the level of each class under a policy, which is 0 unless it is [Leveled].
func LevelsOf(p Policy, classes []Class) []int {
	if l, ok := p.(Leveled); ok {
		return l.LevelsOf(classes)
	}
	return make([]int, len(classes))
}

// For returns the system with the kinds of jobs that the policy tells apart, and with the kind of
// every class. Needs of several types are ordered by the largest share that they take of all units
// of some type, then by the second largest, and so on. If all shares are equal, the first type in
// which the needs differ decides.
func (s System) For(p Policy) System {
	levels := LevelsOf(p, s.Classes)
	each := make([]Kind, len(s.Classes))
	for i, c := range s.Classes {
		each[i] = Kind{levels[i], c.Need, c.Units, 0}
		if s.Nodes {
			each[i].Nodes = c.Nodes
		}
	}
	compare := func(a, b Kind) int {
		size := cmp.Compare(a.Need, b.Need)
		if s.Units != nil {
			size = bySize(s.Units, a.Units, b.Units)
		}
		return cmp.Or(cmp.Compare(a.Level, b.Level), size, cmp.Compare(a.Nodes, b.Nodes))
	}
	s.Kinds = slices.Clone(each)
	slices.SortStableFunc(s.Kinds, compare)
	s.Kinds = slices.CompactFunc(s.Kinds, func(a, b Kind) bool { return compare(a, b) == 0 })
	s.Classes = slices.Clone(s.Classes)
	for i, k := range each {
		s.Classes[i].Kind, _ = slices.BinarySearchFunc(s.Kinds, k, compare)
	}
	return s
}

// units returns the units by type, servers being of one type.
func (s System) units() []int {
	if s.Units == nil {
		return []int{s.Servers}
	}
	return s.Units
}

// needs returns what the kinds need, by kind and type.
func (s System) needs() (list [][]int) {
	for _, k := range s.Kinds {
		if s.Units == nil {
			k.Units = []int{k.Need}
		}
		list = append(list, k.Units)
	}
	return list
}

// share is a part of the units of a type.
type share struct{ need, units int }

// compare is without rounding.
func (a share) compare(b share) int {
	return cmp.Compare(int64(a.need)*int64(b.units), int64(b.need)*int64(a.units))
}

// bySize compares needs as For says.
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

// judge returns the faults that are found of a policy, its name before each.
func judge(name any, find func(f *check.Faults)) error {
	var found check.Faults
	find(&found)
	var faults []error
	for _, err := range found.List() {
		faults = append(faults, fmt.Errorf("policy %s: %w", name, err))
	}
	return errors.Join(faults...)
}

// Validate returns what keeps a policy from serving a system, all faults at once: its definition
// does not carry over, a class needs more than there is, or a fault of its own.
func Validate(p Policy, s System) error {
	known := p.Properties()
	switch {
	case s.Nodes && known.Nodes != Served:
		why := known.Nodes
		if why == "" && known.Preemptive {
			why = "it stops jobs and chooses again by the sum of the needs, and such a set of jobs need not fit on nodes"
		}
		return fmt.Errorf("policy %s is not for nodes: %s; choose FCFS, FirstFit, Backfill, Window, MostServersFirst, LeastServersFirst, AdaptiveQuickswap or a Priority",
			p, cmp.Or(why, "its properties do not say that it serves them"))
	case !s.Nodes && s.Units != nil && known.Types != Served:
		return fmt.Errorf("policy %s does not know types of resources: %s; choose FCFS, FirstFit, Backfill, Window, MostServersFirst, LeastServersFirst, AdaptiveQuickswap, MaxWeight or a preemptive one of these",
			p, cmp.Or(known.Types, "its properties do not say that it serves them"))
	}
	switch {
	case s.Booked && !known.Reserved:
		return fmt.Errorf("policy %s along with Reserve: it does not plan with servers that are reserved; choose FCFS, FirstFit or a Backfill", p)
	case s.Booked && s.Nodes && known.Reservations != 0:
		return fmt.Errorf("policy %s along with Reserve: a reservation does not say which nodes it takes, so that no node can be planned with; choose FCFS or FirstFit, or servers without nodes", p)
	}
	var faults []error
	for _, c := range s.Classes {
		if c.Need < 1 || c.Need > s.Servers {
			faults = append(faults, fmt.Errorf("policy %s: class %q needs %d servers of %d; give it a need from 1 to %d", p, c.Name, c.Need, s.Servers, s.Servers))
		}
	}
	return errors.Join(append(faults, p.Validate(s))...)
}
