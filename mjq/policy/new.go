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

// String is the name.
func (p own) String() string { return p.name }

// Properties returns whether it preempts; nothing else is known.
func (p own) Properties() Properties { return Properties{Preemptive: p.preemptive} }

// Validate asks that every class fits.
func (p own) Validate(servers int, classes []Class) error { return fits(p, servers, classes) }

// Scheduler is the pass.
func (p own) Scheduler(int, []int) Scheduler { return p }

// Pass calls the function.
func (p own) Pass(v *View) { p.pass(v) }
