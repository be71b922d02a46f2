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
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/workload"
)

// System is what a sampler must know of a model.
type System struct {
	Servers int
	Needs   []int32   // by class
	Probs   []float64 // by class, sum 1
	Input   *stream.Source
	Workers int    // goroutines; at least 1
	Device  Device // nil: the goroutines
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
// to, whichever comes first.
func (in *input) read(from, to int64) []stream.Job {
	end := min(to, (from&^(block-1))+block)
	jobs := in.jobs[:end-from]
	in.reader.Fill(jobs, from)
	return jobs
}

// chain is one run of the recurrence on one replication.
type chain struct {
	runs *workload.Runs
	now  float64 // arrival time of the next job
}

// worker is what one goroutine needs to run chains: allocated once.
type worker struct {
	input
	view  workload.View
	long  chain
	short chain
	steps int64
}

func (s *System) newWorker() *worker {
	return &worker{
		input: *s.newInput(0),
		long:  chain{runs: workload.NewRuns(s.Servers)},
		short: chain{runs: workload.NewRuns(s.Servers)},
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

// take runs the chain through the given jobs.
func (c *chain) take(jobs []stream.Job) {
	now, runs := c.now, c.runs
	for i := range jobs {
		j := &jobs[i]
		runs.Step(now, j.Need, j.Service)
		now += j.Gap
	}
	c.now = now
}

// Tally is what a sampler has seen of one class, or of all.
type Tally struct {
	Waiting          estimate.Pair // of (W, W²)
	Wait, Response   estimate.Histogram
	Effective        float64 // number of independent observations it is worth
	MeanW, VarianceW estimate.Estimate
}
