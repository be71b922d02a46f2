package classic

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// renewal solves the renewal equation of the wait in M/G/1,
//
//	P(W > x) = λ E(S-x)⁺ + ∫ P(W > x-y) λ P(S > y) dy over y from 0 to x,
//
// tilted by e^{θx}: panel by panel of Chebyshev polynomials, at the points of which it holds.
// All terms are positive, so that tails keep their digits.
type renewal struct {
	*Queue
	theta  float64
	kinks  []float64 // of the service times, and points between which their tails are smooth
	edges  []float64
	coef   [][]float64
	slopes [][]float64 // of the derivative
}

// errRough is why there is no distribution.
var errRough = errors.New("the distribution of the service times has too many jumps")

// renewed are the curves of waits, and of responses by class.
func renewed(ctx context.Context, q *Queue) (waiting result.Curve, response []result.Curve, err error) {
	r := &renewal{Queue: q, theta: decay(q), edges: []float64{0}}
	r.split()
	rho := q.Rate * q.mean()
	if err := r.panels(ctx); err != nil {
		return waiting, nil, err
	}
	last := len(r.coef) - 1
	waiting = result.Curve{Atom: 1 - rho, Tilt: r.theta, Edges: r.edges, Coef: r.coef, Rate: r.theta}
	if r.theta == 0 { // about as the tail falls there
		waiting.Rate = 2 / (r.edges[last+1] - r.edges[last])
	}
	response, err = responses(q, func(class int, x float64) float64 {
		if ctx.Err() != nil {
			return 0
		}
		s := q.Services[class]
		if x == 0 {
			return s.Survival(0) // of those that do not wait; the rest responds later than at once
		}
		later := r.folded(x, x, func(z, y float64) float64 { return math.Exp(-r.theta*z) * r.falls(z) * s.Survival(y) })
		return (1-rho)*s.Survival(x) + waiting.Survival(x) + later
	}, r.theta, r.jumps()...)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return waiting, response, err
}

// mostSplit is the most classes whose quantiles split integrals, and the most kinks of sums.
const mostSplit, mostSums = 12, 60

// split finds where integrals over the tails of the service times are split.
func (r *renewal) split() {
	for i, s := range r.Services {
		if r.Shares[i] == 0 {
			continue
		}
		ps := []float64{0, 1}
		if i < mostSplit {
			ps = []float64{0, 1e-9, 1e-4, 0.02, 0.2, 0.5, 0.8, 0.98, 1 - 1e-4, 1 - 1e-9, 1}
		}
		for _, p := range ps {
			r.kinks = append(r.kinks, s.Quantile(p))
		}
	}
	r.kinks = ascending(r.kinks)
}

// ascending sorts the positive finite numbers of a list, those that are nearly the same once.
func ascending(list []float64) []float64 {
	list = slices.DeleteFunc(list, func(x float64) bool { return !(x > 0) || math.IsInf(x, 1) })
	slices.Sort(list)
	return slices.CompactFunc(list, func(a, b float64) bool { return math.Abs(b-a) <= 1e-12*b })
}

// jumps are the points at which waits may have kinks: sums of ends of service times.
func (r *renewal) jumps() []float64 {
	var ends []float64
	for i, s := range r.Services {
		if r.Shares[i] > 0 {
			ends = append(ends, s.Quantile(0), s.Quantile(1))
		}
	}
	ends = ascending(ends)
	sums := ends
	for range 12 {
		var more []float64
		for _, a := range sums {
			for _, b := range ends {
				more = append(more, a+b)
			}
		}
		sums = ascending(append(more, sums...))
		sums = sums[:min(len(sums), mostSums)]
	}
	return sums
}

// mostTries is the most panels that are tried, and farthest how many mean service times the
// last ends at.
const mostTries, farthest = 400, 1e11

// panels solves until the tail is exponential or nothing is left of it.
func (r *renewal) panels(ctx context.Context) error {
	kinks, long := r.jumps(), r.mean()
	lo, hi := 0.0, long
	for range mostTries {
		for len(kinks) > 0 && kinks[0] <= lo*(1+1e-12) {
			kinks = kinks[1:]
		}
		if len(kinks) > 0 {
			hi = min(hi, kinks[0])
		}
		coef := r.panel(lo, hi)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if rough(coef) > tolerance && hi-lo > 1e-12*long {
			hi = lo + (hi-lo)/2
			continue
		}
		r.edges, r.coef, r.slopes = append(r.edges, hi), append(r.coef, coef), append(r.slopes, slope(coef, hi-lo))
		level, varies := 0.0, 0.0
		for k, c := range coef {
			level += c
			if k > 0 {
				varies += math.Abs(c)
			}
		}
		if level*math.Exp(-r.theta*hi) <= tolerance || hi >= farthest*long || r.theta > 0 && varies <= 5*tolerance && hi-lo >= 2*long && hi > r.kinks[len(r.kinks)-1] {
			return nil
		}
		lo, hi = hi, hi+2*(hi-lo)
	}
	return errRough
}

// rough is how large the last coefficients are.
func rough(coef []float64) (sum float64) {
	for _, c := range coef[len(coef)-3:] {
		sum += math.Abs(c)
	}
	return sum
}

// slope are the Chebyshev coefficients of the derivative on a panel of some length.
func slope(coef []float64, length float64) []float64 {
	n := len(coef)
	d := make([]float64, n)
	for k := n - 1; k > 0; k-- {
		d[k-1] = 2 * float64(k) * coef[k]
		if k+1 < n {
			d[k-1] += d[k+1]
		}
	}
	d[0] /= 2
	for k := range d {
		d[k] *= 2 / length
	}
	return d
}

// panel is the solution on the next panel: the equation at its points is linear in the values
// there.
func (r *renewal) panel(lo, hi float64) []float64 {
	at := estimate.PanelNodes(lo, hi)
	n := len(at)
	a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for i, x := range at {
		b.SetVec(i, math.Exp(r.theta*x)*r.Rate*r.averaged(func(s law.Law) float64 { return law.Excess(s, x) })+
			r.folded(lo, x, func(z, y float64) float64 { return r.tilted(z) * r.kernel(y) }))
		a.Set(i, i, 1)
		r.pieces(lo, x, x, func(z, y, weight float64) {
			k := weight * r.kernel(y)
			for j, l := range lagrange(lo, hi, z, n) {
				a.Set(i, j, a.At(i, j)-k*l)
			}
		})
	}
	var values mat.VecDense
	if values.SolveVec(a, b) != nil {
		return slices.Repeat([]float64{math.Inf(1)}, n)
	}
	return estimate.Coefficients(values.RawVector().Data)
}

// kernel is e^{θy} λ P(S > y).
func (r *renewal) kernel(y float64) float64 {
	return math.Exp(r.theta*y) * r.Rate * r.averaged(func(s law.Law) float64 { return s.Survival(y) })
}

// tilted is e^{θz} P(W > z).
func (r *renewal) tilted(z float64) float64 {
	coef, at := r.at(z, r.coef)
	return chebyshev(coef, at)
}

// falls is minus the derivative of P(W > z), times e^{θz}.
func (r *renewal) falls(z float64) float64 {
	if z >= r.edges[len(r.coef)] {
		return r.theta * r.tilted(z)
	}
	coef, at := r.at(z, r.coef)
	slopes, _ := r.at(z, r.slopes)
	return r.theta*chebyshev(coef, at) - chebyshev(slopes, at)
}

// at is the panel of z, the last one beyond all, and its place in it from -1 to 1.
func (r *renewal) at(z float64, of [][]float64) (coef []float64, place float64) {
	last := len(r.coef)
	if z >= r.edges[last] {
		return of[last-1], 1
	}
	i, found := slices.BinarySearch(r.edges[:last+1], z)
	if !found {
		i--
	}
	i = min(max(i, 0), last-1)
	return of[i], 2*(z-r.edges[i])/(r.edges[i+1]-r.edges[i]) - 1
}

// folded is the integral of f(z, x-z) over z from 0 to upTo, over the panels that are known.
func (r *renewal) folded(upTo, x float64, f func(z, y float64) float64) (sum float64) {
	add := func(z, y, weight float64) { sum += weight * f(z, y) }
	for i, lo := range r.edges {
		if lo >= upTo {
			break
		}
		hi := upTo
		if i+1 < len(r.edges) {
			hi = min(hi, r.edges[i+1])
		}
		r.pieces(lo, hi, x, add)
	}
	return sum
}

// pieces has the points z and weights of an integral over lo to hi, and y = x-z: with pieces
// between the kinks of the service times y, each no longer than twice its distance from y = 0,
// or below the first kink.
func (r *renewal) pieces(lo, hi, x float64, visit func(z, y, weight float64)) {
	cut := func(lo, hi float64) {
		for hi-lo > 2*(x-hi) && hi-lo > max(r.kinks[0], 1e-13*x) {
			mid := lo + (hi-lo)/2
			gauss(lo, mid, x, visit)
			lo = mid
		}
		gauss(lo, hi, x, visit)
	}
	for i := len(r.kinks) - 1; i >= 0; i-- { // z ascends as y falls
		if z := x - r.kinks[i]; z > lo && z < hi {
			cut(lo, z)
			lo = z
		}
	}
	cut(lo, hi)
}

// gauss is the rule of Gauss with 16 points.
func gauss(lo, hi, x float64, visit func(z, y, weight float64)) {
	half, mid := (hi-lo)/2, lo+(hi-lo)/2
	for i, p := range gaussPoints {
		w := half * gaussWeights[i]
		visit(mid-half*p, x-mid+half*p, w)
		visit(mid+half*p, x-mid-half*p, w)
	}
}

// The points and weights of the rule on [-1, 1], those of one side.
var (
	gaussPoints = [8]float64{0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863, 0.6178762444026437484,
		0.7554044083550030339, 0.8656312023878317439, 0.9445750230732325761, 0.9894009349916499326}
	gaussWeights = [8]float64{0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382, 0.1495959888165767321,
		0.1246289712555338720, 0.0951585116824927848, 0.0622535239386478929, 0.0271524594117540949}
)

// lagrange are the values at z of the polynomials that are 1 at one point of a panel and 0 at
// the others.
func lagrange(lo, hi, z float64, n int) []float64 {
	out, sum := make([]float64, n), 0.0
	for i, x := range estimate.PanelNodes(lo, hi) {
		if x == z {
			clear(out)
			out[i] = 1
			return out
		}
		w := math.Sin(math.Pi * (float64(i) + 0.5) / float64(n))
		if i%2 == 1 {
			w = -w
		}
		out[i] = w / (z - x)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// chebyshev is the value of a Chebyshev series in [-1, 1].
func chebyshev(c []float64, x float64) float64 {
	var b1, b2 float64
	for k := len(c) - 1; k > 0; k-- {
		b1, b2 = c[k]+2*x*b1-b2, b1
	}
	return c[0] + x*b1 - b2
}
