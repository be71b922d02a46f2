package trace_test

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

// A log of CPUs and GPUs, replayed on 64 CPUs and 8 GPUs under EASY backfilling.
func ExampleReplay_types() {
	log := mjq.Must(trace.ReadSacct("q1.txt", strings.NewReader(sacctOutput), trace.Sacct{Types: []string{"cpu", "gres/gpu"}}))
	r := mjq.Must(log.Replay(background, trace.Replay{Units: []int{64, 8}, Policy: mjq.EASY()}))
	fmt.Println("mean wait", r.All.Waiting.Mean.Value, "s")
	// Output: mean wait 1800 s
}

// Partitions have servers and a queue of their own.
func ExampleReplay_partitions() {
	log := mjq.Must(trace.ReadSacct("q1.txt", strings.NewReader(sacctOutput), trace.Sacct{Class: "Partition"}))
	r := mjq.Must(log.Replay(background, trace.Replay{Partitions: []trace.Partition{{Name: "cpu", Servers: 128}, {Name: "gpu", Servers: 32}}}))
	fmt.Println("mean wait", r.All.Waiting.Mean.Value, "s")
	// Output: mean wait 1800 s
}
