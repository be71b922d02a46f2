package chain

import (
	"context"
	"math"
	"slices"
)

// Sweeps solve chains with too many states for elimination: a sweep by Gauss and Seidel
// solves each state given the others, upward and then downward; then the layers get the
// masses that they would have if the laws inside them were right (iterative aggregation and
// disaggregation: Takahashi 1975; Koury, McAllister and Stewart, SIAM Journal on Algebraic
// and Discrete Methods 5, 1984). A sweep costs some 10 ns a move.
type Sweeps struct {
	l        *Layers
	start    []int32 // by place, the first of the moves to it, and one more
	from     []int32 // by move to a place, where it comes from
	rate     []float64
	out      []float64 // by place, the rate of leaving it
	layer    []int32
	p        []float64
	up, down int // layers that a move goes at most
}

// Sweeps begin with a guess, by state; nil is all alike.
func (c *Chain) Sweeps(guess []float64) *Sweeps {
	l := c.ByLayer()
	n := len(l.Order)
	s := &Sweeps{l: l, start: make([]int32, n+1), out: make([]float64, n), p: slices.Repeat([]float64{1 / float64(n)}, n)}
	for at, i := range l.Order {
		if guess != nil {
			s.p[at] = guess[i]
		}
		s.layer = append(s.layer, int32(l.layer(at)))
		for _, m := range c.Moves[i] {
			s.start[l.place[m.To]+1]++
			s.out[at] += m.Rate
		}
	}
	for i := range n {
		s.start[i+1] += s.start[i]
	}
	s.from, s.rate = make([]int32, s.start[n]), make([]float64, s.start[n])
	next := slices.Clone(s.start[:n])
	for at, i := range l.Order {
		for _, m := range c.Moves[i] {
			to := l.place[m.To]
			s.from[next[to]], s.rate[next[to]] = int32(at), m.Rate
			next[to]++
		}
	}
	s.up, s.down = l.reach()
	return s
}

// P is the law so far, by state.
func (s *Sweeps) P() []float64 {
	p := make([]float64, len(s.p))
	for at, i := range s.l.Order {
		p[i] = s.p[at]
	}
	return p
}

// Balance is what flows into a state and out of it, and the number of moves into it.
func (s *Sweeps) Balance(state int) (in, out float64, terms int) {
	at := int(s.l.place[state])
	return s.in(at), s.p[at] * s.out[at], int(s.start[at+1] - s.start[at])
}

// Aim is when sweeps have done enough: at a residual, or once nothing gets better, for which
// they have more patience above a residual that is good enough, or after the most rounds.
type Aim struct {
	Residual, Good float64
	Most           int
	Report         func(part float64) // unless nil, is told what part is done
}

// Solve makes sweeps up to an aim; the residual that is left, part of the error of all
// means, is returned. An aggregation far from the solution may do harm, and is then taken back. It fails
// with the cause of the end of ctx.
func (s *Sweeps) Solve(ctx context.Context, aim Aim) (best float64, err error) {
	best = math.Inf(1)
	since, first := 0, 0.0
	before := make([]float64, len(s.p))
	for range 5 {
		if err := s.sweep(ctx); err != nil {
			return best, err
		}
	}
	for range aim.Most {
		if err := s.sweep(ctx); err != nil {
			return best, err
		}
		s.normalise()
		r := s.Residual()
		copy(before, s.p)
		s.aggregate()
		if now := s.Residual(); now < 3*r {
			r = now
		} else {
			copy(s.p, before)
		}
		if first = max(first, r); aim.Report != nil {
			aim.Report(min(1, math.Log(r/first)/math.Log(aim.Residual/first)))
		}
		if r < 0.9*best {
			best, since = r, 0
		} else if since++; since > 40 && best < aim.Good || since > 800 {
			break
		}
		if best < aim.Residual {
			break
		}
	}
	return best, nil
}

// heard is after how many states the end of a context is looked for.
const heard = 4096

// sweep balances one state after the other, upward and then downward. It fails with the cause
// of the end of ctx, and leaves states as they were then.
func (s *Sweeps) sweep(ctx context.Context) error {
	n := len(s.p)
	for k := range 2 * n {
		if k%heard == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		i := min(k, 2*n-1-k)
		if s.p[i] = s.in(i) / s.out[i]; s.p[i] < nothing {
			s.p[i] = 0
		}
	}
	return nil
}

// nothing is what a probability counts as below: far below what any mean can show, and
// above what processors multiply slowly.
const nothing = 1e-150

// in is the flow into the state at a place.
func (s *Sweeps) in(i int) (sum float64) {
	lo, hi := s.start[i], s.start[i+1]
	rate := s.rate[lo:hi]
	for k, from := range s.from[lo:hi] {
		sum += s.p[from] * rate[k]
	}
	return sum
}

// Residual is the sum of the imbalances over that of the flows.
func (s *Sweeps) Residual() float64 {
	sum, scale := 0.0, 0.0
	for i, p := range s.p {
		out := p * s.out[i]
		sum += math.Abs(s.in(i) - out)
		scale += out
	}
	return sum / scale
}

func (s *Sweeps) normalise() {
	total := 0.0
	for _, p := range s.p {
		total += p
	}
	for i := range s.p {
		s.p[i] /= total
	}
}
