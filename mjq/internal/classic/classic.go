// Package classic has the formulas of classic queues, first come first served, in which every
// job takes one of c channels: M/M/c, M/G/1, M/D/c, G/M/c, queues in which nobody can wait, and
// M/M/c+G, whose jobs give up if they have not started in time; and of queues with priorities,
// of one server, where no two jobs fit together, or of equal needs with exponential services of
// one mean.
package classic

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// Queue is a queue of c channels, first come first served.
type Queue struct {
	Channels int       // jobs that are served at once
	Rate     float64   // of arrival, in jobs
	Gap      law.Law   // interarrival time, where these are independent; else nil
	Poisson  bool      // jobs come one by one, in a Poisson process
	Services []law.Law // by class
	Shares   []float64 // of the jobs, by class
	Curves   bool      // whether distributions are wanted
}

// Answer is what a formula gives. A number that it does not give is NaN, a slice nil.
type Answer struct {
	Mean, Second float64 // E[W], E[W²]
	NoWait       float64 // P(W = 0)
	Queued       float64 // probability that some job waits, at any time
	Jobs, Queue  []float64
	Levels       []float64 // P(N = n) from n = 0 on
	Decay        float64   // P(N = n+1) / P(N = n) for large n
	// Alone[i] is the probability that a single job is there, and of class i, at any time.
	Alone    []float64
	Waiting  result.Curve   // none if it was not wanted
	Response []result.Curve // by class, on common panels
	Without  error          // why there are no distributions
	Ends     float64        // where the curve of the waits ends, before its tail is nothing; 0 if it does not
}

// Form is a formula.
type Form struct {
	Name   string // of the queue, in Kendall's notation
	Source string
	fits   func(q *Queue) bool
	cost   func(q *Queue) (bytes, operations float64)
	solve  func(ctx context.Context, q *Queue) (*Answer, error)
}

// Forms are the formulas that a queue tells of itself. The first that fits answers.
var Forms = []*Form{erlang, crommelin, pollaczek, embedded}

// Of is the formula for a queue; nil if there is none. The queue may be unstable.
func Of(q *Queue) *Form {
	for _, f := range Forms {
		if f.fits(q) {
			return f
		}
	}
	return nil
}

// Solve answers for a queue that is stable. It fails with the error of ctx alone.
func (f *Form) Solve(ctx context.Context, q *Queue) (*Answer, error) { return f.solve(ctx, q) }

// Cost is about how many bytes and operations the answer takes.
func (f *Form) Cost(q *Queue) (bytes, operations float64) { return f.cost(q) }

// averaged is the mean of a number of the service times over the classes of which jobs come.
func (q *Queue) averaged(of func(s law.Law) float64) (sum float64) {
	for i, s := range q.Services {
		if q.Shares[i] > 0 {
			sum += q.Shares[i] * of(s)
		}
	}
	return sum
}

// mean is E[S].
func (q *Queue) mean() float64 { return q.averaged(law.Law.Mean) }

// moment is E[S^k].
func (q *Queue) moment(k int) float64 {
	return q.averaged(func(s law.Law) float64 { return law.Moment(s, k) })
}

// exponential is the rate of the service times if all are exponential with one rate.
func (q *Queue) exponential() (rate float64, ok bool) {
	for i, s := range q.Services {
		r, ok := law.ExponentialRate(s)
		if !ok || i > 0 && math.Abs(r/rate-1) > 1e-12 {
			return 0, false
		}
		if i == 0 {
			rate = r
		}
	}
	return rate, len(q.Services) > 0
}

// constant is the service time if it is one number.
func (q *Queue) constant() (x float64, ok bool) {
	for i, s := range q.Services {
		lo, hi := s.Quantile(0), s.Quantile(1)
		if lo != hi || i > 0 && lo != x {
			return 0, false
		}
		x = lo
	}
	return x, x > 0
}

// bisected are neighbours between two numbers, up to the first of which a condition holds.
func bisected(lo, hi float64, holds func(x float64) bool) (below, above float64) {
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if holds(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, hi
}

// factorials are factorial moments from factorial cumulants.
func factorials(cumulants []float64) (moments []float64) {
	for n := range cumulants {
		sum, choose := cumulants[n], 1.0
		for i := range n { // C(n, i) f_{i+1} m_{n-i}
			if i > 0 {
				choose *= float64(n-i+1) / float64(i)
			}
			sum += choose * cumulants[i] * moments[n-i-1]
		}
		moments = append(moments, sum)
	}
	return moments
}

// exponentialTail is the curve of P(X > x) = weight e^{-rate x}.
func exponentialTail(weight, rate, scale float64) result.Curve {
	return result.Curve{Atom: 1 - weight, Tilt: rate, Edges: []float64{0, scale}, Coef: [][]float64{{weight}}, Rate: rate}
}

// tolerance is the absolute error of P(W > x) that curves aim at.
const tolerance = 1e-11

// listed is how many probabilities of the number of jobs are given.
const listed = 2048
