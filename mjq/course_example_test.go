package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// A day of four shifts: waits follow the rate with a delay, and are longest after noon.
func ExampleExactQuery_ByTime() {
	m := mjq.Must(mjq.Servers(4).Profile(24, 0.2, 1, 3, 1).
		Class("small", 1, 0.7, mjq.ExpMean(0.8)).
		Class("wide", 3, 0.3, mjq.ExpMean(1)).
		Build())
	day := mjq.Must(m.Exact().ByTime(4).Run(context.Background()))
	for _, p := range day.Parts {
		fmt.Printf("%2g h to %2g h: rate %.1f, mean wait %.2f\n", p.From, p.To, p.Rate, p.All.Waiting.Mean.Value)
	}
	// Output:
	// 0 h to  6 h: rate 0.2, mean wait 0.50
	//  6 h to 12 h: rate 1.0, mean wait 0.28
	// 12 h to 18 h: rate 3.0, mean wait 1.69
	// 18 h to 24 h: rate 1.0, mean wait 1.86
}

// The same by simulation, which takes any policy, and by samples from the past.
func ExampleSimulateQuery_ByTime() {
	m := mjq.Must(mjq.Servers(4).Profile(24, 0.2, 1, 3, 1).
		Class("small", 1, 0.7, mjq.ExpMean(0.8)).
		Class("wide", 3, 0.3, mjq.ExpMean(1)).
		Build())
	ctx := context.Background()
	simulated := mjq.Must(m.Simulate().Jobs(20_000).ByTime(4).Run(ctx))
	sampled := mjq.Must(m.Sample().N(512).ByTime(4).Run(ctx))
	noon := simulated.Parts[2].Class("wide").Waiting.Mean
	fmt.Println(noon.Value > 1, sampled.Parts[2].Class("wide").Waiting.Mean.Value > 1)
	// Output: true true
}

// A job of three servers runs, and four jobs wait: what happens in the next two hours?
func ExampleSimulateQuery_From() {
	m := mjq.Must(mjq.Servers(4).Poisson(1.2).
		Class("small", 1, 0.7, mjq.ExpMean(0.8)).
		Class("wide", 3, 0.3, mjq.ExpMean(1)).
		Build())
	now := mjq.State{
		Running: []mjq.Running{{Class: "wide", Age: 0.5}},
		Line:    []string{"wide", "small", "small", "wide"},
	}
	ctx := context.Background()
	exact := mjq.Must(m.Exact().From(now).Until(2).Parts(2).Run(ctx))
	for _, p := range exact.Parts {
		fmt.Printf("by hour %g: %.2f jobs, a new one waits %.2f, the line has been cleared with probability %.2f\n",
			p.To, p.MeanJobs.Value, p.All.Waiting.Mean.Value, p.Cleared.Value)
	}
	seen := mjq.Must(m.Simulate().Replications(2000).From(now).Until(2).Parts(2).Run(ctx))
	fmt.Printf("the jobs in line start in that order, the last after %.1f hours\n", seen.Line[3].Mean.Value)
	// Output:
	// by hour 1: 4.94 jobs, a new one waits 2.45, the line has been cleared with probability 0.11
	// by hour 2: 4.51 jobs, a new one waits 2.01, the line has been cleared with probability 0.32
	// the jobs in line start in that order, the last after 2.1 hours
}
