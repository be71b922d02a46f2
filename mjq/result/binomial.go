package result

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Binomial returns the ends of the interval of a probability of which n independent observations
// have shown the share p (Clopper and Pearson, Biometrika 26, 1934). The number n need not be
// whole: dependent observations are worth fewer independent ones (Korn and Graubard, Survey
// Methodology 24, 1998). For p = 0 and p = 1 the interval is one-sided: of an event that none of
// n observations shows, the probability is below -ln(1-level)/n, 3/n at 95 %. The ends are 0 and 1
// without observations.
func Binomial(level, p, n float64) (lo, hi float64) {
	x := p * n
	switch {
	case !(n > 0):
		return 0, 1
	case p <= 0:
		return 0, math.Min(1, -math.Log(1-level)/n)
	case p >= 1:
		return math.Max(0, 1+math.Log(1-level)/n), 1
	case math.Min(x, n-x) >= ManyEvents:
		half := distuv.UnitNormal.Quantile((1+level)/2) * math.Sqrt(p*(1-p)/n)
		return p - half, p + half
	}
	outside := (1 - level) / 2
	return mathext.InvRegIncBeta(x, n-x+1, outside), mathext.InvRegIncBeta(x+1, n-x, 1-outside)
}

// ManyEvents is so many events, and so many other observations, that their number is about
// normal: the interval of Binomial is within a tenth of the normal one.
const ManyEvents = 100
