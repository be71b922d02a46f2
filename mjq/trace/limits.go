package trace

import (
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/events"
)

// By says whose jobs a Limit is about.
type By string

// The groups of a Limit.
const (
	EachUser  By = "user"  // Job.User
	EachClass By = "class" // Job.Class, such as the partition
)

// Limit bounds what the jobs of one user or of one class hold together. A job that a limit keeps out
// waits outside the queue, where it delays nobody and no policy sees it. It joins the queue behind
// the jobs that are there once the others of its group leave room, so that those in the queue count
// as well as those in service. In Slurm this is MaxTRESPerUser, MaxJobsPerUser or GrpTRES of an
// association or QOS; partitions that share servers have a limit each. Under Slurm a job that is
// kept out grows older all the same and may join ahead of others.
type Limit struct {
	By   By
	Name string // the one user or class; by default each has this limit
	Jobs int    // that are in the queue or in service; 0 is any number
	// Servers are those that the jobs need together, and Units are the same by type for a log with
	// types; 0 is any number.
	Servers int
	Units   []int
}

// of is the group of a job, and whether the limit is about it.
func (l *Limit) of(j *Job) (name string, about bool) {
	if name = j.User; l.By == EachClass {
		name = j.Class
	}
	return name, l.Name == "" || l.Name == name
}

// most is what the limit allows by type.
func (l *Limit) most(types int) []int {
	if types == 0 {
		return []int{l.Servers}
	}
	if l.Units == nil {
		return make([]int, types)
	}
	return l.Units
}

// limitFaults says what is wrong with limits.
func (q *replay) limitFaults(f *check.Faults) {
	if len(q.Limits) > 0 && q.log == nil {
		f.Add("Limits need the whole log: read it with ReadSacct, ReadSWF or ReadCSV")
		return
	}
	for i, l := range q.Limits {
		f.That(l.By == EachUser || l.By == EachClass, "Limits: limit %d is by %q; choose trace.EachUser or trace.EachClass", i+1, string(l.By))
		f.That(l.Jobs >= 0 && l.Servers >= 0, "Limits: limit %d of %d jobs and %d servers; give numbers from 0, which is any number", i+1, l.Jobs, l.Servers)
		f.That(l.Units == nil || len(l.Units) == len(q.Units), "Limits: limit %d has the units %v; give a number for each of the types of Units", i+1, l.Units)
		f.That(l.Servers == 0 || len(q.Units) == 0, "Limits: limit %d is of servers, and the log has types; give Units", i+1)
	}
	if q.log == nil || len(q.Limits) == 0 {
		return
	}
	tooLarge := check.Faults{Most: mostFaults}
	for i := range q.log.Jobs {
		j := &q.log.Jobs[i]
		for k := range q.Limits {
			l := &q.Limits[k]
			name, about := l.of(j)
			for t, most := range l.most(len(q.Units)) {
				need := j.Need
				if len(q.Units) > 0 && t < len(j.Units) {
					need = j.Units[t]
				}
				tooLarge.That(!about || most == 0 || need <= most, "job %d (line %d) of %s %q needs %d, above its limit of %d, and would never start; raise the limit, or leave the job out", i, j.Line, l.By, name, need, most)
			}
		}
	}
	f.Join(tooLarge.Err(""))
}

// limits collects what the jobs of a part are under; nil without limits.
type limits struct {
	events.Limits
	groups map[limited]int32
	sets   map[string]int32
	key    []byte
}

// limited is a group under a limit.
type limited struct {
	limit int
	name  string
}

// add takes in the next job of a part.
func (x *limits) add(how *Replay, j *Job) {
	if x.groups == nil {
		x.groups, x.sets = map[limited]int32{}, map[string]int32{}
	}
	var list []int32
	x.key = x.key[:0]
	for k := range how.Limits {
		l := &how.Limits[k]
		name, about := l.of(j)
		if !about {
			continue
		}
		i, known := x.groups[limited{k, name}]
		if !known {
			i = int32(len(x.Jobs))
			x.groups[limited{k, name}] = i
			x.Jobs, x.Units = append(x.Jobs, l.Jobs), append(x.Units, l.most(len(how.Units)))
		}
		list = append(list, i)
		x.key = fmt.Appendf(x.key, "%d ", i)
	}
	set, known := x.sets[string(x.key)]
	if !known {
		set = int32(len(x.Sets))
		x.sets[string(x.key)], x.Sets = set, append(x.Sets, list)
	}
	x.Set = append(x.Set, set)
}
