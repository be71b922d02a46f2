package policy

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// Job is a job in the system. A pointer to one is good until the pass ends.
type Job struct {
	ID      int32 // of the engine, while the job is in the system
	Class   int32 // its index among the classes
	Owner   int32 // its index in System.Owners, in a log
	Kind    int   // index of its need in View.Needs
	Need    int   // servers
	Number  int64 // in order of arrival
	Arrival float64
	// Service is how long it runs. Only policies with Properties.Sizes may look at it.
	Service float64
	// Estimate is how long it is thought to run.
	Estimate float64
}

// None is the entry of View.Oldest of a kind of which no job waits.
const None = math.MaxInt64

// View is a system as a pass sees it. Kinds of jobs are numbered by their needs. The
// slices belong to the engine, which keeps them up to date while the pass acts; they
// are for reading only.
type View struct {
	Now     float64
	Servers int
	Free    int     // servers that no job holds
	Jobs    int     // that wait
	Needs   []int   // of the kinds, increasing
	Waiting []int   // jobs by kind, preempted ones among them
	Running []int   // jobs by kind
	Oldest  []int64 // number of the earliest job that waits, by kind; None

	// Where jobs need units of several types of resources, these tell them by type, and
	// nil elsewhere. Servers, Free and Needs then count units of all types together, and
	// the kinds are in the order of [System.For].
	Units     []int   // by type
	FreeUnits []int   // by type, that no job holds
	NeedUnits [][]int // by kind and type

	engine Engine
	typed  bool   // there is more to fitting than the sum of the units
	placer Placer // nil: units do not lie on nodes
	booker Booker // nil: servers are always there
	booked bool   // some are reserved
	queue  []*Job // of Queue, used again
}

// Engine carries out what policies decide. Simulators implement it.
type Engine interface {
	// Start starts the earliest job of a kind that waits.
	Start(kind int)
	// StartJob starts a job that waits.
	StartJob(id int32)
	// Preempt stops a job that runs. It reports whether the job has left.
	Preempt(id int32) (left bool)
	// Serve has as many jobs of a kind run as given once the pass has ended: the
	// earliest of those in the system. Kinds left out stay as they are.
	Serve(kind, jobs int)
	// Job is a job in the system.
	Job(id int32) *Job
	// Remaining is the service that a job has still to get.
	Remaining(id int32) float64
	// Queue appends the jobs that wait, in any order.
	Queue(dst []*Job) []*Job
	// Runs reports whether a job runs.
	Runs(id int32) bool
}

// Placer is an Engine whose units lie on nodes.
type Placer interface {
	// Places reports whether a job of a kind has a place there.
	Places(kind int) bool
}

// NewView is the view of an engine that serves a system of which nothing is taken. The engine
// keeps its exported fields. One whose units lie on nodes is a Placer.
func NewView(e Engine, s System) *View {
	v := &View{Servers: s.Servers, engine: e, typed: s.Nodes || s.Units != nil}
	if s.Units != nil {
		v.Units, v.FreeUnits, v.NeedUnits = s.Units, slices.Clone(s.Units), s.needs()
	}
	if s.Nodes {
		v.placer = e.(Placer)
	}
	if s.Booked || s.Fails {
		v.booker, v.booked = e.(Booker), s.Booked
	}
	for _, k := range s.Kinds {
		v.AddKind(k.Need)
	}
	v.Reset()
	return v
}

// AddKind appends a kind of job of which there is none yet.
func (v *View) AddKind(need int) {
	v.Needs = append(v.Needs, need)
	v.Waiting, v.Running, v.Oldest = append(v.Waiting, 0), append(v.Running, 0), append(v.Oldest, None)
}

// Reset is the view of the empty system at time 0.
func (v *View) Reset() {
	v.Now, v.Free, v.Jobs = 0, v.Servers, 0
	copy(v.FreeUnits, v.Units)
	clear(v.Waiting)
	clear(v.Running)
	for k := range v.Oldest {
		v.Oldest[k] = None
	}
}

// Fits reports whether a job of a kind fits in what is free.
func (v *View) Fits(kind int) bool {
	return v.Needs[kind] <= v.Free && (!v.typed || v.fitsTyped(kind))
}

// fitsTyped is Fits by type and on nodes.
func (v *View) fitsTyped(kind int) bool {
	return v.fitsUnits(kind) && (v.placer == nil || v.placer.Places(kind))
}

// free is how many units of a type no job holds; servers are of one type.
func (v *View) free(t int) int {
	if v.FreeUnits == nil {
		return v.Free
	}
	return v.FreeUnits[t]
}

// Enough reports whether as many units are free as a job of a kind needs, which is not
// enough where they lie on nodes.
func (v *View) Enough(kind int) bool { return v.Needs[kind] <= v.Free && v.fitsUnits(kind) }

// fitsUnits reports whether a job fits by type.
func (v *View) fitsUnits(kind int) bool {
	if v.NeedUnits == nil {
		return true
	}
	for j, n := range v.NeedUnits[kind] {
		if n > v.FreeUnits[j] {
			return false
		}
	}
	return true
}

// Start starts the earliest job of a kind that waits. It says false, and does
// nothing, if there is none or if it does not fit.
func (v *View) Start(kind int) bool {
	if kind < 0 || kind >= len(v.Needs) || v.Waiting[kind] == 0 || !v.Fits(kind) {
		return false
	}
	if v.booked && !v.booker.SparesReserved(kind) {
		return false
	}
	v.engine.Start(kind)
	return true
}

// StartJob starts a job of the queue. It says false, and does nothing, if it does
// not fit or runs already.
func (v *View) StartJob(j *Job) bool {
	if !v.Fits(j.Kind) || v.engine.Runs(j.ID) || v.booked && !v.booker.Spared(j.ID) {
		return false
	}
	v.engine.StartJob(j.ID)
	return true
}

// Serve has the earliest jobs of a kind run once the pass has ended, as many as
// given or as there are, and stops the others. It is for preemptive policies, whose
// pass gives a number for every kind; together they must fit.
func (v *View) Serve(kind, jobs int) {
	v.engine.Serve(kind, min(max(jobs, 0), v.Waiting[kind]+v.Running[kind]))
}

// Queue yields the waiting jobs in order of arrival, without those that have started meanwhile.
// Cost: that of sorting the queue.
func (v *View) Queue() iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		v.queue = v.engine.Queue(v.queue[:0])
		slices.SortFunc(v.queue, func(a, b *Job) int { return cmp.Compare(a.Number, b.Number) })
		for _, j := range v.queue {
			if !v.engine.Runs(j.ID) && !yield(j) {
				return
			}
		}
	}
}

// Head is the kind of the job at the head of the queue, which must not be empty.
func (v *View) Head() (kind int) {
	for k, n := range v.Oldest {
		if n < v.Oldest[kind] {
			kind = k
		}
	}
	return kind
}
