package trace

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
)

// longJobs is an export of 300 jobs that come in five hours and run for three days.
func longJobs() string {
	var b strings.Builder
	b.WriteString("JobIDRaw|JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|ReqTRES|AllocTRES|NNodes\n")
	begin := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for i := range 300 {
		at, length := begin.Add(time.Duration(i)*time.Minute), 72*time.Hour+time.Duration(i)*time.Minute
		stamp := func(t time.Time) string { return t.Format("2006-01-02T15:04:05") }
		const tres = "billing=1,cpu=1,mem=8G,node=1"
		fmt.Fprintf(&b, "%d|%d|u1|acc|cpu|normal|COMPLETED|%s|%s|%s|%s|%s|7-00:00:00|%s|%s|1\n",
			i+1, i+1, stamp(at), stamp(at), stamp(at), stamp(at.Add(length)), clockOf(length.Hours()/24), tres, tres)
	}
	return b.String()
}

// TestLongJobsWithoutWaits: a log that is short against its jobs, in which nobody waits, brings no advice
// to take more servers, whatever their number.
func TestLongJobsWithoutWaits(t *testing.T) {
	log, err := Read("long.txt", strings.NewReader(longJobs()), Reading{})
	if err != nil || len(log.Jobs) != 300 || log.Window().Shown || log.Report.SkippedLines() > 0 {
		t.Fatal(err, log)
	}
	for _, servers := range []int{400, 100_000} {
		for _, p := range []mjq.Policy{nil, mjq.EASY()} {
			r := mjq.Must(log.Replay(t.Context(), Replay{Servers: servers, Policy: p}))
			text, err := json.Marshal(r)
			if said := r.String() + string(text); err != nil || !r.Stable || r.All.Waiting.Mean.Value != 0 || strings.Contains(said, "more servers") || strings.Contains(said, "grew") || strings.Contains(said, "Inf") {
				t.Errorf("%d servers under %v: %v\n%s", servers, p, err, said)
			}
		}
	}
	var said string
	if a, err := log.Advise(t.Context(), Replay{Servers: 400}, nil); err != nil {
		said = err.Error()
	} else {
		said = a.Recommend.Answer
	}
	if !strings.Contains(said, "Change nothing") && !strings.Contains(said, "of 2 to 100000 days") {
		t.Error(said)
	}
}
