package mjq

import (
	"context"
	"testing"
)

// BenchmarkResources times a job of the extensions, random numbers included: in
// saturation, where the vectors are fullest.
func BenchmarkResources(b *testing.B) {
	cellB := BorgCellB()
	types := Resources("cpu", 2048).Resources("gpu", 64)
	for i, c := range cellB.Spec().Classes {
		types = types.Needing(c.Name, Needs{"cpu": c.Need, "gpu": i % 3}, c.Prob, c.Service)
	}
	five := FiveClassExponential()
	for _, x := range []struct {
		name string
		c    Model
	}{
		{"types 2048+64", types},
		{"types 20+4", training(1)},
		{"types 20+4 printed", training(1).AsPrinted()},
		{"random assignment 20", five.RandomAssignment()},
		{"random assignment 2048", cellB.RandomAssignment()},
		{"named 4", pinned()},
		{"random 20", Servers(20).Class("any", 4, 0.5, ExpMean(1)).Specific("two", Pick{Any: 3, Random: 2}, 0.5, ExpMean(1))},
	} {
		b.Run(x.name, func(b *testing.B) {
			jobs := 0
			for range b.N {
				st := Must(x.c.Stability(context.Background(), RelErr(1e-9), MaxJobs(5_000_000), Workers(1)))
				jobs += int(st.Jobs)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(jobs), "ns/job")
		})
	}
}
