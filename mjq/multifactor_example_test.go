package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// Priorities as Slurm computes them. With the weight of the class alone they are levels, and the answer
// is exact; fair share is simulated.
func ExampleMultifactor() {
	cluster := mjq.Servers(6).Poisson(2).
		Class("normal", 1, 0.8, mjq.ExpMean(1)).
		Class("urgent", 4, 0.2, mjq.ExpMean(0.5))
	factors := map[string]float64{"normal": 0.1, "urgent": 1}
	byClass := mjq.Multifactor{Class: 2000, Factors: factors}
	r := mjq.Must(cluster.Policy(byClass).Solve(context.Background(), mjq.Exact{}))
	same := mjq.Must(cluster.Policy(mjq.Priority([]string{"urgent"})).Solve(context.Background(), mjq.Exact{}))
	fmt.Printf("urgent jobs wait %.4f, by levels %.4f\n", r.Class("urgent").Waiting.Mean.Value, same.Class("urgent").Waiting.Mean.Value)

	fair := mjq.Multifactor{FairShare: 10_000, HalfLife: 50, Shares: "normal=3 urgent=1"}
	fmt.Println(fair.Within(mjq.EASY()))
	_, err := cluster.Policy(fair).Solve(context.Background(), mjq.Unbiased{})
	fmt.Println(err)
	// Output:
	// urgent jobs wait 0.2421, by levels 0.2421
	// Multifactor(FairShare=10000,HalfLife=50,Shares=normal=3 urgent=1).Within(EASY)
	// mjq: Unbiased: policy Multifactor(FairShare=10000,HalfLife=50,Shares=normal=3 urgent=1): the usage of the past decides, which Unbiased does not look at; use mjq.Simulation{}
}
