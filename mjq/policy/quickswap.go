package policy

import (
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
)

// Quickswap is for jobs that need one server or all of them. Small jobs start while
// they fit, until a big one waits and at most Threshold small ones run; then no
// small one starts until the servers have drained and the big job has begun.
// Quickswap{0} is MostServersFirst. Source: Chen, Anggraito, Olliaro, Marin, Ajmone
// Marsan, Berg, Grosof, arXiv 2509.01893.
type Quickswap struct {
	Threshold int `json:"threshold"`
}

func init() { register(Quickswap{Threshold: 3}) }

// String returns the name of the policy.
func (p Quickswap) String() string { return fmt.Sprintf("Quickswap(%d)", p.Threshold) }

// Properties returns the properties of the policy.
func (p Quickswap) Properties() Properties {
	const why = "it is for jobs of one server and of all servers"
	return Properties{InOrder: true, Fills: true, Order: SwapOrder, Look: p.Threshold, Types: why, Nodes: why}
}

// Validate asks for needs of 1 and of all servers, and a threshold below their number.
func (p Quickswap) Validate(s System) error { return oneOrAll(p, p.Threshold, s) }

// Scheduler starts in the mode in which small jobs start.
func (p Quickswap) Scheduler(s System) Scheduler {
	return &quickswap{oneAndAll: split(s), threshold: p.Threshold}
}

// oneOrAll says what the quickswap policies cannot serve.
func oneOrAll(p Policy, threshold int, s System) error {
	return judge(p, func(f *check.Faults) {
		f.That(threshold >= 0 && threshold < s.Servers, "with %d servers the threshold must be from 0 to %d", s.Servers, s.Servers-1)
		for _, c := range s.Classes {
			f.That(c.Need <= 1 || c.Need >= s.Servers, "class %q needs %d of %d servers, and this policy is for needs of 1 and %d alone; choose AdaptiveQuickswap or MostServersFirst, or change the need", c.Name, c.Need, s.Servers, s.Servers)
		}
	})
}

// oneAndAll finds the kinds of the small and the big jobs; -1 without one.
type oneAndAll struct{ small, big int }

func split(s System) oneAndAll {
	x := oneAndAll{-1, -1}
	for k, kind := range s.Kinds {
		if kind.Need == s.Servers {
			x.big = k
		} else {
			x.small = k
		}
	}
	return x
}

func (x oneAndAll) bigRuns(v *View) bool  { return x.big >= 0 && v.Running[x.big] > 0 }
func (x oneAndAll) bigWaits(v *View) bool { return x.big >= 0 && v.Waiting[x.big] > 0 }

func (x oneAndAll) smallRun(v *View) int {
	if x.small < 0 {
		return 0
	}
	return v.Running[x.small]
}

// quickswap is Quickswap, or ArmedQuickswap if it remembers. It costs O(1) a pass.
type quickswap struct {
	oneAndAll
	threshold        int
	drain            bool
	remembers        bool
	armed, smallLeft bool // of one that remembers
}

func (s *quickswap) Left(_ *View, j *Job) {
	s.smallLeft = s.remembers && (s.smallLeft || j.Kind == s.small)
}

// Returned leaves the account of jobs that have left as it is.
func (s *quickswap) Returned(*View, *Job, bool) {}

func (s *quickswap) Pass(v *View) {
	left := s.smallLeft
	s.smallLeft = false
	s.drain = s.drain && s.bigWaits(v) // it may have given up
	switch {
	case s.bigRuns(v):
		return
	case s.bigWaits(v) && s.smallRun(v) == 0:
		if v.Start(s.big) || !s.remembers { // not while servers are down
			s.armed = s.armed && !s.drain
			s.drain = false
		}
		return
	case s.drain:
		return
	case s.armed && s.bigWaits(v):
		s.drain = true
		return
	}
	for v.Start(s.small) {
	}
	few := s.smallRun(v) <= s.threshold
	s.armed = s.armed || left && few
	s.drain = s.bigWaits(v) && (s.armed || few && !s.remembers)
}
