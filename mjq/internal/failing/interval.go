package failing

import "math"

// BestInterval is the time of work between checkpoints that minimises the mean time a unit of
// work of a long job that is hit at the rate φ: (1 + W(-exp(-1-φc)))/φ, W being Lambert's
// function, whatever recovery and detection take. It is the root y = φτ of
// 1 - y = exp(-(y+φc)), to which Newton's iteration falls from above.
func BestInterval(rate, cost float64) float64 {
	a := rate * cost
	y := min(1, math.Sqrt(2*a))
	for range mostSteps {
		f := -math.Expm1(-(y + a)) - y
		step := f / math.Expm1(-(y + a))
		if y -= step; math.Abs(step) <= 1e-16*y || step == 0 {
			break
		}
	}
	return y / rate
}

// mostSteps is more steps than the iteration takes: it doubles its digits with each.
const mostSteps = 60

// YoungInterval is the first approximation of BestInterval: sqrt(2c/φ), for φc small (Young,
// Communications of the ACM 17, 1974).
func YoungInterval(rate, cost float64) float64 { return math.Sqrt(2 * cost / rate) }

// Stretched is the mean time that a long job runs for a unit of work, with checkpoints after
// every τ of work: (1/φ + D) exp(φR) (exp(φ(τ+c)) - 1)/τ. An interval of 0 with no cost is work
// that is kept up to the hit.
func (h Hits) Stretched(every, cost float64) float64 {
	if every == 0 && cost == 0 {
		return (1 + h.Rate*h.Detection) * math.Exp(h.Rate*h.Recovery)
	}
	return h.Stretch(every+cost).Mean / every
}
