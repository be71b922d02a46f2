package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

func ExampleSweep() {
	m := mjq.Servers(2).Class("one", 1, 0.8, mjq.ExpMean(1)).Class("two", 2, 0.2, mjq.ExpMean(1))
	sw := mjq.Must(mjq.Sweep(context.Background(), m, mjq.Grid{Servers: []int{2, 4}, Rates: []float64{0.5},
		Laws: []mjq.LawFamily{mjq.LawFamily{Name: "constant", Of: mjq.Deterministic}, mjq.LawFamily{Name: "exponential", Of: mjq.ExpMean}}},
		mjq.Backward{Samples: 500}))
	for i, p := range sw.Points {
		fmt.Printf("%d servers, %s: wait %.1f\n", p.Servers, p.Law, sw.At(i).All.Waiting.Mean.Value)
	}
	// Output:
	// 2 servers, constant: wait 0.2
	// 4 servers, constant: wait 0.0
	// 2 servers, exponential: wait 0.3
	// 4 servers, exponential: wait 0.0
}

func ExampleShard() {
	m := mjq.Servers(1).Class("one", 1, 1, mjq.ExpMean(1))
	sweep := func(opts ...mjq.Option) *result.Sweep {
		grid := mjq.Grid{Loads: []float64{0.3, 0.5, 0.7}, Replications: 4}
		return mjq.Must(mjq.Sweep(context.Background(), m, grid, append(opts, mjq.Backward{Samples: 400})...))
	}
	cut := mjq.Must(result.MergeSweeps(sweep(mjq.Shard(1, 2)), sweep(mjq.Shard(0, 2)))) // on two machines
	fmt.Println(cut.Complete(), cut.Table().CSV() == sweep().Table().CSV())
	// Output: true true
}

func ExampleModel_AtRate() {
	m := mjq.Servers(2).Class("one", 1, 1, mjq.ExpMean(1))
	var results []*result.Result
	for _, rate := range []float64{0.4, 1, 1.6} {
		results = append(results, mjq.Must(m.AtRate(rate).Solve(context.Background())))
	}
	for _, e := range result.Each(results, result.MeanWait("one")) {
		fmt.Printf("%.3f ", e.Value)
	}
	curve := result.ByRate("90 % of waits", results, result.WaitQuantile(0.9, ""))
	fmt.Println(curve.X, curve.Values[2])
	// Output: 0.042 0.333 1.778 [0.4 1 1.6] 4.90415
}
