package saturated

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Bounds on the work of a product form, in additions, and on the servers whose
// distribution Theorem 1 keeps.
const (
	maxProduct = 1e9
	maxKept    = 1e7
	// fewOnes is for how many jobs of the smaller need Theorem 2 is summed term by term where
	// a job of the larger one runs alone.
	fewOnes = 1e6
)

// Product is a saturated system whose jump chain has a stationary distribution
// in product form (Grosof, Harchol-Balter and Scheller-Wolf).
type Product struct {
	Throughput float64 // λ_c, jobs per unit of time
	Theorem    int     // of the paper: 1, one duration for all, or 2, two classes
}

// ProductForm is the product form of a system if one is known: all service
// times exponential, and either two classes of different needs (Theorem 2, time
// proportional to the servers) or one rate for all (Theorem 1, time
// proportional to the square of the servers times the classes). ok is false
// beyond 10^9 steps, some ten seconds, and where Theorem 1 would have to keep
// the distribution of more than 10^7 servers. Classes that the servers cannot
// tell apart count as one. Where jobs of the larger need
// run alone, more servers take no more time. It fails with the cause of the end of ctx.
func ProductForm(ctx context.Context, p *states.Plan) (f *Product, ok bool, err error) {
	same := true
	for _, k := range p.Kinds {
		if k.Hi-k.Lo != 1 || k.Instant > 0 {
			return nil, false, nil
		}
		same = same && p.Phases[k.Lo].Rate == p.Phases[0].Rate
	}
	n, need := float64(p.Servers), float64(p.Kinds[0].Need)
	switch {
	case len(p.Kinds) == 2 && p.Servers-p.Kinds[1].Need < p.Kinds[0].Need && n/need > fewOnes:
		f = &Product{Throughput: onesAndAll(p), Theorem: 2}
	case len(p.Kinds) == 2 && need < float64(p.Kinds[1].Need) && n/need <= maxProduct:
		f = &Product{Throughput: twoClasses(ctx, p, func(twoClassState) {}), Theorem: 2}
	case same && n*n/need*float64(len(p.Kinds)) <= maxProduct && n <= maxKept:
		f = &Product{Throughput: oneDuration(ctx, p, func(int, float64) {}), Theorem: 1}
	default:
		return nil, false, nil
	}
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	return f, true, nil
}

// oneDuration is Theorem 1. Just before a completion the jobs in the system are
// independent draws in their order of arrival, so that j of them are in service
// if the first j needs fit, S_j ≤ s, and the next does not; the mean time to
// the completion is then 1/(j μ). inService is told the probabilities of j.
func oneDuration(ctx context.Context, p *states.Plan, inService func(j int, prob float64)) (throughput float64) {
	s, mu := p.Servers, p.Phases[0].Rate
	above := make([]float64, s+1)
	for f := range above {
		above[f] = p.Above(f)
	}
	sums := make([]float64, s+1) // sums[u] is P(S_j = u)
	sums[0] = 1
	mean := 0.0
	for j := 1; j*p.Kinds[0].Need <= s && ctx.Err() == nil; j++ {
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
		inService(j, full)
		mean += full / float64(j)
	}
	return mu / mean
}

// twoClassState is the state [h, a, b] of Theorem 2. Class 1 is the one of
// smaller need.
type twoClassState struct {
	Blocked bool    // h: a class 2 job is at the head although a class 1 job would fit
	Ones    int     // a, class 1 jobs in service
	Twos    int     // b, class 2 jobs in service
	Weight  float64 // just before a completion, 1 for the largest
}

// twoClasses is Theorem 2,
//
//	π[h,a,b] = C p1^a p2^(b+h) ∏_{i≤a} 1/f1(s1(i)) ∏_{j≤b} 1/f2(s2(j)),
//
// where s1(a) is the one state with a jobs of class 1, s2(b) the one with b jobs
// of class 2 and h = 0, and f_c(s) the probability that a class c job is the
// next to complete in state s. Each state is s1(a) for one a. The products span
// any range, so the weights are multiplied outwards from the largest. visit is
// told the states and their weights.
func twoClasses(ctx context.Context, p *states.Plan, visit func(twoClassState)) (throughput float64) {
	n := p.Servers / p.Kinds[0].Need
	done := func(a int) bool { return a&0xffff == 0 && ctx.Err() != nil }
	log, highest, peak := 0.0, 0.0, 0
	for a := 0; a < n && !done(a); a++ {
		if log += math.Log(step(p, a)); log > highest {
			highest, peak = log, a+1
		}
	}
	sum, mean := 0.0, 0.0
	add := func(a int, weight float64) {
		at := twoClassAt(p, a)
		at.Weight = weight
		visit(at)
		sum += weight
		mean += weight / rateOf(p, at.Ones, at.Twos)
	}
	add(peak, 1)
	weight := 1.0
	for a := peak; a < n && !done(a); a++ {
		weight *= step(p, a)
		add(a+1, weight)
	}
	weight = 1
	for a := peak - 1; a >= 0 && !done(a); a-- {
		weight /= step(p, a)
		add(a, weight)
	}
	return sum / mean
}

// twoClassAt is s1(a).
func twoClassAt(p *states.Plan, a int) twoClassState {
	need := p.Kinds[0].Need
	b := (p.Servers - a*need) / p.Kinds[1].Need
	return twoClassState{Ones: a, Twos: b, Blocked: p.Servers-a*need-b*p.Kinds[1].Need >= need}
}

// step is π(s1(a+1)) / π(s1(a)) by Theorem 2. One class 1 job more leaves room
// for as many class 2 jobs or one less.
func step(p *states.Plan, a int) float64 {
	at, next := twoClassAt(p, a), twoClassAt(p, a+1)
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
