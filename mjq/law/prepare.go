package law

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Sampler draws independent values; see [Law] for what Sample promises.
type Sampler interface {
	Sample(rng rand.Source) float64
}

// Prepare is for many samples of one law. It returns l itself, or, where Sample
// computes something from the parameters alone each time, a sampler of the same
// values, to the last bit, that has done so once. The law must be valid.
func Prepare(l Law) Sampler {
	switch l := l.(type) {
	case BoundedPareto:
		return l.prepare()
	case Weibull:
		return l.prepare()
	case LogNormal:
		return l.prepare()
	}
	return l
}

// readyPareto inverts u = (v - end)/(1 - end), v = (Lo/x)^Shape.
type readyPareto struct{ lo, hi, end, rest, power float64 }

func (l BoundedPareto) prepare() readyPareto {
	end := math.Pow(l.Lo/l.Hi, l.Shape)
	return readyPareto{l.Lo, l.Hi, end, 1 - end, 1 / l.Shape}
}

func (l readyPareto) Sample(rng rand.Source) float64 {
	v := l.end + float64(Unit(rng.Uint64())*l.rest)
	x := l.lo * fastExp(NegLog(min(v, 1))*l.power)
	return min(max(x, l.lo), l.hi)
}

// readyWeibull takes the power 1/Shape of an exponential sample.
type readyWeibull struct{ scale, power float64 }

func (l Weibull) prepare() readyWeibull { return readyWeibull{l.scale(), 1 / l.Shape} }

func (l readyWeibull) Sample(rng rand.Source) float64 {
	e := NegLog(Unit(rng.Uint64()))
	if e == 0 {
		return 0
	}
	// e is below 64, and NegLog wants at most 1.
	return l.scale * fastExp(l.power*(6*math.Ln2-NegLog(e/64)))
}

// readyLogNormal has the parameters of the normal law.
type readyLogNormal struct{ mu, sigma float64 }

func (l LogNormal) prepare() readyLogNormal {
	mu, sigma := l.normal()
	return readyLogNormal{mu, sigma}
}

func (l readyLogNormal) Sample(rng rand.Source) float64 {
	u := Unit(rng.Uint64())
	if u == 1 {
		return 0
	}
	return fastExp(l.mu - l.sigma*distuv.UnitNormal.Quantile(u))
}
