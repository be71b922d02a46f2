package mjq_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

func ExampleResources() {
	ctx := context.Background()
	c := mjq.Resources("cpu", 20).Resources("gpu", 4).
		Poisson(1.5).
		Needing("batch", mjq.Needs{"cpu": 3}, 0.6, mjq.ExpMean(1)).
		Needing("train", mjq.Needs{"cpu": 8, "gpu": 2}, 0.4, mjq.ExpMean(2))
	fmt.Print(c)
	fmt.Printf("stable below %.2f, %.2f without blocking\n", mjq.Must(c.Stability(context.Background())).Rate, c.IdealRate())
	r := mjq.Must(c.Solve(ctx, mjq.Backward{Samples: 2000}))
	fmt.Printf("busy: %.3f of the cpus, %.3f of the gpus\n", r.Resource("cpu").Utilization.Value, r.Resource("gpu").Utilization.Value)
	// Output:
	// FCFS multiserver-job queue: 20 cpu, 4 gpu, 2 job classes, Poisson arrivals of rate 1.5 (offered load 0.615)
	// class  cpu  gpu  probability  mean service  SCV  service law
	// batch    3    0          0.6             1    1  ExpMean(1)
	// train    8    2          0.4             2    1  ExpMean(2)
	// stable below 2.13, 2.44 without blocking
	// busy: 0.615 of the cpus, 0.600 of the gpus
}

// Policies on types of resources: which jobs of the queue fit.
func ExampleResources_policies() {
	b := mjq.Resources("cpu", 20).Resources("gpu", 4).Poisson(1.9).
		Needing("batch", mjq.Needs{"cpu": 3}, 0.6, mjq.ExpMean(1)).
		Needing("train", mjq.Needs{"cpu": 8, "gpu": 2}, 0.4, mjq.ExpMean(2))
	for _, p := range []mjq.Policy{mjq.FCFS(), mjq.EASY(), mjq.FirstFit(), mjq.MaxWeight()} {
		r := mjq.Must(b.Policy(p).Solve(context.Background(), mjq.Simulation{Jobs: 20_000, Replications: 8}, mjq.Seed(1)))
		fmt.Printf("%-9v mean wait %4.1f, idle gpus while a job waits %.2f\n", p, r.All.Waiting.Mean.Value, r.Resource("gpu").WastedHOL.Value)
	}
	err := b.Policy(mjq.ServerFilling()).Err()
	fmt.Println(strings.Fields(err.Error())[6:12])
	// Output:
	// FCFS      mean wait  5.7, idle gpus while a job waits 0.38
	// EASY      mean wait  2.3, idle gpus while a job waits 0.18
	// FirstFit  mean wait  2.2, idle gpus while a job waits 0.21
	// MaxWeight mean wait  1.8, idle gpus while a job waits 0.21
	// [policy ServerFilling does not know types]
}

func ExampleModel_Needing() {
	err := mjq.Resources("cpu", 8).Resources("gpu", 1).Needing("train", mjq.Needs{"cpu": 4, "gpus": 2}, 1, mjq.ExpMean(1)).Err()
	fmt.Println(err)
	// Output:
	// mjq: the model has 1 fault:
	// class 1 "train": needs "gpus", which is not among the resources cpu, gpu
}

func ExampleModel_Specific() {
	c := mjq.Servers(4).
		Class("any", 2, 0.6, mjq.ExpMean(1)).
		Specific("licence", mjq.Pick{Any: 1, Named: []int{1}}, 0.3, mjq.ExpMean(1)).
		Specific("spread", mjq.Pick{Random: 2}, 0.1, mjq.ExpMean(1))
	fmt.Print(c)
	// Output:
	// FCFS multiserver-job queue with specific servers: 4 servers, 3 job classes, no arrivals given
	// class    servers           probability  mean service  SCV  service law
	// any      2 any                     0.6             1    1  ExpMean(1)
	// licence  1 any + server 1          0.3             1    1  ExpMean(1)
	// spread   2 at random               0.1             1    1  ExpMean(1)
}

func ExampleModel_AsPrinted() {
	c := mjq.Resources("a", 2).Resources("b", 1).
		Needing("both a", mjq.Needs{"a": 2}, 0.4, mjq.ExpMean(1)).
		Needing("an a", mjq.Needs{"a": 1}, 0.3, mjq.ExpMean(1)).
		Needing("b", mjq.Needs{"b": 1}, 0.3, mjq.ExpMean(1))
	jobs := []mjq.Job{{Class: "both a", Service: 4, Gap: 1}, {Class: "an a", Service: 2}, {Class: "b", Service: 1}}
	fmt.Println("first come first served", mjq.Must(c.Waits(jobs...)))
	fmt.Println("as printed             ", mjq.Must(c.AsPrinted().Waits(jobs...)))
	// Output:
	// first come first served [0 3 3]
	// as printed              [0 3 0]
}

func ExampleModel_RandomAssignment() {
	m := workload.FiveClassExponential()
	st := mjq.Must(m.RandomAssignment().Stability(context.Background()))
	fmt.Printf("stable below %.2f instead of %.2f\n", st.Rate, mjq.Must(m.Stability(context.Background())).Rate)
	// Output: stable below 0.95 instead of 1.80
}
