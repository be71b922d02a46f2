package mjq

import (
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Loss turns every job away that cannot start as it arrives; such a job does not come back.
// It is Room(0). Classes with Poisson arrivals then have a product form, so that Exact takes
// any services, of which only the means matter, and up to 10⁶ servers.
func (m Model) Loss() Model { return m.Room(0) }

// Room lets at most n jobs wait: a job that cannot start as it arrives and finds n jobs
// waiting is turned away for good. It counts jobs, whatever they need, and jobs of a batch one
// by one. Results say how many jobs are Blocked. The queue is stable at any rate; see
// AtOffered. It is for policies that stop no job.
func (m Model) Room(jobs int) Model {
	return m.structured(func(d *description) { d.said.Room = &jobs })
}

// Keep starts jobs of a class only if at least this many servers stay free once they have
// started (trunk reservation), which leaves room for wider classes. It is for queues that turn
// jobs away; under FCFS a head that is held back by it holds the queue.
func (m Model) Keep(class string, servers int) Model {
	return m.setting("Keep", []string{class}, func(c *Class) { c.Keep = servers })
}

// Patience has jobs give up that have not started after a random time of this law, drawn for
// each job as it arrives: jobs of the classes named, or of all. The last setting of a class
// counts. Results say how many jobs Left. If every class gives up, the queue is stable at any
// rate.
func (m Model) Patience(law Law, classes ...string) Model {
	return m.setting("Patience", classes, func(c *Class) { c.Patience = law })
}

// AlsoPreempted has jobs give up as well that have started and were stopped by the policy, once
// they have waited in all as long as their patience. Without it a job that has started stays. It
// is for policies that resume the jobs which they stop.
func (m Model) AlsoPreempted() Model {
	return m.structured(func(d *description) { d.said.AlsoPreempted = true })
}

// Users has n users send the jobs of a class, in place of arrivals: each thinks for a random
// time of this law, sends a job, and thinks again when the job has been served or has left. Give
// the class the probability 0; see Class. Other classes may have arrivals. All users begin by
// thinking. With Loss this is Engset's model. Users alone have no stability limit. Results say
// how many jobs are Carried and how many users are Thinking.
//
// Exact takes, first come first served, one class of any number of users with exponential
// service times, and few users of several classes with exponential thinking and phase-type
// services.
func (m Model) Users(class string, n int, think Law) Model {
	return m.setting("Users", []string{class}, func(c *Class) { c.Users, c.Think = n, think })
}

// setting is something said of classes by their names, or of all.
type setting struct {
	call    string
	classes []string
	set     func(c *Class) error
}

// setting notes it: the classes may be described later.
func (m Model) setting(call string, classes []string, set func(c *Class)) Model {
	return m.checked(call, classes, func(c *Class) error {
		set(c)
		return nil
	})
}

// checked is setting of what may not suit a class.
func (m Model) checked(call string, classes []string, set func(c *Class) error) Model {
	return m.structured(func(d *description) { d.later = append(d.later, setting{call, slices.Clone(classes), set}) })
}

// apply does what was said of classes by name.
func (d *description) apply(f *check.Faults, s *spec.Spec) {
	for _, x := range d.later {
		for i := range s.Classes {
			if c := &s.Classes[i]; len(x.classes) == 0 || slices.Contains(x.classes, c.Name) {
				f.Join(x.set(c))
			}
		}
		for _, name := range x.classes {
			f.That(slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Name == name }),
				"%s: there is no class %q; the model has %s", x.call, name, names(s))
		}
	}
}

// names lists the classes.
func names(s *spec.Spec) string {
	var all []string
	for _, c := range s.Classes {
		all = append(all, c.Name)
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// loaded is the load said, if any.
func (d *description) loaded() *float64 {
	if d.load != nil {
		return d.load
	}
	return d.said.Load
}
