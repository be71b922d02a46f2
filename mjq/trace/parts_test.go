package trace_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// typedPolicies are those that know types of resources, one of each kind.
var typedPolicies = []mjq.Policy{policy.FCFS{}, policy.FirstFit{}, policy.Window{Jobs: 5}, policy.EASY(), policy.Backfill{Depth: 3}, policy.Conservative(),
	policy.EASY().Estimates(policy.Given()).Kill(), policy.MostServersFirst{}, policy.LeastServersFirst{}, policy.AdaptiveQuickswap{}, policy.MaxWeight{}, policy.PreemptiveFirstFit{}}

// typedLog has jobs that need CPUs, some of them GPUs as well; CPUs alone are scarce.
func typedLog(jobs int) (typed, plain *trace.Trace) {
	r := rand.New(rand.NewPCG(5, 8))
	now := 0.
	var list, alike []trace.Job
	for range jobs {
		now += r.ExpFloat64()
		j := trace.Job{Arrival: now, Need: 1 + r.IntN(6), Service: 4 * r.ExpFloat64(), User: string(rune('a' + r.IntN(5))), Class: []string{"p", "q"}[r.IntN(2)]}
		j.Estimate = j.Service * (0.8 + r.Float64())
		alike = append(alike, j)
		j.Units = []int{j.Need, r.IntN(2)}
		list = append(list, j)
	}
	typed, plain = trace.New("typed", list), trace.New("plain", alike)
	typed.Types = []string{"cpu", "gres/gpu"}
	return typed, plain
}

// With GPUs in plenty a log of types waits as the log of CPUs does, under every policy that
// ranks by CPUs, to the last bit.
func TestTypedReplayWithOneScarceType(t *testing.T) {
	typed, plain := typedLog(1500)
	for _, p := range typedPolicies {
		if p == (policy.MaxWeight{}) {
			continue // it counts weights by type
		}
		got, err := typed.Replay(background, trace.Replay{Units: []int{20, 4000}, Policy: p})
		want, other := plain.Replay(background, trace.Replay{Servers: 20, Policy: p})
		if err != nil || other != nil {
			t.Errorf("%v: %v, %v", p, err, other)
			continue
		}
		switch p.(type) {
		case policy.FCFS, policy.FirstFit, policy.Backfill, policy.PreemptiveFirstFit:
			if g, w := got.All.Waiting.Mean.Value, want.All.Waiting.Mean.Value; g != w && !(g-w < 1e-9*w && w-g < 1e-9*w) {
				t.Errorf("%v: mean wait %v, want %v", p, g, w)
			}
		}
		if !strings.Contains(strings.Join(got.Notes, " "), "cpu: ") {
			t.Errorf("%v: notes %q", p, got.Notes)
		}
	}
}

// Types that are scarce make jobs wait longer, and all policies serve them.
func TestTypedReplayUnderEveryPolicy(t *testing.T) {
	typed, _ := typedLog(1500)
	for _, p := range typedPolicies {
		scarce := mjq.Must(typed.Replay(background, trace.Replay{Units: []int{24, 3}, Policy: p}))
		plenty := mjq.Must(typed.Replay(background, trace.Replay{Units: []int{24, 300}, Policy: p}))
		if s, w := scarce.All.Waiting.Mean.Value, plenty.All.Waiting.Mean.Value; !(s > w) {
			t.Errorf("%v: mean wait %v with three GPUs, %v with 300", p, s, w)
		}
	}
}

// Partitions are systems of their own.
func TestPartitionsAreSystemsOfTheirOwn(t *testing.T) {
	_, log := typedLog(2000)
	parts := []trace.Partition{{Name: "p", Servers: 14}, {Name: "q", Servers: 9}}
	for _, p := range []mjq.Policy{nil, policy.EASY(), policy.Conservative()} {
		together := mjq.Must(log.Replay(background, trace.Replay{Partitions: parts, Policy: p, Classes: trace.ByClass}))
		sum, jobs := 0., 0.
		for _, part := range parts {
			var own []trace.Job
			for _, j := range log.Jobs {
				if j.Class == part.Name {
					own = append(own, j)
				}
			}
			r := mjq.Must(trace.New(part.Name, own).Replay(background, trace.Replay{Servers: part.Servers, Policy: p}))
			sum += r.All.Waiting.Mean.Value * float64(len(own))
			jobs += float64(len(own))
		}
		if got, want := together.All.Waiting.Mean.Value, sum/jobs; got-want > 1e-9*want || want-got > 1e-9*want {
			t.Errorf("%v: mean wait %v, want %v", p, got, want)
		}
	}
	_, err := log.Replay(background, trace.Replay{Partitions: []trace.Partition{{"p", 2}, {"p", 0}}, Units: []int{1}})
	for _, part := range []string{"given twice", "0 servers; give at least one", "Units along with Partitions", "more than the 2 of partition"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v\ndoes not say %q", err, part)
		}
	}
	if _, err := log.Replay(background, trace.Replay{Partitions: parts[:1]}); err == nil || !strings.Contains(err.Error(), `the class "q" of the job names no partition`) {
		t.Errorf("%v", err)
	}
}

// A log with a window starts with the jobs that ran at its beginning.
func TestReplayBeginsWithWhatRan(t *testing.T) {
	const text = `JobID|State|Submit|Start|End|Elapsed|Timelimit|AllocTRES
1|CD|2026-03-02T01:00:00|2026-03-02T01:00:00|2026-03-02T03:00:00|02:00:00|UNLIMITED|cpu=4
2|CD|2026-03-02T02:10:00|2026-03-02T03:00:00|2026-03-02T03:10:00|00:10:00|00:20:00|cpu=4
`
	log := mjq.Must(trace.ReadSacct("w", strings.NewReader(text+strings.ReplaceAll(strings.SplitAfter(text, "\n")[2], "2|", "3|")), trace.Sacct{Since: time.Date(2026, 3, 2, 2, 0, 0, 0, time.UTC)}))
	for _, p := range []mjq.Policy{nil, policy.EASY()} {
		r := mjq.Must(log.Replay(background, trace.Replay{Servers: 4, Policy: p}))
		empty := mjq.Must(log.Replay(background, trace.Replay{Servers: 4, Policy: p, FromEmpty: true}))
		if got := r.All.Waiting.Mean.Value; got != 3300 {
			t.Errorf("%v: mean wait %v, want 3300: 50 and 60 minutes", p, got)
		}
		if got := empty.All.Waiting.Mean.Value; got != 300 {
			t.Errorf("%v from empty: mean wait %v, want 300", p, got)
		}
	}
	given := policy.EASY().Estimates(policy.Given())
	if _, err := log.Replay(background, trace.Replay{Servers: 4, Policy: given}); err == nil || !strings.Contains(err.Error(), "set NoEstimate") {
		t.Errorf("a job without an estimate: %v", err)
	}
	if _, err := log.Replay(background, trace.Replay{Servers: 4, Policy: given, NoEstimate: 86400}); err != nil {
		t.Error(err)
	}
}
