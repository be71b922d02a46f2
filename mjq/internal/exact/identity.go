package exact

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

const (
	keeps = 1e-11 // relative error of the busy servers up to which a solution has lost nothing
	worth = 100   // how many times as large the error of other means is taken to be, in parts of 1 - utilization
)

// balance holds the busy servers of a solution against the work that jobs bring, which is
// known beforehand: λE[aσ] where all jobs are served, and else what those served bring. Where
// rates lie so far apart that a solution has lost digits, the two differ. Then every number
// gets the error that this tells of, and a note says so.
func balance(p *problem.Problem, r *result.Result) {
	brought, ok := workServed(p, r)
	if !ok || !r.Stable || brought == 0 {
		return
	}
	busy := r.Utilization
	off := math.Abs(busy.Value - brought)
	if off <= max(keeps*brought, busy.HalfWidth) {
		return
	}
	share := worth * off / brought / max(1-brought, 1e-3)
	r.Widen(share)
	if !p.Turns() {
		r.Utilization, r.Idle = result.Exact(brought, busy.Method), result.Exact(float64(p.Servers)*(1-brought), busy.Method)
	}
	r.Notes = append(r.Notes, fmt.Sprintf("The solution lost digits: it has a utilization of %.8g, and the jobs served bring %.8g. Half-widths show about how far off other numbers are, a share of %.1g. Rates lie too far apart: join classes that hardly differ, leave out those that hardly come, or compare with mjq.Simulation{}.", busy.Value, brought, share))
}

// workServed is the utilization that follows from the jobs that are served; ok is false where it
// does not, or where the solution has it from there.
func workServed(p *problem.Problem, r *result.Result) (sum float64, ok bool) {
	if len(p.Resources) > 0 || p.AlsoPreempted || p.Features().Has(spec.Resizing) || !r.Utilization.Known() || r.All.Lost.Value > 0 {
		return 0, false
	}
	for i := range p.Classes {
		c := &p.Classes[i]
		rate := r.Rate * c.Prob
		if p.Turns() {
			if !r.Classes[i].Carried.Known() {
				return 0, false
			}
			rate = r.Classes[i].Carried.Value
		}
		sum += rate * float64(c.Need) * c.Service.Mean()
	}
	return sum / float64(p.Servers), true
}
