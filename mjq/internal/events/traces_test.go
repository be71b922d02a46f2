package events

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/policy"
)

// named is the policy that the files of reference values call so.
func named(name string) policy.Policy {
	var n int
	for _, p := range []struct {
		format string
		policy func() policy.Policy
	}{
		{"smash(%d)", func() policy.Policy { return policy.Window{Jobs: n} }},
		{"quickswap(%d)", func() policy.Policy { return policy.Quickswap{Threshold: n} }},
		{"quickswapArmed(%d)", func() policy.Policy { return policy.ArmedQuickswap{Threshold: n} }},
	} {
		if got, _ := fmt.Sscanf(name, p.format, &n); got == 1 {
			return p.policy()
		}
	}
	return map[string]policy.Policy{
		"fcfs":                        policy.FCFS{},
		"firstFit":                    policy.FirstFit{},
		"mostServersFirst":            policy.MostServersFirst{},
		"leastServersFirst":           policy.LeastServersFirst{},
		"adaptiveQuickswap":           policy.AdaptiveQuickswap{},
		"easyBackfilling":             policy.EASY().Estimates(policy.Given()),
		"conservativeBackfilling":     policy.Conservative().Estimates(policy.Given()),
		"preemptiveFirstFit":          policy.PreemptiveFirstFit{},
		"preemptiveMostServersFirst":  policy.PreemptiveMostServersFirst{},
		"preemptiveLeastServersFirst": policy.PreemptiveLeastServersFirst{},
		"serverFilling":               policy.ServerFilling{},
		"maxWeight":                   policy.MaxWeight{},
		"firstFitSRPT":                policy.FirstFitSRPT{},
		"serverFillingSRPT":           policy.ServerFillingSRPT{},
	}[name]
}

// needsOf are the needs of all jobs.
func needsOf(jobs []Logged) (needs []int) {
	for _, j := range jobs {
		needs = append(needs, j.Need)
	}
	return needs
}

// schedule is the first start and the end of every job of a log.
func schedule(p policy.Policy, servers int, jobs []Logged) (starts, ends []float64) {
	starts, ends = make([]float64, len(jobs)), make([]float64, len(jobs))
	s := New(compiled.System{Servers: servers, Policy: p, Needs: needsOf(jobs)})
	s.Recorded = func(r *Record) { starts[r.Number], ends[r.Number] = r.Start, r.End }
	s.ResetTo(Log(jobs), 0)
	s.Until(int64(len(jobs)))
	return starts, ends
}

// TestTraces has every policy give the exact schedule of the traces on which two
// programs written apart agree.
func TestTraces(t *testing.T) {
	data, err := os.ReadFile("../../testdata/policy_traces.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Traces []struct {
			Name     string
			Servers  int
			Jobs     []Logged
			Policies map[string]struct{ Start, End []float64 }
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, trace := range file.Traces {
		for name, want := range trace.Policies {
			p := named(name)
			if p == nil {
				t.Errorf("%s: there is no such policy", name)
				continue
			}
			seen++
			starts, ends := schedule(p, trace.Servers, trace.Jobs)
			if !strings.EqualFold(fmt.Sprint(starts, ends), fmt.Sprint(want.Start, want.End)) {
				t.Errorf("%s under %s:\nstarts %v\n  want %v\n  ends %v\n  want %v", trace.Name, p, starts, want.Start, ends, want.End)
			}
		}
	}
	if seen < 18*16 {
		t.Errorf("only %d schedules were compared", seen)
	}
}
