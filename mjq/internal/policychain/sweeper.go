package policychain

import (
	"math"
	"slices"
)

// sweeper has the equations of a lyapunov function.
type sweeper struct {
	*clipped
	factor []float64
	want   []float64
	out    []float64
	order  []int32
}

func newSweeper(c *clipped, l *lyapunov) *sweeper {
	s := &sweeper{clipped: c, want: make([]float64, len(c.states)), out: make([]float64, len(c.start)-1)}
	n := 1
	for range l.tilt {
		n *= 3
	}
	for code := range n {
		sum, rest := 0.0, code
		for _, t := range l.tilt {
			sum += t * float64(rest%3-1)
			rest /= 3
		}
		s.factor = append(s.factor, math.Exp(sum))
	}
	fastest := 0.0
	for i := range c.states {
		for k := c.row[i]; k < c.row[i+1]; k++ {
			for _, a := range c.arrows[c.start[k]:c.start[k+1]] {
				s.out[k] += a.rate
			}
			if !c.passing[i] {
				fastest = max(fastest, s.out[k])
			}
		}
	}
	for i := range c.states {
		s.want[i] = math.Exp(l.slow * float64(c.jobs[i]))
		if c.passing[i] {
			s.want[i] /= 100 * fastest
		}
	}
	for i := range c.jobs {
		s.order = append(s.order, int32(i))
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return c.jobs[a] - c.jobs[b] })
	return s
}

// end is the one of an arrow that is worth most.
func (s *sweeper) end(g []float64, a reach) end {
	best := s.ends[a.first]
	for _, e := range s.ends[a.first+1 : a.last] {
		if s.factor[e.tilt]*g[e.to] > s.factor[best.tilt]*g[best.to] {
			best = e
		}
	}
	return best
}

// best is the case of a state in which the function falls least.
func (s *sweeper) best(g []float64, i int32) (k int32) {
	k, most := s.row[i], math.Inf(-1)
	for c := k; c < s.row[i+1]; c++ {
		sum, self := s.gain(g, i, c)
		if rise := sum + (self-s.out[c])*g[i]; rise > most {
			k, most = c, rise
		}
	}
	return k
}

// width is how far apart the ends of an arrow are in the order of the numbers of jobs.
func (s *sweeper) width() (most int) {
	place := make([]int, len(s.order))
	for at, i := range s.order {
		place[i] = at
	}
	for i := range s.states {
		for _, a := range s.arrows[s.start[s.row[i]]:s.start[s.row[i+1]]] {
			for _, e := range s.ends[a.first:a.last] {
				most = max(most, place[i]-place[e.to], place[e.to]-place[i])
			}
		}
	}
	return most
}

// gain is what the arrows of a case of a state bring: the sum over them of rate times the
// largest of what their ends may be worth. Arrows back to the state itself that may be the
// largest are left out, and counted in self.
func (s *sweeper) gain(g []float64, i, k int32) (sum, self float64) {
	for _, a := range s.arrows[s.start[k]:s.start[k+1]] {
		best, own := 0.0, 0.0
		for _, e := range s.ends[a.first:a.last] {
			if e.to == i {
				own = s.factor[e.tilt]
			} else {
				best = max(best, s.factor[e.tilt]*g[e.to])
			}
		}
		if own*g[i] >= best {
			self += a.rate * own
		} else {
			sum += a.rate * best
		}
	}
	return sum, self
}

// sweep solves one equation after the other, upward and downward, and returns the change.
func (s *sweeper) sweep(g []float64) (change float64) {
	solve := func(i int32) {
		if i == 0 {
			return
		}
		now := 0.0
		for k := s.row[i]; k < s.row[i+1]; k++ {
			sum, self := s.gain(g, i, k)
			rest := s.out[k] - self
			if rest <= 0 {
				change = math.NaN()
				return
			}
			now = max(now, (s.want[i]+sum)/rest)
		}
		change += math.Abs(now - g[i])
		g[i] = now
	}
	for _, i := range s.order {
		solve(i)
	}
	for k := len(s.order) - 1; k >= 0; k-- {
		solve(s.order[k])
	}
	return change
}

// verify is the largest part with which the condition holds at every state, and so at those
// without end for which they stand; not above 0 if it fails. A billionth of what is compared
// is given away, which is far more than rounding can take.
func (s *sweeper) verify(g []float64) float64 {
	part := math.Inf(1)
	for i := int32(1); i < int32(len(g)); i++ {
		for k := s.row[i]; k < s.row[i+1]; k++ {
			sum, self := s.gain(g, i, k)
			fall := s.out[k]*g[i]*(1-1e-9) - (sum+self*g[i])*(1+1e-9)
			if s.passing[i] && fall < 0 {
				return 0
			} else if !s.passing[i] {
				part = min(part, fall/s.want[i])
			}
		}
	}
	return part
}
