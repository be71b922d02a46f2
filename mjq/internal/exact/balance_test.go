package exact

import (
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// TestBalance: busy servers, or units of a type, that are not those that the jobs served keep busy are
// digits that are lost. Where served jobs do not tell the work, nothing is said.
func TestBalance(t *testing.T) {
	room := 0
	pool := spec.Spec{Servers: 4, Classes: []spec.Class{{Need: 1, Prob: 0.5, Service: law.ExpMean(1)}, {Need: 3, Prob: 0.5, Service: law.ExpMean(2)}}}
	loss, typed, stopped := pool, pool, pool
	loss.Room = &room
	typed.Servers, typed.Resources, typed.Room = 0, []spec.Type{{Name: "cpu", Units: 4}, {Name: "gpu", Units: 2}}, &room
	typed.Classes = []spec.Class{{Units: []int{1, 0}, Prob: 0.5, Service: law.ExpMean(1)}, {Units: []int{3, 1}, Prob: 0.5, Service: law.ExpMean(2)}}
	stopped.AlsoPreempted, stopped.Room = true, &room
	lasting := stopped
	lasting.Classes = []spec.Class{pool.Classes[0], {Need: 3, Prob: 0.5, Service: law.Deterministic{X: 2}}}
	for name, c := range map[string]struct {
		s    spec.Spec
		told bool
	}{"plain": {pool, true}, "loss": {loss, true}, "types": {typed, true}, "stopped jobs give up": {stopped, true}, "and last": {lasting, false}} {
		for _, off := range []float64{0, 1e-6} {
			r := &result.Result{Stable: true, Rate: 0.2, Classes: []result.ClassResult{{Prob: 0.5, Carried: result.Exact(0.1, "")}, {Prob: 0.5, Carried: result.Exact(0.1, "")}}}
			r.Utilization = result.Exact((0.1*1+0.1*3*2)/4*(1+off), "")
			r.All.Waiting.Mean = result.Exact(1, "")
			if len(c.s.Resources) > 0 {
				r.Resources = []result.ResourceResult{{Units: 4, Utilization: r.Utilization}, {Units: 2, Utilization: result.Exact(0.1*2/2, "")}}
				r.Resources[0].Utilization.Value, r.Resources[1].Utilization.Value = (0.1*1+0.1*3*2)/4, 0.1*2/2*(1+off)
				r.Utilization = result.Unknown()
			}
			balance(&problem.Problem{Spec: &c.s}, r)
			said := strings.Contains(strings.Join(r.Notes, " "), "lost digits")
			if want := c.told && off > 0; said != want || want != (r.All.Waiting.Mean.HalfWidth > 0) {
				t.Errorf("%s, off by %v: %q, wait %v", name, off, r.Notes, r.All.Waiting.Mean)
			}
		}
	}
}
