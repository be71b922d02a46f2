package open

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/result"
)

// LargeWaits are the Laplace transforms of the waiting times as Waits has them, for the
// solution of SolveLarge. The levels kept are passed one by one, by the jobs that start
// after a completion one at a time. Those above keep their form in the directions of the
// tail: with z the coefficients of the first of them, at time t level j of them has
//
//	z exp(M t) R^(j-1),   M = λ (1 - R^{-1}),
//
// and its transform is z R (σ - R)^{-1} R^(j-1) σ/λ, σ = λ/(λ - s), which needs no inverse
// of R. A transform costs about two sweeps.
type LargeWaits struct {
	*Solution
	ctx    context.Context
	tail   chain.Directions
	far    *resolvent
	all    []float64 // (1 - R)^{-1} times the sums of the directions
	rates  []float64 // by place: of leaving, without arrivals
	report Progress  // may be nil
	done   atomic.Int64
}

// NewLargeWaits prepares them for Curves under the same context, which calls report, if it
// is not nil, from any goroutine. It fails with ErrRising.
func NewLargeWaits(ctx context.Context, s *Solution, report Progress) (*LargeWaits, error) {
	w := &LargeWaits{Solution: s, ctx: ctx, tail: s.large.Directions(), report: report}
	if w.rises() {
		return nil, ErrRising
	}
	n := len(w.tail.First)
	z, rest, sums := mat.NewVecDense(n, nil), mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	z.MulVec(w.tail.R.T(), mat.NewVecDense(n, w.tail.First))
	w.far = newResolvent(w.tail.R, z.RawVector().Data)
	rest.Scale(-1, w.tail.R)
	for i := range n {
		rest.Set(i, i, rest.At(i, i)+1)
	}
	if err := sums.SolveVec(rest, mat.NewVecDense(n, w.tail.Sums)); singular(err) {
		return nil, fmt.Errorf("the levels above %d do not sum: %w", len(s.large.Levels)-1, err)
	}
	w.all = sums.RawVector().Data
	for _, node := range s.blocked {
		w.rates = append(w.rates, s.rate(node))
	}
	return w, nil
}

// ErrRising is the error for a tail that the directions hold so badly that in them the
// waits would not end.
var ErrRising = errors.New("the continuation above the stored levels is too inaccurate for distributions")

// rises reports whether a pole of the transforms, λ (1 - 1/η) for an eigenvalue η of R, is
// right of the one for the decay.
func (w *LargeWaits) rises() bool {
	var e mat.Eigen
	if !e.Factorize(w.tail.R, mat.EigenNone) {
		return true
	}
	for _, eta := range e.Values(nil) {
		if !(real(1/eta) > (1-1e-9)/w.decay) {
			return true
		}
	}
	return false
}

// WithCurves is how many times the operations of SizeOfLarge it takes, about, to have the
// distributions too, and usualPoints how many transforms these take.
const WithCurves, usualPoints = 3, 400

// tell reports a transform.
func (w *LargeWaits) tell() {
	if w.report != nil {
		part, moments := min(0.99, float64(w.done.Add(1))/usualPoints), SizeOfLarge(w.Index).Flops
		w.report((1+(WithCurves-1)*part)*moments, WithCurves*moments)
	}
}

// Curves is that of Waits, with the error of the law besides.
func (w *LargeWaits) Curves(ctx context.Context, services []Service, workers int) (waiting, response []result.Curve, err error) {
	var atoms []float64
	for _, k := range w.Kinds() {
		atoms = append(atoms, k.Zero)
	}
	return invertAll(ctx, services, atoms, w.lambda*(1/w.decay-1), Onward(w.Index), workers, func() transform { return w.transform() })
}

// parts is the real and the imaginary parts of a vector.
type parts [2][]float64

func newParts(n int) parts { return parts{make([]float64, n), make([]float64, n)} }

func (p *parts) clear(n int) {
	clear(p[0][:n])
	clear(p[1][:n])
}

func (p *parts) at(i int) complex128 { return complex(p[0][i], p[1][i]) }

func (p *parts) add(i int, v complex128) {
	p[0][i] += real(v)
	p[1][i] += imag(v)
}

// largeTransform is the memory of one goroutine that evaluates transforms.
type largeTransform struct {
	*LargeWaits
	steps             *steps
	work              *scratch
	flow, next, spent parts // by state of a level
	head              parts // by place: the tagged job is at the head of the line
	inverse           []complex128
	there             []complex128 // by free units: time at the head
	survival, waiting []complex128 // by kind
}

func (w *LargeWaits) transform() *largeTransform {
	most, places, kinds := 0, len(w.blocked), len(w.Plan.Kinds)
	for _, l := range w.steps.levels {
		most = max(most, len(l))
	}
	own := *w.steps
	own.work = make([]float64, len(own.work))
	return &largeTransform{LargeWaits: w, steps: &own, work: w.far.scratch(), flow: newParts(most), next: newParts(most), spent: newParts(most),
		head: newParts(places), inverse: make([]complex128, places), there: make([]complex128, w.Servers+1),
		survival: make([]complex128, kinds), waiting: make([]complex128, kinds)}
}

// at evaluates all kinds at s, the two of a kind being related: E e^{-sW} = 1 - s ∫ e^{-st} P(W > t) dt.
func (t *largeTransform) at(s complex128) (survival, waiting []complex128) {
	for i, r := range t.rates {
		t.inverse[i] = 1 / (s + complex(r, 0))
	}
	t.head.clear(len(t.rates))
	clear(t.there)
	inLine := t.above(s)
	for n := len(t.large.Levels) - 1; n > 0 && t.ctx.Err() == nil; n-- {
		inLine += t.pass(n)
	}
	t.wait()
	for c, k := range t.Plan.Kinds {
		t.survival[c] = inLine
		for _, v := range t.there[:k.Need] {
			t.survival[c] += v
		}
		t.waiting[c] = 1 - s*t.survival[c]
	}
	t.tell()
	return t.survival, t.waiting
}

// above takes the levels above those listed: t.flow is then what they bring to the last
// of these.
func (t *largeTransform) above(s complex128) (time complex128) {
	lambda := complex(t.lambda, 0)
	if s == lambda {
		s *= 1 + 1e-14 // where σ has no value, and the transform is smooth
	}
	sigma := lambda / (lambda - s)
	t.flow.clear(len(t.flow[0]))
	for k, v := range t.far.solve(sigma, t.work) {
		v *= sigma / lambda
		time += times(v, t.all[k])
		for part, by := range [2]float64{real(v), imag(v)} {
			flow := t.flow[part]
			for i, d := range t.tail.Down[k] {
				flow[i] += by * d
			}
		}
	}
	return time
}

// pass takes level n: t.flow is what comes into it from above; the result is the time
// spent in it while in line behind the head, and t.flow then what goes into the level
// below. Who sees nobody in line is at the head, where it starts at once unless the node
// is blocked.
func (t *largeTransform) pass(n int) (time complex128) {
	kind := min(n, t.steps.Last())
	line, law := t.steps.lined(kind), t.large.Levels[n]
	for i, p := range law {
		t.flow[0][i] += p
	}
	for i := line; i < min(len(law), len(t.rates)); i++ {
		if node := t.steps.levels[kind][i]; t.free[node] < t.Widest() {
			t.head.add(i, t.flow.at(i))
		}
	}
	t.stay(0, line, &t.flow)
	below := t.steps.States(min(n-1, t.steps.Last()))
	for part := range 2 {
		clear(t.next[part][:below])
		t.steps.Down(kind, t.spent[part][:line], t.next[part][:below])
	}
	for i := range line {
		time += t.spent.at(i)
	}
	t.flow, t.next = t.next, t.flow
	return time
}

// stay makes t.spent, at places from lo to hi, the time that the flow into them spends
// there, which changes of phase pass on. Nodes of later phases come first. The flow is 0
// then.
func (t *largeTransform) stay(lo, hi int, flow *parts) {
	clear(t.spent[0][lo:hi])
	clear(t.spent[1][lo:hi])
	for {
		passed, left := 0.0, 0.0
		for i := hi - 1; i >= lo; i-- {
			v := flow.at(i)
			if v == 0 {
				continue
			}
			flow[0][i], flow[1][i] = 0, 0
			passed += norm1(v)
			v *= t.inverse[i]
			t.spent.add(i, v)
			to, rate := t.steps.local.row(t.blocked[i])
			for k, next := range to {
				flow.add(t.place[next], times(v, rate[k]))
			}
		}
		for i := lo; i < hi; i++ {
			left += math.Abs(flow[0][i]) + math.Abs(flow[1][i])
		}
		if !(left > settled*passed) { // also where it is not a number
			return
		}
	}
}

// wait is the head of the line, by descending number of jobs in service: they complete
// and none start. Servers are only freed, so that a job of any kind has started once its
// need has come free, and one pass serves all kinds.
func (t *largeTransform) wait() {
	for hi := len(t.rates); hi > 0; {
		lo := hi
		for lo > 0 && t.jobs[t.blocked[lo-1]] == t.jobs[t.blocked[hi-1]] {
			lo--
		}
		t.stay(lo, hi, &t.head)
		for i := lo; i < hi; i++ {
			v, node := t.spent.at(i), t.blocked[i]
			t.there[t.free[node]] += v
			to, rate := t.steps.lone.row(node)
			for k, next := range to {
				if t.free[next] < t.Widest() {
					t.head.add(t.place[next], times(v, rate[k]))
				}
			}
		}
		hi = lo
	}
}
