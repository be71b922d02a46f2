package events

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// table reads classes with exponential services from the tables of mjq/workload.
func table(b *testing.B, file string) (classes []stream.Class) {
	data, err := os.ReadFile("../../workload/data/" + file)
	if err != nil {
		b.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n")[1:] {
		var need int
		var prob, mean float64
		if n, _ := fmt.Sscanf(strings.ReplaceAll(line, ",", " "), "%d %f %f", &need, &prob, &mean); n == 3 {
			classes = append(classes, stream.Class{Need: need, Prob: prob, Service: law.ExpMean(mean)})
		}
	}
	return classes
}

// benchmarked are the policies of which the speed is watched.
var benchmarked = []policy.Policy{policy.FCFS{}, policy.FirstFit{}, policy.MostServersFirst{}, policy.EASY(),
	policy.ServerFilling{}, policy.Window{Jobs: 10}, policy.LeastServersFirst{}, policy.AdaptiveQuickswap{},
	policy.PreemptiveFirstFit{}, policy.Conservative(), policy.MaxWeight{}, policy.FirstFitSRPT{},
	twoLevels, twoLevels.Passing(), twoLevels.Preemptive(policy.Resume), twoLevels.Preemptive(policy.Restart)}

// twoLevels has every other class in the first of two levels.
var twoLevels = policy.Priority{Levels: [][]string{{"0", "2", "4"}}}

// BenchmarkPolicies prints millions of jobs per second of processor time, with all
// statistics by class:
//
//	go test ./mjq/internal/events -run xx -bench Policies -benchtime 1000000x
func BenchmarkPolicies(b *testing.B) {
	for _, c := range []struct {
		name, file string
		servers    int
		rate       float64
	}{{"FiveClasses/rate=1.4", "five-classes-20.csv", 20, 1.4}, {"CellB/rate=0.9", "borg-cell-b-17.csv", 2048, 0.9}} {
		for _, p := range benchmarked {
			b.Run(c.name+"/"+p.String(), func(b *testing.B) { benchmark(b, p, c.servers, c.rate, table(b, c.file)) })
		}
	}
}

func benchmark(b *testing.B, p policy.Policy, servers int, rate float64, classes []stream.Class) {
	plan := &Plan{Servers: servers, Classes: len(classes), Policy: p, Replications: 1, Batches: 1, WarmUp: 1000, Length: int64(b.N),
		Level: 0.95, Workers: 1, Input: stream.New(1, law.ExpRate(rate), classes)}
	var bound []policy.Bound
	for i, c := range classes {
		plan.Needs = append(plan.Needs, c.Need)
		bound = append(bound, policy.Bound{Name: fmt.Sprint(i), Service: c.Service})
	}
	plan.Policy = policy.Bind(p, bound)
	before := processorTime()
	res := plan.Run(context.Background(), nil)
	b.ReportMetric(float64(b.N)/(processorTime()-before)/1e6, "Mjobs/s")
	b.ReportMetric(res.All.Waiting.Mean.Value, "wait")
}

// processorTime is the user's time of this process in seconds.
func processorTime() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return math.NaN()
	}
	return float64(used.Utime.Sec) + float64(used.Utime.Usec)/1e6
}
