package exact

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// repaired reports whether the queue is machine repair: users of one class alone, whose services
// are exponential, or have a server each. How long they think matters by its mean alone.
func repaired(s *spec.Spec) bool {
	if len(s.Classes) != 1 || s.Arrivals != nil || s.Features() != spec.Sent|spec.Looped {
		return false
	}
	_, exponential := law.MemorylessRate(s.Classes[0].Service)
	return exponential || s.Classes[0].Users <= s.Servers/s.Classes[0].Need
}

// machineRepair is for users of one class alone. A job finds the others as they are among one user
// less (the arrival theorem), and waits for an Erlang time.
var machineRepair = &solver{
	needs: spec.Looped, serves: spec.Sent, fits: repaired,
	size: func(_ context.Context, w *work) (Size, error) { return sizeOf(repairChain(w.Spec)), nil },
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "machine repair: birth and death of the jobs of all users; a job finds the queue of one user less (Sevcik and Mitrani, 1981)") {
			return nil, nil
		}
		c := &w.Classes[0]
		if z := repairChain(w.Spec); z.Bytes > w.how.Bytes() {
			return nil, chain.Sized(z.States, z.Bytes, z.Flops)
		}
		at, load := w.Servers/c.Need, c.Service.Mean()/c.Think.Mean()
		here, met := repairLaw(c.Users, at, load), repairLaw(c.Users-1, at, load)
		a := &Answer{Jobs: result.Count{P: here}, Notes: []string{fmt.Sprintf("There is no truncation error: of the %d users any number may have a job there. How long they think matters by its mean alone.", c.Users)}}
		var served, waiting, mean, second, atOnce float64
		for n, p := range here {
			served += p * float64(min(n, at))
			if n > at {
				waiting += p * float64(n-at)
				a.Wasted += p * float64(w.Servers-at*c.Need)
			}
		}
		step := c.Service.Mean() / float64(at) // between ends of services while jobs wait
		for n, p := range met {
			if n < at {
				atOnce += p
				continue
			}
			ahead := float64(n - at + 1)
			mean += p * ahead * step
			second += p * ahead * (ahead + 1) * step * step
		}
		one := func(x float64) []float64 { return []float64{x} }
		a.Rates, a.NoWait, a.Queue, a.Served = one(served/c.Service.Mean()), one(atOnce), one(waiting), one(served)
		a.Wait, a.Second, a.Busy = one(mean), one(second), served*float64(c.Need)
		a.curves = func(context.Context) (waiting, response []result.Curve, err error) {
			waiting, err = repairCurves(met, at, step, mean, atOnce)
			return waiting, nil, err
		}
		return a, nil
	},
}

func repairChain(s *spec.Spec) chain.Size {
	n := float64(s.Classes[0].Users) + 1
	return chain.Size{States: n, Bytes: 24 * n, Flops: 1e3 * n}
}

// repairLaw are the probabilities of 0, 1, ... jobs of so many users.
func repairLaw(users, at int, load float64) []float64 {
	p, most := make([]float64, users+1), 0.0 // logarithms first
	for n := 1; n <= users; n++ {
		p[n] = p[n-1] + math.Log(load*float64(users-n+1)/float64(min(n, at)))
		most = max(most, p[n])
	}
	sum := 0.0
	for n := range p {
		p[n] = math.Exp(p[n] - most)
		sum += p[n]
	}
	for n := range p {
		p[n] /= sum
	}
	return p
}

// repairCurves is the law of the waits: a job that finds n others, at or more, waits for as many
// ends of services as bring one of at servers to it.
func repairCurves(met []float64, at int, step, mean, atOnce float64) ([]result.Curve, error) {
	if len(met) <= at || mean == 0 {
		return []result.Curve{never}, nil
	}
	over := make([]float64, len(met)-at) // by k, the probability that more than k ends are waited for
	sum := 0.0
	for k := len(over) - 1; k >= 0; k-- {
		sum += met[at+k]
		over[k] = sum
	}
	curves, whole := estimate.FitCurves(func(x []float64) [][]float64 {
		out := make([]float64, len(x))
		for i, t := range x {
			out[i] = poissonOver(over, t/step)
		}
		return [][]float64{out}
	}, 0, []float64{atOnce}, []float64{1 / mean}, mean, curvesTo)
	if !whole {
		return nil, errRough
	}
	return slices.Clone(curves), nil
}

// poissonOver is the mean of over[N] for a Poisson number N of a mean.
func poissonOver(over []float64, mean float64) (sum float64) {
	from, to := 0, len(over)-1
	if wide := 12*math.Sqrt(mean) + 60; mean > wide {
		from = int(mean - wide)
	}
	if high := mean + 12*math.Sqrt(mean) + 60; high < float64(to) {
		to = int(high)
	}
	if from > to {
		return 0
	}
	lg, _ := math.Lgamma(float64(from) + 1)
	p := math.Exp(float64(from)*math.Log(mean) - mean - lg)
	if from == 0 {
		p = math.Exp(-mean)
	}
	for n := from; n <= to; n++ {
		sum += p * over[n]
		p *= mean / float64(n+1)
	}
	return sum
}
