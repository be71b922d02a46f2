package policy

import "github.com/mjqueue/mjq/internal/ring"

// FCFS is first come, first served with head-of-line blocking: the head of the queue
// starts when it fits, and all others wait behind it.
type FCFS struct{}

func init() { register(FCFS{}) }

// String returns the name of the policy.
func (FCFS) String() string { return "FCFS" }

// Properties returns the properties of the policy.
func (FCFS) Properties() Properties {
	return Properties{Recurrence: true, Monotone: true, Saturated: true, Interchangeable: true, Reserved: true, Order: WindowOrder, Look: 1, Types: Served, Nodes: Served}
}

// Validate asks for nothing more.
func (FCFS) Validate(System) error { return nil }

// Scheduler starts with an empty line.
func (FCFS) Scheduler(System) Scheduler { return new(fcfs) }

// fcfs is the line. Cost: O(1) a job.
type fcfs struct{ line ring.Line[inLine] }

// inLine is a job that waits, unless it has left.
type inLine struct {
	number int64
	kind   int32
}

func (s *fcfs) Arrived(_ *View, j *Job) { s.line.Push(inLine{j.Number, int32(j.Kind)}) }

func (s *fcfs) Pass(v *View) {
	for s.line.Len() > 0 {
		j := s.line.Head()
		if j.number == v.Oldest[j.kind] && !v.Start(int(j.kind)) {
			return
		}
		s.line.Pop()
	}
}
