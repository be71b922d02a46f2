package speed

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkCertificates prints what it takes to prove the bounds of certified samples by
// simulation, on one core: the seconds of the processor, the jobs piled up, the jobs of a
// block, and the θ that is proved, in proportion to the mean service.
//
//	go test ./mjq/internal/tests/speed -run xx -bench Certificates -benchtime 1x
func BenchmarkCertificates(b *testing.B) {
	five := func(law func(mean float64) mjq.Law) mjq.Model {
		q := mjq.Servers(20)
		for _, c := range problem.New(workload.FiveClassExponential().Poisson(1).Spec()).Classes {
			q = q.Class(c.Name, c.Need, c.Prob, law(c.Service.Mean()))
		}
		return q.Poisson(1.4)
	}
	for _, c := range []struct {
		name  string
		m     mjq.Model
		limit float64 // where it is known; it only weighs time against time
	}{
		{"FiveClasses/uniform/rate=1.4", five(func(mean float64) mjq.Law { return mjq.Uniform(0, 2*mean) }), 1.8},
		{"FiveClasses/deterministic/rate=1.4", five(func(mean float64) mjq.Law { return mjq.Deterministic(mean) }), 1.8},
		{"FiveClasses/bounded Pareto/rate=1.4", workload.FiveClassBoundedPareto().Poisson(1.4), 1.715},
		{"CellB/rate=0.9", workload.BorgCellB().Poisson(0.9), 2.36},
		{"CellB/rate=1.2", workload.BorgCellB().Poisson(1.2), 2.36},
		{"CellB/rate=2", workload.BorgCellB().Poisson(2), 2.36},
	} {
		b.Run(c.name, func(b *testing.B) {
			rate := c.m.Rate()
			for range b.N {
				sys := problem.New(c.m.Spec()).System(1, 1)
				var bound *sampling.Majorant
				var err error
				seconds := used(1e9, func() {
					charged := func(ctx context.Context) (*sampling.Charges, sampling.Tilted) {
						return sampler.Charged(ctx, problem.New(c.m.Spec()))
					}
					bound, err = sys.FindMajorant(background, sampler.Tilted(background, problem.New(c.m.Spec()), nil), charged, rate, rate/c.limit, 0.5e-6)
				})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(seconds, "s")
				b.ReportMetric(float64(bound.Steps)/1e6, "million-jobs")
				b.ReportMetric(float64(bound.Block), "block")
				b.ReportMetric(bound.Theta*problem.New(c.m.Spec()).MeanService(), "θ·E[σ]")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
