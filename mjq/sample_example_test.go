package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/special"
	"github.com/mjqueue/mjq/mjq/workload"
)

func ExampleBackward() {
	m := workload.FiveClassExponential().Poisson(1.4)
	r := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 2000}, mjq.Seed(4)))
	w := r.Class("T15").Waiting
	fmt.Println(r.Solver)
	fmt.Printf("mean 12.179 within the interval: %v\n", w.Mean.Covers(12.17873163))
	fmt.Printf("nine in ten below 33.34, within the interval: %v\n", w.Quantile(0.9).Covers(33.341649))
	// Output:
	// backward, batch rule
	// mean 12.179 within the interval: true
	// nine in ten below 33.34, within the interval: true
}

func ExampleCertified() {
	m := mjq.Servers(2).Poisson(0.5).
		Class("one", 1, 0.5, mjq.ExpMean(1)).
		Class("two", 2, 0.5, mjq.Deterministic(0.5))
	r := mjq.Must(m.Solve(context.Background(), mjq.Certified{Eps: 1e-3, Samples: 200}))
	fmt.Printf("%d samples, each exact but for a probability of %g\n", r.Run.Samples, r.Run.Eps)
	// Output: 200 samples, each exact but for a probability of 0.001
}

func ExampleCertified_pathLength() {
	m := workload.OneOrAll(4, 0.25, 1, 1).Poisson(1)
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	r := mjq.Must(m.Solve(context.Background(), mjq.Certified{Samples: 200, PathLength: 10_000}))
	fmt.Println("the exact mean within the interval:", r.All.Waiting.Mean.Covers(exact.All.Waiting.Mean.Value))
	fmt.Println("worth more than a hundred single samples each:", r.All.Waiting.Effective > 100*200)
	// Output:
	// the exact mean within the interval: true
	// worth more than a hundred single samples each: true
}

func ExampleControls() {
	m := workload.FiveClassExponential().Poisson(1.6)
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	q := mjq.Forward{Jobs: 100_000, Replications: 16}
	plain := mjq.Must(m.Solve(context.Background(), q)).All.Waiting.Mean
	r := mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 100_000, Replications: 16, Controls: mjq.PlainControls}))
	fmt.Println("the exact mean within the interval:", r.All.Waiting.Mean.Covers(exact.All.Waiting.Mean.Value))
	fmt.Println("less than two thirds as wide:", r.All.Waiting.Mean.HalfWidth < 2./3*plain.HalfWidth)
	fmt.Println("the same replications would have to be more than twice as many:", r.Run.VarianceReduction > 2)
	// Output:
	// the exact mean within the interval: true
	// less than two thirds as wide: true
	// the same replications would have to be more than twice as many: true
}

func ExampleUnbiased() {
	m := workload.OneOrAll(4, 0.25, 1, 1).Poisson(1)
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	r := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: 500}))
	fmt.Println("the exact mean within the interval:", r.All.Waiting.Mean.Covers(exact.All.Waiting.Mean.Value))
	// Output: the exact mean within the interval: true
}

func ExampleUnbiased_pathLength() {
	m := workload.OneOrAll(4, 0.25, 1, 1).Poisson(1)
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	one := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: 500}))
	path := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: 500, PathLength: 10_000}))
	fmt.Println("the exact mean within the interval:", path.All.Waiting.Mean.Covers(exact.All.Waiting.Mean.Value))
	fmt.Println("at least five times as narrow:", 5*path.All.Waiting.Mean.HalfWidth < one.All.Waiting.Mean.HalfWidth)
	// Output:
	// the exact mean within the interval: true
	// at least five times as narrow: true
}

func ExampleSimulation_target() {
	m := workload.FiveClassExponential().Poisson(1)
	r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 10_000}, mjq.RelErr(0.05)))
	w := r.All.Waiting.Mean
	fmt.Printf("within 5 %%: %v; at least 32 replications: %v\n", r.Run.Met && w.HalfWidth <= 0.05*w.Value, r.Run.Samples >= 32)
	// Output: within 5 %: true; at least 32 replications: true
}

func ExampleSimulation() {
	m := workload.FiveClassExponential().Poisson(1)
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 10_000}, mjq.Seed(2)))
	fmt.Printf("%.2f servers idle, %.2f of them although a job waits; both within: %v\n", exact.Idle.Value, exact.WastedHOL.Value,
		r.Idle.Covers(exact.Idle.Value) && r.WastedHOL.Covers(exact.WastedHOL.Value))
	// Output: 10.51 servers idle, 0.90 of them although a job waits; both within: true
}

func ExampleDominated() {
	m := mjq.Servers(2).
		Poisson(2).
		Class("one", 1, 0.5, mjq.ExpRate(4)).
		Class("two", 2, 0.5, mjq.ExpRate(4))
	q := mjq.Options(mjq.Dominated{Samples: 50_000}, mjq.Seed(7))
	r := mjq.Must(m.Solve(context.Background(), q))
	exact := special.BrillGreen{Lambda1: 1, Lambda2: 1, Mu: 4}
	fmt.Printf("a sample takes %.0f jobs on average\n", mjq.Dominated{Samples: 50_000}.Cost(m))
	fmt.Printf("class two waits %.3f, we say so: %v\n", exact.MeanWaiting2(), r.Class("two").Waiting.Mean.Covers(exact.MeanWaiting2()))
	// Output:
	// a sample takes 2 jobs on average
	// class two waits 0.204, we say so: true
}

// Means without a warm-up under any policy, beside the exact ones.
func ExampleUnbiased_policies() {
	b := mjq.Servers(4).Poisson(1.2).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("all", 4, 0.2, mjq.ExpMean(0.5))
	for _, p := range []mjq.Policy{mjq.FirstFit(), mjq.Window(2), mjq.ServerFilling()} {
		m := b.Policy(p)
		r := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: 256, Window: 20, PathLength: 4000, Within: 1,
			SlowdownThreshold: 0.1}))
		exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		fmt.Printf("%-16v mean wait %.1f, exactly %.3f; %.0f %% start within 1\n", p, r.All.Waiting.Mean.Value, exact.All.Waiting.Mean.Value, 100*r.All.Waiting.ServiceLevel.Value)
	}
	// Output:
	// FirstFit         mean wait 0.4, exactly 0.397; 88 % start within 1
	// Window(2)        mean wait 0.4, exactly 0.447; 85 % start within 1
	// ServerFilling    mean wait 0.2, exactly 0.198; 93 % start within 1
}

func ExampleRareEvent() {
	m := mjq.Servers(4).Poisson(1).
		Class("small", 1, 0.8, mjq.ExpMean(1)).
		Class("wide", 4, 0.2, mjq.ExpMean(1))
	ctx := context.Background()
	r := mjq.Must(m.Solve(ctx, mjq.RareEvent{Wait: 30, Jobs: 20_000}))
	exact := mjq.Must(m.Solve(ctx, mjq.Exact{}))
	p, truth := r.All.Waiting.Survival(30), exact.All.Waiting.Survival(30)
	fmt.Println("less than one in a million:", truth.Value < 1e-6)
	fmt.Println("covered by the interval:", p.Covers(truth.Value))
	// Output:
	// less than one in a million: true
	// covered by the interval: true
}
