package classic

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/mam"
)

// erlang is M/M/c. A job waits with probability C(c, a), and then for an exponential time.
var erlang = &Form{
	Name: "M/M/c", Source: "Erlang C: Erlang (1917)",
	fits: func(q *Queue) bool {
		_, ok := q.exponential()
		return ok && q.Poisson
	},
	cost: func(q *Queue) (bytes, operations float64) {
		return 40_000, 20_000 + 10*min(float64(q.Channels), 12*math.Sqrt(q.Rate*q.mean())) + 20*listed
	},
	solve: func(_ context.Context, q *Queue) (*Answer, error) {
		mu, _ := q.exponential()
		c, load := float64(q.Channels), q.Rate/mu
		waits, rho := mam.ErlangC(q.Channels, load), load/c
		a := waitsExponentially(q, waits, c*mu-q.Rate)
		a.Queued, a.Decay = rho*waits, rho
		full := waits * (1 - rho) // P(N = c)
		for k := 1; k <= 4; k++ { // E[Q(Q-1)...(Q-k+1)]
			a.Queue = append(a.Queue, full*math.Gamma(float64(k+1))*math.Pow(rho, float64(k))/math.Pow(1-rho, float64(k+1)))
		}
		a.Jobs, a.Levels = erlangJobs(q.Channels, load, a.Queue)
		return a, nil
	},
}

// erlangJobs are the factorial moments of the number of jobs, from those of the jobs that wait,
// and P(N = n). Probabilities are found from the likeliest number on, where none underflows.
func erlangJobs(c int, load float64, queue []float64) (moments, levels []float64) {
	rho := load / float64(c)
	levels = make([]float64, listed)
	below := make([]float64, 5) // P(N ≤ c-k), relative to the mode as all until the end
	add := func(n int, p float64) {
		for k := range below {
			if n <= c-k {
				below[k] += p
			}
		}
		if n < listed {
			levels[n] = p
		}
	}
	mode := int(load)
	for n, p := mode, 1.0; n >= 0 && p > 0; n-- {
		add(n, p)
		p *= float64(n) / load
	}
	full := 1.0 // P(N = c)
	for n := mode + 1; n <= c && full > 0; n++ {
		full *= load / float64(n)
		add(n, full)
	}
	some := full * rho / (1 - rho)
	total := below[0] + some
	full, some = full/total, some/total
	for n := range levels {
		if levels[n] /= total; n > c {
			levels[n] = full * math.Pow(rho, float64(n-c))
		}
	}
	// Σ_{n≤c} n(n-1)...(n-k+1) p_n = a^k P(N ≤ c-k); above c, N is c and the jobs that wait,
	// whose falling powers add up by Vandermonde's identity.
	for k := 1; k <= 4; k++ {
		moments = append(moments, math.Pow(load, float64(k))*below[k]/total+above(float64(c), k, some, queue))
	}
	return moments, levels
}

// above is E[N(N-1)...(N-k+1)] over N above c, where N is c and the jobs that wait: from the
// probability of that and the factorial moments of these.
func above(c float64, k int, some float64, queue []float64) (m float64) {
	fall, choose := 1.0, 1.0 // c(c-1)...(c-i+1), C(k, i)
	for i := range k + 1 {
		rest := some
		if k > i {
			rest = queue[k-i-1]
		}
		m += choose * fall * rest
		fall *= c - float64(i)
		choose *= float64(k-i) / float64(i+1)
	}
	return m
}

// waitsExponentially is the answer where a job waits with some probability, and then for an
// exponential time.
func waitsExponentially(q *Queue, waits, rate float64) *Answer {
	a := &Answer{Mean: waits / rate, Second: 2 * waits / (rate * rate), NoWait: 1 - waits}
	if !q.Curves {
		return a
	}
	a.Waiting = exponentialTail(waits, rate, 1/rate)
	mu, _ := q.exponential()
	// e^{-μx} and, for those that wait, the sum of two exponential times, whose rates may be
	// equal.
	a.Response, a.Without = responses(q, func(_ int, x float64) float64 {
		z, between := (rate-mu)*x, 1.0
		if z != 0 {
			between = -math.Expm1(-z) / z
		}
		return math.Exp(-mu*x) * (1 + waits*mu*x*between)
	}, min(rate, mu))
	return a
}
