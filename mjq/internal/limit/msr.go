package limit

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// MsrSource is where the exact values of Markovian service rates come from.
const MsrSource = "Chen, Grosof, Berg: Markovian service rate policies; a QBD for each need"

// msrLimit is the rate at which the schedules have as much work for some need as they do in
// the long run, whatever the services.
func msrLimit(p *problem.Problem, m policy.MSR) float64 {
	shares, limit := m.Shares(), math.Inf(1)
	needs, _ := CapacityKinds(p.Spec)
	for k, need := range needs {
		served, brought := 0.0, 0.0
		for i, share := range shares {
			served += share * float64(m.Schedules[i][k])
		}
		for _, c := range p.Classes {
			if c.Need == need.Need {
				brought += c.Prob * c.Service.Mean()
			}
		}
		limit = min(limit, served/brought)
	}
	return limit
}

// CapacityPolicy draws the schedules of a capacity anew at a rate, each with the probability of
// its share, which carries all that any policy carries.
func CapacityPolicy(c *result.Capacity, rate float64) policy.Policy {
	var p policy.MSR
	if !(rate > 0) {
		rate = math.NaN() // a fault of the policy, which names it
	}
	for i, x := range c.Schedules {
		p.Schedules = append(p.Schedules, x.Jobs)
		row := make([]float64, len(c.Schedules))
		for j, y := range c.Schedules {
			if i != j {
				row[j] = rate * y.Share
				row[i] -= row[j]
			}
		}
		p.Generator = append(p.Generator, row)
	}
	return p
}
