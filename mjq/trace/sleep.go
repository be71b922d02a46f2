package trace

import (
	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// sleepFaults says what is wrong with servers that sleep.
func (q *replay) sleepFaults(f *check.Faults) {
	s := &spec.Spec{Servers: q.Servers, Policy: q.Policy, Sleep: q.Sleep, Awake: q.Awake, Watts: q.Watts}
	s.SleepFaults(f)
	f.That(q.Sleep == nil || len(q.Units)+len(q.Partitions)+len(q.Nodes) == 0, "Sleep is for servers of one pool that are alike; leave out Units, Partitions and Nodes")
	f.That(q.Watts == nil || len(q.Units) == 0, "Watts count servers that are alike, and units of several types are not; leave the Watts out")
}

// energy fills in what the servers use.
func (q *replay) energy(a *account, h *history, r *result.Result) {
	if q.Sleep != nil {
		r.Energy.On, r.Energy.Setup = result.Exact(h.on/h.span, "trace"), result.Exact(h.setup/h.span, "trace")
	}
	if w := q.Watts; w != nil && r.Utilization.Known() {
		n := float64(q.Servers)
		busy := result.Exact(n*r.Utilization.Value, "trace")
		r.Energy.Spend(n, busy, result.Exact(float64(a.jobs)/h.span, "trace"), [4]float64{w.Busy, w.Idle, w.Setup, w.Asleep})
	}
}
