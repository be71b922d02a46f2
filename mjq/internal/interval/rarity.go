package interval

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// Rarity says how the rare events of a run come that has observed so many jobs, of a queue at a
// fraction of its limit. Independent samples have one job each.
func Rarity(p *problem.Problem, load, jobs float64, independent bool) *estimate.Rarity {
	r := &estimate.Rarity{Jobs: jobs, Cluster: 1, Together: problem.Marked(p.Spec), Units: float64(p.Servers), Heaviest: 1, Probs: p.Shares()}
	if !independent {
		r.Cluster = p.Cluster(load)
	}
	if work := p.Work(); work > 0 {
		for i := range p.Classes {
			c := &p.Classes[i]
			r.Heaviest = max(r.Heaviest, float64(c.Need)*c.Service.Mean()/work)
		}
	}
	return r
}
