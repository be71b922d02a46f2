package policy

import "github.com/mjqueue/mjq/internal/ring"

// ServerFilling is preemptive. Its front is the shortest prefix of all jobs in the system, in
// order of arrival, that needs as many servers as there are, or all jobs. Among the front it
// serves the largest jobs first, ties to the earliest, each that fits. If every need divides
// the next larger one and the largest divides the number of servers, no server is idle while
// the jobs in the system need them all. With other needs some servers may be idle. Source:
// Grosof, Harchol-Balter, Scheller-Wolf, WCFS, arXiv 2109.12663.
type ServerFilling struct{}

func init() { register(ServerFilling{}) }

// String returns the name of the policy.
func (ServerFilling) String() string { return "ServerFilling" }

// Properties returns the properties of the policy.
func (ServerFilling) Properties() Properties {
	return Properties{Preemptive: true, Saturated: true, Packs: true, InOrder: true, Fills: true, Order: FrontOrder,
		Types: "it fills the servers of one type, and several types have no single number to fill",
		Nodes: "it fills the servers by the sum of the needs, and such a set of jobs need not fit on nodes"}
}

// Validate asks for nothing more.
func (ServerFilling) Validate(System) error { return nil }

// Scheduler starts with an empty front.
func (ServerFilling) Scheduler(s System) Scheduler {
	return &serverFilling{front: make([]int, len(s.Kinds))}
}

// serverFilling counts the jobs of the front. Those behind it never run, so they form
// a line, and the front only ever takes in from it. Cost: O(kinds) a pass, besides the
// jobs that start and stop.
type serverFilling struct {
	front  []int            // jobs by kind
	total  int              // servers that they need
	behind ring.Line[int32] // kinds
}

func (s *serverFilling) Arrived(v *View, j *Job) {
	s.behind.Push(int32(j.Kind))
	s.extend(v)
}

func (s *serverFilling) Left(v *View, j *Job) {
	s.front[j.Kind]--
	s.total -= j.Need
	s.extend(v)
}

func (s *serverFilling) extend(v *View) {
	for s.total < v.Servers && s.behind.Len() > 0 {
		k := *s.behind.Head()
		s.behind.Pop()
		s.front[k]++
		s.total += v.Needs[k]
	}
}

func (s *serverFilling) Pass(v *View) { serveMost(v, s.front) }

// serveMost serves, of the given jobs, the largest first, each that fits.
func serveMost(v *View, jobs []int) {
	free := v.Servers
	for k := len(jobs) - 1; k >= 0; k-- {
		n := 0
		if jobs[k] > 0 {
			n = min(jobs[k], free/v.Needs[k])
			free -= n * v.Needs[k]
		}
		served(v, k, n)
	}
}
