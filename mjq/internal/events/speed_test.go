package events

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
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
	plan := &Plan{System: compiled.System{Servers: servers, Classes: len(classes), Policy: p, Input: stream.New(1, law.ExpRate(rate), classes)}, Replications: 1, Batches: 1, WarmUp: 1000, Length: int64(b.N),
		Level: 0.95, Workers: 1}
	for i, c := range classes {
		plan.Known = append(plan.Known, policy.Class{Name: fmt.Sprint(i), Need: c.Need, Service: c.Service})
	}
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

// BenchmarkNodes does the same for ten thousand nodes of eight units and five classes at 0.9 of
// the units:
//
//	go test ./mjq/internal/events -run xx -bench Nodes -benchtime 3000000x
func BenchmarkNodes(b *testing.B) {
	for _, at := range []placement.Placement{placement.BestFit{}, placement.WorstFit{}, placement.RandomFit{}, placement.LowestFit{}} {
		for _, p := range []policy.Policy{policy.FirstFit{}, policy.FCFS{}} {
			b.Run(fmt.Sprintf("%v/%v", p, at), func(b *testing.B) { benchmarkNodes(b, p, at, 10_000, 0.9) })
		}
	}
}

func benchmarkNodes(b *testing.B, p policy.Policy, at placement.Placement, count int, load float64) {
	nodes := &compiled.Nodes{Kinds: []compiled.NodeKind{{Count: count, Units: []int{8}}}, Placement: at}
	var classes []stream.Class
	work := 0.0
	for i, prob := range []float64{0.55, 0.15, 0.12, 0.12, 0.06} {
		need, mean := 1<<i, []float64{1, 1.5, 2, 3, 4}[i]
		classes = append(classes, stream.Class{Need: need, Prob: prob, Service: law.ExpMean(mean)})
		span := max(1, need/8)
		nodes.Spans, nodes.Probs = append(nodes.Spans, compiled.Span{Nodes: span, Each: []int{need / span}}), append(nodes.Probs, prob)
		work += prob * float64(need) * mean
	}
	plan := &Plan{System: compiled.System{Servers: 8 * count, Classes: len(classes), Policy: p, Nodes: nodes, Input: stream.New(1, law.ExpRate(load*8*float64(count)/work), classes)}, Replications: 1, Batches: 1, WarmUp: int64(100 * count), Length: int64(b.N),
		Level: 0.95, Workers: 1}
	before := processorTime()
	res := plan.Run(context.Background(), nil)
	b.ReportMetric(float64(plan.WarmUp+plan.Length)/(processorTime()-before)/1e6, "Mjobs/s")
	b.ReportMetric(res.All.Waiting.Mean.Value, "wait")
	b.ReportMetric(res.Held.Value, "held")
}
