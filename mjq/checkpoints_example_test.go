package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// How often a training on 128 nodes of eight GPUs should write a checkpoint, and what three spare
// nodes are worth. A node fails every 5,250 hours, and its repair takes 48.
func ExampleModel_Checkpoints() {
	m := mjq.Nodes(131, 8).Class("hero", 1024, 1, mjq.Deterministic(1000)).Unit("h").
		Failures("hardware", mjq.ExpMean(5250), mjq.ExpMean(48)).
		After(mjq.Checkpoint{Every: 8, Cost: 5. / 60, Recovery: 10. / 60})
	c, err := m.Checkpoints(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	hero := c.Class("hero")
	fmt.Printf("every %.2f h, Young %.2f h\n", hero.Best, hero.Young)
	for _, x := range hero.Intervals {
		fmt.Printf("%s: %.2f h, ETTR %.3f\n", x.Name, x.Every, x.ETTR)
	}
	// Output:
	// every 2.56 h, Young 2.61 h
	// half the best: 1.28 h, ETTR 0.890
	// best: 2.56 h, ETTR 0.904
	// twice the best: 5.12 h, ETTR 0.890
	// Young: 2.61 h, ETTR 0.904
	// own: 8.00 h, ETTR 0.863
}

// The fewest servers with which jobs on servers that fail spend 95 % of their time on work.
func ExampleETTR() {
	m := mjq.Servers(8).Poisson(0.6).Class("gang", 4, 1, mjq.ExpMean(2)).
		Failures("hardware", mjq.ExpMean(40), mjq.ExpMean(4)).After(mjq.Resume)
	n, err := m.FewestServers(context.Background(), mjq.ETTR(0.95))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.Best, "servers")
	// Output: 9 servers
}
