package mjq_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// Which policy is better, with the same jobs for all: the interval of a difference says
// more than the two intervals alone.
func ExampleCompare() {
	m := mjq.Must(mjq.Servers(4).Poisson(1).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(1.5)).Build())
	c := mjq.Must(mjq.Compare(m, mjq.FCFS(), mjq.FirstFit(), mjq.EASY(), mjq.ServerFilling()).
		Jobs(20_000).WarmUp(4000).Replications(16).SlowdownThreshold(0.1).InTime(1).Seed(1).Run(context.Background()))
	for i, name := range c.Policies {
		fmt.Printf("%-13s mean wait %.1f, of big jobs %.1f\n", name, c.Results[i].All.Waiting.Mean.Value, c.Of(name).Class("big").Waiting.Mean.Value)
	}
	d := c.Between("EASY", "FirstFit")
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

// A log under several policies, beside the waits that it holds.
func ExampleCompareReplay() {
	const jobs = "arrival,servers,service,estimate,wait\n0,3,6,9,0\n1,4,2,2,9\n2,1,5,5,0\n3,1,3,8,8\n"
	log := mjq.Must(trace.ReadCSV("jobs.csv", strings.NewReader(jobs), trace.CSV{}))
	c := mjq.Must(mjq.CompareReplay(log, 4, mjq.FCFS(), mjq.FirstFit(), policy.EASY().Estimates(policy.Given())).Run(context.Background()))
	for i, name := range c.Policies {
		fmt.Printf("%s: mean wait %g, of the job of four %g\n", name, c.Results[i].All.Waiting.Mean.Value, c.Results[i].Class("T4").Waiting.Mean.Value)
	}
	// Output:
	// FCFS: mean wait 4, of the job of four 5
	// FirstFit: mean wait 2.75, of the job of four 8
	// EASY.Estimates(Given()): mean wait 3, of the job of four 6
	// as logged: mean wait 4.25, of the job of four 9
}
