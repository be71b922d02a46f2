package sampling

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// Majorant is a bound that holds for the queue at any time in the past. Cut the
// arrivals into blocks of K jobs. If every block had to wait until all of its
// jobs were there and all earlier blocks had left, nothing would happen sooner
// (external monotonicity), and the time until the system is empty would be that
// of a single-server queue whose services are the heights H of the blocks'
// piles and whose gaps are the spans T of the blocks. If
//
//	E exp(θH) · E exp(-θT) ≤ 1                                         (*)
//
// then the wait U of a block in that queue has P(U > x) ≤ exp(-θx) (Kingman,
// Lundberg), and the workload at the end of a block is at most H + U, with H of
// the block that has just ended, independent of U.
//
// Gaps that depend on each other take the largest χ with E exp(-θT) at most χ^K times a
// constant in place of the expectation, and leave that constant: P(U > x) ≤
// exp(Slack - θx), see arrival.PastBound. U then has to do with the gaps that follow, but
// only its law counts: what may fail is that the upper chain starts too low.
//
// The expectation in (*) is estimated under laws tilted by θ, where it is a
// known constant times E exp(θ(H - Σσ)). That variable lies in [0, 1], because a
// pile is never higher than the sum of its services; so the empirical
// Bernstein bound of Maurer and Pontil (COLT 2009) holds for it with the stated
// confidence and without assumptions.
type Majorant struct {
	Theta   float64
	Block   int     // K
	Slack   float64 // P(U > x) ≤ exp(Slack - θx)
	Failure float64 // probability that (*) does not hold after all
	Steps   int64   // spent on finding it
}

// Tilted is the input with services tilted by theta: a source of jobs, the
// logarithm of E exp(θσ) of a job of any class and that of E exp(-θτ) of a gap.
// ok is false when there is no such moment.
type Tilted func(theta float64, seed uint64) (src *stream.Source, logService, logGap float64, ok bool)

// ErrNoMajorant says that no block size gave a provable bound.
var ErrNoMajorant = errors.New("no certificate was found")

// FindMajorant looks for the block size and the θ that make samples cheap, and
// proves (*) with the given failure probability on fresh randomness. Where piles are too
// much lower than the sums of their services for that, it goes on with charges, and the
// input tilted by them.
func (s *System) FindMajorant(ctx context.Context, tilted Tilted, charged func(context.Context) (*Charges, Tilted), rate, load, failure float64) (*Majorant, error) {
	m := &majorantSearch{System: s, ctx: ctx, tilted: tilted, failure: failure, mean: s.meanService()}
	best, cost, since := Majorant{}, math.Inf(1), 0
	for block := 32; block <= 1<<14 && since < 3; block *= 2 {
		theta := m.largest(block)
		if theta == 0 {
			continue
		}
		// Time for the upper chain to come down from where it starts.
		c := -math.Log(failure)/theta + float64(block)/rate*load
		if since++; c < cost {
			best, cost, since = Majorant{Theta: theta, Block: block}, c, 0
		}
	}
	k, theta := 0, 0.9*best.Theta
	for ; theta > 0.2*best.Theta && ctx.Err() == nil; k, theta = k+1, theta*0.85 {
		if m.prove(theta, best.Block, k) {
			return &Majorant{Theta: theta, Block: best.Block, Failure: failure, Steps: m.steps}, nil
		}
	}
	m.charges, m.tilted = charged(ctx)
	theta, block := m.longest(rate, load)
	for ; theta > 0 && k < attempts && ctx.Err() == nil; k, theta = k+1, theta*0.85 {
		if m.bet(theta, block, uint64(101+2*k)) {
			return &Majorant{Theta: theta, Block: block, Failure: failure, Steps: m.steps}, nil
		}
	}
	return nil, errors.Join(ErrNoMajorant, ctx.Err())
}

type majorantSearch struct {
	*System
	ctx     context.Context
	tilted  Tilted
	charges *Charges // nil: the sum of services
	failure float64
	mean    float64 // service, in proportion to which θ is searched for
	steps   int64
}

// meanService is E[σ].
func (s *System) meanService() (mean float64) {
	for c, class := range s.Input.Plain().Classes {
		mean += s.Probs[c] * class.Service.Mean()
	}
	return mean
}

const (
	pilotSteps = 1 << 18 // jobs for one look at a θ
	trialSteps = 1 << 20 // jobs that say how many a proof would need
	proofSteps = 1 << 25 // most jobs for a proof
)

// largest is the largest θ at which a short run does not speak against (*), by
// bisection; 0 if there is none above 1e-7 over the mean service.
func (m *majorantSearch) largest(block int) float64 {
	lo, hi := 0.0, 1/m.mean
	for range 60 { // bring hi down to where the moments exist
		if m.ctx.Err() != nil {
			return 0
		}
		if _, _, _, ok := m.tilted(hi, 1); ok {
			break
		}
		hi /= 1.5
	}
	passes := func(theta float64) bool { return m.holds(theta, block, pilotSteps, 0.5, 1) }
	for passes(hi) { // few short services: or up to where it fails
		lo, hi = hi, 2*hi
	}
	for range 14 {
		if lo > 0 && hi-lo < 0.001*hi {
			break
		}
		if m.ctx.Err() != nil {
			return 0
		}
		theta := (lo + hi) / 2
		if passes(theta) {
			lo = theta
		} else {
			hi = theta
		}
		if lo == 0 && hi < 1e-7/m.mean {
			return 0
		}
	}
	return lo
}

// attempts is how many proofs FindMajorant makes at most, among which the failure
// probability is shared out.
const attempts = 32

// prove proves the k-th θ on randomness of its own, by as many jobs as a shorter run, which
// is not part of the proof, lets expect to be enough. Where even the most are not, it
// spares the attempt.
func (m *majorantSearch) prove(theta float64, block, k int) bool {
	failure := m.failure / attempts
	first := m.measure(theta, block, trialSteps, uint64(100+2*k))
	first.mean += 2 * math.Sqrt(first.variance/float64(first.n))
	for jobs := 2 * trialSteps; jobs <= proofSteps; jobs *= 2 {
		if first.bound(max(64, jobs/block), failure) <= 0 {
			return m.holds(theta, block, jobs, failure, uint64(101+2*k))
		}
	}
	return false
}

// holds reports whether (*) is proved at θ with the given failure probability by
// the given number of jobs.
func (m *majorantSearch) holds(theta float64, block, jobs int, failure float64, seed uint64) bool {
	p := m.measure(theta, block, jobs, seed)
	return p.bound(p.n, failure) <= 0
}

// piles are the moments of exp(θ(H - Σσ)), or with charges in the place of Σσ, over n
// blocks under the tilted laws, and the logarithm of the constant that (*) has beside
// their mean.
type piles struct {
	n              int
	mean, variance float64
	log            float64
}

// bound is a bound of the logarithm of the left side of (*), by n blocks of the same
// moments.
func (p *piles) bound(n int, failure float64) float64 {
	log := math.Log(2 / failure)
	return p.log + math.Log(p.mean+math.Sqrt(2*p.variance*log/float64(n))+7*log/(3*float64(n-1)))
}

// measure piles up so many jobs; its log is +Inf if there are no moments or the context ends.
func (m *majorantSearch) measure(theta float64, block, jobs int, seed uint64) *piles {
	p := &piles{n: max(64, jobs/block), log: math.Inf(1)}
	src, logService, logGap, ok := m.tilted(theta, seed)
	if !ok {
		return p
	}
	var mean, squares float64
	done := m.each(src, block, p.n, func(height, charges float64) (enough bool) {
		z := math.Exp(theta * min(0, height-charges))
		mean += z
		squares += z * z
		return false
	})
	if !done {
		return p
	}
	n := float64(p.n)
	p.mean, p.log = mean/n, theta*m.charges.once()+float64(block)*(logService+logGap)
	p.variance = max(0, squares/n-p.mean*p.mean) * n / (n - 1)
	return p
}

// each piles up n blocks and tells the height and the charges of each, in their order. It
// is false if it was told that these are enough, or the context ends, before the last.
func (m *majorantSearch) each(src *stream.Source, block, n int, tell func(height, charges float64) (enough bool)) bool {
	side := max(1, taskJobs/block)
	type worker struct {
		in   *input
		runs *fast.Runs
	}
	type pile struct{ height, charges float64 }
	done := 0
	replicate.InOrder(m.ctx, (n+side-1)/side, max(1, m.Workers),
		func() *worker { return &worker{&input{reader: src.Reader(0)}, fast.NewRuns(m.Servers)} },
		func(stop *atomic.Bool, w *worker, task int, piles *[]pile) bool {
			w.in.reader.Until(stop)
			*piles = (*piles)[:0]
			for i := task * side; i < min(n, (task+1)*side); i++ {
				height, charges, ok := m.pile(w.in, w.runs, int64(i)*int64(block), block)
				if !ok {
					return false
				}
				*piles = append(*piles, pile{height, charges})
			}
			return true
		},
		func(_ int, piles *[]pile) bool {
			for _, x := range *piles {
				m.steps += int64(block)
				if done++; tell(x.height, x.charges) {
					return done < n
				}
			}
			return false
		})
	return done == n
}

// taskJobs is about how many jobs a goroutine piles up at once.
const taskJobs = 1 << 14

// pile is the height of the block of jobs from the given index, and all that it is charged; false if
// it was stopped.
func (m *majorantSearch) pile(in *input, runs *fast.Runs, from int64, block int) (height, charges float64, ok bool) {
	runs.Reset(0)
	for at := from; at < from+int64(block); {
		jobs := in.read(at, from+int64(block))
		if len(jobs) == 0 {
			return 0, 0, false
		}
		for i := range jobs {
			charges += m.charges.charge(jobs[i].Class, jobs[i].Service)
		}
		runs.Grow(jobs)
		at += int64(len(jobs))
	}
	return runs.Top(), charges + m.charges.once(), true
}
