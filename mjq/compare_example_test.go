package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// Which policy is better, with the same jobs for all: the interval of a difference says
// more than the two intervals alone.
func ExampleCompare() {
	m := mjq.Servers(4).Poisson(1).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(1.5))
	c := mjq.Must(mjq.Compare(context.Background(), m, []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), mjq.EASY(), mjq.ServerFilling()},
		mjq.Simulation{Jobs: 20_000, WarmUp: 4000, Replications: 16, SlowdownThreshold: 0.1, Within: 1}, mjq.Seed(1)))
	for i, name := range c.Policies {
		fmt.Printf("%-13s mean wait %.1f, of big jobs %.1f\n", name, c.Results[i].All.Waiting.Mean.Value, c.Of(name).Class("big").Waiting.Mean.Value)
	}
	d := c.Only("EASY", "FirstFit").Between("EASY", "FirstFit")
	fmt.Printf("big jobs wait longer under FirstFit than under EASY: %v\n", d.Classes[1].Waiting.Hi() < 0)
	fmt.Printf("the best is at %.1f times the lower bound\n", c.Of("ServerFilling").All.Response.Mean.Value/c.Bound.Response.Value)
	// Output:
	// FCFS          mean wait 2.2, of big jobs 2.9
	// FirstFit      mean wait 1.2, of big jobs 2.8
	// EASY          mean wait 1.2, of big jobs 2.3
	// ServerFilling mean wait 1.2, of big jobs 0.8
	// big jobs wait longer under FirstFit than under EASY: true
	// the best is at 2.1 times the lower bound
}
