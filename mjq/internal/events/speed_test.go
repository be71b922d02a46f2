package events

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// fiveClasses is the workload of 20 servers of Baccelli, Olliaro, Ajmone Marsan and
// Marin, with exponential services.
var fiveClasses = []stream.Class{
	{Need: 1, Prob: 0.5, Service: law.ExpMean(0.5)},
	{Need: 2, Prob: 0.1, Service: law.ExpMean(0.83)},
	{Need: 5, Prob: 0.2, Service: law.ExpMean(2.5)},
	{Need: 10, Prob: 0.15, Service: law.ExpMean(3.33)},
	{Need: 15, Prob: 0.05, Service: law.ExpMean(10)},
}

// benchmarked are the policies of which the speed is watched.
var benchmarked = []policy.Policy{policy.FCFS{}, policy.FirstFit{}, policy.MostServersFirst{}, policy.EASY(),
	policy.ServerFilling{}, policy.Window{Jobs: 10}, policy.LeastServersFirst{}, policy.AdaptiveQuickswap{},
	policy.PreemptiveFirstFit{}, policy.Conservative(), policy.MaxWeight{}, policy.FirstFitSRPT{}}

// BenchmarkFiveClasses prints millions of jobs a second on one core, with all
// statistics by class, at arrival rate 1.4:
//
//	go test ./mjq/internal/events -run xx -bench FiveClasses
func BenchmarkFiveClasses(b *testing.B) {
	for _, p := range benchmarked {
		b.Run(p.String(), func(b *testing.B) { benchmark(b, p, 20, 1.4, fiveClasses) })
	}
}

func benchmark(b *testing.B, p policy.Policy, servers int, rate float64, classes []stream.Class) {
	plan := &Plan{Servers: servers, Classes: len(classes), Policy: p, Replications: 1, Batches: 1, WarmUp: 1000, Length: int64(b.N),
		Level: 0.95, Workers: 1, Input: stream.New(1, law.ExpRate(rate), classes)}
	for _, c := range classes {
		plan.Needs = append(plan.Needs, c.Need)
	}
	res := plan.Run(context.Background(), nil)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mjobs/s")
	b.ReportMetric(res.All.Waiting.Mean.Value, "wait")
}
