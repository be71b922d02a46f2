package policy

import "fmt"

// ArmedQuickswap is Quickswap that remembers. It becomes armed once a small job has left and at
// most Threshold small ones run after the refill. A big job that waits, or that arrives later,
// then has the servers drained at once, however many small jobs run by then. Only the start of
// a big job after a drain disarms it. It is what the authors' program does, with Threshold =
// servers less theirs.
type ArmedQuickswap struct {
	Threshold int `json:"threshold"`
}

func init() { register(ArmedQuickswap{Threshold: 2}) }

// String returns the name of the policy.
func (p ArmedQuickswap) String() string { return fmt.Sprintf("ArmedQuickswap(%d)", p.Threshold) }

// Properties returns the properties of the policy.
func (p ArmedQuickswap) Properties() Properties {
	k := Quickswap(p).Properties()
	k.Order = ArmedOrder
	return k
}

// Validate asks for needs of 1 and of all servers, and a threshold below their number.
func (p ArmedQuickswap) Validate(s System) error { return oneOrAll(p, p.Threshold, s) }

// Scheduler starts unarmed.
func (p ArmedQuickswap) Scheduler(s System) Scheduler {
	return &armedQuickswap{quickswap: quickswap{oneAndAll: split(s), threshold: p.Threshold}}
}

// armedQuickswap costs O(1) a pass.
type armedQuickswap struct {
	quickswap
	armed, smallLeft bool
}

func (s *armedQuickswap) Left(_ *View, j *Job) { s.smallLeft = s.smallLeft || j.Kind == s.small }

// Returned leaves the account of jobs that have left as it is.
func (s *armedQuickswap) Returned(*View, *Job, bool) {}

func (s *armedQuickswap) Pass(v *View) {
	left := s.smallLeft
	s.smallLeft = false
	s.drain = s.drain && s.bigWaits(v)
	switch {
	case s.bigRuns(v):
		return
	case s.bigWaits(v) && s.smallRun(v) == 0:
		if v.Start(s.big) { // not while servers are down
			s.armed = s.armed && !s.drain
			s.drain = false
		}
		return
	case s.drain:
		return
	}
	if s.armed && s.bigWaits(v) {
		s.drain = true
		return
	}
	for v.Start(s.small) {
	}
	s.armed = s.armed || left && s.smallRun(v) <= s.threshold
	s.drain = s.armed && s.bigWaits(v)
}
