package mjq

import "github.com/mjqueue/mjq/mjq/spec"

// Watts is the power of a server while it is busy, idle but on, in setup, and off; see Model.Watts.
type Watts = spec.Watts

// Sleep switches servers off that no job needs. A server that is on and not needed idles for a
// time of the law after, drawn each time, and then goes off; Deterministic(0) switches it off at
// once. If servers are needed and off, as many are set up together, each for a time of the law
// setup. A job starts when its servers are on. When fewer are needed, those in setup go off
// first. At time 0 all are off but those that stay Awake.
//
// In the words of Slurm, after is SuspendTime, setup the time that a node takes to boot, and
// Awake the number of nodes that SuspendExcNodes keeps on.
//
// Exact takes one need and one exponential service with after 0 and exponential setup;
// Simulation takes any classes and laws, first come, first served and FirstFit. See
// site/docs/methods/sleep.md.
func (m Model) Sleep(after, setup Law) Model {
	return m.structured(func(d *description) { d.said.Sleep = &spec.Sleep{After: after, Setup: setup} })
}

// Awake keeps that many servers from sleeping; see Sleep.
func (m Model) Awake(servers int) Model {
	return m.structured(func(d *description) { d.said.Awake = servers })
}

// Watts gives servers a power, so that results have their Energy per unit of time and per job. Servers
// need not sleep: without Sleep all of them idle or are busy.
func (m Model) Watts(w Watts) Model {
	return m.structured(func(d *description) { d.said.Watts = &w })
}
