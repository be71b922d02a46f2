package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
)

// What bursts, batches and an order of classes do at the same rate, without simulation.
func ExampleExact_arrivals() {
	b := mjq.Servers(4).Class("a", 1, 0.75, mjq.ExpMean(1)).Class("b", 3, 0.25, mjq.ExpMean(1))
	for _, x := range []struct {
		name string
		b    mjq.Model
	}{
		{"Poisson", b.Poisson(1)},
		{"bursts", b.MMPP([]float64{0.2, 1.8}, [][]float64{{-0.1, 0.1}, {0.1, -0.1}})},
		{"pairs", b.Poisson(0.5).Batches(arrival.FixedSize(2))},
		{"in turn", b.MarkedMAP([][]float64{{-0.75, 0}, {0, -1.5}}, map[string][][]float64{"a": {{0.5, 0.25}, {0, 0}}, "b": {{0, 0}, {1.5, 0}}})},
	} {
		m := x.b
		r := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		w := &r.Class("b").Waiting
		fmt.Printf("%-8s mean wait of b %.4f, at once %.4f, 99 %% within %.3f\n", x.name, w.Mean.Value, w.CDF(0).Value, w.Quantile(0.99).Value)
	}
	fmt.Println(mjq.Must(mjq.Exact{}.Size(b.MMPP([]float64{0.2, 1.8}, [][]float64{{-0.1, 0.1}, {0.1, -0.1}}))))
	// Output:
	// Poisson  mean wait of b 0.5109, at once 0.5903, 99 % within 4.836
	// bursts   mean wait of b 1.2408, at once 0.3750, 99 % within 8.395
	// pairs    mean wait of b 0.8490, at once 0.4388, 99 % within 6.237
	// in turn  mean wait of b 0.3415, at once 0.6611, 99 % within 3.710
	// 24 phases, about 0.07 MB and 0.012·10⁹ operations
}
