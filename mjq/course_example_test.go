package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// A day of four shifts: waits follow the rate with a delay, and are longest after noon.
func ExampleModel_ByTime_exact() {
	m := mjq.Servers(4).Profile(24, 0.2, 1, 3, 1).
		Class("small", 1, 0.7, mjq.ExpMean(0.8)).
		Class("wide", 3, 0.3, mjq.ExpMean(1))
	day := mjq.Must(m.ByTime(context.Background(), 4, mjq.Exact{}))
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
func ExampleModel_ByTime() {
	m := mjq.Servers(4).Profile(24, 0.2, 1, 3, 1).
		Class("small", 1, 0.7, mjq.ExpMean(0.8)).
		Class("wide", 3, 0.3, mjq.ExpMean(1))
	ctx := context.Background()
	simulated := mjq.Must(m.ByTime(ctx, 4, mjq.Simulation{Jobs: 5000}))
	sampled := mjq.Must(m.ByTime(ctx, 4, mjq.Backward{Samples: 128}))
	noon := simulated.Parts[2].Class("wide").Waiting.Mean
	fmt.Println(noon.Value > 1, sampled.Parts[2].Class("wide").Waiting.Mean.Value > 1)
	// Output: true true
}

// A job of three servers runs, and four jobs wait: what happens in the next two hours?
func ExampleModel_Transient() {
	m := mjq.Servers(4).Poisson(1.2).
		Class("small", 1, 0.7, mjq.ExpMean(0.8)).
		Class("wide", 3, 0.3, mjq.ExpMean(1))
	now := mjq.State{
		Running: []mjq.Running{{Class: "wide", Age: 0.5}},
		Line:    []string{"wide", "small", "small", "wide"},
	}
	ctx := context.Background()
	exact := mjq.Must(m.Transient(ctx, now, mjq.Horizon{Until: 2, Parts: 2}, mjq.Exact{}))
	for _, p := range exact.Parts {
		fmt.Printf("by hour %g: %.2f jobs, a new one waits %.2f, the line has been cleared with probability %.2f\n",
			p.To, p.MeanJobs.Value, p.All.Waiting.Mean.Value, p.Cleared.Value)
	}
	seen := mjq.Must(m.Transient(ctx, now, mjq.Horizon{Until: 2, Parts: 2}, mjq.Simulation{Replications: 2000}))
	fmt.Printf("the jobs in line start in that order, the last after %.1f hours\n", seen.Line[3].Mean.Value)
	// Output:
	// by hour 1: 4.94 jobs, a new one waits 2.45, the line has been cleared with probability 0.11
	// by hour 2: 4.51 jobs, a new one waits 2.01, the line has been cleared with probability 0.32
	// the jobs in line start in that order, the last after 2.1 hours
}
