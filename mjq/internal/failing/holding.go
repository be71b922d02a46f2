package failing

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/law"
)

// Holding is the law of the time for which a job holds its servers when they are back at once
// after each failure: that of a queue which has this law in place of the work, and no failures.
type Holding struct {
	Work  law.Law
	Rate  float64 // φ, at which the job is hit
	After After
	Time  Time // its moments, as Held has them
	far   *reach
	drawn *sketch
}

// Hold makes the law.
func Hold(work law.Law, rate float64, after After) Holding {
	return Holding{work, rate, after, after.Held(work, rate), new(reach), new(sketch)}
}

// Validate judges the work.
func (l Holding) Validate() error { return l.Work.Validate() }

// Mean is that of Held.
func (l Holding) Mean() float64 { return l.Time.Mean }

// Variance is that of Held.
func (l Holding) Variance() float64 { return l.Time.Variance }

// Moment has the first five in closed form. Higher ones come from the survival function.
func (l Holding) Moment(k int) float64 {
	switch {
	case k == 1:
		return l.Time.Mean
	case k == 2:
		return l.Time.Second()
	case k == 3:
		return l.Time.ThirdMoment()
	case l.kept():
		return law.Moment(l.Work, k)
	case float64(k) >= l.TailIndex():
		return math.Inf(1)
	case k > most:
		return law.Moment(plain{l}, k)
	}
	growth := 0.0
	if l.After.How == Restart {
		growth = float64(k) * l.Rate
	}
	return l.After.moments(workOf(l.Work, l.period(), growth), l.Rate)[k]
}

// plain is a law without its optional abilities.
type plain struct{ l Holding }

func (p plain) Validate() error              { return p.l.Validate() }
func (p plain) Mean() float64                { return p.l.Mean() }
func (p plain) Variance() float64            { return p.l.Variance() }
func (p plain) Survival(x float64) float64   { return p.l.Survival(x) }
func (p plain) Quantile(q float64) float64   { return p.l.Quantile(q) }
func (p plain) Laplace(s float64) float64    { return p.l.Laplace(s) }
func (p plain) Sample(r rand.Source) float64 { return p.l.Sample(r) }
func (p plain) Scaled(c float64) law.Law     { return p.l.Scaled(c) }
func (p plain) String() string               { return p.l.String() }

// Scaled is the law in another unit of time.
func (l Holding) Scaled(c float64) law.Law {
	a := l.After
	a.Every, a.Cost, a.Recovery, a.Detection = c*a.Every, c*a.Cost, c*a.Recovery, c*a.Detection
	return Hold(l.Work.Scaled(c), l.Rate/c, a)
}

// String says what it is.
func (l Holding) String() string {
	return fmt.Sprintf("%v, hit at rate %.4g (%v)", l.Work, l.Rate, l.After.How)
}

// TailIndex is that of the work, unless hits add an exponential part that makes a power of the
// work: under Restart a try of length w takes exp(φw) tries.
func (l Holding) TailIndex() float64 {
	if l.After.How == Restart && l.Rate > 0 && math.IsInf(l.Work.Quantile(1), 1) {
		return restartIndex(l.Work, l.Rate)
	}
	if l.After.How == Drop && l.Rate > 0 {
		return math.Inf(1)
	}
	return law.TailIndex(l.Work)
}

// restartIndex is the largest power k with E exp(kφ work) finite, to a thousandth.
func restartIndex(work law.Law, rate float64) float64 {
	lo, hi := 0.0, 1024.0
	if !math.IsInf(work.Laplace(-hi*rate), 1) {
		return math.Inf(1)
	}
	for range 20 {
		mid := (lo + hi) / 2
		if math.IsInf(work.Laplace(-mid*rate), 1) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo
}

// Sample draws the work and the hits.
func (l Holding) Sample(rng rand.Source) float64 { return l.sample(law.Prepare(l.Work), rng) }

// drawn draws from work that was prepared once.
type drawn struct {
	Holding
	work law.Sampler
}

// Prepare prepares the work.
func (l Holding) Prepare() law.Sampler { return drawn{l, law.Prepare(l.Work)} }

// Sample draws as the law does.
func (d drawn) Sample(rng rand.Source) float64 { return d.sample(d.work, rng) }

// sample draws the work, and then hits until none comes before its end.
func (l Holding) sample(work law.Sampler, rng rand.Source) (held float64) {
	a, x := l.After, work.Sample(rng)
	begin := 0.0 // of the recovery with which this run starts
	for {
		left, whole := x, 0.0
		if a.How == Checkpoint {
			whole = a.checkpoints(node{work: x})
			left = x + whole*a.Cost
		}
		if l.Rate == 0 || a.How == Migrate {
			return held + left
		}
		hit := fastmath.NegLog(fastmath.Unit(rng.Uint64())) / l.Rate
		if hit >= begin+left {
			return held + begin + left
		}
		held += hit
		if a.How == Drop {
			return held
		}
		held += a.Detection
		switch done := max(0, hit-begin); a.How {
		case Resume:
			x -= done
		case Checkpoint:
			x -= min(whole, math.Floor(done/(a.Every+a.Cost))) * a.Every
		case Resampled:
			x = work.Sample(rng)
		}
		begin = a.Recovery
	}
}

// Laplace is E exp(-sC).
func (l Holding) Laplace(s float64) float64 {
	switch {
	case s == 0:
		return 1
	case l.Rate == 0 && l.After.How != Checkpoint:
		return l.Work.Laplace(s)
	}
	v := real(l.transform(l.nodes(), complex(s, 0)))
	if s < 0 && !(v >= 1) {
		return math.Inf(1)
	}
	return v
}

// nodes are those of the work.
func (l Holding) nodes() []node {
	return workOf(l.Work, l.period(), 0)
}

// period is that of the checkpoints, 0 without any.
func (l Holding) period() float64 {
	if l.After.How == Checkpoint {
		return l.After.Every
	}
	return 0
}

// transform is E exp(-sC), by the nodes of the work.
func (l Holding) transform(nodes []node, s complex128) (sum complex128) {
	a, h := l.After, l.After.hits(l.Rate)
	var whole complex128
	var each func(n node) complex128
	switch a.How {
	case Resampled:
		return l.tries(nodes, s)
	case Drop:
		phi := complex(l.Rate, 0)
		each = func(n node) complex128 {
			pass := cmplx.Exp(-(phi + s) * complex(n.work, 0))
			return pass + phi/(phi+s)*(1-pass)
		}
	case Migrate:
		each = func(n node) complex128 { return cmplx.Exp(-s * complex(n.work, 0)) }
	case Resume:
		h.Recovery = 0
		hit := cmplx.Exp(-s*complex(a.Detection, 0)) * h.stretch(a.Recovery, s)
		each = func(n node) complex128 {
			return cmplx.Exp(-complex(n.work, 0) * (s + complex(l.Rate, 0)*(1-hit)))
		}
	case Restart:
		each = func(n node) complex128 { return h.stretch(n.work, s) }
	case Checkpoint:
		whole = h.stretch(a.Every+a.Cost, s)
		each = func(n node) complex128 {
			k := a.checkpoints(n)
			return cmplx.Pow(whole, complex(k, 0)) * h.stretch(n.work-k*a.Every, s)
		}
	}
	for _, n := range nodes {
		sum += complex(n.weight, 0) * each(n)
	}
	return sum
}

// stretch is the transform of the time of a stretch.
func (h Hits) stretch(w float64, s complex128) complex128 {
	if w <= 0 {
		return 1
	}
	phi := complex(h.Rate, 0)
	first, later := cmplx.Exp(-(phi+s)*complex(w, 0)), cmplx.Exp(-(phi+s)*complex(h.Recovery+w, 0))
	if h.Rate == 0 {
		return first
	}
	hit := phi / (phi + s) * cmplx.Exp(-s*complex(h.Detection, 0))
	return first + hit*(1-first)*later/(1-hit*(1-later))
}

// tries is the transform where each try is of new work.
func (l Holding) tries(nodes []node, s complex128) complex128 {
	phi := complex(l.Rate, 0)
	var first complex128
	for _, n := range nodes {
		first += complex(n.weight, 0) * cmplx.Exp(-(phi+s)*complex(n.work, 0))
	}
	later := first * cmplx.Exp(-(phi+s)*complex(l.After.Recovery, 0))
	hit := phi / (phi + s) * cmplx.Exp(-s*complex(l.After.Detection, 0))
	return first + hit*(1-first)*later/(1-hit*(1-later))
}

// Law is the simplest law of the time: that of the work where all of it is kept, and one of phases
// where work of phases is drawn anew.
func (l Holding) Law() law.Law {
	a := l.After
	if a.Recovery > 0 || a.Detection > 0 || a.How != Resume && a.How != Resampled {
		return l
	}
	if a.How == Resume {
		return l.Work
	}
	alpha, generator, ok := law.Phases(l.Work)
	if !ok {
		return l
	}
	for i := range generator {
		for j := range alpha {
			generator[i][j] += l.Rate * alpha[j]
		}
		generator[i][i] -= l.Rate
	}
	return law.PhaseType(alpha, generator)
}
