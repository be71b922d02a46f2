package spec

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Turns reports whether some jobs that come may not be served: those that find no room, or
// give up. Jobs that users send are among them.
func (s *Spec) Turns() bool { return s.Room != nil || s.Impatient() || s.HasUsers() }

// Limitless says why the queue is stable at every rate; "" if it need not be.
func (s *Spec) Limitless() string {
	if s.Room != nil {
		return "jobs are turned away"
	}
	if s.sentByUsers() {
		return "users wait"
	}
	if slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Endures() > 0 }) {
		return ""
	}
	return "every job gives up in the end"
}

// Impatient reports whether jobs of some class give up.
func (s *Spec) Impatient() bool {
	return slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Patience != nil })
}

// Discards reports whether jobs of a class may leave because the policy stops them. Nobody stops
// those of the first level of a priority that has jobs.
func (s *Spec) Discards(class int) bool {
	if s.Policy == nil || !s.Policy.Properties().Drops {
		return false
	}
	level := s.levelOf()
	for i, c := range s.Classes {
		if level != nil && (c.Prob > 0 || c.Users > 0) && level[i] < level[class] {
			return true
		}
	}
	return level == nil
}

// Drops reports whether some jobs may not be served: turned away, given up, or stopped and gone.
func (s *Spec) Drops() bool {
	return s.Turns() || s.Policy != nil && s.Policy.Properties().Drops
}

// Stays is the work that the queue serves in a unit of time however long jobs wait, in servers
// or in units of a type of resource. Jobs that may be turned away, give up or leave when they
// are stopped do not count.
func (s *Spec) Stays(units func(c *Class) int) (sum float64) {
	if s.Room != nil {
		return 0
	}
	for i := range s.Classes {
		c := &s.Classes[i]
		if c.Users == 0 && !s.Discards(i) {
			sum += s.Rate() * c.Prob * c.Endures() * float64(units(c)) * c.Service.Mean()
		}
	}
	return sum
}

// Keeps reports whether servers are kept free of some class.
func (s *Spec) Keeps() bool {
	return slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Keep > 0 })
}

// HasUsers reports whether users send the jobs of some class.
func (s *Spec) HasUsers() bool {
	return slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Users > 0 })
}

// Loops reports whether users may have to wait before they think again.
func (s *Spec) Loops() bool { return s.HasUsers() && (s.Room == nil || *s.Room > 0) }

// Endures is the share of the jobs of a class that make a queue unstable: those that no user waits
// for and that never give up.
func (c *Class) Endures() float64 {
	switch {
	case c.Users > 0:
		return 0
	case c.Patience == nil:
		return 1
	}
	return c.Patience.Survival(math.MaxFloat64)
}

// Limiting is the description of the jobs that endure alone, the stability limit of which is that of
// the queue times their share of the jobs that arrive; ok is false where none is known. Near the limit
// jobs wait ever longer, first come first served, so that users bring ever less work and jobs that give
// up in the end do so before they start.
func (s *Spec) Limiting() (open *Spec, share float64, ok bool) {
	if !s.Loops() && !s.Impatient() || !s.FirstCome() || s.Limitless() != "" || s.Impatient() && s.Features().Has(Marked) {
		return nil, 0, false
	}
	c, all := *s, 0.0
	c.Classes, c.AlsoPreempted = nil, false
	for _, x := range s.Classes {
		all += x.Prob
		if x.Prob *= x.Endures(); x.Endures() > 0 {
			x.Patience = nil
			c.Classes, share = append(c.Classes, x), share+x.Prob
		}
	}
	for i := range c.Classes {
		c.Classes[i].Prob /= share
	}
	return &c, share / all, true
}

// sentByUsers reports whether users send the jobs of all classes, so that there are no
// arrivals beside.
func (s *Spec) sentByUsers() bool {
	return len(s.Classes) > 0 && !slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Users <= 0 })
}

// WithRoom is the description with another number of jobs that may wait.
func (s *Spec) WithRoom(jobs int) *Spec {
	c := *s
	c.Room = &jobs
	return &c
}

// WithKeep is the description with so many servers kept free of each class, which Validate
// may refuse.
func (s *Spec) WithKeep(servers []int) *Spec {
	c := *s
	c.Classes = append([]Class(nil), s.Classes...)
	for i, k := range servers {
		c.Classes[i].Keep = k
	}
	return &c
}

// roomFaults says what is wrong with the room, and with what a queue with one, or with jobs
// that give up, cannot have beside.
func (s *Spec) roomFaults(f *check.Faults) {
	f.That(s.Room == nil || *s.Room >= 0, "Room(%d): the number of jobs that may wait cannot be negative; give 0, which is Loss(), or more", room(s))
	f.That(!s.sentByUsers() || s.Arrivals == nil, "Users of every class along with arrivals: no class is left for the arrivals; leave one of them out")
	if s.AlsoPreempted {
		f.That(s.Impatient(), "AlsoPreempted without Patience: no job gives up; add Patience, or leave it out")
		resumes := s.Fails() || s.Policy != nil && s.Policy.Properties().Preemptive && !s.Policy.Properties().Loses
		f.That(resumes, "AlsoPreempted along with policy %v: it is for policies that stop jobs and resume them; choose one, or leave it out", s.Policy)
	}
	if !s.Turns() {
		return
	}
	if why := s.Limitless(); why != "" && s.Load != nil && s.sentByUsers() {
		f.Add("AtLoad(%v): users send all jobs and wait for them, so that there is no stability limit; leave it out, and give Users or how long they think", *s.Load)
	} else if why != "" && s.Load != nil {
		f.Add("AtLoad(%v): the queue has no stability limit, because %s; give a rate, or AtOffered(%v), the share of the servers that all jobs together would keep busy", *s.Load, why, *s.Load)
	}
	f.That(!s.Identities(), "Room, Users and Patience are for servers that are alike or types of resources; leave out named servers and random assignment")
	f.That(!s.AsPrinted, "AsPrinted is a recursion of jobs that are all served; leave out Room, Users, Patience or AsPrinted")
	if s.Policy == nil {
		return
	}
	known := s.Policy.Properties()
	f.That(s.Room == nil || !known.Preemptive, "policy %v along with Room or Loss: a job that it stops waits, and there may be no room; choose a policy that stops no job", s.Policy)
	f.That(s.Room == nil || *s.Room > 0 || known.Preemptive || known.Recurrence || known.Packs,
		"policy %v along with Loss: it may leave a job waiting that fits, and that job would be turned away; choose FCFS, FirstFit or another policy that starts a job which finds nobody waiting and fits", s.Policy)
	f.That(!s.Keeps() || s.FirstCome() || s.Room != nil && *s.Room == 0, "policy %v along with Keep: which jobs fit then depends on the class, and the policy looks at needs; choose FCFS, or Loss()", s.Policy)
}

// renegingFaults says whether jobs can leave the queue of the policy, which is right in all
// else.
func (s *Spec) renegingFaults(f *check.Faults) {
	if s.recurrent() && !s.OnNodes() || !s.Impatient() && s.Room == nil {
		return
	}
	sched := s.Policy.Scheduler(s.PolicySystem().For(s.Policy))
	f.That(policy.LetsGo(sched), "policy %v: jobs cannot leave its queue before they start; with Room or Patience choose FCFS, FirstFit, EASY, Conservative, MostServersFirst, LeastServersFirst or a Priority", s.Policy)
}

func room(s *Spec) int {
	if s.Room == nil {
		return 0
	}
	return *s.Room
}

// turnedFaults says what is wrong with how jobs of a class are kept out, sent or lost.
func (s *Spec) turnedFaults(f *check.Faults, at string, c *Class) {
	if c.Keep != 0 {
		most := s.Servers - c.Need
		f.That(c.Keep >= 0, "%s: Keep(%d): a number of servers cannot be negative; give 0 or more", at, c.Keep)
		f.That(c.Keep <= most || most < 0, "%s: Keep(%d): a job would never start; give at most %d, because it needs %d of %d servers", at, c.Keep, max(0, most), c.Need, s.Servers)
		f.That(s.Room != nil, "%s: Keep is for a queue that turns jobs away; add Loss() or Room(n)", at)
		f.That(len(s.Resources) == 0, "%s: Keep counts servers that are alike; leave it out with types of resources", at)
	}
	if c.Patience != nil {
		f.Join(patienceFaults(at+": patience", c.Patience)...)
	}
	if c.Users == 0 && c.Think == nil {
		return
	}
	f.That(c.Users >= 1, "%s: Users(%d): give at least one", at, c.Users)
	f.That(c.Users <= MostServers, "%s: Users(%d): more than %d cannot be counted; let the jobs arrive in a Poisson process", at, c.Users, MostServers)
	f.That(c.Prob == 0 || !s.draws(), "%s: Users along with the probability %v: its jobs come from the users, so give it the probability 0", at, c.Prob)
	_, together := s.batched()
	f.That(together == 1 || s.Room != nil && *s.Room == 0, "%s: Users along with batches of arrivals: leave the batches out, or add Loss()", at)
	f.Join(LawFaults(at+": think", c.Think)...)
	for name := range marked(s) {
		f.That(name != c.Name, "%s: the arrivals mark jobs of the class along with Users; leave one of them out", at)
	}
}

// draws reports whether the class of some jobs is drawn by the probabilities: neither users nor
// the arrivals say of which class each is. Otherwise probabilities do not matter.
func (s *Spec) draws() bool {
	rates := marked(s)
	return !s.sentByUsers() && (rates == nil || rates[""] > 0)
}

// marked are the rates of the classes that the arrivals mark.
func marked(s *Spec) map[string]float64 {
	if s.Arrivals == nil || len(arrivalFaults(s)) > 0 {
		return nil
	}
	return arrival.ClassRates(s.Arrivals)
}

// patienceFaults says what is wrong with a patience. Its mean may be infinite.
func patienceFaults(at string, l law.Law) []error {
	if err := l.Validate(); err != nil {
		return []error{fmt.Errorf("%s: %w", at, err)}
	}
	if m := l.Mean(); m == 0 {
		return []error{fmt.Errorf("%s: %v is always 0, so that no job ever waits; use Loss() instead", at, l)}
	}
	return nil
}
