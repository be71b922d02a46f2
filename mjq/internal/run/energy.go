package run

import (
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// energy fills in the power of the servers, where it is known.
func energy(p *problem.Problem, r *result.Result) {
	if p.Watts == nil || !r.Stable || !r.Utilization.Known() {
		return
	}
	w, n := p.Watts, float64(p.Servers)
	busy := r.Utilization
	busy.Value, busy.HalfWidth = n*busy.Value, n*busy.HalfWidth
	served := r.All.Carried
	if !served.Known() {
		served = result.Exact(r.Rate, busy.Method)
	}
	r.Energy.Spend(n, busy, served, [4]float64{w.Busy, w.Idle, w.Setup, w.Asleep})
}
