package coverage

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// BenchmarkCoverageOfDifferences prints how often the intervals of Compare's differences
// hold the true one, at level 0.95, for every two of some policies that have exact means:
// of the mean waits of all jobs and of each class, and how wide they are beside what the
// two means alone would give, √(h₁² + h₂²). The environment chooses as for
// BenchmarkCoverage: MJQ_COVERAGE_RUNS runs from seed MJQ_COVERAGE_SEED on.
//
//	go test -run xx -bench CoverageOfDifferences -benchtime 1x -timeout 0 ./mjq/internal/tests/coverage
func BenchmarkCoverageOfDifferences(b *testing.B) {
	runs, first := coverageNumber(b, "RUNS", 400), coverageNumber(b, "SEED", 1)
	policies := []mjq.Policy{mjq.FCFS(), mjq.Window(3), mjq.MostServersFirst(), mjq.ServerFilling(), mjq.MaxWeight()}
	for range b.N {
		for _, rate := range []float64{1, 1.9} {
			m := mjq.Servers(4).Poisson(rate).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(0.5))
			truth := exactMeans(m, policies)
			for _, reps := range []int{8, 32} {
				var table differences
				for seed := range runs {
					c := mjq.Must(mjq.Compare(background, m, policies, mjq.Simulation{Jobs: 3000, Replications: reps}, mjq.Seed(uint64(first+seed))))
					table.add(c, truth)
				}
				table.print(fmt.Sprintf("λ = %v, %d × 3000", rate, reps))
			}
		}
	}
}

// exactMeans are the mean waits under each policy, by class and last of all jobs.
func exactMeans(m mjq.Model, policies []mjq.Policy) (means [][]float64) {
	for _, p := range policies {
		r := mjq.Must(m.Policy(p).Solve(background, mjq.Exact{MomentsOnly: true}))
		var row []float64
		for _, w := range waitsOf(r) {
			row = append(row, w.Value)
		}
		means = append(means, row)
	}
	return means
}

func waitsOf(r *result.Result) (list []result.Estimate) {
	for i := range r.Classes {
		list = append(list, r.Classes[i].Waiting.Mean)
	}
	return append(list, r.All.Waiting.Mean)
}

// differences are the lines of the table, one for every two policies.
type differences struct{ lines []differenceLine }

type differenceLine struct {
	name   string
	runs   float64
	held   [3]float64 // by class, and last of all jobs
	narrow float64    // sum of the ratios of widths, of all jobs
}

func (t *differences) add(c *result.Comparison, truth [][]float64) {
	if t.lines == nil {
		t.lines = make([]differenceLine, len(c.Differences))
	}
	n := 0
	for i := range c.Policies {
		for k := i + 1; k < len(c.Policies); k++ {
			d, line := c.Differences[n], &t.lines[n]
			n++
			line.name = d.Policy + " less " + d.Other
			line.runs++
			for class, change := range append(d.Classes, d.All) {
				if change.Waiting.Covers(truth[i][class] - truth[k][class]) {
					line.held[class]++
				}
			}
			one, other := c.Results[i].All.Waiting.Mean.HalfWidth, c.Results[k].All.Waiting.Mean.HalfWidth
			line.narrow += d.All.Waiting.HalfWidth / math.Hypot(one, other)
		}
	}
}

func (t *differences) print(name string) {
	fmt.Printf("| %s | all | small | big | width |\n|---|---|---|---|---|\n", name)
	for _, l := range t.lines {
		fmt.Printf("| %s | %.3f | %.3f | %.3f | %.2f |\n", l.name, l.held[2]/l.runs, l.held[0]/l.runs, l.held[1]/l.runs, l.narrow/l.runs)
	}
}
