package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

func ExampleSampleQuery_Backward() {
	m := mjq.Must(mjq.FiveClassExponential().Poisson(1.4).Build())
	r := mjq.Must(m.Sample().Backward().N(2000).Seed(4).Run(context.Background()))
	w := r.Class("T15").Waiting
	fmt.Println(r.Solver)
	fmt.Printf("mean 12.179 within the interval: %v\n", w.Mean.Covers(12.17873163))
	fmt.Printf("nine in ten below 33.34, within the interval: %v\n", w.Quantile(0.9).Covers(33.341649))
	// Output:
	// backward, batch rule
	// mean 12.179 within the interval: true
	// nine in ten below 33.34, within the interval: true
}

func ExampleSampleQuery_Certified() {
	m := mjq.Must(mjq.Servers(2).Poisson(0.5).
		Class("one", 1, 0.5, mjq.ExpMean(1)).
		Class("two", 2, 0.5, mjq.Deterministic(0.5)).Build())
	r := mjq.Must(m.Sample().Certified(1e-3).N(200).Run(context.Background()))
	fmt.Printf("%d samples, each exact but for a probability of %g\n", r.Run.Samples, r.Run.Eps)
	// Output: 200 samples, each exact but for a probability of 0.001
}

func ExampleSampleQuery_PathLength() {
	m := mjq.Must(mjq.OneOrAll(4, 0.25, 1, 1).Poisson(1).Build())
	exact := mjq.Must(m.Exact().MomentsOnly().Run(context.Background()))
	r := mjq.Must(m.Sample().Certified(1e-6).N(200).PathLength(10_000).Run(context.Background()))
	fmt.Println("the exact mean within the interval:", r.All.Waiting.Mean.Covers(exact.All.Waiting.Mean.Value))
	fmt.Println("worth more than a hundred single samples each:", r.All.Waiting.Effective > 100*200)
	// Output:
	// the exact mean within the interval: true
	// worth more than a hundred single samples each: true
}

func ExampleSampleQuery_ControlVariates() {
	m := mjq.Must(mjq.FiveClassExponential().Poisson(1.6).Build())
	exact := mjq.Must(m.Exact().MomentsOnly().Run(context.Background()))
	q := m.Sample().Forward().Jobs(300_000).Replications(16)
	plain := mjq.Must(q.Run(context.Background())).All.Waiting.Mean
	r := mjq.Must(q.ControlVariates().Run(context.Background()))
	fmt.Println("the exact mean within the interval:", r.All.Waiting.Mean.Covers(exact.All.Waiting.Mean.Value))
	fmt.Println("less than two thirds as wide:", r.All.Waiting.Mean.HalfWidth < 2./3*plain.HalfWidth)
	fmt.Println("the same replications would have to be more than twice as many:", r.Run.Gain > 2)
	// Output:
	// the exact mean within the interval: true
	// less than two thirds as wide: true
	// the same replications would have to be more than twice as many: true
}

func ExampleSampleQuery_Unbiased() {
	m := mjq.Must(mjq.OneOrAll(4, 0.25, 1, 1).Poisson(1).Build())
	exact := mjq.Must(m.Exact().MomentsOnly().Run(context.Background()))
	r := mjq.Must(m.Sample().Unbiased().N(500).Run(context.Background()))
	fmt.Println("the exact mean within the interval:", r.All.Waiting.Mean.Covers(exact.All.Waiting.Mean.Value))
	// Output: the exact mean within the interval: true
}

func ExampleSampleQuery_PathLength_unbiased() {
	m := mjq.Must(mjq.OneOrAll(4, 0.25, 1, 1).Poisson(1).Build())
	exact := mjq.Must(m.Exact().MomentsOnly().Run(context.Background()))
	one := mjq.Must(m.Sample().Unbiased().N(500).Run(context.Background()))
	path := mjq.Must(m.Sample().Unbiased().N(500).PathLength(10_000).Run(context.Background()))
	fmt.Println("the exact mean within the interval:", path.All.Waiting.Mean.Covers(exact.All.Waiting.Mean.Value))
	fmt.Println("at least five times as narrow:", 5*path.All.Waiting.Mean.HalfWidth < one.All.Waiting.Mean.HalfWidth)
	// Output:
	// the exact mean within the interval: true
	// at least five times as narrow: true
}

func ExampleSimulateQuery_target() {
	m := mjq.Must(mjq.FiveClassExponential().Poisson(1).Build())
	r := mjq.Must(m.Simulate().Jobs(10_000).RelErr(0.05).Run(context.Background()))
	w := r.All.Waiting.Mean
	fmt.Printf("within 5 %%: %v; at least 32 replications: %v\n", r.Run.Met && w.HalfWidth <= 0.05*w.Value, r.Run.Samples >= 32)
	// Output: within 5 %: true; at least 32 replications: true
}

func ExampleModel_Simulate() {
	m := mjq.Must(mjq.FiveClassExponential().Poisson(1).Build())
	exact := mjq.Must(m.Exact().MomentsOnly().Run(context.Background()))
	r := mjq.Must(m.Simulate().Jobs(10_000).Seed(2).Run(context.Background()))
	fmt.Printf("%.2f servers idle, %.2f of them although a job waits; both within: %v\n", exact.Idle.Value, exact.WastedHOL.Value,
		r.Idle.Covers(exact.Idle.Value) && r.WastedHOL.Covers(exact.WastedHOL.Value))
	// Output: 10.51 servers idle, 0.90 of them although a job waits; both within: true
}

func ExampleSampleQuery_Dominated() {
	m := mjq.Must(mjq.Servers(2).
		Poisson(2).
		Class("one", 1, 0.5, mjq.ExpRate(4)).
		Class("two", 2, 0.5, mjq.ExpRate(4)).
		Build())
	q := m.Sample().Dominated().N(50_000).Seed(7)
	r := mjq.Must(q.Run(context.Background()))
	exact := mjq.BrillGreen(1, 1, 4)
	fmt.Printf("a sample takes %.0f jobs on average\n", q.Cost())
	fmt.Printf("class two waits %.3f, we say so: %v\n", exact.MeanWaiting2(), r.Class("two").Waiting.Mean.Covers(exact.MeanWaiting2()))
	// Output:
	// a sample takes 2 jobs on average
	// class two waits 0.204, we say so: true
}

// Means without a warm-up under any policy, beside the exact ones.
func ExampleSampleQuery_Unbiased_policies() {
	b := mjq.Servers(4).Poisson(1.2).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("all", 4, 0.2, mjq.ExpMean(0.5))
	for _, p := range []mjq.Policy{mjq.FirstFit(), mjq.Window(2), mjq.ServerFilling()} {
		m := mjq.Must(b.Policy(p).Build())
		r := mjq.Must(m.Sample().Unbiased().N(256).Window(20).PathLength(4000).InTime(1).SlowdownThreshold(0.1).Run(context.Background()))
		exact := mjq.Must(m.Exact().Run(context.Background()))
		fmt.Printf("%-16v mean wait %.1f, exactly %.3f; %.0f %% start within 1\n", p, r.All.Waiting.Mean.Value, exact.All.Waiting.Mean.Value, 100*r.All.WaitingInTime.Value)
	}
	// Output:
	// FirstFit         mean wait 0.4, exactly 0.397; 88 % start within 1
	// Window(2)        mean wait 0.4, exactly 0.447; 85 % start within 1
	// ServerFilling    mean wait 0.2, exactly 0.198; 93 % start within 1
}

func ExampleSampleQuery_Rare() {
	m := mjq.Must(mjq.Servers(4).Poisson(1).
		Class("small", 1, 0.8, mjq.ExpMean(1)).
		Class("wide", 4, 0.2, mjq.ExpMean(1)).Build())
	ctx := context.Background()
	r := mjq.Must(m.Sample().Rare(30).Jobs(20_000).Run(ctx))
	exact := mjq.Must(m.Exact().Run(ctx))
	p, truth := r.All.Waiting.Survival(30), exact.All.Waiting.Survival(30)
	fmt.Println("less than one in a million:", truth.Value < 1e-6)
	fmt.Println("covered by the interval:", p.Covers(truth.Value))
	// Output:
	// less than one in a million: true
	// covered by the interval: true
}
