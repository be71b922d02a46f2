package trace

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// part is a part of a system with a queue of its own: mostly the whole system.
type part struct {
	servers    int   // all units, of a part with types
	units      []int // by type; nil without types
	jobs       []events.Logged
	numbers    []int32 // by job, its number in the log
	kinds      map[string]int
	key        []byte
	needs      [][]int   // by kind and type
	count      []int     // jobs by kind
	work       []float64 // by kind, the sum of their services
	levels     bool      // the policy tells classes by more than their needs
	labels     []string  // by kind, where it does
	owned      bool      // the policy tells jobs by their owners
	owner      map[policy.Owner]int32
	owners     []policy.Owner
	limits     limits // of its jobs
	loop       loop   // of its users
	sleep      *compiled.Sleep
	*stretched          // nil: its jobs hold what they need
	nodes      *onNodes // nil: its servers are not on nodes
	group      []int32  // by class of the event list, that of the replay; nil: the same
}

// class is that of a job in the replay, given the one that the event list has.
func (p *part) class(of int) int {
	if p.group == nil {
		return of
	}
	return int(p.group[of])
}

// servers is how many there are, by the settings or by the log.
func (how *Replay) servers(t *Trace) (sum int) {
	for _, k := range how.Nodes {
		sum += k.Count * k.Units
	}
	if len(how.Partitions)+len(how.Units)+len(how.Nodes) == 0 {
		return cmp.Or(how.Servers, t.Report.Servers)
	}
	for _, p := range how.Partitions {
		sum += p.Servers
	}
	for _, n := range how.Units {
		sum += n
	}
	return sum
}

// partFaults says what is wrong with units and partitions.
func (q *replay) partFaults(f *check.Faults) {
	for i, p := range q.Partitions {
		f.That(p.Servers >= 1, "Partitions: %q has %d servers; give at least one", p.Name, p.Servers)
		f.That(!slices.ContainsFunc(q.Partitions[:i], func(o Partition) bool { return o.Name == p.Name }), "Partitions: %q is given twice; add its servers up", p.Name)
	}
	for k, n := range q.Units {
		f.That(n >= 1, "Units: type %d has %d units; give at least one", k+1, n)
	}
	f.That(len(q.Units) == 0 || len(q.Partitions) == 0, "Units along with Partitions: give one of them, or replay the jobs of each partition on its own")
	switch {
	case q.log == nil:
		f.That(len(q.Units)+len(q.Partitions) == 0, "Units and Partitions need the whole log: read it with ReadSacct, ReadSWF or ReadCSV")
	case len(q.Units) > 0:
		f.That(len(q.Units) == len(q.log.Types), "Units %v: the log has the types %q; give a number of units for each, or Servers if there are none", q.Units, q.log.Types)
	}
}

// fits says which jobs are too large for the system, if any.
func (how *Replay) fits(t *Trace) error {
	if len(how.Partitions)+len(how.Units) == 0 {
		return t.fits(how.Servers)
	}
	f := check.Faults{Most: mostFaults}
	for i := range t.Jobs {
		j := &t.Jobs[i]
		for k, n := range how.Units {
			f.That(k >= len(j.Units) || j.Units[k] <= n, "job %d (line %d) needs %v units, and there are %v; give more, or leave the job out", i, j.Line, j.Units, how.Units)
		}
		for _, p := range how.Partitions {
			f.That(j.Class != p.Name || j.Need <= p.Servers, "job %d (line %d) needs %d servers, more than the %d of partition %q; give more, or leave the job out", i, j.Line, j.Need, p.Servers, p.Name)
		}
	}
	return f.Err("")
}

// parts are the parts of the system, without jobs.
func (q *replay) parts() (list []*part) {
	for _, p := range q.Partitions {
		list = append(list, &part{servers: p.Servers, kinds: map[string]int{}})
	}
	if len(list) == 0 {
		list = append(list, &part{servers: q.Servers, units: q.Units, nodes: q.placed(), kinds: map[string]int{}, loop: loop{session: q.sessionIn(q.unit)}, sleep: problem.Asleep(q.Sleep, q.Awake)})
	}
	return list
}

// partOf is the part of a job.
func (q *replay) partOf(j *Job) (int, error) {
	if len(q.Partitions) == 0 {
		return 0, nil
	}
	k := slices.IndexFunc(q.Partitions, func(p Partition) bool { return p.Name == j.Class })
	if k < 0 {
		return 0, fmt.Errorf("the class %q of the job names no partition; add it to Partitions, or leave the job out", j.Class)
	}
	return k, nil
}

// add takes in a job, with its number in the log and its class.
func (p *part) add(j *Job, number, class, form int32) {
	l := events.Logged{Arrival: j.Arrival, Service: j.Service, Estimate: j.Estimate, Need: j.Need, Class: int(class), Form: form}
	needs := []int{j.Need}
	if form > 0 {
		needs[0] = p.Forms[form-1].Least
	}
	if p.units != nil {
		l.Need, needs = 0, j.Units
		for _, n := range needs {
			l.Need += n
		}
	}
	if p.owned {
		l.Owner = p.ownerOf(j)
	}
	p.key = p.key[:0]
	if p.levels {
		p.key = append(strconv.AppendInt(p.key, int64(class), 10), j.Class+" "...)
	}
	for _, n := range needs {
		p.key = append(strconv.AppendInt(p.key, int64(n), 10), ' ')
	}
	if p.nodes != nil {
		p.key = fmt.Appendf(p.key, "%d on %d", class, p.nodes.span(j).Nodes)
	}
	kind, known := p.kinds[string(p.key)]
	if !known {
		kind = len(p.needs)
		p.kinds[string(p.key)], p.needs = kind, append(p.needs, needs)
		p.count, p.work = append(p.count, 0), append(p.work, 0)
		if p.levels {
			p.labels = append(p.labels, j.Class)
		}
		if p.levels || p.nodes != nil {
			p.group = append(p.group, class)
		}
		if p.nodes != nil {
			p.nodes.spans, p.nodes.jobs = append(p.nodes.spans, p.nodes.span(j)), append(p.nodes.jobs, 0)
		}
	}
	p.count[kind]++
	p.work[kind] += j.Service
	if p.units != nil || p.levels || p.nodes != nil {
		l.Class = kind
	}
	if p.nodes != nil {
		p.nodes.jobs[kind]++
	}
	p.jobs, p.numbers = append(p.jobs, l), append(p.numbers, number)
}

// ownerOf numbers the owner of a job.
func (p *part) ownerOf(j *Job) int32 {
	o := policy.Owner{Account: j.Account, User: j.User}
	i, known := p.owner[o]
	if !known {
		if p.owner == nil {
			p.owner = map[policy.Owner]int32{}
		}
		i = int32(len(p.owners))
		p.owner[o], p.owners = i, append(p.owners, o)
	}
	return i
}

// classes are the jobs as the policy sees them: by need, and by label where that tells them apart.
// The mean of each is that of its jobs.
func (p *part) classes() (list []policy.Class) {
	for k, n := range p.needs {
		c := policy.Class{Name: fmt.Sprintf("T%d", n[0]), Mean: p.work[k] / float64(p.count[k])}
		for _, units := range n {
			c.Need += units
		}
		if p.units != nil {
			c.Name, c.Units = fmt.Sprint(n), n
		}
		if p.levels {
			c.Name = p.labels[k]
		}
		if p.nodes != nil {
			c.Nodes = p.nodes.spans[k].Nodes
		}
		list = append(list, c)
	}
	return list
}

// validate says what keeps a policy from serving the jobs.
func (p *part) validate(how policy.Policy) error {
	x := policy.System{Servers: p.servers, Units: p.units, Nodes: p.nodes != nil, Classes: p.classes(), Owners: p.owners}
	if p.nodes != nil {
		for _, k := range p.nodes.kinds {
			x.NodeCount += k.Count
		}
	}
	slices.SortStableFunc(x.Classes, func(a, b policy.Class) int { return cmp.Compare(a.Need, b.Need) })
	return policy.Validate(how, x)
}

// system is the part under a policy, as the event engine has it.
func (p *part) system(how policy.Policy) compiled.System {
	x := compiled.System{Servers: p.servers, Policy: how, Known: p.classes(), Owners: p.owners, Sleep: p.sleep}
	if p.stretched != nil {
		x.Elastic = &p.stretched.Elastic
	}
	if p.nodes != nil {
		x.Nodes = p.nodes.placed()
	}
	if p.units != nil {
		x.Types = &compiled.Types{Units: p.units, Needs: p.needs}
	}
	return x
}

// validate says what keeps the policy from serving the jobs of some part.
func (p *scheduled) validate() error {
	var faults []error
	for i, one := range p.parts {
		if of, ok := p.policy.(policy.Noted); ok && i == 0 {
			p.noted = of.Notes(policy.System{Servers: one.servers, Classes: one.classes(), Owners: one.owners})
			if len(p.parts) > 1 && of.Properties().Remembers {
				p.noted = append(p.noted, "Usage counts in each partition on its own; Slurm adds it up.")
			}
		}
		faults = append(faults, one.validate(p.policy), p.takesBack(one))
	}
	return errors.Join(faults...)
}

// title names the system, in words.
func (q *replay) title() string {
	switch {
	case len(q.Nodes) > 0:
		return q.nodesTitle()
	case len(q.Units) > 0:
		text := ""
		for k, n := range q.Units {
			text += fmt.Sprintf(", %d %s", n, q.log.Types[k])
		}
		return text[2:]
	case len(q.Partitions) > 0:
		return fmt.Sprintf("%s in %s", spec.Count(q.Servers, "server"), spec.Count(len(q.Partitions), "partition"))
	}
	return spec.Count(q.Servers, "server")
}

// aboutParts are notes on types of resources and on where the replay begins.
func (q *replay) aboutParts(h *history) (notes []string) {
	for k := range q.Units {
		n := float64(q.Units[k])
		notes = append(notes, fmt.Sprintf("%s: %.3g %% of %d units are busy, %.3g units idle while a job waits.",
			q.log.Types[k], 100*(1-h.idleUnits[k]/h.span/n), q.Units[k], h.idleUnits[len(q.Units)+k]/h.span))
	}
	if len(q.Limits) > 0 && h.sojourn > 0 {
		notes = append(notes, fmt.Sprintf("Limits kept jobs out of the queue for %.3g of their time in the system.", h.kept/h.sojourn))
	}
	notes = append(append(notes, q.nodesNote(h)...), q.loopNote(h)...)
	notes = append(notes, q.lostNote(h)...)
	switch {
	case q.begun > 0:
		notes = append(notes, fmt.Sprintf("The replay starts with the %s that the log had when its window began; their waits are left out.", spec.Count(q.begun, "job")))
	case q.log != nil && !q.log.Report.Origin.IsZero():
		notes = append(notes, "The replay starts with an empty system, so the first waits are too short. Read the log with Since to start with the jobs that ran then, or set WarmUp.")
	}
	return notes
}
