package policy

import (
	"slices"

	"github.com/mjqueue/mjq/internal/heap"
)

// ServerFillingSRPT is ServerFilling on the jobs in order of the work that each has left, its
// remaining service times its need, ties by arrival. The order is updated at arrivals and
// completions, and needs the services to be known. Source: Grosof, Scully, Harchol-Balter,
// Scheller-Wolf, arXiv 2211.02762.
type ServerFillingSRPT struct{}

// FirstFitSRPT is PreemptiveFirstFit on the jobs in order of the work that each has
// left, as ServerFillingSRPT has it.
type FirstFitSRPT struct{}

func init() {
	register(ServerFillingSRPT{})
	register(FirstFitSRPT{})
}

// String returns the name of the policy.
func (ServerFillingSRPT) String() string { return "ServerFillingSRPT" }

// String returns the name of the policy.
func (FirstFitSRPT) String() string { return "FirstFitSRPT" }

// Properties returns the properties of the policy.
func (ServerFillingSRPT) Properties() Properties {
	filling := ServerFilling{}.Properties()
	return Properties{Preemptive: true, Sizes: true, Packs: true, Fills: true, Types: filling.Types, Nodes: filling.Nodes}
}

// Properties returns the properties of the policy.
func (FirstFitSRPT) Properties() Properties {
	return Properties{Preemptive: true, Sizes: true, Packs: true, ShortFirst: true,
		Types: "its order is service time × servers, and units of different types do not add up"}
}

// Validate asks for nothing more.
func (ServerFillingSRPT) Validate(System) error { return nil }

// Validate asks for nothing more.
func (FirstFitSRPT) Validate(System) error { return nil }

// Scheduler starts with an empty system.
func (ServerFillingSRPT) Scheduler(s System) Scheduler {
	return &srpt{waiting: make([]heap.Heap, len(s.Kinds)), choose: (*srpt).fill}
}

// Scheduler starts with an empty system.
func (FirstFitSRPT) Scheduler(s System) Scheduler {
	return &srpt{waiting: make([]heap.Heap, len(s.Kinds)), choose: (*srpt).firstFit}
}

// srpt keeps the jobs that wait in a heap for each kind. Of a kind those that run all
// get shorter at the same rate, so the first of the heap is the only one that may
// start before the others. Cost: O(running jobs) a pass.
type srpt struct {
	waiting []heap.Heap // by remaining service
	running []heap.Item // by remaining work, once sorted
	choose  func(s *srpt, v *View)

	taken  []choice // in order of work
	passed []bool   // kinds whose next job does not fit, or is not to run
}

// choice is a job looked at.
type choice struct {
	heap.Item
	kind  int
	ran   bool
	serve bool
}

func (s *srpt) Arrived(_ *View, j *Job) {
	s.waiting[j.Kind].Push(heap.Item{Key: j.Service, Tie: int32(j.Number), ID: j.ID})
}

func (s *srpt) Left(_ *View, j *Job) {
	s.running = slices.DeleteFunc(s.running, func(r heap.Item) bool { return r.ID == j.ID })
}

func (s *srpt) Pass(v *View) {
	for i := range s.running {
		r := &s.running[i]
		r.Key = v.engine.Remaining(r.ID) * float64(v.engine.Job(r.ID).Need)
	}
	slices.SortFunc(s.running, func(a, b heap.Item) int {
		if a.Before(&b) {
			return -1
		}
		return 1
	})
	s.taken, s.passed = s.taken[:0], append(s.passed[:0], make([]bool, len(v.Needs))...)
	s.choose(s, v)
	s.carryOut(v)
}

// next takes the next job in the order: one that runs, or the first of a kind that
// waits and has not been passed over.
func (s *srpt) next(v *View, ran int) (c choice, found bool) {
	if ran < len(s.running) {
		r := s.running[ran]
		c, found = choice{Item: r, kind: v.engine.Job(r.ID).Kind, ran: true}, true
	}
	for k := range s.waiting {
		if len(s.waiting[k]) == 0 || s.passed[k] {
			continue
		}
		r := s.waiting[k][0]
		r.Key *= float64(v.Needs[k])
		if !found || r.Before(&c.Item) {
			c, found = choice{Item: r, kind: k}, true
		}
	}
	return c, found
}

// firstFit chooses every job that fits.
func (s *srpt) firstFit(v *View) {
	free, ran := v.Servers, 0
	for {
		c, found := s.next(v, ran)
		if !found {
			return
		}
		c.serve = v.Needs[c.kind] <= free
		switch {
		case c.ran:
			ran++
		case c.serve:
			s.waiting[c.kind].Pop()
		default: // nor does any other of the kind fit
			s.passed[c.kind] = true
			continue
		}
		if c.serve {
			free -= v.Needs[c.kind]
		}
		s.taken = append(s.taken, c)
	}
}

// fill chooses from the front the largest that fit.
func (s *srpt) fill(v *View) {
	total, ran := 0, 0
	for total < v.Servers {
		c, found := s.next(v, ran)
		if !found {
			break
		}
		if c.ran {
			ran++
		} else {
			s.waiting[c.kind].Pop()
		}
		total += v.Needs[c.kind]
		s.taken = append(s.taken, c)
	}
	free := v.Servers
	for k := len(v.Needs) - 1; k >= 0; k-- {
		for i := range s.taken {
			if c := &s.taken[i]; c.kind == k && v.Needs[k] <= free {
				c.serve = true
				free -= v.Needs[k]
			}
		}
	}
	for ; ran < len(s.running); ran++ { // behind the front
		r := s.running[ran]
		s.taken = append(s.taken, choice{Item: r, kind: v.engine.Job(r.ID).Kind, ran: true})
	}
}

// carryOut stops the jobs that ran and are not to be served, and then starts others.
func (s *srpt) carryOut(v *View) {
	s.running = s.running[:0]
	for _, c := range s.taken {
		if c.serve {
			s.running = append(s.running, c.Item)
			continue
		}
		if c.ran {
			v.engine.Preempt(c.ID)
		}
		s.waiting[c.kind].Push(heap.Item{Key: v.engine.Remaining(c.ID), Tie: c.Tie, ID: c.ID})
	}
	for _, c := range s.taken {
		if c.serve && !c.ran {
			v.engine.StartJob(c.ID)
		}
	}
}
