package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

func cluster(servers int) mjq.Model {
	return mjq.Servers(servers).Poisson(4).
		Class("small", 1, 0.8, mjq.ExpMean(0.5)).
		Class("wide", 4, 0.2, mjq.ExpMean(1))
}

// Small solutions are exact, so the answer is sure and has no intervals.
func ExampleModel_FewestServers() {
	f := mjq.Must(cluster(8).FewestServers(context.Background(), mjq.MeanWait(0.1), mjq.ServiceLevel(0.5, 0.95, "wide")))
	fmt.Println(f.Best, f.Confirmed)
	for _, n := range []float64{f.Best - 1, f.Best} {
		fmt.Printf("%v servers: %s, mean wait %.3f\n", n, f.At(n).Verdict, f.At(n).Targets[0].Value)
	}
	// Output:
	// 13 true
	// 12 servers: misses, mean wait 0.058
	// 13 servers: meets, mean wait 0.030
}

// Other borders of the same kind.
func ExampleModel_LargestRate() {
	ctx := context.Background()
	fmt.Printf("largest rate %.3f\n", mjq.Must(cluster(8).LargestRate(ctx, mjq.WaitQuantile(0.9, 0.5), mjq.RelErr(0.001))).Best)
	fmt.Printf("largest need %v\n", mjq.Must(cluster(12).LargestNeed(ctx, "wide", mjq.MeanWait(0.2))).Best)
	// Output:
	// largest rate 2.525
	// largest need 5
}

// The cheapest number of servers, where a job that waits an hour costs as much as ten
// server-hours.
func ExampleModel_CheapestServers() {
	f := mjq.Must(cluster(8).CheapestServers(context.Background(), mjq.Costs{Server: 1, Wait: 10}))
	fmt.Printf("%v servers cost %.2f\n", f.Best, f.At(f.Best).Cost.Value)
	// Output:
	// 13 servers cost 14.18
}

// Two types of resources at their prices. Everything is sampled: MaxJobs bounds a look.
func ExampleModel_CheapestMix() {
	m := mjq.Resources("cpu", 8).Resources("gpu", 4).Poisson(2).
		Needing("plain", mjq.Needs{"cpu": 1}, 0.6, mjq.ExpMean(1)).
		Needing("fast", mjq.Needs{"cpu": 2, "gpu": 1}, 0.4, mjq.ExpMean(1))
	f := mjq.Must(m.CheapestMix(context.Background(), map[string]float64{"cpu": 1, "gpu": 8}, mjq.MeanWait(0.5), mjq.MaxJobs(800_000)))
	fmt.Println(f.Mix)
	// Output:
	// [{cpu 5} {gpu 2}]
}

func ExampleModel_Sensitivities() {
	s := mjq.Must(cluster(8).Sensitivities(context.Background()))
	fmt.Print(s)
	// Output:
	// Changes by effect: mean wait 0.66217
	// change                         of the mean wait       %
	// wide needs 3                           -0.502    -75.8
	// one server more                        -0.399    -60.3
	// 1 % fewer jobs                         -0.0268    -4.04
	// services of wide 1 % shorter           -0.0243    -3.67
	// services of small 1 % shorter          -0.00920   -1.39
	// one server fewer                        5.29     799
	// dE[W]/dλ = 0.685143 at λ = 4.
}
