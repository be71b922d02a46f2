package events

import (
	"runtime"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// logs has everything logged, as of many classes, until the test ends.
func logs(t *testing.T) {
	was := manyClasses
	manyClasses = 1
	t.Cleanup(func() { manyClasses = was })
}

// TestLogsAgree holds what is logged against histograms, to the bit, under policies that
// serve jobs in any order.
func TestLogsAgree(t *testing.T) {
	policies := []policy.Policy{nil, policy.FirstFit{}, policy.LeastServersFirst{}, policy.PreemptiveFirstFit{}}
	var want []string
	for seed := range uint64(40) {
		p := randomPlan(seed)
		p.Policy = policies[seed%4]
		want = append(want, saw(p))
	}
	logs(t)
	for seed := range uint64(40) {
		p := randomPlan(seed)
		p.Policy = policies[seed%4]
		if got := saw(p); got != want[seed] {
			t.Errorf("plan %d, policy %v: logged\n%.2000s\nwith histograms\n%.2000s", seed, p.Policy, got, want[seed])
		}
	}
}

// TestManyClassesTakeLittle: of 20,000 classes, most of which send a few jobs, a run takes
// far less than a histogram for each.
func TestManyClassesTakeLittle(t *testing.T) {
	const n = 20_000
	classes := make([]stream.Class, n)
	p := &Plan{System: compiled.System{Servers: 4, Classes: n}, Replications: 4, Batches: 1, Level: 0.95, Workers: 2, WarmUp: 10_000, Length: 50_000}
	for i := range classes {
		classes[i] = stream.Class{Need: 1 + i%3, Prob: 1. / n, Service: law.ExpMean(1)}
	}
	p.Input = stream.NewFrom(1, arrival.Poisson(1), classes)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res := p.Run(t.Context(), nil)
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 600e6 {
		t.Errorf("%d MB were allocated", (after.TotalAlloc-before.TotalAlloc)/1e6)
	}
	if total := res.Classes[0].Waiting.Dist.Total; !(total > 0 && total < 50) || res.All.Waiting.Precision.Groups != 4 {
		t.Errorf("%v jobs of a class, precision %+v", total, res.All.Waiting.Precision)
	}
}

// TestTallyAllocates: what is estimated for a class takes no lists of its own, for an interrupted
// run of ten thousand classes is to return within a tenth of a second.
func TestTallyAllocates(t *testing.T) {
	p := &Plan{Level: 0.95, Batches: 20}
	batches := make([]sums, 40)
	for b := range batches {
		batches[b].AddValues(&[estimate.Quantities]float64{float64(b), float64(b + 1), 2}, 10)
	}
	var tally estimate.Tally
	if got := testing.AllocsPerRun(20, func() { p.tally(&tally, batches) }); got > 0 {
		t.Errorf("%v allocations for a class", got)
	}
}
