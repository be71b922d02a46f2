package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// How far policies are from the best possible, and what the best does when three small
// jobs and a big one wait for four free servers.
func ExampleModel_Optimum() {
	ctx := context.Background()
	m := mjq.Servers(4).Poisson(1.5).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(0.5))
	best := mjq.Must(m.Optimum(ctx, mjq.RelErr(1e-4)))
	fmt.Printf("least mean wait %.3f\n", best.Wait.Value)
	for _, p := range []mjq.Policy{mjq.FCFS(), mjq.Window(3), mjq.Quickswap(1)} {
		r := mjq.Must(m.Policy(p).Solve(ctx, mjq.Exact{}))
		fmt.Printf("%-12v %2.0f %% more jobs in the system\n", p, 100*best.Excess(r).Value)
	}
	fmt.Println(best.Decisions.Serves([]int{0, 0}, []int{3, 1}))
	sim := mjq.Must(m.Policy(mjq.OptimalPolicy(best)).Solve(ctx, mjq.Simulation{Jobs: 20_000, Replications: 8}))
	fmt.Printf("simulated %.1f\n", sim.All.Waiting.Mean.Value)
	preemptive := mjq.Must(m.Optimum(ctx, mjq.PolicyIteration{Preemptive: true, MaxBytes: 1e8, Weights: map[string]float64{"big": 4}},
		mjq.RelErr(1e-4), mjq.Progress(func(mjq.Step) {})))
	fmt.Printf("by servers held, with preemption: %.2f\n", preemptive.Cost.Value)
	// Output:
	// least mean wait 0.542
	// FCFS         57 % more jobs in the system
	// Window(3)     4 % more jobs in the system
	// Quickswap(1)  7 % more jobs in the system
	// [0 1]
	// simulated 0.5
	// by servers held, with preemption: 2.31
}
