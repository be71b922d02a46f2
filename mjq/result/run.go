package result

import "time"

// Version is that of the module. From 0.1.0 on the random bits of a seed stay the same
// within a minor version, so that a result says by itself with what it can be had again.
const Version = "0.1.0"

// Step is how far a question has come.
type Step struct {
	What        string  // the question, as "Solve"
	Done, Total float64 // in units of the method: jobs, samples, operations
	Result      *Result // what is known already, where there is something, as the mean wait so far; it must not be kept
}

// Run tells how a result was computed.
type Run struct {
	Version           string    // of the module that computed it
	Method            string    // with its settings and the target, as it is asked for in Go
	Seed              uint64    // the one given or the method's own; see mjq.Seed. 0 where nothing is random
	Samples           int       // independent samples or replications
	Steps             int64     // steps of the recurrence or jobs simulated
	Window            int64     // first window of a backward sample, in jobs
	MinWindow         int64     // smallest window at which sampling stopped
	MaxWindow         int64     // largest window at which sampling stopped
	NotCoalesced      int       // samples that still changed at the largest window allowed
	WarmUp, Jobs      int64     // of a forward replication; Jobs also those that a certified sample is followed for
	Theta, Eps        float64   // of a certified run: the decay of the bound, the error probability
	Block             int       // and the jobs in a block of the bound
	Residual          float64   // of an exact solution: the largest imbalance of its equations, relative
	Thresholds        []float64 // of a run that splits: of the work that a job meets, in server-times
	VarianceReduction float64   // how many times as many samples would give the mean wait so narrow an interval without control variates; 0 where there are none
	Met               bool      // the target of RelErr or HalfWidth was reached
	Complete          bool      // false: interrupted, this is what there was
	Elapsed           time.Duration
	StepsPerSec       float64
	ElapsedLimit      time.Duration // of finding the stability limit first
	Remembered        time.Time     // when it was computed, if it was not now; see mjq.Cache
	On                string        // "CPU", or the GPU's name; empty where there is no choice
}
