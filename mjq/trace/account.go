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

// metrics is how many numbers of a job are observed: its quantities, and what has a mean alone.
const metrics = estimate.Quantities + estimate.Means

// mostBatches is the number of full batches at which pairs of them are made
// one, so that any number of jobs ends in 32 to 63 full batches and a rest.
const mostBatches = 64

// batches are sums over stretches of consecutive jobs, all of length jobs but
// the last, by class.
type batches struct {
	length, filled int64
	full           int // batches before the one being filled
	sums           [mostBatches + 1][]batch
}

// batch holds what was observed of a class.
type batch [metrics]estimate.Batch

// next makes room for a job, which may stay unobserved.
func (b *batches) next() {
	if b.filled == b.length {
		b.filled = 0
		if b.full++; b.full == mostBatches {
			b.halve()
		}
	}
	b.filled++
}

// add observes the job that next has made room for.
func (b *batches) add(class int, x [metrics]float64) {
	for len(b.sums[b.full]) <= class {
		b.sums[b.full] = append(b.sums[b.full], batch{})
	}
	c := &b.sums[b.full][class]
	for k, x := range x {
		c[k] = merged(c[k], estimate.Batch{N: 1, X: x, X2: x * x})
	}
}

func merged(a, b estimate.Batch) estimate.Batch {
	return estimate.Batch{N: a.N + b.N, X: a.X + b.X, X2: a.X2 + b.X2}
}

// halve makes one batch of every two.
func (b *batches) halve() {
	for k := range mostBatches / 2 {
		left, right := b.sums[2*k], b.sums[2*k+1]
		if len(left) < len(right) {
			left, right = right, left
		}
		for c := range right {
			for m := range right[c] {
				left[c][m] = merged(left[c][m], right[c][m])
			}
		}
		b.sums[2*k], b.sums[2*k+1] = nil, nil
		b.sums[k] = left
	}
	b.full, b.length = mostBatches/2, 2*b.length
}

// of are the batches of one metric of a class.
func (b *batches) of(class, metric int) []estimate.Batch {
	out := make([]estimate.Batch, b.full+1)
	for k := range out {
		if class < len(b.sums[k]) {
			out[k] = b.sums[k][class][metric]
		}
	}
	return out
}

// ofAll are those of several classes together.
func (b *batches) ofAll(classes []int, metric int) []estimate.Batch {
	out := make([]estimate.Batch, b.full+1)
	for _, class := range classes {
		for k, one := range b.of(class, metric) {
			out[k] = merged(out[k], one)
		}
	}
	return out
}
