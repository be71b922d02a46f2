package patience

import (
	"context"
	"math"
)

// Patience is what must be known of the time after which a job gives up.
type Patience interface {
	// Survival is the probability that it is longer.
	Survival(x float64) float64
	// Quantile is the least x that is not exceeded with a probability.
	Quantile(p float64) float64
}

// General is M/M/c+G: Poisson arrivals, exponential services on servers, one a job, and
// patience of any law. Source: Baccelli and Hébuterne, Performance '81; Zeltyn and
// Mandelbaum, Queueing Systems 51 (2005), from which the integrals are.
type General struct {
	Servers       int
	Rate, Service float64 // rates of arrivals and of a service
	Patience      Patience
}

// Waits are what follows.
type Waits struct {
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

// Solve finds them by quadrature, to about 12 digits. It fails with the cause of the end of
// ctx.
func (g *General) Solve(ctx context.Context) (*Waits, error) {
	q := &quadrature{General: g, ctx: ctx}
	top, end := q.shape()
	q.top = top
	j := q.over(end)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	// ε = ∫ e^-t (1 + tμ/λ)^(c-1) dt is one over the blocking of Erlang with c - 1 servers.
	load, b := g.Rate/g.Service, 1.0
	for s := 1; s < g.Servers; s++ {
		b = load * b / (float64(s) + load*b)
	}
	at0 := math.Exp(-top) / b
	all := at0 + g.Rate*j.one
	w := &Waits{Delay: g.Rate * j.one / all, InLine: g.Rate * j.h / all}
	starts := (at0 + g.Rate*j.s) / all
	w.Left = g.Rate * (j.one - j.s) / all
	w.Mean, w.Second = g.Rate*j.xs/all/starts, g.Rate*j.x2s/all/starts
	w.q, w.at0, q.all = q, at0, j
	w.known = []progress{{}}
	return w, nil
}

// quadrature is the integration in the making.
type quadrature struct {
	*General
	ctx context.Context
	top float64 // the largest φ
	all integrals
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
		if x += step; q.Rate*h-drain*x < top-nothing || q.ctx.Err() != nil || math.IsInf(x, 1) {
			return top, x
		}
	}
}

// mean is the integral of the survival function.
func (q *quadrature) mean(from, to float64) float64 {
	if to <= from {
		return 0
	}
	return q.halves(from, to, q.gauss(from, to), 0)
}

func (q *quadrature) halves(from, to, whole float64, depth int) float64 {
	mid := from + (to-from)/2
	left, right := q.gauss(from, mid), q.gauss(mid, to)
	if depth > deepest || math.Abs(left+right-whole) <= 1e-15*(left+right) || depth > 3 && q.Rate*math.Abs(left+right-whole) < 1e-16 {
		return left + right
	}
	return q.halves(from, mid, left, depth+1) + q.halves(mid, to, right, depth+1)
}

// deepest is how often an interval is halved: jumps of the survival function leave nothing.
const deepest = 52

func (q *quadrature) gauss(from, to float64) (sum float64) {
	half := (to - from) / 2
	for i, x := range nodes {
		sum += weights[i] * q.Patience.Survival(from+half*(1+x))
	}
	return half * sum
}

// over integrates from 0 to the end, in steps that double.
func (q *quadrature) over(end float64) integrals {
	first := min(end, 1/max(float64(q.Servers)*q.Service, q.Rate))
	q.all = q.panel(0, first, 0)
	h := 0.0
	total := q.refined(0, first, 0, q.all, 0)
	for x, step := first, first; x < end; x, step = x+step, 2*step {
		to := min(end, x+step)
		h = q.mean(0, x)
		part := q.panel(x, to, h)
		q.all = total
		q.all.add(part)
		total.add(q.refined(x, to, h, part, 0))
	}
	return total
}

// refined halves a panel until that changes nothing.
func (q *quadrature) refined(from, to, h float64, whole integrals, depth int) integrals {
	mid := from + (to-from)/2
	middle := h + q.mean(from, mid)
	left, right := q.panel(from, mid, h), q.panel(mid, to, middle)
	sum := left
	sum.add(right)
	if depth > deepest || sum.differs(whole, q.all) < 1e-15 || q.ctx.Err() != nil {
		return sum
	}
	a := q.refined(from, mid, h, left, depth+1)
	a.add(q.refined(mid, to, middle, right, depth+1))
	return a
}

// panel integrates over one interval, h being H at its beginning.
func (q *quadrature) panel(from, to, h float64) (sum integrals) {
	half, last := (to-from)/2, from
	for i, node := range nodes {
		x := from + half*(1+node)
		h += q.gauss(last, x)
		last = x
		s := q.Patience.Survival(x)
		w := half * weights[i] * math.Exp(q.Rate*h-float64(q.Servers)*q.Service*x-q.top)
		sum.add(integrals{w, w * h, w * s, w * x * s, w * x * x * s})
	}
	return sum
}
