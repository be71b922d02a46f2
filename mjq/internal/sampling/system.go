// Package sampling draws from the stationary law of a multiserver-job queue
// through its recurrence: backward (coupling from the past, Algorithm 1 of
// Baccelli, Olliaro, Ajmone Marsan and Marin), forward from an empty system,
// and the pile that gives the stability limit (Algorithm 2).
//
// Everything here is reproducible: replication r uses the randomness of
// replication r, and results are merged in the order of the replications, so
// the number of goroutines never shows in a digit.
package sampling

import (
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// System is a queue, and what a sampler has for it.
type System struct {
	compiled.System
	Light   bool   // all services have exponential moments
	Workers int    // goroutines; at least 1
	Device  Device // nil: the goroutines
}

// newLine is a new chain of the system's recurrence.
func (s *System) newLine() line {
	switch {
	case s.Alike():
		return &chain{runs: fast.NewRuns(s.Servers), needs: narrow(s.Needs)}
	case s.Types != nil:
		return s.newTyped()
	}
	return s.newSpecific()
}

// narrow is a list as the recurrences have it.
func narrow(list []int) (narrow []int32) {
	for _, n := range list {
		narrow = append(narrow, int32(n))
	}
	return narrow
}

// line is one run of a recurrence on one replication, block of jobs by block:
// the samplers know no more of it, and a call a block costs nothing.
type line interface {
	empty()                                                                     // no work, the next arrival at 0
	rebase()                                                                    // makes the next arrival the origin of time
	work() float64                                                              // total workload that the next job meets
	mark() float64                                                              // a number that tells states apart: the work, if that does
	take(r *stream.Reader, first int64, jobs []stream.Job)                      // jobs first, first+1, ... arrive
	record(r *stream.Reader, first int64, jobs []stream.Job, part *forwardPart) // take, and note what each meets
	observe(r *stream.Reader, x *seen)                                          // what job 0 of every class would meet
	pile(r *stream.Reader, first int64, jobs []stream.Job)                      // take without gaps, which are lost: the saturated system
	heights(dst []float64) []float64                                            // of the parts of the pile, whose growth the highest decides
	lower() (by float64)                                                        // moves the origin up as far as it may go
	gap() float64                                                               // from there up to the top: no coordinate is lower, none higher
}

// Report is called now and then with how much of how much is done. Calls come
// one at a time.
type Report func(done, total float64)

// block is how many jobs are read at once. Chains move the origin of time to
// every job whose index is a multiple of it, so that two chains of one
// replication, once coupled, agree to the last bit.
const block = 256

// input reads the jobs of one replication block by block.
type input struct {
	reader *stream.Reader
	jobs   [block]stream.Job
}

func (s *System) newInput(rep uint64) *input { return &input{reader: s.Input.Reader(rep)} }

// read fetches the jobs from index from up to the next multiple of block or
// to, whichever comes first; none once the reader is to stop.
func (in *input) read(from, to int64) []stream.Job {
	end := min(to, (from&^(block-1))+block)
	jobs := in.jobs[:end-from]
	in.reader.Fill(jobs, from)
	if stop := in.reader.Stop(); stop != nil && stop.Load() {
		return nil // some are not drawn
	}
	return jobs
}

// chain is the line of the plain queue.
type chain struct {
	runs  *fast.Runs
	now   float64 // arrival time of the next job
	needs []int32 // by class
	view  recurrence.View
	waits [block]float64
}

// worker is what one goroutine needs to run chains: allocated once.
type worker struct {
	input
	long  line
	short line
	near  *besides // a smaller queue, of forward runs with close controls
	steps int64
	seen  []tally // by class, made when first asked for
}

// tally is where the worker counts what jobs meet, by class; it is empty.
func (w *worker) tally(s *System) []tally {
	if w.seen == nil {
		w.seen = newTally(s)
	}
	return w.seen
}

func (s *System) newWorker() *worker {
	return &worker{
		input: *s.newInput(0),
		long:  s.newLine(),
		short: s.newLine(),
	}
}

func (c *chain) empty() {
	c.runs.Reset(0)
	c.now = 0
}

// rebase makes the next arrival the origin of time.
func (c *chain) rebase() {
	c.runs.Shift(c.now)
	c.now = 0
}

// work is the total workload that the next job meets.
func (c *chain) work() float64 { return c.runs.Work(c.now) }

func (c *chain) mark() float64 { return c.work() }

// take runs the chain through the given jobs.
func (c *chain) take(_ *stream.Reader, _ int64, jobs []stream.Job) {
	c.now = c.runs.Take(c.now, jobs)
}

func (c *chain) record(_ *stream.Reader, _ int64, jobs []stream.Job, part *forwardPart) {
	waits := c.waits[:len(jobs)]
	after, waste := c.runs.Note(c.now, jobs, waits)
	count(part.seen, jobs, waits)
	part.hol += waste
	c.now = after
}

func (c *chain) observe(r *stream.Reader, x *seen) {
	c.runs.View(&c.view, c.now)
	for k, need := range c.needs {
		x.wait[k] = c.view.Wait(need)
		x.waste[k] = c.view.Waste(need)
	}
}

func (c *chain) pile(_ *stream.Reader, _ int64, jobs []stream.Job) {
	c.runs.Grow(jobs)
}

func (c *chain) top() float64 { return c.runs.Top() }

func (c *chain) heights(dst []float64) []float64 { return append(dst, c.top()) }

func (c *chain) gap() float64 { return c.runs.Top() - c.runs.Front() }

func (c *chain) lower() float64 {
	by := c.runs.Front()
	c.runs.Shift(by)
	return by
}

// merge adds what one replication or path has seen to the classes and, with weights, to all.
// Goroutines share many classes: an interrupted run is to end soon.
func merge(classes []Gathered, all *All, waits, responses [][]estimate.Count, weight func(c int) float64, workers int) {
	if len(classes) < sharedMerge {
		workers = 1
	}
	replicate.Each(1+len(classes), workers, func(i int) {
		if i > 0 {
			classes[i-1].Waits.AddGroup(waits[i-1])
			classes[i-1].Responses.AddGroup(responses[i-1])
			return
		}
		for c := range classes {
			w := weight(c)
			all.Waits.TakeCounts(waits[c], w)
			all.Responses.TakeCounts(responses[c], w)
		}
		all.closeGroup()
	})
}

// sharedMerge is from how many classes on goroutines share a merge.
const sharedMerge = 64

// Moments are what a sampler has seen so far of the waits of one class, or of all.
type Moments struct {
	Waiting          estimate.Pair // of (W, W²)
	Effective        float64       // number of independent observations it is worth
	MeanW, VarianceW result.Estimate
}

// Gathered is what a sampler has seen so far of one class: of independent samples in histograms,
// of replications or paths in rows.
type Gathered struct {
	Moments
	Wait, Response   estimate.Histogram
	Waits, Responses estimate.Row
	like             int // number from 1 on of a class before it that meets the same waits; 0: none
}

// ofSamples makes the tallies of samples, by class. In a queue of servers that are alike, jobs of equal
// need wait equally long, so the waits of each need are kept once.
func (s *System) ofSamples() []Gathered {
	list, first := make([]Gathered, len(s.Needs)), map[int]int{}
	for c, need := range s.Needs {
		if list[c].like = first[need]; list[c].like == 0 && s.Alike() && s.Device == nil {
			first[need] = 1 + c
		}
	}
	return list
}

// All is what a sampler has seen so far of all jobs.
type All struct {
	Moments
	Waits, Responses estimate.Spread // over samples, replications or paths
}

func (t *All) closeGroup() {
	t.Waits.Close()
	t.Responses.Close()
}

// tally is what the moments come to. Responses have none: they follow from the waits, to
// which the service adds, whose law is known.
func (t *Moments) tally(level float64, method string) (sum estimate.Tally) {
	w := &sum.Waiting
	w.Mean, w.Variance, w.Worth.Observations = t.MeanW, t.VarianceW, t.Effective
	if t.Waiting.N > 0 {
		w.Mean, w.Variance = t.Waiting.Mean(level, method), t.Waiting.Variance(level, method)
		w.Worth.Observations = float64(t.Waiting.N)
	}
	sum.Response.Worth = w.Worth
	return sum
}

// Tally is what a class comes to, but for the waits that it shares with another.
func (t *Gathered) Tally(level float64, method string) estimate.Tally {
	sum := t.tally(level, method)
	sum.Waiting.Dist, sum.Waiting.Precision = known(&t.Wait, &t.Waits)
	sum.Response.Dist, sum.Response.Precision = known(&t.Response, &t.Responses)
	return sum
}

// known is the distribution that one of the two has seen, and how well it is known.
func known(h *estimate.Histogram, r *estimate.Row) (result.Distribution, result.Precision) {
	if d := r.Distribution(); d.Total > 0 {
		return d, r.Precision()
	}
	return h.Distribution(), result.Precision{}
}

// Tally is what all jobs come to; they have the distributions of the classes.
func (t *All) Tally(level float64, method string) estimate.Tally {
	sum := t.tally(level, method)
	sum.Waiting.Precision, sum.Response.Precision = t.Waits.Precision(), t.Responses.Precision()
	return sum
}

// Tallies are those of several classes.
func Tallies(classes []Gathered, level float64, method string, workers int) []estimate.Tally {
	list := make([]estimate.Tally, len(classes))
	replicate.Each(len(classes), workers, func(c int) { list[c] = classes[c].Tally(level, method) })
	for c := range classes {
		if k := classes[c].like; k > 0 {
			list[c].Waiting, list[c].Response.Worth = list[k-1].Waiting, list[k-1].Response.Worth
		}
	}
	return list
}
