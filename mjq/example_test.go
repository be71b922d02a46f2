package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

func Example() {
	ctx := context.Background()
	m := mjq.Servers(20).
		Poisson(1.4).
		Class("T1", 1, 0.50, mjq.ExpMean(0.5)).
		Class("T2", 2, 0.10, mjq.ExpMean(0.83)).
		Class("T5", 5, 0.20, mjq.ExpMean(1.25)).
		Class("T10", 10, 0.19, mjq.ExpMean(3.33)).
		Class("T15", 15, 0.01, mjq.ExpMean(10))
	st := mjq.Must(m.Stability(ctx))
	r := mjq.Must(m.Solve(ctx, mjq.Backward{Samples: 4000}, mjq.Seed(7)))
	fmt.Printf("stable below %.2f, %.2f without blocking\n", st.Rate, st.IdealRate)
	fmt.Printf("T15 waits 12.2 on average, we say so: %v\n", r.Class("T15").Waiting.Mean.Covers(12.18))
	// Output:
	// stable below 1.80, 2.11 without blocking
	// T15 waits 12.2 on average, we say so: true
}

func ExampleServers() {
	common := mjq.Servers(4).Poisson(1).Class("one", 1, 0.5, mjq.ExpMean(1))
	m := common.Class("all", 4, 0.5, mjq.Deterministic(0.5))
	fmt.Print(m)
	// Output:
	// FCFS multiserver-job queue: 4 servers, 2 job classes, Poisson arrivals of rate 1 (offered load 0.375)
	// class  servers  probability  mean service  SCV  service law
	// one          1          0.5           1      1  ExpMean(1)
	// all          4          0.5           0.5    0  Deterministic(0.5)
}

func ExampleModel_Err() {
	err := mjq.Servers(4).Class("wide", 5, 0.7, mjq.ExpMean(1)).Err()
	fmt.Println(err)
	// Output:
	// mjq: the model has 2 faults:
	// class 1 "wide": need 5 exceeds the 4 servers; such a job could never start
	// the class probabilities sum to 0.7, not 1; scale them, or add the class that is missing
}

func ExampleModel_AtLoad() {
	m := mjq.Servers(3).Class("three", 3, 1, mjq.ExpMean(2))
	busy := m.AtLoad(0.9) // computes nothing
	r := mjq.Must(busy.Solve(context.Background(), mjq.Exact{}))
	fmt.Printf("limit %g, at load %g the rate is %.2f\n", r.Limit.Rate, busy.Load(), r.Rate)
	// Output: limit 0.5, at load 0.9 the rate is 0.45
}

func ExampleModel_Stability() {
	m := mjq.Servers(12).
		Class("one", 1, 0.6, mjq.ErlangMeanPhases(1, 3)).
		Class("five", 5, 0.4, mjq.ErlangMeanPhases(1, 2))
	exact := mjq.Must(m.Stability(context.Background()))
	pile := mjq.Must(m.Stability(context.Background(), mjq.Pile{}, mjq.RelErr(0.02)))
	fmt.Printf("%.8f by the %s\n", exact.Rate, exact.Method)
	fmt.Printf("%.2f by the %s; the exact one within: %v\n", pile.Rate, pile.Method, pile.Estimate().Covers(exact.Rate))
	// Output:
	// 4.12185586 by the saturated-chain
	// 4.12 by the pile; the exact one within: true
}

func ExampleExact() {
	m := workload.FiveClassExponential().Poisson(1.4)
	r := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
	w := r.Class("T15").Waiting
	fmt.Printf("mean %.8f, nine in ten below %.6f, no wait for %.6f\n", w.Mean.Value, w.Quantile(0.9).Value, w.CDF(0).Value)
	// Output: mean 12.17873163, nine in ten below 33.341649, no wait for 0.173234
}

func ExampleModel_HeavyTraffic() {
	m := workload.OneOrAll(10, 0.1, 1, 1)
	h := mjq.Must(m.HeavyTraffic(context.Background()))
	fmt.Printf("(1-ρ) E[N] tends to %.7f\n", h.RelativeCompletions+1)
	// Output: (1-ρ) E[N] tends to 3.2486680
}

func ExampleForward() {
	m := mjq.Servers(1).Poisson(0.5).Class("one", 1, 1, mjq.ExpMean(1))
	r := mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 50_000, Replications: 20}))
	fmt.Printf("M/M/1 at load 0.5: mean wait within its interval of 1: %v\n", r.All.Waiting.Mean.Covers(1))
	// Output: M/M/1 at load 0.5: mean wait within its interval of 1: true
}

func ExampleTable() {
	t := result.NewTable("Two queues").Text("queue", "short", "long").
		Estimates("mean wait", result.Estimate{Value: 1.234, HalfWidth: 0.056}, result.Estimate{Value: 17.3, HalfWidth: 1.2})
	fmt.Print(t)
	fmt.Print(t.CSV())
	// Output:
	// Two queues
	// queue       mean wait
	// short   1.234 ± 0.056
	// long   17.3   ± 1.2
	// queue,mean wait,mean wait half-width
	// short,1.234,0.056
	// long,17.3,1.2
}

func ExampleModel_Path() {
	m := mjq.Servers(3).Arrivals(mjq.Deterministic(1)).
		Class("all", 3, 0.5, mjq.Deterministic(1)).
		Class("one", 1, 0.5, mjq.Deterministic(3))
	p, err := m.Path(context.Background(), 0, 4, mjq.Seed(3))
	if err != nil {
		panic(err)
	}
	for _, j := range p.Jobs {
		fmt.Printf("%s arrives at %v, starts at %v on servers %v\n", p.Classes[j.Class], j.Arrival, j.Start, j.Seized)
	}
	for _, b := range p.Blocked() {
		fmt.Printf("server %d is idle from %v to %v although job %d waits\n", b.Server, b.From, b.To, b.Job)
	}
	// Output:
	// one arrives at 0, starts at 0 on servers [0]
	// one arrives at 1, starts at 1 on servers [1]
	// one arrives at 2, starts at 2 on servers [2]
	// all arrives at 3, starts at 5 on servers [0 1 2]
	// server 0 is idle from 3 to 5 although job 3 waits
	// server 1 is idle from 4 to 5 although job 3 waits
}

// A program for any machine: the GPU where there is one and the build has the
// tag cuda, else the cores. The digits are the same.
func ExampleProcessor() {
	m := mjq.Servers(4).Poisson(0.7).
		Class("small", 1, 0.8, mjq.ExpMean(1)).
		Class("large", 4, 0.2, mjq.ExpMean(1))
	r := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 1000, Device: mjq.Auto}, mjq.Seed(7)))
	fmt.Printf("%.3f\n", r.Class("large").Waiting.Mean.Value)
	// Output:
	// 0.943
}
