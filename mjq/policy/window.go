package policy

import (
	"fmt"

	"github.com/mjqueue/mjq/internal/ring"
)

// Window looks at the first Jobs jobs that wait and starts the largest of them that
// fits, ties to the earliest; then the window takes in the next job, until none in it
// fits. Window{1} is FCFS, and a window as long as the queue is MostServersFirst. The
// literature's name is SMASH(w).
type Window struct {
	Jobs int `json:"jobs"`
}

func init() { register(Window{Jobs: 4}) }

// String returns the name of the policy.
func (p Window) String() string { return fmt.Sprintf("Window(%d)", p.Jobs) }

// Properties returns the properties of the policy.
func (p Window) Properties() Properties {
	return Properties{Saturated: true, Packs: true, InOrder: true, Interchangeable: true, Order: WindowOrder, Look: p.Jobs, Types: Served, Nodes: Served}
}

// Validate asks that the window holds a job.
func (p Window) Validate(System) error {
	if p.Jobs < 1 {
		return fmt.Errorf("policy %s: a window of %d jobs; give at least 1, which is FCFS", p, p.Jobs)
	}
	return nil
}

// Scheduler starts with an empty window. Where jobs return to the queue, it looks for the window at each
// pass.
func (p Window) Scheduler(s System) Scheduler {
	if s.Fails {
		return windowAnew{p.Jobs}
	}
	return &window{jobs: p.Jobs, in: make([]int, len(s.Kinds))}
}

// window counts the jobs in the window. Those behind it never start, so they form a
// line. Cost: O(kinds) a start.
type window struct {
	jobs, seen int
	in         []int            // jobs in the window by kind
	behind     ring.Line[int32] // kinds
}

func (s *window) Arrived(_ *View, j *Job) {
	if s.seen < s.jobs {
		s.enter(j.Kind)
	} else {
		s.behind.Push(int32(j.Kind))
	}
}

func (s *window) enter(kind int) {
	s.in[kind]++
	s.seen++
}

func (s *window) Pass(v *View) {
	for k := len(s.in) - 1; k >= 0; {
		if s.in[k] == 0 || !v.Start(k) {
			k--
			continue
		}
		s.in[k]--
		s.seen--
		if s.behind.Len() > 0 {
			s.enter(int(*s.behind.Head()))
			s.behind.Pop()
			k = len(s.in) - 1
		}
	}
}

// windowAnew is window without an account of the queue. Cost: that of sorting the queue, a pass.
type windowAnew struct{ jobs int }

func (s windowAnew) Pass(v *View) {
	for {
		var largest *Job
		seen := 0
		for j := range v.Queue() {
			if v.Fits(j.Kind) && (largest == nil || j.Kind > largest.Kind) {
				largest = j
			}
			if seen++; seen == s.jobs {
				break
			}
		}
		if largest == nil {
			return
		}
		v.StartJob(largest)
	}
}
