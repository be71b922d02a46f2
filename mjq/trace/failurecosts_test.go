package trace_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

// TestFailureCosts: of two servers one is down for ten hours, and an hour after its failure two jobs of two hours come.
// So the second waits two hours, and does not with one more node. A run that a failing node ended had held two servers for
// three hours. Both are told on the page and in JSON, which a log without failures has not.
func TestFailureCosts(t *testing.T) {
	hour := 3600.
	var jobs []trace.Job
	for _, at := range []float64{hour, 49 * hour} {
		jobs = append(jobs, trace.Job{Arrival: at, Need: 1, Service: 2 * hour, WaitKnown: true}, trace.Job{Arrival: at, Need: 1, Service: 2 * hour, WaitKnown: true, Waited: 2 * hour})
	}
	log := trace.New("made", jobs)
	plain := mjq.Must(log.Advise(background, trace.Replay{Servers: 2}, nil))
	if text := string(mjq.Must(json.Marshal(plain))); plain.Failures != nil || strings.Contains(text, `"failures"`) || strings.Contains(plain.HTML(), "What failures cost") {
		t.Errorf("a log without failures: %+v\n%s", plain.Failures, text)
	}
	log.Failed = []trace.Job{{Arrival: 0, Need: 2, Service: 3 * hour, WaitKnown: true}}
	a := mjq.Must(log.Advise(background, trace.Replay{Servers: 2}, nil))
	if f := a.Failures; f == nil || len(f.Causes) != 1 || f.Causes[0] != (trace.FailureCause{Name: "NODE_FAIL", Times: 1, Hours: 6, Runs: true}) || f.Spare != nil || !strings.Contains(a.String(), "give --failures") {
		t.Errorf("%+v\n%v", a.Failures, a)
	}
	how := trace.Replay{Servers: 2, Failures: []trace.Failure{{Time: 0, Server: 1, Repair: 10 * hour, Cause: "Not responding [slurm@2026-01-05T00:10:00]"}, {Time: 48 * hour, Server: 1, Repair: 10 * hour, Cause: "Not responding"}}}
	a = mjq.Must(log.Advise(background, how, nil))
	f := a.Failures
	if len(f.Causes) != 2 || f.Causes[1] != (trace.FailureCause{Name: "Not responding", Times: 2, Hours: 20}) {
		t.Errorf("%+v", f.Causes)
	}
	if f.Spare == nil || math.Abs(f.Waiting-hour) > 1e-9 || math.Abs(f.Spare.All.Waiting.Value+hour) > 1e-9 {
		t.Fatalf("%+v: jobs wait an hour, and none with one more node", f)
	}
	for _, want := range []string{"Failing nodes ended 1 run, which had held 6 server-hours", `Servers were down for 20 hours: 20 for "Not responding" (2 outages)`, "would have changed that by -60 min"} {
		if !strings.Contains(a.String(), want) {
			t.Errorf("%v\ndoes not say %q", a, want)
		}
	}
	var back trace.Advice
	text := mjq.Must(json.Marshal(a))
	if err := json.Unmarshal(text, &back); err != nil || back.Failures.Spare.All.Waiting.Value != f.Spare.All.Waiting.Value || back.Failures.Causes[1] != f.Causes[1] {
		t.Errorf("%v\n%s", err, text)
	}
	// On nodes of four units one node fails with all of them, and the spare is a node.
	wide := how
	wide.Servers, wide.Failures = 8, nil
	for i := range 8 {
		wide.Failures = append(wide.Failures, trace.Failure{Time: float64(i/4) * 48 * hour, Server: 4 + i%4, Repair: 10 * hour, Cause: "disk"})
	}
	for i := range log.Jobs {
		log.Jobs[i].Need = 4
	}
	if f := mjq.Must(log.Advise(background, wide, nil)).Failures; f.Causes[1] != (trace.FailureCause{Name: "disk", Times: 2, Hours: 80}) || math.Abs(f.Spare.All.Waiting.Value+hour) > 1e-9 {
		t.Errorf("%+v", f)
	}
	if other := mjq.Must(log.Advise(background, trace.Replay{Servers: 8}, nil)); other.Base.Waiting.Value != mjq.Must(log.Advise(background, wide, nil)).Base.Waiting.Value {
		t.Error("failures change the other replays")
	}
}
