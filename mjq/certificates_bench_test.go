package mjq

import (
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// BenchmarkCertificates prints what it takes to prove the bounds of certified samples by
// simulation, on one core: the seconds of the processor, the jobs piled up, the jobs of a
// block, and the θ that is proved, in proportion to the mean service.
//
//	go test ./mjq -run xx -bench Certificates -benchtime 1x
func BenchmarkCertificates(b *testing.B) {
	five := func(law func(mean float64) Law) Model {
		q := Servers(20)
		for _, c := range Must(FiveClassExponential().Poisson(1).problem()).Classes {
			q = q.Class(c.Name, c.Need, c.Prob, law(c.Service.Mean()))
		}
		return q.Poisson(1.4)
	}
	for _, c := range []struct {
		name  string
		m     Model
		limit float64 // where it is known; it only weighs time against time
	}{
		{"FiveClasses/uniform/rate=1.4", five(func(mean float64) Law { return Uniform(0, 2*mean) }), 1.8},
		{"FiveClasses/deterministic/rate=1.4", five(func(mean float64) Law { return Deterministic(mean) }), 1.8},
		{"FiveClasses/bounded Pareto/rate=1.4", FiveClassBoundedPareto().Poisson(1.4), 1.715},
		{"CellB/rate=0.9", BorgCellB().Poisson(0.9), 2.36},
		{"CellB/rate=1.2", BorgCellB().Poisson(1.2), 2.36},
		{"CellB/rate=2", BorgCellB().Poisson(2), 2.36},
	} {
		b.Run(c.name, func(b *testing.B) {
			rate := c.m.Rate()
			for range b.N {
				sys := Must(c.m.problem()).System(1, 1)
				var bound *sampling.Majorant
				var err error
				seconds := used(1e9, func() {
					bound, err = sys.FindMajorant(background, Must(c.m.problem()).Tilted(background, nil), Must(c.m.problem()).Charged, rate, rate/c.limit, 0.5e-6)
				})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(seconds, "s")
				b.ReportMetric(float64(bound.Steps)/1e6, "million-jobs")
				b.ReportMetric(float64(bound.Block), "block")
				b.ReportMetric(bound.Theta*Must(c.m.problem()).MeanService(), "θ·E[σ]")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
