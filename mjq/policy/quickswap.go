package policy

import (
	"errors"
	"fmt"
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

// String is the name.
func (p Quickswap) String() string { return fmt.Sprintf("Quickswap(%d)", p.Threshold) }

// Properties returns the properties of the policy.
func (Quickswap) Properties() Properties { return Properties{InOrder: true} }

// Validate asks for needs of 1 and of all servers, and a threshold below their number.
func (p Quickswap) Validate(servers int, classes []Class) error {
	return oneOrAll(p, p.Threshold, servers, classes)
}

// Scheduler starts in the mode in which small jobs start.
func (p Quickswap) Scheduler(servers int, needs []int) Scheduler {
	return &quickswap{oneAndAll: split(servers, needs), threshold: p.Threshold}
}

// oneOrAll says what the quickswap policies cannot serve.
func oneOrAll(p Policy, threshold, servers int, classes []Class) error {
	faults := []error{fits(p, servers, classes)}
	if threshold < 0 || threshold >= servers {
		faults = append(faults, fmt.Errorf("policy %s: with %d servers the threshold must be from 0 to %d", p, servers, servers-1))
	}
	for _, c := range classes {
		if c.Need > 1 && c.Need < servers {
			faults = append(faults, fmt.Errorf("policy %s: class %q needs %d of %d servers, and this policy is for needs of 1 and %d alone; choose AdaptiveQuickswap or MostServersFirst, or change the need", p, c.Name, c.Need, servers, servers))
		}
	}
	return errors.Join(faults...)
}

// oneAndAll finds the kinds of the small and the big jobs; -1 without one.
type oneAndAll struct{ small, big int }

func split(servers int, needs []int) oneAndAll {
	x := oneAndAll{-1, -1}
	for k, n := range needs {
		if n == servers {
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

// quickswap costs O(1) a pass.
type quickswap struct {
	oneAndAll
	threshold int
	drain     bool
}

func (s *quickswap) Pass(v *View) {
	s.drain = s.drain && s.bigWaits(v) // it may have given up
	switch {
	case s.bigRuns(v):
		return
	case s.bigWaits(v) && s.smallRun(v) == 0:
		v.Start(s.big)
		s.drain = false
		return
	case s.drain:
		return
	}
	for v.Start(s.small) {
	}
	s.drain = s.bigWaits(v) && s.smallRun(v) <= s.threshold
}
