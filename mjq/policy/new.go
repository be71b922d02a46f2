package policy

// own is a policy made by New.
type own struct {
	name       string
	preemptive bool
	pass       func(v *View)
}

// New is a policy of one's own, which is not preemptive: pass starts what it wants of
// the queue. It is called once at every instant at which jobs arrive or leave, from
// several goroutines for several runs, so it must keep nothing between calls; a
// policy that must is a type with the methods of Policy. A pass that starts nothing
// while no job runs leaves the queue waiting for the next arrival.
func New(name string, pass func(v *View)) Policy { return own{name, false, pass} }

// NewPreemptive is New for a policy whose pass may stop jobs, with View.Serve.
func NewPreemptive(name string, pass func(v *View)) Policy { return own{name, true, pass} }

// String returns the name of the policy.
func (p own) String() string { return p.name }

// Properties returns whether it preempts, and that the pass asks the view which jobs fit. The jobs
// that a preemptive one has run need not fit on nodes.
func (p own) Properties() Properties {
	k := Properties{Preemptive: p.preemptive, Types: Served}
	if !p.preemptive {
		k.Nodes = Served
	}
	return k
}

// Validate asks for nothing more.
func (own) Validate(System) error { return nil }

// Scheduler is the pass.
func (p own) Scheduler(System) Scheduler { return p }

// Pass calls the function.
func (p own) Pass(v *View) { p.pass(v) }
