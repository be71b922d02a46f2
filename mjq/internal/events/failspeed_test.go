package events

import (
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// BenchmarkFailing is a long queue on 512 servers, without failures, with rare ones, and in the general
// engine without them.
func BenchmarkFailing(b *testing.B) {
	classes := []stream.Class{{Need: 1, Prob: 0.8, Service: law.ExpMean(1)}, {Need: 64, Prob: 0.2, Service: law.ExpMean(1)}}
	q := compiled.System{Servers: 512, Classes: 2, Needs: []int{1, 64}, Probs: []float64{0.8, 0.2}, Input: stream.New(7, law.ExpRate(33), classes)}
	fails := q
	fails.Failing = &compiled.Failing{Servers: 512, Usable: 512, Crews: 512, Kinds: []compiled.FailureKind{{Rate: 1e-3, Up: law.ExpMean(1e3), Repair: law.ExpMean(1)}},
		After: []policy.Checkpoint{{How: policy.Restart}, {How: policy.Restart}}, Work: []compiled.Sampler{law.ExpMean(1), law.ExpMean(1)}}
	for _, x := range []struct {
		name string
		plan Plan
	}{{"never", Plan{System: q}}, {"general", Plan{System: q, general: true}}, {"rarely", Plan{System: fails}}} {
		b.Run(x.name, func(b *testing.B) {
			x.plan.Replications, x.plan.Batches, x.plan.Length, x.plan.WarmUp, x.plan.Level, x.plan.Workers = 2, 1, int64(b.N), 0, 0.95, 1
			x.plan.Run(b.Context(), nil)
		})
	}
}
