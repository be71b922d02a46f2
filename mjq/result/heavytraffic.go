package result

import (
	"math"
	"time"
)

// HeavyTraffic is what the saturated system tells about the open queue near its
// stability limit.
type HeavyTraffic struct {
	Limit               Stability
	RelativeCompletions float64 // E[Δ(Y_d)]
	States              []SaturatedState
	Remembered          time.Time // when it was computed, if it was not now; see mjq.Cache
}

// SaturatedState is a state of the saturated system.
type SaturatedState struct {
	Jobs     []int   // in service, by class of the model; classes that differ in name alone share the first one's place
	Prob     float64 // at a random time
	Relative float64 // Δ: completions that a start from here gains in the long run over one at a random time
}

// MeanJobs approximates E[N] at an arrival rate, (E[Δ(Y_d)] + 1) ρ / (1 - ρ)
// with ρ = rate/λ_c: right up to a bounded error as the rate nears the limit,
// and, by the factor ρ, exact for M/M/1. It is +Inf from the limit on.
func (h *HeavyTraffic) MeanJobs(rate float64) float64 {
	rho := rate / h.Limit.Rate
	if rho >= 1 {
		return math.Inf(1)
	}
	return (h.RelativeCompletions + 1) * rho / (1 - rho)
}

// MeanResponse approximates the mean response time at an arrival rate by
// MeanJobs and Little's law, (E[Δ(Y_d)] + 1) / (λ_c - rate).
func (h *HeavyTraffic) MeanResponse(rate float64) float64 { return h.MeanJobs(rate) / rate }
