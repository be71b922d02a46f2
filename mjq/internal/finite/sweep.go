package finite

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Slow is the error for sweeps that get no nearer to the law.
type Slow struct {
	States   int
	Residual float64
}

// Error says how near they came.
func (e *Slow) Error() string {
	return fmt.Sprintf("the sweeps over %d states stall at a relative residual of %.2g", e.States, e.Residual)
}

const (
	bytesPerMove  = 28 // of the moves and of the same by where they lead
	patientSweeps = 60 // without the residual falling
)

// sweeper solves chains with too many states for elimination: a sweep by Gauss and Seidel
// solves each state given the others, forth and back in turn; then the layers get the masses
// that they would have if the laws inside them were right (Koury, McAllister and Stewart,
// SIAM Journal on Algebraic and Discrete Methods 5, 1984).
type sweeper struct {
	*explored
	from  []int32 // by move, where it comes from, in the order of where it leads
	rate  []float64
	start []int32 // by state, its first of them, and one more
	out   []float64
	p     []float64
}

// sweep finds the law up to a relative residual, which it returns.
func (x *explored) sweep(ctx context.Context, most Limits) ([]float64, float64, error) {
	moves := 0
	for _, list := range x.moves {
		moves += len(list)
	}
	if bytes := bytesPerMove * float64(moves); bytes > most.Bytes || moves > math.MaxInt32 {
		return nil, 0, &TooLarge{States: float64(len(x.states)), Bytes: bytes, Flops: 2000 * float64(moves)}
	}
	s := x.sweeper(moves)
	best, since, first := math.Inf(1), 0, 0.0
	for round := 0; ; round++ {
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		s.solve(round%2 == 1)
		s.balance()
		left := s.residual()
		first = max(first, left)
		if most.ReportSolving != nil {
			most.ReportSolving(min(1, math.Log(left/first)/math.Log(most.Tolerance/first)))
		}
		switch {
		case left <= most.Tolerance:
			return s.p, left, nil
		case left < 0.9*best:
			best, since = left, 0
		default:
			if since++; since > patientSweeps {
				return nil, left, &Slow{len(s.p), left}
			}
		}
	}
}

// sweeper turns the moves round.
func (x *explored) sweeper(moves int) *sweeper {
	n := len(x.states)
	s := &sweeper{explored: x, from: make([]int32, moves), rate: make([]float64, moves), start: make([]int32, n+1),
		out: make([]float64, n), p: slices.Repeat([]float64{1 / float64(n)}, n)}
	for i, list := range x.moves {
		for _, m := range list {
			s.start[m.to+1]++
			s.out[i] += m.rate
		}
	}
	for i := range n {
		s.start[i+1] += s.start[i]
	}
	next := slices.Clone(s.start)
	for i, list := range x.moves {
		for _, m := range list {
			s.from[next[m.to]], s.rate[next[m.to]] = int32(i), m.rate
			next[m.to]++
		}
	}
	return s
}

// inflow is the flow into a state.
func (s *sweeper) inflow(i int) (sum float64) {
	lo, hi := s.start[i], s.start[i+1]
	rate := s.rate[lo:hi]
	for k, from := range s.from[lo:hi] {
		sum += s.p[from] * rate[k]
	}
	return sum
}

// solve is a sweep.
func (s *sweeper) solve(back bool) {
	for i := range s.p {
		if back {
			i = len(s.p) - 1 - i
		}
		s.p[i] = s.inflow(i) / s.out[i]
	}
}

// balance scales the layers, and all to a sum of 1.
func (s *sweeper) balance() {
	layers := len(s.starts) - 1
	flow := make([][]float64, layers)
	for l := range flow {
		flow[l] = make([]float64, layers)
	}
	for i, list := range s.moves {
		for _, m := range list {
			if a, b := s.layer[i], s.layer[m.to]; a != b {
				flow[a][b] += s.p[i] * m.rate
			}
		}
	}
	scale := s.masses(flow)
	total := 0.0
	for i := range s.p {
		s.p[i] *= scale[s.layer[i]]
		total += s.p[i]
	}
	for i := range s.p {
		s.p[i] /= total
	}
}

// masses are the factors of the layers that balance the flows between them, by elimination;
// 1 as long as some have no flow.
func (s *sweeper) masses(flow [][]float64) []float64 {
	scale := slices.Repeat([]float64{1}, len(flow))
	layers := &explored{}
	var some []int // with states
	for l := range flow {
		if s.starts[l] < s.starts[l+1] {
			some = append(some, l)
		}
	}
	for _, a := range some {
		var list []move
		for j, b := range some {
			if flow[a][b] > 0 {
				list = append(list, move{int32(j), flow[a][b]})
			}
		}
		layers.states, layers.layer, layers.moves = append(layers.states, ""), append(layers.layer, 0), append(layers.moves, list)
	}
	layers.starts = []int{0, len(some)}
	x, err := layers.eliminate(context.Background(), Limits{Bytes: math.Inf(1), Flops: math.Inf(1)})
	if err != nil {
		return scale
	}
	for j, l := range some {
		scale[l] = x[j]
	}
	return scale
}

// residual is the sum of the differences of the flows into the states and out of them,
// relative to all flow.
func (s *sweeper) residual() float64 {
	sum, all := 0.0, 0.0
	for i, p := range s.p {
		out := p * s.out[i]
		sum += math.Abs(s.inflow(i) - out)
		all += out
	}
	return sum / all
}
