package classic

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
)

// Patience is what must be known of the time after which a job gives up.
type Patience interface {
	// Survival is the probability that it is longer.
	Survival(x float64) float64
	// Quantile is the least x that is not exceeded with a probability.
	Quantile(p float64) float64
}

// Impatient is M/M/c+G: Poisson arrivals, exponential services on servers, one a job, and
// patience of any law. Source: Baccelli and Hébuterne, Performance '81; Zeltyn and
// Mandelbaum, Queueing Systems 51 (2005), from which the integrals are.
type Impatient struct {
	Servers       int
	Rate, Service float64 // rates of arrivals and of a service
	Patience      Patience
}

// ImpatientWaits are what follows.
type ImpatientWaits struct {
	Left   float64 // share of the jobs that gives up
	Delay  float64 // share of the jobs that does not start at once
	InLine float64 // mean time in line of all jobs
	Mean   float64 // mean wait of the jobs that start
	Second float64 // its second moment

	q     *quadrature
	at0   float64    // the weight of jobs that start at once
	known []progress // by x
}

// integrals are those over x of e^φ(x), φ(x) = λ H(x) - c μ x, H(x) the mean of the lesser of
// patience and x, times: 1, H, S, x S and x² S, S the survival function of the patience.
type integrals struct{ one, h, s, xs, x2s float64 }

func (a *integrals) add(b integrals) {
	a.one += b.one
	a.h += b.h
	a.s += b.s
	a.xs += b.xs
	a.x2s += b.x2s
}

// differs is by how much two differ, in parts of a third.
func (a *integrals) differs(b, all integrals) float64 {
	worst := 0.0
	for _, t := range [...][3]float64{{a.one, b.one, all.one}, {a.h, b.h, all.h}, {a.s, b.s, all.s}, {a.xs, b.xs, all.xs}, {a.x2s, b.x2s, all.x2s}} {
		if t[2] > 0 {
			worst = max(worst, math.Abs(t[0]-t[1])/t[2])
		}
	}
	return worst
}

// Solve finds them by quadrature, to about 12 digits. It fails where the patience has too many
// jumps for that, and with the cause of the end of ctx.
func (g *Impatient) Solve(ctx context.Context) (*ImpatientWaits, error) {
	q := &quadrature{Impatient: g, ctx: ctx, most: mostRules}
	if p, ok := g.Patience.(interface{ Jumps() []float64 }); ok {
		q.jumps = p.Jumps()
		q.most += rulesOfJump * len(q.jumps)
	}
	top, end := q.shape()
	q.top = top
	j := q.over(end)
	if err := q.err(); err != nil {
		return nil, err
	}
	// ε = ∫ e^-t (1 + tμ/λ)^(c-1) dt is one over the blocking of Erlang with c - 1 servers.
	load, b := g.Rate/g.Service, 1.0
	for s := 1; s < g.Servers; s++ {
		b = load * b / (float64(s) + load*b)
	}
	at0 := math.Exp(-top) / b
	all := at0 + g.Rate*j.one
	w := &ImpatientWaits{Delay: g.Rate * j.one / all, InLine: g.Rate * j.h / all}
	starts := (at0 + g.Rate*j.s) / all
	w.Left = g.Rate * (j.one - j.s) / all
	w.Mean, w.Second = g.Rate*j.xs/all/starts, g.Rate*j.x2s/all/starts
	w.q, w.at0, q.all, q.found = q, at0, j, true
	w.known = []progress{{}}
	return w, nil
}

// quadrature is the integration in the making.
type quadrature struct {
	*Impatient
	ctx   context.Context
	top   float64   // the largest φ
	all   integrals // as far as they are known
	found bool      // they are
	jumps []float64 // of the survival function, ascending
	spent int       // rules of Gauss
	most  int       // of them
}

// mostRules and so many more for each jump are some ten times what laws take.
const mostRules, rulesOfJump = 1_000_000, 500

// errRoughPatience says that the patience is too rough.
var errRoughPatience = errors.New("the patience has too many jumps for the integrals; use fewer values, or mjq.Simulation{}")

// err is why the integrals are of no use; nil if they are.
func (q *quadrature) err() error {
	if q.ctx.Err() != nil {
		return context.Cause(q.ctx)
	}
	if q.spent > q.most {
		return errRoughPatience
	}
	return nil
}

// ends reports whether there is no more time.
func (q *quadrature) ends() bool {
	return q.spent > q.most || q.ctx.Err() != nil
}

// shape is the largest φ, which is concave, and from where on e^φ is nothing beside it.
func (q *quadrature) shape() (top, end float64) {
	drain := float64(q.Servers) * q.Service
	at := 0.0
	if drain < q.Rate {
		at = q.Patience.Quantile(1 - drain/q.Rate)
	}
	top = q.Rate*q.mean(0, at) - drain*at
	const nothing = 45
	step := 1 / max(drain, q.Rate)
	for x, h := at, q.mean(0, at); ; step *= 2 {
		h += q.mean(x, x+step)
		if x += step; q.Rate*h-drain*x < top-nothing || q.ends() || math.IsInf(x, 1) {
			return top, x
		}
	}
}

// mean is the integral of the survival function.
func (q *quadrature) mean(from, to float64) (sum float64) {
	q.split(from, to, func(from, to float64) { sum += q.halves(from, to, q.gauss(from, to), 0) })
	return sum
}

// split goes over the pieces of an interval between the jumps of the patience.
func (q *quadrature) split(from, to float64, visit func(from, to float64)) {
	i, _ := slices.BinarySearch(q.jumps, from)
	for ; i < len(q.jumps) && q.jumps[i] < to && !q.ends(); i++ {
		if q.jumps[i] > from {
			visit(from, q.jumps[i])
			from = q.jumps[i]
		}
	}
	if from < to {
		visit(from, to)
	}
}

func (q *quadrature) halves(from, to, whole float64, depth int) float64 {
	mid := from + (to-from)/2
	left, right := q.gauss(from, mid), q.gauss(mid, to)
	if depth > deepest || q.ends() || math.Abs(left+right-whole) <= 1e-15*(left+right) || depth > 3 && q.Rate*math.Abs(left+right-whole) < 1e-16 {
		return left + right
	}
	return q.halves(from, mid, left, depth+1) + q.halves(mid, to, right, depth+1)
}

// deepest is how often an interval is halved: jumps of the survival function leave nothing.
const deepest = 52

// panelNodes and panelWeights are of Gauss's formula of ten points on [-1, 1].
var panelNodes, panelWeights = gaussian(10)

func gaussian(n int) (x, w []float64) {
	x, w = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(x, w, -1, 1)
	return x, w
}

func (q *quadrature) gauss(from, to float64) (sum float64) {
	q.spent++
	half := (to - from) / 2
	for i, x := range panelNodes {
		sum += panelWeights[i] * q.Patience.Survival(from+half*(1+x))
	}
	return half * sum
}

// over integrates from 0 to the end, in steps that double.
func (q *quadrature) over(end float64) integrals {
	first := 1 / max(float64(q.Servers)*q.Service, q.Rate)
	var total integrals
	h := 0.0
	for x, step := 0.0, first; x < end && !q.ends(); x, step = x+step, 2*step {
		total, h = q.onward(x, min(end, x+step), h, total)
	}
	return total
}

// onward adds the integrals over an interval to those before it; h is H at its beginning, and then
// at its end.
func (q *quadrature) onward(from, to, h float64, sum integrals) (integrals, float64) {
	q.split(from, to, func(from, to float64) {
		part := q.panel(from, to, h)
		if !q.found {
			q.all = sum
			q.all.add(part)
		}
		sum.add(q.refined(from, to, h, part, 0))
		h += q.mean(from, to)
	})
	return sum, h
}

// refined halves a panel until that changes nothing.
func (q *quadrature) refined(from, to, h float64, whole integrals, depth int) integrals {
	mid := from + (to-from)/2
	middle := h + q.mean(from, mid)
	left, right := q.panel(from, mid, h), q.panel(mid, to, middle)
	sum := left
	sum.add(right)
	if depth > deepest || q.ends() || sum.differs(whole, q.all) < 1e-15 {
		return sum
	}
	a := q.refined(from, mid, h, left, depth+1)
	a.add(q.refined(mid, to, middle, right, depth+1))
	return a
}

// panel integrates over one interval, h being H at its beginning.
func (q *quadrature) panel(from, to, h float64) (sum integrals) {
	half, last := (to-from)/2, from
	for i, node := range panelNodes {
		x := from + half*(1+node)
		h += q.gauss(last, x)
		last = x
		s := q.Patience.Survival(x)
		w := half * panelWeights[i] * math.Exp(q.Rate*h-float64(q.Servers)*q.Service*x-q.top)
		sum.add(integrals{w, w * h, w * s, w * x * s, w * x * x * s})
	}
	return sum
}
