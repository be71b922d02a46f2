package explorer_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/widgets/explorer"
)

func ExampleRun() {
	m := mjq.Servers(4).Poisson(1).Class("all", 2, 1, mjq.Deterministic(1))
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // outside a notebook it prints a summary, here none
	fmt.Println(explorer.Run(ctx, m))
	// Output: <nil>
}
