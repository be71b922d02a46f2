package policy

import (
	"slices"

	"github.com/mjqueue/mjq/internal/check"
)

// table is a policy made by NewTable.
type table struct {
	name       string
	preemptive bool
	servers    int
	needs      []int
	serves     func(running, waiting []int) []int
}

// NewTable returns a policy that decides by the numbers of jobs alone. serves returns how many
// jobs of each need run after the decision, given those that run and wait. Slices are in the
// order of needs, which are distinct and those of all jobs. It must be a function of its
// arguments, for it is called from several goroutines. A policy that is not preemptive must not
// let fewer run than do. Cost: that of serves a pass.
func NewTable(name string, preemptive bool, servers int, needs []int, serves func(running, waiting []int) []int) Policy {
	return &table{name, preemptive, servers, slices.Clone(needs), serves}
}

// String returns the name of the policy.
func (p *table) String() string { return p.name }

// Properties returns whether it preempts.
func (p *table) Properties() Properties {
	return Properties{Preemptive: p.preemptive, Types: "its decisions were computed for identical servers",
		Nodes: "its decisions were computed for one pool of servers"}
}

// Validate asks for the servers and for no other needs than those of the table, which
// must be distinct.
func (p *table) Validate(s System) error {
	return judge(p, func(f *check.Faults) {
		f.That(s.Servers == p.servers, "it was computed for %d servers, and the model has %d; compute it for this model", p.servers, s.Servers)
		for i, n := range p.needs {
			f.That(slices.Index(p.needs, n) == i, "two of its classes need %d servers, and a scheduler distinguishes jobs by their need alone; make one class of them", n)
		}
		for _, c := range s.Classes {
			f.That(slices.Contains(p.needs, c.Need), "class %q needs %d servers, and the policy was computed for needs of %v; compute it for this model", c.Name, c.Need, p.needs)
		}
	})
}

// Scheduler finds the kinds of the needs.
func (p *table) Scheduler(s System) Scheduler {
	t := &tabled{table: p, running: make([]int, len(p.needs)), waiting: make([]int, len(p.needs))}
	for _, n := range p.needs {
		t.kind = append(t.kind, slices.IndexFunc(s.Kinds, func(k Kind) bool { return k.Need == n }))
	}
	return t
}

// tabled is a table in one run.
type tabled struct {
	*table
	kind             []int // by class of the table; -1 without jobs
	running, waiting []int
}

func (s *tabled) Pass(v *View) {
	for c, k := range s.kind {
		if s.running[c], s.waiting[c] = 0, 0; k >= 0 {
			s.running[c], s.waiting[c] = v.Running[k], v.Waiting[k]
		}
	}
	for c, jobs := range s.serves(s.running, s.waiting) {
		switch k := s.kind[c]; {
		case k < 0:
		case s.preemptive:
			v.Serve(k, jobs)
		default:
			for range jobs - s.running[c] {
				v.Start(k)
			}
		}
	}
}
