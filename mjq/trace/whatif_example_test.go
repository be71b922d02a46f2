package trace_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/workload"
)

// What would four more GPUs have meant, and jobs of at most 24 hours?
func ExampleTrace_WhatIf() {
	gpus := trace.Sacct{Need: "gres/gpu", Only: map[string]string{"Partition": "gpu"}}
	log := mjq.Must(trace.ReadSacct("quarter", bytes.NewReader(workload.Quarter(60, 1)), gpus))
	backfilling := policy.EASY().Estimates(policy.Given())
	base := trace.Replay{Servers: 32, Policy: backfilling}
	out := mjq.Must(log.WhatIf(background, base, []trace.Scenario{
		{Name: "36 GPUs", Replay: trace.Replay{Servers: 36, Policy: backfilling}},
		{Name: "at most 24 h", Log: log.CapService(trace.Day, trace.Cut), Replay: base},
	}))
	for _, s := range out.Scenarios {
		fmt.Printf("%s: shorter waits: %v; worse off: %d of %d users\n", s.Name, s.All.Waiting.Value < 0, s.Worse, s.Users)
	}
	// Output:
	// 36 GPUs: shorter waits: true; worse off: 0 of 40 users
	// at most 24 h: shorter waits: false; worse off: 12 of 40 users
}

// How many GPUs keep the mean wait below two hours, and how sure is that from this log?
func ExampleTrace_Bootstrap() {
	gpus := trace.Sacct{Need: "gres/gpu", Only: map[string]string{"Partition": "gpu"}}
	log := mjq.Must(trace.ReadSacct("quarter", bytes.NewReader(workload.Quarter(21, 1)), gpus))
	enough := func(ctx context.Context, x *trace.Trace) (float64, error) {
		for n := 20; ; n++ {
			r, err := x.Replay(ctx, trace.Replay{Servers: n, Policy: mjq.EASY()}, mjq.NoCache())
			if err != nil || r.All.Waiting.Mean.Value < 7200 {
				return float64(n), err
			}
		}
	}
	b := mjq.Must(log.Bootstrap(background, trace.Bootstrap{Resamples: 20, Block: 1}, enough, mjq.Seed(1)))
	fmt.Printf("%v GPUs, between %v and %v\n", b.Value, b.Low, b.High)
	// Output: 34 GPUs, between 26 and 36
}

func ExampleTrace_Scale() {
	log := mjq.Must(trace.ReadSacct("quarter", bytes.NewReader(workload.Quarter(60, 1)), trace.Sacct{}))
	more := log.Scale(1.2, 1)
	fmt.Printf("%.1f times the jobs\n", float64(len(more.Jobs))/float64(len(log.Jobs)))
	// Output: 1.2 times the jobs
}
