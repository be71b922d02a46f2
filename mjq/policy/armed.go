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
	return &quickswap{oneAndAll: split(s), threshold: p.Threshold, remembers: true}
}
