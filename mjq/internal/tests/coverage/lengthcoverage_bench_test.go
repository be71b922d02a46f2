package coverage

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// BenchmarkCoverageOfLengths prints what replications that are short against the queue's
// memory do to intervals: M/M/1 at load 0.95, 32 replications from an empty start after a
// warm-up of a fifth, 1000 runs a line. The sampler is asked itself, for queries withhold the
// intervals of the shortest. About a minute on one core.
func BenchmarkCoverageOfLengths(b *testing.B) {
	m := mjq.Servers(1).Poisson(0.95).Class("one", 1, 1, mjq.ExpMean(1))
	exact, memory := mjq.Must(m.Solve(background, mjq.Exact{})).All.Waiting, problem.New(m.Spec()).Relaxation(0.95)
	for range b.N {
		for _, relaxations := range []float64{0.5, 1, 2, 3, 5, 10} {
			var mean, variance held
			jobs := int64(math.Round(relaxations * memory))
			for run := range uint64(1000) {
				f := sampling.Forward{System: problem.New(m.Spec()).System(run+1, 2), Replications: 32, WarmUp: jobs / 5, Jobs: jobs, Level: 0.95}
				r := f.Run(background, nil)
				mean.add(r.All.MeanW, exact.Mean.Value)
				variance.add(r.All.VarianceW, exact.Variance.Value)
			}
			fmt.Printf("%4.1f relaxation times, %5d jobs: mean %s, variance %s\n", relaxations, jobs, mean.share(), variance.share())
		}
	}
}
