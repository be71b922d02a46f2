package exact

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

const (
	keeps = 1e-11 // relative error of the busy servers up to which a solution has lost nothing
	worth = 100   // how many times as large the error of other means is taken to be, in parts of 1 - utilization
)

// balance holds the busy servers of a solution, or the busy units of each type, against the work that
// jobs bring, which is known beforehand: λE[aσ] where all jobs are served, and else what those served
// bring. Where rates lie so far apart that a solution has lost digits, the two differ. Then every
// number gets the error that this tells of, and a note says so.
func balance(p *problem.Problem, r *result.Result) {
	rates, ok := servedRates(p, r)
	if !ok || !r.Stable {
		return
	}
	if len(p.Resources) == 0 {
		weigh(p, r, &r.Utilization, &r.Idle, p.Servers, rates, func(c *spec.Class) int { return c.Need })
		return
	}
	for j := range r.Resources {
		x := &r.Resources[j]
		if weigh(p, r, &x.Utilization, &x.Idle, x.Units, rates, func(c *spec.Class) int { return c.Units[j] }) {
			return // all numbers are wider by now
		}
	}
}

// weigh holds the busy ones of so many units against what jobs bring that are served at some rates and
// need units of them. It reports whether digits are lost.
func weigh(p *problem.Problem, r *result.Result, busy, idle *result.Estimate, units int, rates []float64, need func(c *spec.Class) int) (lost bool) {
	brought := 0.0
	for i := range p.Classes {
		c := &p.Classes[i]
		brought += rates[i] * float64(need(c)) * c.Service.Mean()
	}
	brought /= float64(units)
	value := busy.Value
	off := math.Abs(value - brought)
	if !busy.Known() || brought == 0 || off <= max(keeps*brought, busy.HalfWidth) {
		return false
	}
	share := worth * off / brought / max(1-brought, 1e-3)
	r.Widen(share)
	if !p.Features().Has(spec.Turning) {
		*busy, *idle = result.Exact(brought, busy.Method), result.Exact(float64(units)*(1-brought), busy.Method)
	}
	r.Notes = append(r.Notes, fmt.Sprintf("The solution lost digits: it has a utilization of %.8g, and the jobs served bring %.8g. Half-widths show about how far off other numbers are, a share of %.1g. Rates lie too far apart: join classes that hardly differ, leave out those that hardly come, or compare with mjq.Simulation{}.", value, brought, share))
	return true
}

// servedRates are the rates by class at which jobs are served; ok is false where these do not tell the
// work, which some lose, or do before they leave. Of exponential services they do all the same: they
// end at their rate while they run.
func servedRates(p *problem.Problem, r *result.Result) (rates []float64, ok bool) {
	has := p.Features()
	if has.Has(spec.Resizing) || r.All.Lost.Value > 0 {
		return nil, false
	}
	for i := range p.Classes {
		c := &p.Classes[i]
		rate := r.Rate * c.Prob
		if has.Has(spec.Turning) {
			if !r.Classes[i].Carried.Known() {
				return nil, false
			}
			rate = r.Classes[i].Carried.Value
		}
		if _, exponential := law.MemorylessRate(c.Service); p.AlsoPreempted && !exponential {
			return nil, false
		}
		rates = append(rates, rate)
	}
	return rates, true
}
