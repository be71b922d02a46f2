package classic

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// crommelin is M/D/c. A service time later, all that are in service now have left: the jobs that
// wait are those that waited, and came since, less c. So they are the largest of 0 and the sums
// S_i of i independent steps A - c, A Poisson with mean a = λD, whose factorial cumulants are
// Σ j(j-1)... ℓ_j with ℓ_j = Σ_i P(S_i = j)/i (Spitzer).
var crommelin = &Form{
	Name: "M/D/c", Source: "Crommelin (1932), Spitzer (1956), Franx (2001)",
	fits: func(q *Queue) bool {
		_, ok := q.constant()
		return ok && q.Poisson && q.Channels <= mostChannels
	},
	cost: func(q *Queue) (bytes, operations float64) {
		if x, _ := q.constant(); q.Rate*x >= float64(q.Channels) {
			return 1000, 1000 // to say that it is not stable
		}
		s := newSteady(q)
		if q.Curves {
			operations += 3000 * 40 * math.Sqrt(s.load+30)
		}
		if s.near() {
			return 100*s.points() + 1e5, operations + 500*s.points()
		}
		return 100*s.reach() + 1e4, operations + 20*s.terms() + 4*s.reach()*s.reach()
	},
	solve: func(ctx context.Context, q *Queue) (*Answer, error) {
		s := newSteady(q)
		cumulants := s.solve(ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		a := &Answer{Decay: 1 / s.tau}
		a.Queue = factorials(cumulants)
		a.Mean, a.Second = a.Queue[0]/q.Rate, a.Queue[1]/(q.Rate*q.Rate)
		a.Queued = s.over(0)
		a.NoWait = 1 - s.waits(0)
		cumulants[0] += s.load
		a.Jobs, a.Levels = factorials(cumulants), s.levels()
		if q.Curves {
			a.Waiting, a.Response, a.Without = s.curves(ctx, q)
		}
		return a, context.Cause(ctx)
	},
}

// steady is M/D/c with services of length 1.
type steady struct {
	c       int
	service float64
	load    float64   // a
	tau     float64   // jobs that wait: P(n) falls by 1/τ
	waiting []float64 // probabilities of n jobs that wait, from n = 0 on
	above   []float64 // of more than n
}

// newSteady has the load and the decay, the root above 1 of c ln τ = a(τ-1).
func newSteady(q *Queue) *steady {
	x, _ := q.constant()
	s := &steady{c: q.Channels, service: x, load: q.Rate * x}
	rho := s.load / float64(s.c)
	lo, hi := 0.0, 1.0 // ln τ
	for rho*math.Expm1(hi) < hi && hi < 700 {
		lo, hi = hi, 2*hi
	}
	lo = max(lo, -math.Log(rho)/2) // ln τ > -ln ρ, the lowest point of the difference
	lo, _ = bisected(lo, hi, func(x float64) bool { return rho*math.Expm1(x) < x })
	s.tau = math.Exp(lo)
	return s
}

// The solver spends at most so many terms of sums, probabilities by recursion, and channels.
const (
	mostTerms    = 3e7
	mostProduct  = 4000
	mostChannels = 1e8
	nothing      = 41 // e^-41 is nothing beside 1
	mostTilt     = 60 // in a service time
)

// reach is how many jobs waiting are looked at.
func (s *steady) reach() float64 { return math.Ceil(nothing/math.Log(s.tau)) + 8 }

// terms is how many terms the sums by steps have.
func (s *steady) terms() float64 {
	rho := s.load / float64(s.c)
	return nothing / (float64(s.c) * (rho - 1 - math.Log(rho))) * nothing / -math.Log(rho)
}

// near reports whether the load is so near the limit that sums by steps have too many terms.
func (s *steady) near() bool { return s.terms() > mostTerms || s.reach() > mostProduct }

// solve finds the law of the jobs that wait, and returns its factorial cumulants.
func (s *steady) solve(ctx context.Context) []float64 {
	if s.near() {
		return s.apart()
	}
	sums := s.byTerms(ctx)
	s.line(sums)
	return falling(sums)
}

// byTerms adds up P(S_i = j)/i, with digits for the smallest.
func (s *steady) byTerms(ctx context.Context) []float64 {
	list := make([]float64, int(s.reach()))
	for i := 1; ; i++ {
		mean, n := float64(i)*s.load, i*s.c+1
		p := poisson(n, mean) / float64(i)
		first := p
		for j := 1; j < len(list) && p > 1e-20*list[j]; j++ {
			list[j] += p
			p *= mean / float64(n+j)
		}
		if first <= 1e-18*list[1] || i%1024 == 0 && ctx.Err() != nil {
			return list
		}
	}
}

// falling are Σ j(j-1)...(j-k+1) ℓ_j for k from 1 to 4.
func falling(sums []float64) []float64 {
	out := make([]float64, 4)
	for j := len(sums) - 1; j > 0; j-- {
		term := sums[j]
		for k := range out {
			term *= float64(j - k)
			out[k] += term
		}
	}
	return out
}

// line finds the law of the jobs that wait, Σ p_n z^n = exp Σ ℓ_j (z^j - 1), by the recursion
// n p_n = Σ j ℓ_j p_{n-j}.
func (s *steady) line(sums []float64) {
	n, total := len(sums), 0.0
	for j := n - 1; j > 0; j-- {
		total += sums[j]
	}
	p := make([]float64, n)
	p[0] = math.Exp(-total)
	for i := 1; i < n; i++ {
		sum := 0.0
		for j := 1; j <= i; j++ {
			sum += float64(j) * sums[j] * p[i-j]
		}
		p[i] = sum / float64(i)
	}
	s.waiting = p
	s.sum()
}

// sum adds up the probabilities from above.
func (s *steady) sum() {
	n := len(s.waiting)
	s.above = make([]float64, n)
	rest := s.waiting[n-1] / (s.tau - 1)
	for i := n - 1; i >= 0; i-- {
		s.above[i] = rest
		rest += s.waiting[i]
	}
}

// over is the probability that more than n jobs wait.
func (s *steady) over(n int) float64 {
	switch last := len(s.above) - 1; {
	case n < 0:
		return 1
	case n > last:
		return s.above[last] * math.Pow(s.tau, float64(last-n))
	}
	return s.above[n]
}

// waits is P(W > x), with x in services. A job waits for more than x = k - u services, u in
// (0, 1], if the jobs that waited k services before that time, and came in the first u of
// them, are at least kc.
func (s *steady) waits(x float64) (sum float64) {
	k := math.Floor(x) + 1
	mean, need := s.load*(k-x), int(k)*s.c
	// Terms are P(n come) P(over need-1-n wait), and the latter grows by τ at most.
	high := mean*s.tau + 14*math.Sqrt(mean*s.tau) + 60
	low := max(0, int(mean-14*math.Sqrt(mean)-60))
	p := poisson(low, mean)
	for n := low; float64(n) <= high || n < need; n++ {
		if n >= need+60 && p <= 1e-20*sum {
			break
		}
		sum += p * s.over(need-1-n)
		p *= mean / float64(n+1)
		if p == 0 && float64(n) > mean {
			break
		}
	}
	return min(1, sum)
}

// levels are P(N = n): the jobs are those that waited a service before, and came since.
func (s *steady) levels() []float64 {
	out := make([]float64, listed)
	low := max(0, int(s.load-14*math.Sqrt(s.load)-60))
	p := poisson(low, s.load)
	for n := low; n < listed && (p > 1e-25 || float64(n) < s.load); n++ {
		for j, w := range s.waiting[:min(len(s.waiting), listed-n)] {
			out[n+j] += p * w
		}
		p *= s.load / float64(n+1)
	}
	return out
}

// curves are those of waits and responses, which are waits and a service.
func (s *steady) curves(ctx context.Context, q *Queue) (waiting result.Curve, response []result.Curve, err error) {
	theta := min(q.Rate*(s.tau-1), mostTilt/s.service)
	var kinks []float64
	for k := 1; k <= 24 && s.c < 24; k++ {
		kinks = append(kinks, float64(k)*s.service)
	}
	after := func(x float64) float64 {
		if ctx.Err() != nil {
			return 0
		}
		return s.waits(x / s.service)
	}
	fitted, whole := estimate.FitCurves(func(x []float64) [][]float64 {
		out := make([]float64, len(x))
		for i, x := range x {
			out[i] = math.Exp(theta*x) * after(x)
		}
		return [][]float64{out}
	}, theta, []float64{1 - s.waits(0)}, []float64{q.Rate * (s.tau - 1)}, min(s.service, 1/theta), tolerance, kinks...)
	if waiting = fitted[0]; !whole {
		return waiting, nil, errRough
	}
	later := result.Curve{Tilt: theta, Edges: []float64{0}, Rate: waiting.Rate}
	parts := math.Ceil(theta * s.service) // on which the tilt is a polynomial
	for k := 0.0; k < parts; k++ {
		lo, hi := k/parts*s.service, (k+1)/parts*s.service
		first := make([]float64, 0, len(waiting.Coef[0]))
		for _, x := range estimate.PanelNodes(lo, hi) {
			first = append(first, math.Exp(theta*x))
		}
		later.Edges, later.Coef = append(later.Edges, hi), append(later.Coef, estimate.Coefficients(first))
	}
	up := math.Exp(theta * s.service)
	for i, coef := range waiting.Coef {
		moved := make([]float64, len(coef))
		for k, c := range coef {
			moved[k] = up * c
		}
		later.Edges, later.Coef = append(later.Edges, waiting.Edges[i+1]+s.service), append(later.Coef, moved)
	}
	for range q.Services {
		response = append(response, later)
	}
	return waiting, response, nil
}

// poisson is e^{-m} m^n/n!, by Loader's saddle point: to all digits for large n too.
func poisson(n int, m float64) float64 {
	if n == 0 {
		return math.Exp(-m)
	}
	x := float64(n)
	return math.Exp(-stirling(x)-deviance(x, m)) / math.Sqrt(2*math.Pi*x)
}

// stirling is the error of Stirling's formula, ln n! - ln(√(2πn) (n/e)^n).
func stirling(n float64) float64 {
	if n < 16 {
		g, _ := math.Lgamma(n + 1)
		return g - math.Log(2*math.Pi*n)/2 - n*math.Log(n) + n
	}
	s := 1 / (n * n)
	return (1.0/12 - s*(1.0/360-s*(1.0/1260-s*(1.0/1680-s/1188)))) / n
}

// deviance is n ln(n/m) + m - n, without cancellation for n near m.
func deviance(n, m float64) float64 {
	d := n - m
	if math.Abs(d) >= 0.1*(n+m) {
		return n*math.Log(n/m) + m - n
	}
	v := d / (n + m)
	sum, term := d*v, 2*n*v
	for k := 3.0; ; k += 2 {
		term *= v * v
		next := sum + term/k
		if next == sum {
			return sum
		}
		sum = next
	}
}
