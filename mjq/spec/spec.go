// Package spec describes a multiserver-job queue as plain immutable data: servers or
// types of resources, classes of jobs, arrivals. It reports whether a description makes
// sense, writes and reads it, and knows what follows from it by arithmetic alone. It
// knows nothing of stability limits and of methods.
package spec

import (
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// Spec is the description of a queue. Change nothing in one that Validate accepts, slices
// included: make a copy by one of the With methods. Goroutines may share it.
type Spec struct {
	Servers          int                 // of several types of resources, all units
	Resources        []Type              // types of resources; none: identical servers
	RandomAssignment bool                // jobs draw their servers blindly
	Nodes            []Nodes             // kinds of nodes on which units lie, in the order of preference; none: anywhere
	Placement        placement.Placement // on nodes; nil: best fit
	AsPrinted        bool                // the recursion that lets later jobs overtake; see Model.AsPrinted of package mjq
	Arrivals         arrival.Process     // nil: none given
	Load             *float64            // fraction of the stability limit: Arrivals, Poisson if nil, then have its shape but not yet its rate
	Policy           policy.Policy       // nil: first come first served
	Room             *int                // the most jobs that wait; nil: any number
	AlsoPreempted    bool                // jobs that the policy stops give up too, once they have waited in all as long as their patience
	Classes          []Class             // their probabilities sum to 1, those of users left out
	Notes            []string            // for every result
	Unit             result.Unit         // of times and rates; "" if it is not known
	Failures         []Failure           // kinds of failure of servers; none: they never fail
	Crews            *int                // servers that are repaired at once; nil: any number
	Sleep            *Sleep              // how servers go off that no job needs; nil: they do not
	Awake            int                 // servers that never sleep
	Watts            *Watts              // power of a server; nil: not known
	Spares           int                 // servers that jobs together leave free; on nodes, nodes
	Reservations     []Reservation       // servers taken away for a time
	Oldest           bool                // free servers go to elastic jobs in order of start; else to the smallest

	open   []float64 // by class, where the arrivals mark some jobs: of those that they leave open; see Normalized
	normal bool      // made by Normalized or read from a file
}

// Type is a type of resource: interchangeable units under one name.
type Type struct {
	Name  string `json:"name"`
	Units int    `json:"units"`
}

// Class is a class of jobs.
type Class struct {
	Name    string
	Need    int     // servers seized at once; of several types of resources, all units
	Prob    float64 // that an arriving job is of this class
	Service law.Law // time for which they are held

	Units []int // by type of resource; nil without types
	Pick  *Pick // what it asks of servers with identities; nil: any

	Keep     int     // servers that must stay free once a job has started
	Patience law.Law // time after which a job that has not started gives up; nil: it never does
	Users    int     // they send the jobs of the class, in place of the arrivals; 0: nobody does
	Think    law.Law // time for which each of them then thinks before it sends another

	After *policy.Checkpoint // what becomes of a job whose server fails; nil: it begins again

	Elastic *Elastic // the numbers of servers on which jobs may run; nil: Need alone

	Nodes     int  // on which a job lies, with equal needs; 0: one, or whole nodes for a larger need
	Scattered bool // its units may lie on any nodes
}

// Pick is what a job asks of servers with identities: it holds Any + Random +
// len(Named) servers together.
type Pick struct {
	Any    int   `json:"any,omitempty"`    // servers, whichever are free soonest
	Random int   `json:"random,omitempty"` // servers drawn at random without regard to the state; not along with Named
	Named  []int `json:"named,omitempty"`  // these servers, numbered from 1
}

// Total is the number of servers that the job holds.
func (p *Pick) Total() int { return p.Any + p.Random + len(p.Named) }

// Plain reports whether all servers are alike to all jobs: no types of resources, no
// requests for specific servers, no random assignment, no nodes.
func (s *Spec) Plain() bool { return len(s.Resources) == 0 && !s.Identities() && !s.OnNodes() }

// Identities reports whether servers are told apart.
func (s *Spec) Identities() bool {
	return s.RandomAssignment || slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Pick != nil })
}

// PickOf is what a class asks of servers with identities.
func (s *Spec) PickOf(class int) Pick {
	c := &s.Classes[class]
	switch {
	case s.RandomAssignment:
		return Pick{Random: c.Need}
	case c.Pick != nil:
		return *c.Pick
	}
	return Pick{Any: c.Need}
}

// OpenProb is the probability of a class among the jobs whose class the arrivals leave
// open: Prob, but where the arrivals mark others.
func (s *Spec) OpenProb(class int) float64 {
	if s.open != nil {
		return s.open[class]
	}
	return s.Classes[class].Prob
}

// Monotone reports whether more work found means more work left, job by job, on which
// Theorems 4.2 and 5.1 of Baccelli, Olliaro, Ajmone Marsan and Marin rest: not where
// a class asks for servers by number and another for any.
func (s *Spec) Monotone() bool {
	if !s.Identities() {
		return true
	}
	named, any := false, false
	for c := range s.Classes {
		p := s.PickOf(c)
		named, any = named || len(p.Named) > 0, any || p.Any > 0
	}
	return !named || !any
}

// Poisson reports whether jobs arrive in a Poisson process.
func (s *Spec) Poisson() bool {
	if s.Arrivals == nil {
		return s.Load != nil
	}
	_, ok := arrival.IsPoisson(s.Arrivals)
	return ok
}

// WithRate is the description with the arrival rate changed: the arrivals keep
// their shape and are scaled in time. Without arrivals they become
// Poisson. A rate that is not positive and finite gives one that ArrivalFaults
// refuses.
func (s *Spec) WithRate(rate float64) *Spec {
	c := *s
	c.Load = nil
	if s.Arrivals == nil || !(rate > 0) || math.IsInf(rate, 1) {
		c.Arrivals = arrival.Poisson(rate)
	} else {
		c.Arrivals = s.Arrivals.AtRate(rate)
	}
	return &c
}

// WithLoad is the description at a fraction of its stability limit, which is found when a
// question needs it; see Resolve of package limit.
func (s *Spec) WithLoad(load float64) *Spec {
	c := *s
	c.Load = &load
	return &c
}

// WithPolicy is the description under another scheduling policy, which Validate may
// refuse.
func (s *Spec) WithPolicy(p policy.Policy) *Spec {
	c := *s
	c.Policy = p
	return c.onNodes()
}

// FirstCome reports whether jobs are served first come first served, so that the
// recurrences of the workload hold, which know no nodes. Where all jobs need the same, many
// policies come to that; see [policy.Properties].
func (s *Spec) FirstCome() bool {
	return !s.OnNodes() && (s.recurrent() || s.OneNeed() && s.oneLevel() && s.Plain() && !s.Keeps() && s.Policy.Properties().InOrder)
}

// oneLevel reports whether the policy has all classes on one level.
func (s *Spec) oneLevel() bool {
	level := s.levelOf()
	return level == nil || slices.Min(level) == slices.Max(level)
}

// recurrent reports whether the policy is first come first served whatever jobs need.
func (s *Spec) recurrent() bool { return s.Policy == nil || s.Policy.Properties().Recurrence }

// Channels is how many jobs run at once whatever their classes: all need the same number of
// servers, or no two jobs fit together. ok is false elsewhere, and where servers are not alike or
// must stay free.
func (s *Spec) Channels() (n int, ok bool) {
	if !s.Plain() || s.Keeps() || s.AsPrinted || s.Servers < 1 || len(s.Classes) == 0 {
		return 0, false
	}
	if s.OneNeed() {
		return s.Servers / s.Classes[0].Need, true
	}
	for i := range s.Classes {
		if 2*s.Classes[i].Need <= s.Servers {
			return 0, false
		}
	}
	return 1, true
}

// NeverWaits reports whether no job can ever wait: interarrival times are so long, and service
// times so short, that all jobs that can be there at once fit.
func (s *Spec) NeverWaits() bool {
	if !s.Plain() || !s.FirstCome() || s.AsPrinted || s.Keeps() || s.Away() || s.Load != nil || s.Sleep != nil {
		return false
	}
	of, batch := s.batched()
	r, ok := of.(arrival.Renewal)
	if !ok {
		return false
	}
	longest, widest := 0.0, 0
	for _, c := range s.Classes {
		longest, widest = max(longest, c.Service.Quantile(1)), max(widest, c.Need)
	}
	const rounding = 1e-12 // of the quotient
	return float64(batch)*math.Ceil(longest/r.Gap.Quantile(0)*(1-rounding))*float64(widest) <= float64(s.Servers)
}

// batched is the process of the arrivals, or of their batches, and the most jobs of a batch.
func (s *Spec) batched() (of arrival.Process, most int) {
	if b, ok := s.Arrivals.(arrival.Batches); ok {
		return b.Of, len(b.Sizes)
	}
	return s.Arrivals, 1
}

// OneNeed reports whether all classes need the same number of servers.
func (s *Spec) OneNeed() bool {
	return !slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Need != s.Classes[0].Need })
}

// Gap is the law of the time between arrivals, if these are independent and of one law.
func (s *Spec) Gap() (law.Law, bool) {
	r, ok := s.Arrivals.(arrival.Renewal)
	return r.Gap, ok
}

// WithServers is the description with another number of servers, which Validate
// may refuse.
func (s *Spec) WithServers(servers int) *Spec {
	c := *s
	c.Servers = servers
	return &c
}

// WithNeed is the description with another need of a class, given by its index, which
// Validate may refuse. It is for identical servers.
func (s *Spec) WithNeed(class, need int) *Spec {
	c := *s
	c.Classes = slices.Clone(s.Classes)
	c.Classes[class].Need = need
	return &c
}

// WithUnits is the description with so many units of each type of resource, which
// Validate may refuse.
func (s *Spec) WithUnits(units []int) *Spec {
	c := *s
	c.Resources, c.Servers = slices.Clone(s.Resources), 0
	for k, n := range units {
		c.Resources[k].Units = n
		c.Servers += n
	}
	return &c
}

// WithLaws is the description with the services of every class replaced by what of
// makes of them. Notes, which may be on laws, are left out.
func (s *Spec) WithLaws(of func(class int, service law.Law) law.Law) *Spec {
	c := *s
	c.Notes, c.Classes = nil, slices.Clone(s.Classes)
	for i := range c.Classes {
		c.Classes[i].Service = of(i, s.Classes[i].Service)
	}
	return &c
}

// WithRandomAssignment is the queue of the same jobs and servers in which every job
// draws its servers at random. It keeps neither picks nor AsPrinted.
func (s *Spec) WithRandomAssignment() *Spec {
	c := *s
	c.RandomAssignment, c.AsPrinted, c.Classes = true, false, slices.Clone(s.Classes)
	for i := range c.Classes {
		c.Classes[i].Pick = nil
	}
	return &c
}

// WithPrinted is the description under the recursion as the paper prints it. Random
// assignment stays as it is.
func (s *Spec) WithPrinted() *Spec {
	c := *s
	c.AsPrinted = !s.RandomAssignment && !s.Plain()
	return &c
}

// Unloaded is what decides the stability limit: the description without arrivals and
// notes.
func (s *Spec) Unloaded() *Spec {
	c := *s
	c.Arrivals, c.Load, c.Notes, c.open = nil, nil, nil, nil
	return &c
}
