package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Result is what a plan has measured.
type Result struct {
	Classes []Tally
	All     Tally // jobs of any class
	// Averages over time: jobs in the system and in line, idle servers, and
	// servers idle while a job waits.
	System, Queue, Idle, Wasted result.Estimate
	Batches                     int     // complete ones, of all replications
	Length                      int64   // of each, in jobs
	Jobs                        int64   // simulated for them, warm-up included
	Lag1                        float64 // correlation of the mean waits of successive batches
}

// Tally is what was seen of the jobs of one class.
type Tally struct{ Waiting, Response Times }

// Times describes waits or responses.
type Times struct {
	Mean, Variance result.Estimate
	Dist           result.Distribution
	Precision      result.Precision // of Dist, from replications
	Worth          estimate.Worth
}

// summarise turns batches into estimates. All are ratios of sums over batches,
// since the jobs of a class and the time that a batch takes are random. Each
// holds size times the planned number of jobs.
func (p *Plan) summarise(batches []batch, size int, seen *counts, spread spreads) *Result {
	method := "replications"
	if p.Batches > 1 {
		method = "batch means"
	}
	res := &Result{Classes: make([]Tally, p.Classes), Batches: len(batches), Length: int64(size) * p.Length}
	reps := min(p.Replications, (len(batches)+p.Batches-1)/p.Batches)
	res.Jobs = int64(reps)*p.WarmUp + int64(len(batches))*res.Length
	one, all := make([]sums, len(batches)), make([]sums, len(batches))
	for c := range res.Classes {
		for b := range batches {
			one[b] = batches[b].classes[c]
			all[b].merge(&one[b])
		}
		t := &res.Classes[c]
		*t = tally(one, p.Level, method)
		t.Waiting.Dist, t.Response.Dist = seen.wait[c].Distribution(), seen.response[c].Distribution()
		t.Waiting.Precision, t.Response.Precision = spread.wait[c].Precision(), spread.response[c].Precision()
	}
	res.All = tally(all, p.Level, method)
	res.All.Waiting.Precision, res.All.Response.Precision = spread.wait[p.Classes].Precision(), spread.response[p.Classes].Precision()
	over := func(what func(a *Area) float64) result.Estimate {
		num, den := make([]float64, len(batches)), make([]float64, len(batches))
		for b := range batches {
			num[b], den[b] = what(&batches[b].area), batches[b].area.Time
		}
		return ratio(num, den, res.All.Waiting.Worth, p.Level, method)
	}
	res.System = over(func(a *Area) float64 { return a.System })
	res.Queue = over(func(a *Area) float64 { return a.Queue })
	res.Idle = over(func(a *Area) float64 { return a.Idle })
	res.Wasted = over(func(a *Area) float64 { return a.Wasted })
	res.Lag1 = lag1(all)
	return res
}

// mean is that of the waits of all jobs.
func (p *Plan) mean(batches []batch) result.Estimate {
	all := make([]sums, len(batches))
	for b := range batches {
		for c := range batches[b].classes {
			all[b].merge(&batches[b].classes[c])
		}
	}
	return tally(all, p.Level, "").Waiting.Mean
}

func tally(batches []sums, level float64, method string) (t Tally) {
	waits, responses := make([]estimate.Batch, len(batches)), make([]estimate.Batch, len(batches))
	for b, s := range batches {
		waits[b], responses[b] = estimate.Batch{N: s.n, X: s.w, X2: s.w2}, estimate.Batch{N: s.n, X: s.r, X2: s.r2}
	}
	w, r := &t.Waiting, &t.Response
	w.Mean, w.Variance, w.Worth = estimate.OfBatches(waits, level, method)
	r.Mean, r.Variance, r.Worth = estimate.OfBatches(responses, level, method)
	return t
}

// ratio estimates E[num]/E[den] on paths that are worth so much.
func ratio(num, den []float64, worth estimate.Worth, level float64, method string) result.Estimate {
	total := sum(den)
	if total == 0 {
		return result.Unknown()
	}
	value := sum(num) / total
	influence := make([]float64, len(num))
	for b := range num {
		influence[b] = num[b] - value*den[b]
	}
	return estimate.Interval(value, influence, total, level, estimate.OfMean, worth, method)
}

// lag1 is the correlation of the mean waits of successive batches, which hold
// the same number of jobs; NaN if they are too few or all the same.
func lag1(batches []sums) float64 {
	var mean, both, squares float64
	for _, b := range batches {
		mean += b.w / b.n / float64(len(batches))
	}
	for i, b := range batches {
		d := b.w/b.n - mean
		squares += d * d
		if i > 0 {
			both += d * (batches[i-1].w/batches[i-1].n - mean)
		}
	}
	return both / squares
}

func sum(xs []float64) float64 {
	total := 0.0
	for _, x := range xs {
		total += x
	}
	return total
}
