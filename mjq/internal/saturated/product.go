package saturated

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// maxProduct bounds the work of Theorem 1, in additions.
const maxProduct = 1e9

// Product is a saturated system whose jump chain has a stationary distribution
// in product form (Grosof, Harchol-Balter and Scheller-Wolf).
type Product struct {
	Throughput float64 // λ_c, jobs per unit of time
	Theorem    int     // of the paper: 1, one duration for all, or 2, two classes
	// InService[j] is the probability that j jobs are in service just before a
	// completion (Theorem 1).
	InService []float64
	// States are those of Theorem 2, by ascending number of class 1 jobs.
	States []TwoClassState
}

// TwoClassState is the state [h, a, b] of Theorem 2. Class 1 is the one of
// smaller need.
type TwoClassState struct {
	Blocked bool    // h: a class 2 job is at the head although a class 1 job would fit
	Ones    int     // a, class 1 jobs in service
	Twos    int     // b, class 2 jobs in service
	Prob    float64 // just before a completion
}

// ProductForm is the product form of a system if one is known: all service
// times exponential, and either two classes of different needs (Theorem 2, time
// proportional to the servers) or one rate for all (Theorem 1, time
// proportional to the square of the servers times the classes; ok is false
// beyond 10^9 steps). Classes that the servers cannot tell apart count as one.
func ProductForm(s states.System) (f *Product, ok bool) {
	p := s.Compile()
	same := true
	for _, k := range p.Kinds {
		if k.Hi-k.Lo != 1 || k.Instant > 0 {
			return nil, false
		}
		same = same && p.Phases[k.Lo].Rate == p.Phases[0].Rate
	}
	if len(p.Kinds) == 2 && p.Kinds[0].Need < p.Kinds[1].Need {
		return twoClasses(p), true
	}
	if n := float64(p.Servers); !same || n*n/float64(p.Kinds[0].Need)*float64(len(p.Kinds)) > maxProduct {
		return nil, false
	}
	return oneDuration(p), true
}

// oneDuration is Theorem 1. Just before a completion the jobs in the system are
// independent draws in their order of arrival, so that j of them are in service
// if the first j needs fit, S_j ≤ s, and the next does not; the mean time to
// the completion is then 1/(j μ).
func oneDuration(p *states.Plan) *Product {
	s, mu := p.Servers, p.Phases[0].Rate
	above := make([]float64, s+1)
	for f := range above {
		above[f] = p.Above(f)
	}
	f := &Product{Theorem: 1, InService: []float64{0}}
	sums := make([]float64, s+1) // sums[u] is P(S_j = u)
	sums[0] = 1
	mean := 0.0
	for j := 1; j*p.Kinds[0].Need <= s; j++ {
		for u := s; u >= 0; u-- {
			v := 0.0
			for _, k := range p.Kinds {
				if k.Need <= u {
					v += k.Prob * sums[u-k.Need]
				}
			}
			sums[u] = v
		}
		full := 0.0
		for u, v := range sums {
			full += v * above[s-u]
		}
		f.InService = append(f.InService, full)
		mean += full / float64(j)
	}
	f.Throughput = mu / mean
	return f
}

// twoClasses is Theorem 2,
//
//	π[h,a,b] = C p1^a p2^(b+h) ∏_{i≤a} 1/f1(s1(i)) ∏_{j≤b} 1/f2(s2(j)),
//
// where s1(a) is the one state with a jobs of class 1, s2(b) the one with b jobs
// of class 2 and h = 0, and f_c(s) the probability that a class c job is the
// next to complete in state s. Each state is s1(a) for one a. The products span
// any range, so the weights are multiplied outwards from the largest.
func twoClasses(p *states.Plan) *Product {
	need, n := p.Kinds[0].Need, p.Servers/p.Kinds[0].Need
	f := &Product{Theorem: 2, States: make([]TwoClassState, n+1)}
	for a := range f.States {
		b := (p.Servers - a*need) / p.Kinds[1].Need
		f.States[a] = TwoClassState{Ones: a, Twos: b, Blocked: p.Servers-a*need-b*p.Kinds[1].Need >= need}
	}
	ratio := make([]float64, n) // of the weights of s1(a+1) and s1(a)
	log, highest, peak := 0.0, 0.0, 0
	for a := range ratio {
		ratio[a] = step(p, f.States[a], f.States[a+1])
		if log += math.Log(ratio[a]); log > highest {
			highest, peak = log, a+1
		}
	}
	f.States[peak].Prob = 1
	for a := peak; a < n; a++ {
		f.States[a+1].Prob = f.States[a].Prob * ratio[a]
	}
	for a := peak; a > 0; a-- {
		f.States[a-1].Prob = f.States[a].Prob / ratio[a-1]
	}
	sum, mean := 0.0, 0.0
	for _, s := range f.States {
		sum += s.Prob
		mean += s.Prob / rateOf(p, s.Ones, s.Twos)
	}
	for a := range f.States {
		f.States[a].Prob /= sum
	}
	f.Throughput = sum / mean
	return f
}

// step is π(s1(a+1)) / π(s1(a)) by Theorem 2, at being s1(a). One class 1 job
// more leaves room for as many class 2 jobs or one less.
func step(p *states.Plan, at, next TwoClassState) float64 {
	one, two := &p.Kinds[0], &p.Kinds[1]
	mu1, mu2 := p.Phases[one.Lo].Rate, p.Phases[two.Lo].Rate
	ratio := one.Prob * rateOf(p, next.Ones, next.Twos) / (float64(next.Ones) * mu1)
	if b := at.Twos; next.Twos < b {
		ones := (p.Servers - b*two.Need) / one.Need // s2(b)
		ratio *= float64(b) * mu2 / rateOf(p, ones, b) / two.Prob
	}
	if next.Blocked && !at.Blocked {
		ratio *= two.Prob
	} else if at.Blocked && !next.Blocked {
		ratio /= two.Prob
	}
	return ratio
}

// rateOf is the rate of completions a μ1 + b μ2.
func rateOf(p *states.Plan, a, b int) float64 {
	return float64(a)*p.Phases[p.Kinds[0].Lo].Rate + float64(b)*p.Phases[p.Kinds[1].Lo].Rate
}
