package trace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

var background = context.Background()

// named are the policies by their names in the file of traces.
func named(name string) policy.Policy {
	var n int
	if got, _ := fmt.Sscanf(name, "smash(%d)", &n); got == 1 {
		return policy.Window{Jobs: n}
	}
	if got, _ := fmt.Sscanf(name, "quickswap(%d)", &n); got == 1 {
		return policy.Quickswap{Threshold: n}
	}
	if got, _ := fmt.Sscanf(name, "quickswapArmed(%d)", &n); got == 1 {
		return policy.ArmedQuickswap{Threshold: n}
	}
	return map[string]policy.Policy{
		"fcfs": policy.FCFS{}, "firstFit": policy.FirstFit{}, "mostServersFirst": policy.MostServersFirst{},
		"leastServersFirst": policy.LeastServersFirst{}, "adaptiveQuickswap": policy.AdaptiveQuickswap{},
		"easyBackfilling":         policy.EASY().Estimates(policy.Given()),
		"conservativeBackfilling": policy.Conservative().Estimates(policy.Given()),
		"preemptiveFirstFit":      policy.PreemptiveFirstFit{}, "preemptiveMostServersFirst": policy.PreemptiveMostServersFirst{},
		"preemptiveLeastServersFirst": policy.PreemptiveLeastServersFirst{}, "serverFilling": policy.ServerFilling{},
		"maxWeight": policy.MaxWeight{}, "firstFitSRPT": policy.FirstFitSRPT{}, "serverFillingSRPT": policy.ServerFillingSRPT{},
	}[name]
}

// TestReplayUnderEveryPolicy: every job is a user of its own, so that the result shows
// when it starts and ends. Two programs written apart agree on the file.
func TestReplayUnderEveryPolicy(t *testing.T) {
	var file struct {
		Traces []struct {
			Name     string
			Servers  int
			Jobs     []trace.Job
			Policies map[string]struct{ Start, End []float64 }
		}
	}
	data, err := os.ReadFile("../testdata/policy_traces.json")
	if err != nil || json.Unmarshal(data, &file) != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, x := range file.Traces {
		for i := range x.Jobs {
			x.Jobs[i].User = fmt.Sprint(i)
		}
		tr := trace.New(x.Name, x.Jobs)
		for name, want := range x.Policies {
			p := named(name)
			r, err := tr.Replay(background, trace.Replay{Servers: x.Servers, Policy: p, Classes: trace.ByUser})
			if err != nil {
				t.Fatalf("%s under %v: %v", x.Name, p, err)
			}
			seen++
			for i, j := range x.Jobs {
				c := r.Class(fmt.Sprintf("user %d", i))
				start, end := j.Arrival+c.Waiting.Mean.Value, j.Arrival+c.Response.Mean.Value
				if end != want.End[i] || !p.Properties().Preemptive && start != want.Start[i] {
					t.Errorf("%s under %v: job %d from %v to %v, want %v to %v", x.Name, p, i, start, end, want.Start[i], want.End[i])
				}
			}
			if last := slices.Max(want.End); math.Abs(r.Utilization.Value*(last-x.Jobs[0].Arrival)*float64(x.Servers)-work(x.Jobs)) > 1e-9 {
				t.Errorf("%s under %v: utilisation %v", x.Name, p, r.Utilization.Value)
			}
		}
	}
	if seen < 18*16 {
		t.Errorf("only %d schedules were compared", seen)
	}
}

func work(jobs []trace.Job) (sum float64) {
	for _, j := range jobs {
		sum += float64(j.Need) * j.Service
	}
	return sum
}

func hpc2n(t testing.TB) *trace.Trace {
	f, err := os.Open("testdata/hpc2n-excerpt.swf")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return mjq.Must(trace.ReadSWF("hpc2n", f, trace.SWF{}))
}

// TestReplayOfARealLog: FCFS by the event list, under a policy that is FCFS and does not
// say so, agrees with the recurrence; backfilling by the users' estimates waits less
// than FCFS, and kills shorten services.
func TestReplayOfARealLog(t *testing.T) {
	tr := hpc2n(t)
	first := mjq.Must(tr.Replay(background, trace.Replay{Servers: 240, SlowdownThreshold: 10}))
	byEvents := mjq.Must(tr.Replay(background, trace.Replay{Servers: 240, SlowdownThreshold: 10, Policy: policy.Window{Jobs: 1}}))
	for what, pair := range map[string][2]float64{
		"wait": {first.All.Waiting.Mean.Value, byEvents.All.Waiting.Mean.Value}, "slowdown": {first.All.Slowdown.Mean.Value, byEvents.All.Slowdown.Mean.Value},
		"variance": {first.All.Response.Variance.Value, byEvents.All.Response.Variance.Value}, "jobs": {first.MeanJobs.Value, byEvents.MeanJobs.Value},
		"waste": {first.WastedHOL.Value, byEvents.WastedHOL.Value}, "utilisation": {first.Utilization.Value, byEvents.Utilization.Value},
		"half-width": {first.All.Waiting.Mean.HalfWidth, byEvents.All.Waiting.Mean.HalfWidth},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9*math.Abs(pair[0]) {
			t.Errorf("%s: %v by the recurrence, %v by the event list", what, pair[0], pair[1])
		}
	}
	run := func(p policy.Policy) *result.Result {
		return mjq.Must(tr.Replay(background, trace.Replay{Servers: 240, Policy: p, SlowdownThreshold: 10, Classes: trace.ByUser}))
	}
	given := policy.Given()
	for _, p := range []policy.Policy{policy.FirstFit{}, policy.EASY().Estimates(given), policy.Conservative().Estimates(given), policy.EASY()} {
		r := run(p)
		if r.Run.Jobs != 3145 || !(r.All.Waiting.Mean.Value < first.All.Waiting.Mean.Value) || r.All.Killed.Value != 0 || len(r.Classes) < 10 {
			t.Errorf("%v: %v", p, r)
		}
	}
	over, cut := 0.0, 0.0 // jobs that run longer than asked for, and by how much
	for _, j := range tr.Jobs {
		if j.Service > j.Estimate {
			over++
			cut += j.Service - j.Estimate
		}
	}
	r, n := run(policy.EASY().Estimates(given).Kill()), float64(len(tr.Jobs))
	service := func(r *result.Result) float64 { return r.All.Response.Mean.Value - r.All.Waiting.Mean.Value }
	if math.Abs(r.All.Killed.Value-over/n) > 1e-12 || math.Abs(service(first)-service(r)-cut/n) > 1e-6 {
		t.Errorf("killed %v of %v, services shorter by %v of %v", r.All.Killed.Value*n, over, (service(first)-service(r))*n, cut)
	}
	if r := run(policy.PreemptiveLeastServersFirst{}); !(r.All.Preemptions.Value > 0) || r.All.Waiting.Mean.Value < 0 {
		t.Errorf("preemptions %v", r.All.Preemptions)
	}
	if notes := strings.Join(first.Notes, " "); !strings.Contains(notes, "wrote the log 3145 jobs waited") {
		t.Errorf("notes %q", notes)
	}
}

// TestReplayPolicyFaults: what a policy lacks is said before it runs.
func TestReplayPolicyFaults(t *testing.T) {
	tr := trace.New("t", []trace.Job{{Need: 1, Service: 1, Estimate: 2, Line: 1}, {Arrival: 1, Need: 2, Service: 1, Line: 2}})
	for part, p := range map[string]policy.Policy{
		"job 1 (line 2) has no estimate": policy.EASY().Estimates(policy.Given()),
		"T2":                             policy.Quickswap{Threshold: 1},
		"Factor(0.5)":                    policy.EASY().Estimates(policy.Factor(0.5)),
	} {
		if _, err := tr.Replay(background, trace.Replay{Servers: 4, Policy: p}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v: %v", p, err)
		}
	}
	_, err := tr.Replay(background, trace.Replay{Servers: 4, SlowdownThreshold: -1, Within: math.Inf(1)})
	if err == nil || !strings.Contains(err.Error(), "SlowdownThreshold -1") || !strings.Contains(err.Error(), "Within(+Inf)") {
		t.Errorf("settings: %v", err)
	}
	lazy := policy.New("Lazy", func(v *policy.View) {})
	r := mjq.Must(tr.Replay(background, trace.Replay{Servers: 4, Policy: lazy}))
	if notes := strings.Join(r.Notes, " "); !strings.Contains(notes, "Waits leave out 2 jobs that the policy never served") {
		t.Errorf("notes %q", notes)
	}
}

// TestReplayCountsOvertaking: under First-Fit the third job passes the second.
func TestReplayCountsOvertaking(t *testing.T) {
	tr := trace.New("t", []trace.Job{{Need: 2, Service: 4}, {Arrival: 1, Need: 3, Service: 1}, {Arrival: 2, Need: 1, Service: 1}})
	r := mjq.Must(tr.Replay(background, trace.Replay{Servers: 3, Policy: policy.FirstFit{}, Overtaking: true, Within: 2}))
	if r.Overtaking[0][2].Value != 1 || r.Overtaking[2][0].Value != 0 || r.All.Waiting.ServiceLevel.Value != 2./3 || r.All.Response.ServiceLevel.Value != 1./3 {
		t.Errorf("%v, in time %v, %v", r.Overtaking, r.All.Waiting.ServiceLevel, r.All.Response.ServiceLevel)
	}
}
