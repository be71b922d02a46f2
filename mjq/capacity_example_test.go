package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// Five servers and jobs of two and of three: what any policy can carry at most, and how.
func ExampleModel_Capacity() {
	m := mjq.Must(mjq.Servers(5).Class("two", 2, 0.6, mjq.ExpRate(1)).Class("three", 3, 0.4, mjq.ExpRate(1.5)).Build())
	ctx := context.Background()
	c := mjq.Must(m.Capacity().Run(ctx))
	fmt.Print(c.Table())
	fmt.Printf("a running job takes %.4f or %.4f of the system\n", c.Needs[0].Price, c.Needs[1].Price)
	fmt.Printf("FCFS carries %.4f of it\n", c.Load(mjq.Must(m.Limit(ctx)).Rate))
	// Output:
	// Schedules that attain the capacity
	// share of time  need 2  need 3
	//      0.615385       1       1
	//      0.384615       2       0
	// no policy is stable from λ = 2.307692308 jobs per unit of time on; 2.5 if jobs could be cut; 0.3846 servers idle for want of jobs that fit
	// a running job takes 0.5000 or 0.5000 of the system
	// FCFS carries 0.9135 of it
}
