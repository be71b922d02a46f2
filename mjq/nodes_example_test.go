package mjq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/placement"
)

// gpus are sixteen nodes of eight GPUs; the widest jobs take two whole nodes.
var gpus = mjq.Nodes(16, 8).Poisson(12).
	Class("one", 1, 0.55, mjq.ExpMean(1)).
	Class("four", 4, 0.27, mjq.ExpMean(2)).
	Class("node", 8, 0.12, mjq.ExpMean(3)).
	Class("pair", 16, 0.06, mjq.ExpMean(4))

// Jobs must fit on nodes. The table says on how many nodes a job lies.
func ExampleNodes() {
	fmt.Println(gpus)
	// Output:
	// FCFS multiserver-job queue: 16 nodes of 8 units, BestFit, 4 job classes, Poisson arrivals of rate 12 (offered load 0.884)
	// class  servers  probability  mean service  SCV  service law  nodes
	// one          1         0.55             1    1  ExpMean(1)   1
	// four         4         0.27             2    1  ExpMean(2)   1
	// node         8         0.12             3    1  ExpMean(3)   1
	// pair        16         0.06             4    1  ExpMean(4)   2
}

// A job of eight lies on four nodes with two units on each.
func ExampleModel_OnNodes() {
	m := mjq.Nodes(16, 8).Nodes(4, 4).Class("wide", 8, 1, mjq.ExpMean(1)).OnNodes("wide", 4, 2)
	fmt.Println(m.Spec().Span(0), "nodes,", m.Spec().Each(0), "on each,", m.Spec().Servers, "units in all")
	// Output: 4 nodes, [2] on each, 144 units in all
}

// Units of twelve are no whole nodes, but may lie anywhere.
func ExampleModel_Scattered() {
	m := mjq.Nodes(16, 8).Class("loose", 12, 1, mjq.ExpMean(1))
	fmt.Println(m.Err())
	fmt.Println(m.Scattered("loose").Err())
	// Output:
	// mjq: the model has 1 fault:
	// class 1 "loose": need 12 is above the 8 units of a node and no multiple of them; give 8 or 16 for whole nodes, OnNodes for units on each of several, or Scattered for units anywhere
	// <nil>
}

// Every node has CPUs and GPUs.
func ExampleNodesOf() {
	m := mjq.NodesOf(64, mjq.Needs{"cpu": 128, "gpu": 8}).NodesOf(8, mjq.Needs{"cpu": 64}).
		Needing("train", mjq.Needs{"cpu": 32, "gpu": 8}, 0.2, mjq.ExpMean(10)).
		Needing("prepare", mjq.Needs{"cpu": 4}, 0.8, mjq.ExpMean(1))
	fmt.Println(m.Spec().Title())
	// Output: FCFS multiserver-job queue: 64 nodes of 128 cpu and 8 gpu, 8 nodes of 64 cpu and 0 gpu, BestFit
}

// A placement is a part of the model, and written with it.
func ExampleModel_Placement() {
	for _, p := range []mjq.Placement{mjq.BestFit(), mjq.WorstFit(), mjq.RandomFit(), mjq.LowestFit()} {
		text := mjq.Must(json.Marshal(mjq.Nodes(2, 4).Placement(p).Class("a", 1, 1, mjq.ExpMean(1))))
		_, nodes, _ := strings.Cut(string(text), `"nodes"`)
		fmt.Println(nodes)
	}
	// Output:
	// :[{"count":2,"units":4}],"placement":"BestFit"}
	// :[{"count":2,"units":4}],"placement":"WorstFit"}
	// :[{"count":2,"units":4}],"placement":"RandomFit"}
	// :[{"count":2,"units":4}],"placement":"LowestFit"}
}

// sparing is a placement of one's own: jobs of one unit go to the fullest node, others to the
// emptiest.
type sparing struct{}

func (sparing) String() string { return "sparing" }

func (sparing) Score(free, units, need []int) float64 {
	if need[0] == 1 {
		return placement.BestFit{}.Score(free, units, need)
	}
	return placement.WorstFit{}.Score(free, units, need)
}

// A placement of one's own is a type with two methods.
func ExamplePlacement() {
	fmt.Println(gpus.Placement(sparing{}).Spec().Title())
	// Output: FCFS multiserver-job queue: 16 nodes of 8 units, sparing
}

// First come, first served, the fullest nodes first: jobs of a whole node then find one.
func ExampleComparePlacements() {
	small := mjq.Nodes(4, 8).Poisson(5).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("node", 8, 0.3, mjq.ExpMean(1))
	c := mjq.Must(mjq.ComparePlacements(context.Background(), small, []mjq.Placement{mjq.BestFit(), mjq.WorstFit()}, mjq.Simulation{Jobs: 50_000, Replications: 8}))
	for i, r := range c.Results {
		fmt.Printf("%-8s  mean wait %.1f, held %2.0f %% of the time\n", c.Policies[i], r.All.Waiting.Mean.Value, 100*r.Fragmentation.Held.Value)
	}
	// Output:
	// BestFit   mean wait 0.1, held  1 % of the time
	// WorstFit  mean wait 0.3, held 22 % of the time
}
