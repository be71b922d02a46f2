package trace

import (
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// account is what is seen of the jobs of a trace, class by class and batch by batch.
type account struct {
	*replay
	index   map[group]int
	groups  []replayed
	batches batches

	jobs             int64
	first, last      float64        // arrivals
	brought, squares float64        // server-time of the jobs, and its squares
	logged           estimate.Batch // waits that the log holds
	waited           float64        // by all jobs together
	unserved         int64          // jobs that never started, or had not by the interruption
	endless          int64          // jobs without service that wait, so that their slowdown is +Inf

	idle, blocked float64 // server-time idle, and idle while a job waits
}

// outcome is what becomes of a job.
type outcome struct {
	estimate.Served
	kept   float64 // part of the wait, for which limits kept it out of the queue
	served bool    // else the rest is not known
}

// replayed is what was seen of a class.
type replayed struct {
	key        group
	need       int     // the largest
	jobs, seen float64 // all, and those observed after the warm-up
	service    float64 // of all
	counts     [estimate.Quantities]estimate.Histogram
	sizes      sizesOf
}

func newAccount(q *replay) *account {
	return &account{replay: q, index: map[group]int{}, batches: batches{length: 1}}
}

// accepts says what keeps a job from arriving now.
func (a *account) accepts(j *Job) error {
	if wrong := wrongJob(j); wrong != nil {
		return errors.Join(wrong...)
	}
	if a.Units == nil && j.Need > a.Servers {
		return fmt.Errorf("the job needs %d servers, more than the %d there are", j.Need, a.Servers)
	}
	if a.jobs > 0 && j.Arrival < a.last {
		return fmt.Errorf("the job arrives at %v, before the one above it at %v; read the whole log, which sorts it, and replay that", j.Arrival, a.last)
	}
	return nil
}

// arrive counts a job, which accepts has let pass, and finds its class.
func (a *account) arrive(j *Job) (class int) {
	if a.jobs == 0 {
		a.first = j.Arrival
	}
	a.last = j.Arrival
	a.jobs++
	w := a.size(j) * j.Service
	a.brought, a.squares = a.brought+w, a.squares+w*w
	class = a.class(j)
	g := &a.groups[class]
	g.jobs++
	g.service += j.Service
	g.need = max(g.need, j.Need)
	if j.WaitKnown && a.jobs > a.warmUp() {
		a.logged = merged(a.logged, estimate.Batch{N: 1, X: j.Waited})
	}
	return class
}

// class finds that of a job, or makes it.
func (a *account) class(j *Job) int {
	key := a.Classes.of(j)
	i, known := a.index[key]
	if !known {
		i = len(a.groups)
		a.index[key] = i
		a.groups = append(a.groups, replayed{key: key})
	}
	return i
}

// asked are the settings on which measures depend.
func (a *account) asked() estimate.Asked {
	return estimate.Asked{Threshold: a.SlowdownThreshold, InTime: a.Within, Failing: a.away()}
}

// book books what has become of the n-th job, jobs coming in the order of arrival.
func (a *account) book(n int64, class int, o outcome) {
	if a.waited += o.Wait; !o.served {
		a.unserved++
	}
	if a.outcomes != nil && n >= int64(a.begun) {
		a.outcomes(n-int64(a.begun), o)
	}
	if n < a.warmUp() {
		return
	}
	a.batches.next()
	if !o.served {
		return
	}
	asked := a.asked()
	values := asked.Values(o.Wait, o.Service)
	if math.IsInf(values[estimate.Slowdown], 1) {
		a.endless++
	}
	g := &a.groups[class]
	g.seen++
	for q, x := range values {
		g.counts[q].Add(x)
	}
	var one estimate.Sums
	one.Add(&o.Served, &asked, 1)
	a.batches.add(class, [metrics]float64(append(values[:], one.Means[:]...)))
}
