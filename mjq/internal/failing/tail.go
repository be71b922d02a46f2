package failing

import (
	"math"
	"math/cmplx"
	"sync"

	"github.com/mjqueue/mjq/mjq/law"
)

// Survival is P(C > x). The time without a hit is integrated, the rest inverted from its transform:
// to about 1e-6, less where times of work and of what follows a hit have few values.
func (l Holding) Survival(x float64) float64 {
	if l.kept() {
		return l.Work.Survival(x)
	}
	if x < l.least() {
		return 1
	}
	if x <= 0 {
		x = 1e-9 * l.Mean()
	}
	unhit, _ := l.unhit(x)
	all, _ := l.unhit(-1)
	rest := complex(1-all, 0)
	return min(1, max(0, unhit+l.invert(x, func(s, hit complex128) complex128 { return (rest - hit) / s })))
}

// Excess is E[(C-x)⁺], found like Survival where that is precise.
func (l Holding) Excess(x float64) float64 {
	switch {
	case l.kept():
		return law.Excess(l.Work, x)
	case x < l.least():
		return l.Mean() - x
	}
	all, mean := l.unhit(-1)
	rest, restMean := complex(1-all, 0), complex(l.Mean()-(mean-all), 0)
	above := func(x float64) float64 {
		_, more := l.unhit(x)
		return max(0, more+l.invert(x, func(s, hit complex128) complex128 { return (restMean - (rest-hit)/s) / s }))
	}
	if l.Survival(x) > precise {
		return above(x)
	}
	switch far := l.beyond(); {
	case math.IsInf(far.index, 1):
		return above(far.at) * math.Exp(-(x-far.at)/far.scale)
	default:
		return above(far.at) * math.Pow(x/far.at, 1-far.index)
	}
}

// kept reports whether the time is the work: nothing is lost and nothing added.
func (l Holding) kept() bool {
	return l.After.How == Migrate || l.Rate == 0 && l.After.How != Checkpoint
}

// unhit is the probability that no hit comes and the job holds its servers for longer than x, and
// E[(C-x)⁺] of these jobs.
func (l Holding) unhit(x float64) (above, excess float64) {
	var nodes []node
	if len(law.Jumps(l.Work)) > 0 {
		nodes = l.nodes()
	} else {
		nodes = workFrom(l.Work, max(l.Work.Quantile(0), l.lasting(x)), l.period(), 0)
	}
	for _, n := range nodes {
		if held := l.whole(n); held > x || held == x && n.above {
			p := n.weight * math.Exp(-l.Rate*held)
			above, excess = above+p, excess+p*(held-x)
		}
	}
	return above, excess
}

// whole is the time of work without a hit.
func (l Holding) whole(n node) float64 {
	if l.After.How != Checkpoint {
		return n.work
	}
	return n.work + l.After.checkpoints(n)*l.After.Cost
}

// lasting is the most work that takes no longer than x.
func (l Holding) lasting(x float64) float64 {
	a := l.After
	if a.How != Checkpoint || !(x > 0) {
		return x
	}
	k := math.Floor(x / (a.Every + a.Cost))
	return min(x-k*a.Cost, (k+1)*a.Every)
}

// invert is the value at x of the function whose transform at s is of(s, E[exp(-sC); hit]): the Fourier
// series of Abate and Whitt, summed by Euler's method (ORSA Journal on Computing 7, 1995).
func (l Holding) invert(x float64, of func(s, held complex128) complex128) float64 {
	const (
		a    = 18.4 // the error of discretisation is exp(-a)
		last = 12   // terms that are averaged
	)
	terms := 400
	if l.smooth() {
		terms = 40
	}
	hits := l.transforms(complex(a/(2*x), 0), complex(0, math.Pi/x), terms+last+1)
	f := func(k int) float64 { return real(of(complex(a/(2*x), math.Pi*float64(k)/x), hits[k])) }
	sum, sign := f(0)/2, -1.0
	mean, weight := 0.0, math.Pow(2, -last)
	for k := 1; k <= terms+last; k++ {
		sum += sign * f(k)
		sign = -sign
		if k >= terms {
			mean += weight * sum
			weight *= float64(terms+last-k) / float64(k-terms+1)
		}
	}
	return math.Exp(a/2) / x * mean
}

// smooth reports whether the time has a density without kinks, as far as is known: then few terms do.
func (l Holding) smooth() bool {
	a := l.After
	_, phases := law.PhaseCount(l.Work)
	return phases && a.How != Checkpoint && a.How != Drop && a.Recovery == 0 && a.Detection == 0
}

// transforms are E exp(-sC) of jobs that are hit, at n values of s, from the first on in equal steps.
// The exponentials of each node follow each other by one product.
func (l Holding) transforms(first, step complex128, n int) []complex128 {
	nodes, values := l.nodes(), make([]complex128, n)
	phi, pass, turn := complex(l.Rate, 0), make([]complex128, len(nodes)), make([]complex128, len(nodes))
	for i, n := range nodes {
		held := complex(l.whole(n), 0)
		pass[i], turn[i] = cmplx.Exp(-(phi+first)*held), cmplx.Exp(-step*held)
	}
	for k := range values {
		s := first + complex(float64(k), 0)*step
		if l.After.How == Restart {
			values[k] = l.begunAgain(nodes, pass, s)
		} else {
			values[k] = l.transform(nodes, s)
			for i, n := range nodes {
				values[k] -= complex(n.weight, 0) * pass[i]
			}
		}
		for i := range pass {
			pass[i] *= turn[i]
		}
	}
	return values
}

// begunAgain is the transform under Restart of jobs that are hit, by that of each work without a hit.
func (l Holding) begunAgain(nodes []node, pass []complex128, s complex128) (sum complex128) {
	phi := complex(l.Rate, 0)
	hit := phi / (phi + s) * cmplx.Exp(-s*complex(l.After.Detection, 0))
	begin := cmplx.Exp(-(phi + s) * complex(l.After.Recovery, 0))
	for i, n := range nodes {
		if n.work > 0 {
			later := pass[i] * begin
			sum += complex(n.weight, 0) * (hit * (1 - pass[i]) * later / (1 - hit*(1-later)))
		}
	}
	return sum
}

// least is the shortest time.
func (l Holding) least() float64 {
	low := l.Work.Quantile(0)
	switch l.After.How {
	case Drop:
		return 0
	case Checkpoint:
		return low + l.After.Cost*l.After.checkpoints(node{work: low})
	}
	return low
}

// precise is the probability below which inversion says nothing; what lies beyond follows from the
// index of the tail, or from how fast it falls.
const precise = 1e-6

// reach is where a time is exceeded with the probability precise, and the tail beyond.
type reach struct {
	find             sync.Once
	at, index, scale float64
}

// beyond finds it once.
func (l Holding) beyond() *reach {
	l.far.find.Do(func() {
		before := l.inverse(10 * precise)
		l.far.at, l.far.index = l.inverse(precise), l.TailIndex()
		l.far.scale = (l.far.at - before) / math.Ln10
	})
	return l.far
}

// Quantile is found by inversion.
func (l Holding) Quantile(p float64) float64 {
	switch {
	case math.IsNaN(p) || p < 0 || p > 1:
		return math.NaN()
	case p == 0:
		return l.least()
	case l.kept():
		return l.Work.Quantile(p)
	case p == 1:
		return math.Inf(1)
	case 1-p >= precise:
		return l.inverse(1 - p)
	}
	far, less := l.beyond(), precise/(1-p)
	if math.IsInf(far.index, 1) {
		return far.at + far.scale*math.Log(less)
	}
	return far.at * math.Pow(less, 1/far.index)
}

// inverse is the time that is exceeded with a probability: doubled until it is long enough, and then
// found by the rule of false position on the logarithm of the probability, which is nearly straight,
// or by halving where that gains too little.
func (l Holding) inverse(above float64) float64 {
	least := 1e-3 * min(precise, above)
	log := func(x float64) float64 { return math.Log(max(least, l.Survival(x)) / above) }
	lo, hi := l.least(), max(2*l.least(), l.Mean())
	atLo, atHi := -math.Log(above), log(hi)
	for n := 0; atHi > 0 && n < 100; n++ {
		lo, hi, atLo = hi, 2*hi, atHi
		atHi = log(hi)
	}
	for n := 0; n < 60 && hi-lo > 1e-12*hi && atLo > 0; n++ {
		mid := lo + (hi-lo)*atLo/(atLo-atHi)
		if n%3 == 2 || !(mid > lo && mid < hi) {
			mid = (lo + hi) / 2
		}
		at := log(mid)
		if at > 0 {
			lo, atLo = mid, at
		} else {
			hi, atHi = mid, at
		}
		if math.Abs(at) < 1e-9 {
			return mid
		}
	}
	return hi
}
