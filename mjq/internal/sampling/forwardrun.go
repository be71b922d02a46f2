package sampling

import (
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// ForwardResult is what Forward has collected.
type ForwardResult struct {
	Classes []Gathered
	All     All
	HOL     result.Estimate   // head-of-line server-time a job
	Kinds   []result.Estimate // the same by type of resource
	Done    int               // replications
	Fit     *Fit              // with control variates
	Steps   int64
	Failed  error // of the device
}

// forwardRun collects the replications of a run, in order.
type forwardRun struct {
	*Forward
	res    *ForwardResult
	reps   [][]estimate.Batch // by replication and class
	hol    []float64          // by replication
	byKind [][]float64        // waste by type of resource and replication
	jobs   atomic.Int64       // done by all goroutines
	report Report
}

// wave adds replications of a device.
func (f *forwardRun) wave(sums [][]estimate.Batch, waste []float64, byKind [][]float64) (enough bool) {
	f.reps, f.hol = append(f.reps, sums...), append(f.hol, waste...)
	for k, x := range byKind {
		f.byKind[k] = append(f.byKind[k], x...)
	}
	if f.report != nil {
		f.report(float64(len(f.reps)), float64(f.Replications))
	}
	return f.enough()
}

// merge adds a replication.
func (f *forwardRun) merge(part *forwardPart) (enough bool) {
	f.reps = append(f.reps, append([]estimate.Batch(nil), part.sums...))
	f.hol = append(f.hol, part.hol)
	if f.Controlled {
		for _, row := range part.rows[:part.turns] {
			f.res.Fit.Part(row)
		}
		f.res.Fit.Add(part.whole.row)
	}
	for k, x := range part.kinds {
		f.byKind[k] = append(f.byKind[k], x)
	}
	merge(f.res.Classes, &f.res.All, part.wait, part.response, func(int) float64 { return 1 }, f.Workers)
	if f.report != nil {
		f.report(float64(f.jobs.Load()), float64(f.WarmUp+f.Jobs)*float64(f.Replications))
	}
	return f.enough()
}

// enough reports whether the replications suffice.
func (f *forwardRun) enough() bool {
	return f.Enough != nil && f.Enough(len(f.reps), func() result.Estimate {
		if f.res.Fit != nil {
			return f.res.Fit.wait(f.Level)
		}
		f.summarise()
		return f.res.All.MeanW
	})
}

// finish computes what the result says from its replications.
func (f *forwardRun) finish() {
	f.res.Done, f.res.Steps = len(f.reps), int64(len(f.reps))*(f.WarmUp+f.Jobs)
	f.res.HOL = estimate.OfReplications(f.hol, f.Level, "replications")
	for _, x := range f.byKind {
		f.res.Kinds = append(f.res.Kinds, estimate.OfReplications(x, f.Level, "replications"))
	}
	f.summarise()
}

// summarise turns the replications into estimates by class and for all jobs.
func (f *forwardRun) summarise() {
	one := make([]estimate.Batch, len(f.reps))
	all := make([]estimate.Batch, len(f.reps))
	for c := range f.res.Classes {
		for r := range f.reps {
			one[r] = f.reps[r][c]
			all[r].N += one[r].N
			all[r].X += one[r].X
			all[r].X2 += one[r].X2
		}
		f.estimate(&f.res.Classes[c].Moments, one)
	}
	f.estimate(&f.res.All.Moments, all)
}

// estimate fills the mean and the variance of a tally with ratio estimators
// over the replications: the number of jobs of a class in one is random.
func (f *Forward) estimate(t *Moments, reps []estimate.Batch) {
	var worth estimate.Worth
	t.MeanW, t.VarianceW, worth = estimate.OfBatches(reps, f.Level, "replications")
	t.Effective = worth.Observations
}
