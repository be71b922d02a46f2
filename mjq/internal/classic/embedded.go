package classic

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/law"
)

// embedded is G/M/c. Of the jobs that an arriving job meets, each more than c-1 is less likely
// by a factor σ, the root of σ = E exp(-cμ(1-σ)A) below 1 for an interarrival time A. So a job
// that waits does so for an exponential time of rate cμ(1-σ).
var embedded = &Form{
	Name: "G/M/c", Source: "embedded chain at arrivals: Takács, Introduction to the Theory of Queues (1962), chapter 2",
	fits: func(q *Queue) bool {
		_, ok := q.exponential()
		return ok && q.Gap != nil && q.Channels <= mostEmbedded
	},
	cost: func(q *Queue) (bytes, operations float64) {
		return 40_000 + 8*float64(q.Channels), 2e4 * (float64(q.Channels) + 20)
	},
	solve: func(ctx context.Context, q *Queue) (*Answer, error) {
		mu, _ := q.exponential()
		c := float64(q.Channels)
		sigma := meets(q.Gap, c*mu, q.Rate)
		waits, below, err := delayed(ctx, q.Gap, q.Channels, mu, sigma)
		if err != nil {
			return nil, err
		}
		a := waitsExponentially(q, waits, c*mu*(1-sigma))
		rho := q.Rate / (c * mu)
		a.Queued, a.Decay = rho*waits, sigma
		first := rho * waits * (1 - sigma) // P(one job waits), at any time
		for k := 1; k <= 4; k++ {
			a.Queue = append(a.Queue, first*math.Gamma(float64(k+1))*math.Pow(sigma, float64(k-1))/math.Pow(1-sigma, float64(k+1)))
		}
		if q.Channels == 1 {
			a.Jobs, a.Levels = factorialsOfOne(rho, sigma)
			return a, nil
		}
		// A job meets n-1 others at the rate at which n become n-1: λ P(meets n-1) is
		// min(n, c) μ P(N = n). Above c, N is c and the jobs that wait.
		for k, times := 1, q.Rate/mu; k <= 4; k++ {
			a.Jobs = append(a.Jobs, times*below[k-1]+above(c, k, a.Queued, a.Queue))
			times *= float64(k)
		}
		return a, nil
	},
}

// mostEmbedded is the most channels for which all transforms are evaluated.
const mostEmbedded = 20_000

// meets is σ, from gaps and the rate at which c channels serve.
func meets(gap law.Law, full, rate float64) float64 {
	// 1-σ = x is the root of 1 - x = A*(full x) in (0, 1). A* is convex and 1 at 0, where it
	// falls more steeply than 1 - x: below the root A*(full x) < 1 - x.
	_, hi := bisected(0, 1, func(x float64) bool { return missing(gap, full*x) > x })
	return 1 - hi
}

// missing is 1 - A*(s).
func missing(gap law.Law, s float64) float64 { return 1 - gap.Laplace(s) }

// delayed is the probability that a job waits. With φ_j = A*(jμ) it is A/(1-σ),
//
//	1/A = 1/(1-σ) + Σ_j (c over j) Π_{i≤j} (1-φ_i)/φ_i · 1/(1-φ_j) · (c(1-φ_j) - j)/(c(1-σ) - j)
//
// over j from 1 to c. No term is negative: both differences change their sign where jμ/(cμ) is
// 1-σ. The binomial moments of the jobs that an arriving job meets, below c, are A Π_{i≤r} φ_i/(1-φ_i)
// times the terms of the sum from j = r+1 on, for r from 0 to 3.
func delayed(ctx context.Context, gap law.Law, c int, mu, sigma float64) (waits float64, below [4]float64, err error) {
	sum, logs := 1/(1-sigma), 0.0
	var later [4]float64
	times := [4]float64{1}
	product := 1.0
	for j := 1; j <= c; j++ {
		if j%256 == 0 && ctx.Err() != nil {
			return 0, below, context.Cause(ctx)
		}
		n := float64(j)
		phi := gap.Laplace(n * mu)
		if product *= phi / (1 - phi); j < len(times) {
			times[j] = product
		}
		if phi == 0 {
			return 0, times, nil // as on infinitely many channels
		}
		logs += math.Log(float64(c-j+1)/n) + math.Log((1-phi)/phi)
		term := math.Exp(logs) / (1 - phi) * quotient(gap, float64(c), n, mu, sigma)
		if sum += term; math.IsInf(sum, 1) {
			return 0, times, nil
		}
		for r := range min(j, len(later)) {
			later[r] += term
		}
	}
	for r := range below {
		below[r] = times[r] * later[r] / sum
	}
	return 1 / (sum * (1 - sigma)), below, nil
}

// quotient is (c(1-A*(jμ)) - j)/(c(1-σ) - j); near its pole, which is none, the mean of two
// points beside it.
func quotient(gap law.Law, c, j, mu, sigma float64) float64 {
	const beside = 1e-3
	if d := c*(1-sigma) - j; math.Abs(d) > 1e-5 {
		return (c*missing(gap, j*mu) - j) / d
	}
	at := func(j float64) float64 { return (c*missing(gap, j*mu) - j) / (c*(1-sigma) - j) }
	return (at(c*(1-sigma)-beside) + at(c*(1-sigma)+beside)) / 2
}

// factorialsOfOne are the factorial moments of the number of jobs at one server, and
// P(N = n) = ρ(1-σ)σ^{n-1}.
func factorialsOfOne(rho, sigma float64) (moments, levels []float64) {
	for k := 1; k <= 4; k++ {
		moments = append(moments, rho*math.Gamma(float64(k+1))*math.Pow(sigma, float64(k-1))/math.Pow(1-sigma, float64(k)))
	}
	levels = append(levels, 1-rho)
	for n := 1; n < listed; n++ {
		levels = append(levels, rho*(1-sigma)*math.Pow(sigma, float64(n-1)))
	}
	return moments, levels
}
