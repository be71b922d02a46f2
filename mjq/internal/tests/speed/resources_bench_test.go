package speed

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkResources times a job of the extensions, random numbers included: in
// saturation, where the vectors are fullest.
func BenchmarkResources(b *testing.B) {
	cellB := workload.BorgCellB()
	types := mjq.Resources("cpu", 2048).Resources("gpu", 64)
	for i, c := range cellB.Spec().Classes {
		types = types.Needing(c.Name, mjq.Needs{"cpu": c.Need, "gpu": i % 3}, c.Prob, c.Service)
	}
	five := workload.FiveClassExponential()
	for _, x := range []struct {
		name string
		c    mjq.Model
	}{
		{"types 2048+64", types},
		{"types 20+4", training(1)},
		{"types 20+4 printed", training(1).AsPrinted()},
		{"random assignment 20", five.RandomAssignment()},
		{"random assignment 2048", cellB.RandomAssignment()},
		{"named 4", pinned()},
		{"random 20", mjq.Servers(20).Class("any", 4, 0.5, mjq.ExpMean(1)).Specific("two", mjq.Pick{Any: 3, Random: 2}, 0.5, mjq.ExpMean(1))},
	} {
		b.Run(x.name, func(b *testing.B) {
			jobs := 0
			for range b.N {
				st := mjq.Must(x.c.Stability(context.Background(), mjq.RelErr(1e-9), mjq.MaxJobs(5_000_000), mjq.Workers(1)))
				jobs += int(st.Jobs)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(jobs), "ns/job")
		})
	}
}

// training is a small cluster of processors and accelerators.
func training(rate float64) mjq.Model {
	return mjq.Resources("cpu", 20).Resources("gpu", 4).Poisson(rate).
		Needing("batch", mjq.Needs{"cpu": 3}, 0.6, mjq.ExpMean(1)).
		Needing("train", mjq.Needs{"cpu": 8, "gpu": 2}, 0.4, mjq.ExpMean(2))
}

// pinned mixes named servers and any.
func pinned() mjq.Model {
	return mjq.Servers(4).Poisson(0.8).Class("any", 2, 0.6, mjq.ExpMean(1)).
		Specific("licence", mjq.Pick{Any: 1, Named: []int{1}}, 0.4, mjq.ExpMean(1))
}
