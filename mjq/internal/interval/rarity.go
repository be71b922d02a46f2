package interval

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Rarity says how the rare events of a run come that has observed so many jobs, of a queue at a
// fraction of its limit. Independent samples have one job each.
func Rarity(p *problem.Problem, load, jobs float64, independent bool) *estimate.Rarity {
	r := &estimate.Rarity{Jobs: jobs, Cluster: 1, Together: p.Features().Has(spec.Marked), Units: float64(p.Servers), Heaviest: 1, Probs: p.Shares()}
	if !independent {
		r.Cluster, r.Forget = p.Cluster(load), p.Relaxation(load)
	}
	work := p.Work()
	if p.Arrivals == nil { // users send as much as they get served
		for i := range p.Classes {
			w := float64(p.Classes[i].Need) * p.Classes[i].Service.Mean()
			if i == 0 || w < work {
				work = w
			}
		}
	}
	if work > 0 {
		for i := range p.Classes {
			c := &p.Classes[i]
			r.Heaviest = max(r.Heaviest, float64(c.Need)*c.Service.Mean()/work)
		}
	}
	return r
}

// shown is the largest quantile that the table of a result shows.
const shown = 0.99

// NoteQuantiles says from which on quantiles of waits have no interval, if the table shows one.
func NoteQuantiles(r *result.Result, of *estimate.Rarity) {
	w := &r.All.Waiting
	if tail := w.Precision.Tail; tail > 0 && tail < shown && w.Dist.Total > 0 && w.Mean.Value > 0 && w.Mean.HalfWidth > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("High quantiles of waits have no interval: jobs with long waits come together, and the run has %.2g jobs. Set Jobs so that there are at least %.2g in all for the %g-quantile.",
			of.Jobs, of.Enough(shown), shown))
	}
}
