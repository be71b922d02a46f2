package result

import (
	"fmt"
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

// HeavyLoads are the fractions of the limit that Table shows.
var HeavyLoads = []float64{0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99}

// Table has what is approximated at the loads of HeavyLoads.
func (h *HeavyTraffic) Table() *Table {
	var rates, jobs, responses []float64
	for _, load := range HeavyLoads {
		rate := load * h.Limit.Rate
		rates, jobs, responses = append(rates, rate), append(jobs, h.MeanJobs(rate)), append(responses, h.MeanResponse(rate))
	}
	t := NewTable("Heavy traffic, Poisson arrivals").In(h.Limit.Unit).Numbers("λ/λ_c", HeavyLoads...).Numbers("λ", rates...).Time(-1).
		Numbers("mean jobs", jobs...).Numbers("mean response", responses...).Time(1)
	t.Note = fmt.Sprintf("(1 - λ/λ_c) E[N] → %.6g as λ → λ_c = %s. Means are approximate, the better the nearer to the limit.", h.RelativeCompletions+1, h.Limit.Unit.RateText(h.Limit.Rate, 6))
	return t
}

// String returns the table as text.
func (h *HeavyTraffic) String() string { return h.Table().String() }

// HTML returns the table as HTML, for a notebook.
func (h *HeavyTraffic) HTML() string { return h.Table().HTML() }
