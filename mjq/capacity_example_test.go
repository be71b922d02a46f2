package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// Five servers and jobs of two and of three: what any policy can carry at most, and how.
func ExampleModel_Capacity() {
	m := mjq.Servers(5).Class("two", 2, 0.6, mjq.ExpRate(1)).Class("three", 3, 0.4, mjq.ExpRate(1.5))
	ctx := context.Background()
	c := mjq.Must(m.Capacity(ctx))
	fmt.Print(c.Table())
	fmt.Printf("a running job takes %.4f or %.4f of the system\n", c.Needs[0].Price, c.Needs[1].Price)
	fmt.Printf("FCFS carries %.4f of it\n", c.Load(mjq.Must(m.Stability(ctx)).Rate))
	// Output:
	// Schedules that attain the capacity
	// share of time  need 2  need 3
	//         0.615       1       1
	//         0.385       2       0
	// no policy is stable from λ = 2.307692308 jobs per unit of time on; 2.5 if jobs could be cut; 0.3846 servers idle for want of jobs that fit
	// a running job takes 0.5000 or 0.5000 of the system
	// FCFS carries 0.9135 of it
}

// Schedules drawn by a chain that never looks at the queue carry as much as any policy,
// here more than first come first served, and are solved for any number of needs.
func ExampleMSR() {
	m := mjq.Servers(4).Poisson(2.2).Class("small", 1, 0.8, mjq.ExpRate(1)).Class("big", 4, 0.2, mjq.ExpRate(2))
	ctx := context.Background()
	most := mjq.Must(m.Capacity(ctx))
	for _, rate := range []float64{0.1, 1, 10} {
		r := mjq.Must(m.Policy(mjq.CapacityPolicy(most, rate)).Solve(ctx, mjq.Exact{}))
		fmt.Printf("drawn at rate %g: mean response %.3f, stable below %.4f\n", rate, r.All.Response.Mean.Value, r.Limit.Rate)
	}
	r := mjq.Must(m.Policy(mjq.MSR([][]int{{4, 0}, {0, 1}}, [][]float64{{-1, 1}, {2, -2}})).Solve(ctx, mjq.Exact{}))
	fmt.Printf("two thirds of the time for the small: %.3f of the servers busy\n", r.Utilization.Value)
	s := mjq.Must(m.Policy(mjq.CapacityPolicy(most, 10)).Solve(ctx, mjq.Simulation{Jobs: 20_000, Replications: 8}))
	fmt.Printf("simulated at rate 10: %.1f\n", s.All.Response.Mean.Value)
	turns := mjq.MSR([][]int{{4, 0}, {0, 1}}, [][]float64{{-1, 1}, {2, -2}})
	fmt.Printf("%v: stable below %.4f\n", turns, mjq.Must(m.Policy(turns).Stability(ctx)).Rate)
	// Output:
	// drawn at rate 0.1: mean response 25.790, stable below 3.3333
	// drawn at rate 1: mean response 4.667, stable below 3.3333
	// drawn at rate 10: mean response 2.623, stable below 3.3333
	// two thirds of the time for the small: 0.660 of the servers busy
	// simulated at rate 10: 2.6
	// MSR(2 schedules): stable below 3.3333
}
