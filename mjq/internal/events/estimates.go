package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// Result is what a plan has measured.
type Result struct {
	Classes []Tally
	All     Tally // jobs of any class
	// Averages over time: jobs in the system and in line, idle servers, and
	// servers idle while a job waits.
	System, Queue, Idle, Wasted estimate.Estimate
	Batches                     int     // complete ones, of all replications
	Length                      int64   // of each, in jobs
	Jobs                        int64   // simulated for them, warm-up included
	Lag1                        float64 // correlation of the mean waits of successive batches
}

// Tally is what was seen of the jobs of one class.
type Tally struct{ Waiting, Response Times }

// Times describes waits or responses. Effective is the number of independent
// observations that would have the error of the mean.
type Times struct {
	Mean, Variance estimate.Estimate
	Dist           estimate.Distribution
	Effective      float64
}

// summarise turns batches into estimates. All are ratios of sums over batches,
// since the jobs of a class and the time that a batch takes are random. Each
// holds size times the planned number of jobs.
func (p *Plan) summarise(batches []batch, size int, seen *counts) *Result {
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
	}
	res.All = tally(all, p.Level, method)
	over := func(what func(a *Area) float64) estimate.Estimate {
		num, den := make([]float64, len(batches)), make([]float64, len(batches))
		for b := range batches {
			num[b], den[b] = what(&batches[b].area), batches[b].area.Time
		}
		return ratio(num, den, p.Level, method)
	}
	res.System = over(func(a *Area) float64 { return a.System })
	res.Queue = over(func(a *Area) float64 { return a.Queue })
	res.Idle = over(func(a *Area) float64 { return a.Idle })
	res.Wasted = over(func(a *Area) float64 { return a.Wasted })
	res.Lag1 = lag1(all)
	return res
}

// mean is that of the waits of all jobs.
func (p *Plan) mean(batches []batch) estimate.Estimate {
	n, w := make([]float64, len(batches)), make([]float64, len(batches))
	for b := range batches {
		for _, s := range batches[b].classes {
			n[b] += s.n
			w[b] += s.w
		}
	}
	return ratio(w, n, p.Level, "")
}

func tally(batches []sums, level float64, method string) Tally {
	n, w, w2 := make([]float64, len(batches)), make([]float64, len(batches)), make([]float64, len(batches))
	r, r2 := make([]float64, len(batches)), make([]float64, len(batches))
	for b, s := range batches {
		n[b], w[b], w2[b], r[b], r2[b] = s.n, s.w, s.w2, s.r, s.r2
	}
	return Tally{Waiting: times(n, w, w2, level, method), Response: times(n, r, r2, level, method)}
}

// times estimates mean and variance from the number, the sum and the sum of
// squares by batch.
func times(n, x, x2 []float64, level float64, method string) Times {
	mean, second := ratio(x, n, level, method), ratio(x2, n, level, method)
	if math.IsNaN(mean.Value) {
		return Times{Mean: mean, Variance: second}
	}
	m := mean.Value
	// The influence of a batch on E[X²] - E[X]², by the delta method.
	influence := make([]float64, len(n))
	for b := range n {
		influence[b] = x2[b] - second.Value*n[b] - 2*m*(x[b]-m*n[b])
	}
	t := Times{Mean: mean, Variance: interval(second.Value-m*m, influence, sum(n), level, method)}
	se := mean.HalfWidth / estimate.T(level, len(n)-1)
	t.Effective = t.Variance.Value / (se * se)
	return t
}

// ratio estimates E[num]/E[den].
func ratio(num, den []float64, level float64, method string) estimate.Estimate {
	total := sum(den)
	if total == 0 {
		return estimate.Unknown()
	}
	value := sum(num) / total
	influence := make([]float64, len(num))
	for b := range num {
		influence[b] = num[b] - value*den[b]
	}
	return interval(value, influence, total, level, method)
}

// interval is Student's, from the influence of every batch on the value times
// the weight of all. One batch has no interval.
func interval(value float64, influence []float64, weight, level float64, method string) estimate.Estimate {
	n, squares := len(influence), 0.0
	for _, d := range influence {
		squares += d * d
	}
	se := math.Sqrt(squares*float64(n)/float64(n-1)) / weight
	return estimate.Estimate{Value: value, HalfWidth: estimate.T(level, n-1) * se, Level: level, N: n, Method: method}
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
