package interval

import (
	"math"

	"github.com/mjqueue/mjq/mjq/spec"
)

// sureFactor is by how much the bound of seldom must say more than is needed: it is that of a queue
// with a server for every job, in which fewer jobs are present.
const sureFactor = 1e6

// seldom is the inverse of about the largest probability that a job waits, which is 1 where nothing
// is known: of the servers that are busy when each job starts as it arrives more than all but a
// largest need are. Their number is that of independent Poisson numbers of jobs (M/G/∞), whose tail
// Chernoff's bound has.
func (e *Exposed) seldom() float64 {
	if !e.Poisson() || e.Features()&^spec.Serving != 0 {
		return 1
	}
	rate, widest := e.Rate(), 0
	for _, c := range e.Classes {
		widest = max(widest, c.Need)
	}
	full := float64(e.Servers - widest + 1)
	sum := func(theta float64, of func(need float64, tilted float64) float64) (total float64) {
		for _, c := range e.Classes {
			need := float64(c.Need)
			total += rate * c.Prob * c.Service.Mean() * of(need, math.Exp(theta*need))
		}
		return total
	}
	slope := func(theta float64) float64 {
		return sum(theta, func(need, tilted float64) float64 { return need * tilted })
	}
	if slope(0) >= full/2 {
		return 1 // waits are longer than services, and this is no bound
	}
	low, high := 0.0, 700/float64(widest)
	for range 100 {
		if mid := (low + high) / 2; slope(mid) < full {
			low = mid
		} else {
			high = mid
		}
	}
	exponent := low*full - sum(low, func(_, tilted float64) float64 { return tilted - 1 })
	return math.Exp(exponent)
}
