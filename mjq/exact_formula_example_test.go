package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// One need is a classic queue, under every policy that keeps the order.
func ExampleExact_formula() {
	ctx := context.Background()
	for _, m := range []mjq.Model{
		mjq.Servers(1_000_000).Poisson(999_500).Class("call", 1, 1, mjq.ExpMean(1)),
		mjq.Servers(1).Poisson(0.9).Class("call", 1, 1, mjq.LogNormalMeanSCV(1, 4)),
		mjq.Servers(50).Poisson(45).Class("call", 1, 1, mjq.Deterministic(1)),
		mjq.Servers(9).Poisson(3.6).Class("job", 2, 1, mjq.ExpMean(1)).Policy(mjq.EASY()),
	} {
		r := mjq.Must(m.Solve(ctx, mjq.Exact{}))
		w := &r.All.Waiting
		fmt.Printf("mean %.6g, at once %.4f, 99 %% within %.4g: %s\n", w.Mean.Value, w.NoWait.Value, w.Quantile(0.99).Value, r.Source)
	}
	// Output:
	// mean 0.00100912, at once 0.4954, 99 % within 0.007842: M/M/c, Erlang C: Erlang (1917)
	// mean 22.5, at once 0.1000, 99 % within 135.5: M/G/1, Pollaczek (1930), Khinchine (1932), Takács (1962)
	// mean 0.0395259, at once 0.6645, 99 % within 0.3695: M/D/c, Crommelin (1932), Spitzer (1956), Franx (2001)
	// mean 1.96938, at once 0.2122, 99 % within 10.92: M/M/c, Erlang C: Erlang (1917)
}
