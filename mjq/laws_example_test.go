package mjq_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace/foreign"
	"github.com/mjqueue/mjq/mjq/workload"
)

// Laws of the same mean, 2, by the spread of their values.
func ExampleLaw() {
	for _, l := range []mjq.Law{
		mjq.Deterministic(2),
		mjq.Uniform(1, 3),
		mjq.ErlangMeanPhases(2, 3),
		mjq.WeibullMeanShape(2, 1.5),
		mjq.Empirical([]float64{1, 1, 4}),
		mjq.ExpMean(2),
		mjq.Cox2(1, 4, 0.25),
		mjq.HyperExpMeanSCV(2, 4),
		mjq.LogNormalMeanSCV(2, 4),
		mjq.LomaxScaleShape(4, 3),
	} {
		fmt.Printf("mean %.0f, P(X > 6) = %.3f: %v\n", l.Mean(), l.Survival(6), l)
	}
	// Output:
	// mean 2, P(X > 6) = 0.000: Deterministic(2)
	// mean 2, P(X > 6) = 0.000: Uniform(1, 3)
	// mean 2, P(X > 6) = 0.006: ErlangMeanPhases(2, 3)
	// mean 2, P(X > 6) = 0.012: WeibullMeanShape(2, 1.5)
	// mean 2, P(X > 6) = 0.000: Empirical([]float64{1, 1, 4})
	// mean 2, P(X > 6) = 0.050: ExpMean(2)
	// mean 2, P(X > 6) = 0.076: Cox2(1, 4, 0.25)
	// mean 2, P(X > 6) = 0.062: HyperExpMeans(1.1270166537925832, 8.872983346207418, 0.8872983346207417)
	// mean 2, P(X > 6) = 0.067: LogNormalMeanSCV(2, 4)
	// mean 2, P(X > 6) = 0.064: LomaxScaleShape(4, 3)
}

func ExampleReadClasses() {
	const table = "servers,probability,mean_service\n1,0.75,0.5\n4,0.25,2\n"
	classes := mjq.Must(foreign.ReadClasses(strings.NewReader(table), nil))
	fmt.Println(mjq.Servers(8).Classes(classes...))
	// Output:
	// FCFS multiserver-job queue: 8 servers, 2 job classes, no arrivals given
	// class  servers  probability  mean service  SCV  service law
	// T1           1         0.75           0.5    1  ExpMean(0.5)
	// T4           4         0.25           2      1  ExpMean(2)
}

// A solution that would take too much memory is refused before it is begun.
func ExampleExact_Size() {
	m := workload.FiveClassExponential().Poisson(1)
	_, err := m.Solve(context.Background(), mjq.Exact{MaxBytes: 1e6})
	fmt.Println(err)
	// Output:
	// mjq: Exact: the solution would have 292 phases, 21 boundary levels, about 14 MB and 4.4·10⁹ operations, more than the 1 MB allowed; use MaxBytes, or a sampler: mjq.Certified{}
}
