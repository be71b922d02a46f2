package mjq_test

import (
	"context"
	"fmt"
	"regexp"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/policy"
)

// The same queue under several policies, with the same jobs.
func ExampleModel_Policy() {
	b := mjq.Servers(4).Poisson(0.7).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(2))
	for _, p := range []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), mjq.EASY(), mjq.MostServersFirst(), mjq.Quickswap(0), mjq.ServerFilling()} {
		m := b.Policy(p)
		r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 20_000, Replications: 8}, mjq.Seed(1)))
		fmt.Printf("%-18v mean wait %.1f, of big jobs %.1f\n", p, r.All.Waiting.Mean.Value, r.Class("big").Waiting.Mean.Value)
	}
	// Output:
	// FCFS               mean wait 1.6, of big jobs 2.2
	// FirstFit           mean wait 1.1, of big jobs 2.3
	// EASY               mean wait 1.2, of big jobs 2.0
	// MostServersFirst   mean wait 1.4, of big jobs 1.6
	// Quickswap(0)       mean wait 1.4, of big jobs 1.6
	// ServerFilling      mean wait 1.3, of big jobs 0.9
}

// Urgent jobs first: without preemption, and with it. Jobs that are not named come last.
func ExamplePriority() {
	m := mjq.Servers(8).Poisson(1.5).Class("urgent", 6, 0.2, mjq.ExpMean(1)).Class("normal", 2, 0.8, mjq.ExpMean(1))
	first := mjq.Priority([]string{"urgent"})
	for _, p := range []mjq.Policy{first, first.Passing(), first.Within(mjq.EASY()), first.Preemptive(mjq.Resume), first.Preemptive(mjq.Restart).Exempt(0.5)} {
		r := mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Simulation{Jobs: 20_000, Replications: 8}, mjq.Seed(1)))
		fmt.Printf("%v: urgent jobs wait %.2f, others %.2f\n", p, r.Class("urgent").Waiting.Mean.Value, r.Class("normal").Waiting.Mean.Value)
	}
	// Output:
	// Priority(urgent): urgent jobs wait 0.72, others 0.71
	// Priority(urgent).Passing(): urgent jobs wait 0.87, others 0.27
	// Priority(urgent).Within(EASY): urgent jobs wait 0.69, others 0.34
	// Priority(urgent).Preemptive(resume): urgent jobs wait 0.41, others 0.41
	// Priority(urgent).Preemptive(restart).Exempt(0.5): urgent jobs wait 0.45, others 0.94
}

// Every policy, by name; Methods says what can be asked under it.
func ExampleModel_Policy_own() {
	m := mjq.Servers(8).Poisson(1).Class("one", 1, 0.9, mjq.ExpMean(1)).Class("all", 8, 0.1, mjq.ExpMean(1))
	for _, p := range []mjq.Policy{mjq.Backfill(2), mjq.Conservative(), mjq.Window(3), mjq.LeastServersFirst(), mjq.ArmedQuickswap(2),
		mjq.AdaptiveQuickswap(), mjq.PreemptiveFirstFit(), mjq.PreemptiveMostServersFirst(), mjq.PreemptiveLeastServersFirst(), mjq.MaxWeight()} {
		r := mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Simulation{Jobs: 5000, Replications: 4}))
		fmt.Println(p, r.All.Waiting.Mean.Value < 5)
	}
	fmt.Println(mjq.Must(m.Policy(mjq.MaxWeight()).Methods(context.Background())).Columns[2].Cells[3])
	// Output:
	// Backfill(2) true
	// Conservative true
	// Window(3) true
	// LeastServersFirst true
	// ArmedQuickswap(2) true
	// AdaptiveQuickswap true
	// PreemptiveFirstFit true
	// PreemptiveMostServersFirst true
	// PreemptiveLeastServersFirst true
	// MaxWeight true
	// policy MaxWeight: Backward takes first come first served only; use mjq.Exact{}, mjq.Unbiased{} or mjq.Simulation{}
}

// Who overtakes whom under First-Fit, and what else a simulation tells of a policy.
func ExampleSimulation_overtaking() {
	m := mjq.Servers(3).Poisson(1.2).Class("one", 1, 0.8, mjq.ExpMean(1)).Class("two", 2, 0.2, mjq.ExpMean(1)).Policy(policy.FirstFit{})
	r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 20_000, Replications: 8, Overtaking: true, Within: 1,
		SlowdownThreshold: 0.5}))
	fmt.Printf("a job of one server overtakes %.2f jobs of two, one of two %.2f of one\n", r.Overtaking[0][1].Value, r.Overtaking[1][0].Value)
	fmt.Printf("%.2f start within 1, slowdown %.1f\n", r.All.Waiting.ServiceLevel.Value, r.All.Slowdown.Mean.Value)
	// Output:
	// a job of one server overtakes 0.13 jobs of two, one of two 0.00 of one
	// 0.91 start within 1, slowdown 1.3
}

// Arrivals that come in bursts, in batches, by the hour, or in an order of classes: at
// the same rate, waits are not the same.
func ExampleModel_MMPP() {
	b := mjq.Servers(4).Class("a", 1, 0.75, mjq.ExpMean(1)).Class("b", 3, 0.25, mjq.ExpMean(1))
	for _, x := range []mjq.Model{
		b.Poisson(1),
		b.MMPP([]float64{0.2, 1.8}, [][]float64{{-0.1, 0.1}, {0.1, -0.1}}),
		b.MAP([][]float64{{-2, 1}, {0, -1}}, [][]float64{{0, 1}, {1, 0}}),
		b.Poisson(0.5).Batches(arrival.FixedSize(2)),
		b.Profile(24, 0.4, 1.6),
		b.MarkedMAP([][]float64{{-1}}, map[string][][]float64{"a": {{0.75}}, "b": {{0.25}}}),
		b.Process(arrival.Superposition{arrival.Poisson(0.5), arrival.Poisson(0.5)}),
	} {
		m := x.AtRate(1)
		r := mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 50_000, Replications: 8}))
		name := regexp.MustCompile(`^\w+`).FindString(m.Spec().ArrivalName())
		fmt.Printf("%-14s mean wait %.1f\n", name, r.All.Waiting.Mean.Value)
	}
	// Output:
	// ExpMean        mean wait 0.3
	// MAP            mean wait 0.9
	// MAP            mean wait 0.3
	// Batches        mean wait 0.6
	// Profile        mean wait 0.6
	// MarkedMAP      mean wait 0.3
	// Superposition  mean wait 0.3
}
