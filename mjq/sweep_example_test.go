package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

func ExampleSweep() {
	m := mjq.Must(mjq.Servers(2).Class("one", 1, 0.8, mjq.ExpMean(1)).Class("two", 2, 0.2, mjq.ExpMean(1)).Build())
	sw := mjq.Must(mjq.Sweep(m).Servers(2, 4).Rates(0.5).Laws(mjq.LawFamily{Name: "constant", Of: mjq.Deterministic},
		mjq.LawFamily{Name: "exponential", Of: mjq.ExpMean}).Using(m.Sample().Backward().N(500)).Run(context.Background()))
	for i, p := range sw.Points {
		fmt.Printf("%d servers, %s: wait %.1f\n", p.Servers, p.Law, sw.At(i).All.Waiting.Mean.Value)
	}
	// Output:
	// 2 servers, constant: wait 0.2
	// 4 servers, constant: wait 0.0
	// 2 servers, exponential: wait 0.3
	// 4 servers, exponential: wait 0.0
}

func ExampleMergeSweeps() {
	m := mjq.Must(mjq.Servers(1).Class("one", 1, 1, mjq.ExpMean(1)).Build())
	sweep := func() mjq.SweepQuery {
		return mjq.Sweep(m).Loads(0.3, 0.5, 0.7).Replications(4).Using(m.Sample().Backward().N(400))
	}
	ctx := context.Background()
	a, b := mjq.Must(sweep().Shard(0, 2).Run(ctx)), mjq.Must(sweep().Shard(1, 2).Run(ctx)) // on two machines
	cut, whole := mjq.Must(mjq.MergeSweeps(b, a)), mjq.Must(sweep().Run(ctx))
	fmt.Println(cut.Complete(), cut.Table().CSV() == whole.Table().CSV())
	// Output: true true
}
