package open

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Moments are what the stationary distribution says at once.
type Moments struct {
	Jobs, Queue []float64 // factorial moments of the jobs in the system and in line: E[N], E[N(N-1)], ...
	WastedHOL   float64   // mean number of servers free while jobs are in line
	Idle        float64   // mean number of servers free
	Empty       float64   // probability that no job is in line
	Decay       float64   // P(N = n+1) / P(N = n) for large n
}

// Kind is the waiting time of the jobs of a kind: a class as the servers see it.
type Kind struct {
	Mean, Second float64 // E[W], E[W²]
	Zero         float64 // P(W = 0)
	Busy         float64 // mean number of servers that they hold
}

// each visits all states with their probability p[0]. The homogeneous levels of
// a node are visited at once, far: the level is then most + j, j from 1, and
// p[k] is the k-th factorial moment of j there.
func (s *Solution) each(visit func(level, node int, far bool, p *[factorials]float64)) {
	var p [factorials]float64
	for n, x := range s.pi {
		for i, node := range s.level(n) {
			p = [factorials]float64{x[i]}
			visit(n, node, false, &p)
		}
	}
	for i, node := range s.blocked {
		for k := range p {
			p[k] = s.tails[k][i]
		}
		visit(s.most, node, true, &p)
	}
}

// factorial is Σ (a+j)(a+j-1)...(a+j-k+1) over the states of p, by Vandermonde's
// identity for falling powers.
func factorial(k int, a float64, p *[factorials]float64) (sum float64) {
	choose, fall := 1.0, [factorials]float64{1}
	for i := 1; i <= k; i++ {
		fall[i] = fall[i-1] * (a - float64(i-1))
	}
	for i := 0; i <= k; i++ {
		sum += choose * p[i] * fall[k-i]
		choose *= float64(k-i) / float64(i+1)
	}
	return sum
}

// Moments sums the distribution.
func (s *Solution) Moments() *Moments {
	m := &Moments{Jobs: make([]float64, factorials-1), Queue: make([]float64, factorials-1), Decay: s.decay}
	s.each(func(n, node int, far bool, p *[factorials]float64) {
		line := float64(n - s.jobs[node])
		idle := s.idle(node)
		for k := range m.Jobs {
			m.Jobs[k] += factorial(k+1, float64(n), p)
			m.Queue[k] += factorial(k+1, line, p)
		}
		m.Idle += p[0] * idle
		if n == s.jobs[node] && !far {
			m.Empty += p[0]
		} else {
			m.WastedHOL += p[0] * idle
		}
	})
	return m
}

// Kinds finds the waiting time of each kind. Waiting splits into the time to
// the head of the line, the same for all, and the time there; with K jobs
// behind the HOL job the distributional law of Little gives
//
//	E[W_c]  = E[K]/λ + P(HOL = c)/(λ p_c)
//	E[W_c²] = ( E[K(K-1)] + 2 E[K; HOL = c]/p_c ) / λ².
func (s *Solution) Kinds() []Kind {
	out := make([]Kind, len(s.Plan.Kinds))
	behind := make([]float64, 3)          // factorial moments of K
	heads := make([][2]float64, len(out)) // P(HOL = c)/p_c, E[K; HOL = c]/p_c
	s.each(func(n, node int, far bool, p *[factorials]float64) {
		line := n - s.jobs[node]
		for c, k := range s.Plan.Kinds {
			for ph := k.Lo; ph < k.Hi; ph++ {
				out[c].Busy += p[0] * float64(s.of(node)[ph]) * float64(k.Need*s.Unit)
			}
			if line == 0 && !far && k.Need <= s.free[node] {
				out[c].Zero += p[0]
			}
		}
		if line == 0 && !far {
			return
		}
		q := s.Above(s.free[node])
		first := factorial(1, float64(line-1), p)
		behind[1] += first
		behind[2] += factorial(2, float64(line-1), p)
		for c, k := range s.Plan.Kinds {
			if k.Need > s.free[node] {
				heads[c][0] += p[0] / q
				heads[c][1] += first / q
			}
		}
	})
	for c := range out {
		out[c].Mean = (behind[1] + heads[c][0]) / s.lambda
		out[c].Second = (behind[2] + 2*heads[c][1]) / (s.lambda * s.lambda)
	}
	return out
}

// Levels are P(N = n) for n below the given number.
func (s *Solution) Levels(most int) []float64 {
	var out []float64
	for n := 0; n < most && n <= s.most; n++ {
		out = append(out, floats.Sum(s.pi[n]))
	}
	if s.large != nil {
		return s.largeLevels(out, most)
	}
	x, next := append([]float64(nil), s.pi[s.most]...), make([]float64, len(s.blocked))
	for len(out) < most {
		clear(next)
		s.rTimes(x, next)
		out = append(out, floats.Sum(next))
		if low, high := ratios(x, next); high-low <= geometric*high {
			for n := len(out); n < most; n++ {
				out = append(out, out[n-1]*s.decay)
			}
		}
		x, next = next, x
	}
	return out
}

// geometric is how much, relatively, the ratios of the states of two levels in a row may
// differ for the levels to be taken as geometric. R has no negative entries, so that the
// ratios of all later levels lie between.
const geometric = 1e-13

// ratios are the smallest and the largest factor by which a state of the next level is
// likelier.
func ratios(x, next []float64) (low, high float64) {
	low = math.Inf(1)
	for i, p := range x {
		if p > 0 || next[i] > 0 {
			r := next[i] / p
			low, high = min(low, r), max(high, r)
		}
	}
	return low, high
}

// largeLevels goes on with the levels of SolveLarge.
func (s *Solution) largeLevels(out []float64, most int) []float64 {
	for n := len(out); n < min(most, len(s.large.Levels)); n++ {
		out = append(out, floats.Sum(s.large.Levels[n]))
	}
	return append(out, s.large.Beyond(most-len(out))...)
}

// rTimes adds x R to out.
func (s *Solution) rTimes(x, out []float64) {
	for i, v := range x {
		floats.AddScaled(out, v, s.qbd.R.RawRowView(i))
	}
}
