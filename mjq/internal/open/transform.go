package open

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Waits are the Laplace transforms of the waiting times. A tagged job sees the
// stationary state when it arrives, and after that only the jobs ahead of it
// matter. While at least most + 1 are ahead, the states keep a geometric form:
// with y = π_{most+1}, the distribution at time t on level most + 1 + j is
//
//	y exp(M t) R^j,   M = λ (1 - R^{-1}) = λ + U,
//
// since R commutes with M. Below, the levels are passed one by one, and at the
// head of the line jobs in service complete until the tagged one fits.
type Waits struct {
	*Solution
	geometric *resolvent
	all       []float64 // (1 - R)^{-1} 1
	alone     rows      // by node: completions that let nobody in
	moves     rows      // by node
	order     []int     // nodes by descending jobs
	rates     []float64 // by node: of leaving
}

// NewWaits prepares them; it costs some n³ for n phases, once. It is nil if ctx
// ends first.
func NewWaits(ctx context.Context, s *Solution) *Waits {
	n := len(s.blocked)
	m := mat.DenseCopyOf(s.qbd.U)
	rest, ones, all := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	rest.Scale(-1, s.qbd.R)
	for i := range n {
		m.Set(i, i, m.At(i, i)+s.lambda)
		rest.Set(i, i, rest.At(i, i)+1)
		ones.SetVec(i, 1)
	}
	next := make([]float64, n)
	s.rTimes(s.pi[s.most], next)
	w := &Waits{Solution: s}
	if !within(ctx, func() {
		// The condition is that of the load, which Solve has coped with.
		_ = all.SolveVec(rest, ones)
		w.geometric = newResolvent(m, next)
	}) {
		return nil
	}
	w.all = all.RawVector().Data
	d := &drawer{space: s.space, starts: map[int][]start{}, counts: make([]int32, 0, len(s.Phases))}
	sum := make([]float64, len(s.jobs))
	for node := range s.jobs {
		if node%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		w.order, w.rates = append(w.order, node), append(w.rates, s.rate(node))
		w.alone.collect(sum, func(visit func(int, float64)) { d.completions(node, 0, visit) })
		w.moves.collect(sum, func(visit func(int, float64)) { d.moves(node, visit) })
	}
	w.alone.end()
	w.moves.end()
	slices.SortStableFunc(w.order, func(a, b int) int { return s.jobs[b] - s.jobs[a] })
	return w
}

// Transform is the memory of one goroutine that evaluates transforms.
type Transform struct {
	*Waits
	ctx               context.Context // once it has ended, what is evaluated does not matter
	turns, patience   int             // the most sweeps that a level took, and may take
	work              *scratch
	flow, next        []complex128
	head, ahead       []complex128
	inverse, spent    []complex128
	Survival, Waiting []complex128 // by kind: ∫ e^{-st} P(W > t) dt and E e^{-sW}
}

// Transform makes one.
func (w *Waits) Transform() *Transform {
	most := len(w.jobs)
	for _, l := range w.boundary {
		most = max(most, len(l.nodes))
	}
	kinds := len(w.Plan.Kinds)
	return &Transform{Waits: w, ctx: context.Background(), patience: mostTurns, work: w.geometric.scratch(), flow: make([]complex128, most), next: make([]complex128, most),
		head: make([]complex128, len(w.jobs)), ahead: make([]complex128, len(w.jobs)), inverse: make([]complex128, len(w.jobs)), spent: make([]complex128, most),
		Survival: make([]complex128, kinds), Waiting: make([]complex128, kinds)}
}

// At evaluates all kinds at s.
func (t *Transform) At(s complex128) {
	for node := range t.inverse {
		t.inverse[node] = 1 / (s + complex(t.rates[node], 0))
	}
	clear(t.head)
	clear(t.flow)
	inLine := complex128(0)
	x := t.geometric.solve(s, t.work)
	for i, v := range x {
		inLine += v * complex(t.all[i], 0)
	}
	push(&t.far.down, x, t.flow)
	for n := t.most; n >= 0 && t.ctx.Err() == nil; n-- {
		inLine += t.pass(n)
	}
	for c := range t.Plan.Kinds {
		if t.ctx.Err() == nil {
			t.atHead(c, inLine)
		}
	}
}

// at is At with its results.
func (t *Transform) at(s complex128) (survival, waiting []complex128) {
	t.At(s)
	return t.Survival, t.Waiting
}

// push adds x times the rates to out.
func push(r *rows, x, out []complex128) {
	for i, v := range x {
		if v == 0 {
			continue
		}
		for _, e := range r.row(i) {
			out[e.to] += times(v, e.rate)
		}
	}
}

// times is v x, by two products in place of four.
func times(v complex128, x float64) complex128 { return complex(real(v)*x, imag(v)*x) }

// pass takes level n: t.flow is what comes into it from above; the result is
// the time spent in it while in line behind the head, and t.flow then what goes
// into the level below. Who sees nobody in line is at the head.
func (t *Transform) pass(n int) (time complex128) {
	l := t.boundary[n]
	flow := t.flow[:len(l.nodes)]
	for i, p := range t.pi[n] {
		flow[i] += complex(p, 0)
		if node := l.nodes[i]; t.jobs[node] == n {
			t.head[node] += flow[i]
			flow[i] = 0
		}
	}
	spent := t.stay(flow, l.nodes, &l.local, t.spent)
	if n > 0 {
		clear(t.next[:len(t.boundary[n-1].nodes)])
	}
	for _, v := range spent {
		time += v
	}
	push(&l.down, spent, t.next)
	t.flow, t.next = t.next, t.flow
	return time
}

// Onward says whether changes of phase only lead on. Transforms can then be evaluated
// anywhere: the time spent in the phases is a finite sum.
func Onward(s *states.Index) bool {
	const under, done = 1, 2
	state := make([]int, len(s.Phases))
	var leads func(p int) bool
	leads = func(p int) bool {
		if state[p] != 0 {
			return state[p] == done
		}
		state[p] = under
		for _, m := range s.Phases[p].Moves {
			if !leads(m.To) {
				return false
			}
		}
		state[p] = done
		return true
	}
	for p := range s.Phases {
		if !leads(p) {
			return false
		}
	}
	return true
}

// settled is the flow that may be left over by the changes of phase, relative
// to all.
const settled = 1e-17

// mostTurns is the most sweeps of a level: what is left over by so many is taken for nothing.
// Distributions are found where fewTurns do at s = 0, so that it only bounds the work.
const mostTurns, fewTurns = 100_000, 5_000

// turning reports whether phases of service come back to each other so often that transforms
// take too long.
func (w *Waits) turning(ctx context.Context) bool {
	t := w.Transform()
	t.ctx, t.patience = ctx, fewTurns+1
	t.At(0)
	return t.turns > fewTurns
}

// stay is the time spent in each state by the flow into it, which changes of
// phase pass on; in one sweep if the changes only lead on, else in some.
func (t *Transform) stay(flow []complex128, nodes []int, moves *rows, spent []complex128) []complex128 {
	spent = spent[:len(nodes)]
	clear(spent)
	for turn := 1; ; turn++ {
		passed, left := 0.0, 0.0
		for i, node := range nodes {
			if flow[i] == 0 {
				continue
			}
			d := flow[i] * t.inverse[node]
			passed += norm1(flow[i])
			flow[i] = 0
			spent[i] += d
			for _, e := range moves.row(i) {
				flow[e.to] += times(d, e.rate)
			}
		}
		for i := range nodes {
			left += norm1(flow[i])
		}
		if !(left > settled*passed) || turn == t.patience {
			t.turns = max(t.turns, turn)
			return spent
		}
	}
}

// atHead is kind c at the head of the line: jobs complete and none start until
// it fits. Nodes are taken by descending number of jobs.
func (t *Transform) atHead(c int, inLine complex128) {
	need := t.Plan.Kinds[c].Need
	copy(t.ahead, t.head)
	began, waited := complex128(0), inLine
	for lo := 0; lo < len(t.order); {
		hi := lo
		for hi < len(t.order) && t.jobs[t.order[hi]] == t.jobs[t.order[lo]] {
			hi++
		}
		turn := 0
		for again := true; again && turn < t.patience; turn++ {
			again = false
			for _, node := range t.order[lo:hi] {
				v := t.ahead[node]
				if v == 0 {
					continue
				}
				t.ahead[node] = 0
				if t.free[node] >= need {
					began += v
					continue
				}
				v *= t.inverse[node]
				waited += v
				for _, e := range t.alone.row(node) {
					t.ahead[e.to] += times(v, e.rate)
				}
				for _, e := range t.moves.row(node) {
					t.ahead[e.to] += times(v, e.rate)
					again = again || norm1(t.ahead[e.to]) > settled
				}
			}
		}
		t.turns = max(t.turns, turn)
		lo = hi
	}
	t.Survival[c], t.Waiting[c] = waited, began
}
