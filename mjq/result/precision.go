package result

import (
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/stat/distuv"
)

// Precision says how well a distribution is known: from a number of independent groups,
// the fraction at or below the p-quantile as well as from Effective independent
// observations, for the p of PrecisionAt in turn. No group: it is not known. It is
// plain data and survives encoding.
type Precision struct {
	Groups    int
	Effective []float64
	Tail      float64 // the largest p whose quantile has an interval, by the length of the run; 0: not decided
}

// At is the number of independent observations that the distribution is worth at
// its p-quantile, for p in (0, 1).
func (p *Precision) At(prob float64) float64 {
	at := (math.Log(prob/(1-prob)) + MostOdds) / StepOdds
	last := len(p.Effective) - 1
	if !(at > 0) {
		return p.Effective[0]
	}
	if at >= float64(last) {
		return p.Effective[last]
	}
	i := int(at)
	low, high := math.Log(p.Effective[i]), math.Log(p.Effective[i+1])
	return math.Exp(low + (high-low)*(at-float64(i)))
}

// Join is how well independent results know a distribution together.
func (p *Precision) Join(q *Precision) {
	if len(p.Effective) == 0 {
		*p = Precision{q.Groups, append([]float64(nil), q.Effective...), q.Tail}
		return
	}
	if p.Tail = 1 - 1/(1/(1-p.Tail)+1/(1-q.Tail)); q.Tail == 0 { // as of one longer run
		p.Tail = 0
	}
	p.Groups += q.Groups
	for i, n := range q.Effective {
		p.Effective[i] += n
	}
}

// The probabilities of a Precision have log-odds from -MostOdds to MostOdds, StepOdds
// apart.
const MostOdds, StepOdds = 9, 0.5

// PrecisionAt is the k-th probability of a Precision.
func PrecisionAt(k int) float64 { return 1 / (1 + math.Exp(MostOdds-StepOdds*float64(k))) }

// StudentT is the two-sided Student quantile: the half-width of a level interval in
// standard errors with the given degrees of freedom. NaN below one.
func StudentT(level float64, degrees int) float64 {
	if degrees < 1 {
		return math.NaN()
	}
	of := math.Float64bits(level) * 0x9e3779b97f4a7c15 >> 52 // levels in turn do not meet
	found := &students[(uint64(degrees)+of)%uint64(len(students))]
	if t := found.Load(); t != nil && t.level == level && t.degrees == degrees {
		return t.quantile
	}
	quantile := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(degrees)}.Quantile((1 + level) / 2)
	found.Store(&student{level, degrees, quantile})
	return quantile
}

// student is a quantile that was found. The estimates of a run ask for the same ones, by
// class of jobs, which take longer than all else about them; thousands of classes ask for as many
// degrees as they have independent observations.
type student struct {
	level    float64
	degrees  int
	quantile float64
}

var students [4096]atomic.Pointer[student]
