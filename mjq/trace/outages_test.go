package trace_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// nodeEvents is an export of sacctmgr show event -P, times in UTC. The log failedRuns begins at midnight of 2026-01-05.
const nodeEvents = `Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
hpc||2026-01-01T00:00:00|Unknown||Cluster Registered TRES|
hpc|n10|2026-01-05T02:00:00|2026-01-05T04:00:00|DOWN*|Not responding|slurm(64030)
hpc|n10|2026-01-05T04:00:00|2026-01-05T05:00:00|DOWN+DRAIN|ECC | DIMM 3|root(0)
hpc|n9|2026-01-04T12:00:00|2026-01-05T01:00:00|DRAINED|disk|root(0)
hpc|n9|2026-01-05T09:30:00|Unknown|IDLE+DRAIN|disk|root(0)
hpc|n2|2026-01-05T03:00:00|2026-01-05T08:00:00|IDLE+POWERED_DOWN||
old|n1|2026-01-05T03:00:00|2026-01-05T08:00:00|DOWN||
hpc|n[2|2026-01-05T03:00:00|2026-01-05T08:00:00|DOWN||
hpc|n2|yesterday|2026-01-05T08:00:00|DOWN||
hpc|n2|2026-01-05T03:00:00|DOWN
hpc|n2|2026-01-05T03:00:00|2026-01-05T03:00:00|DOWN||
`

// failedRuns is a log of sacct: the run of job 2 ended as its node failed, told twice, and it was put back.
const failedRuns = `JobIDRaw|JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|ReqTRES|AllocTRES|NNodes|Reservation
1|1|a|x|p|q|COMPLETED|2026-01-05T00:30:00|2026-01-05T00:30:00|2026-01-05T00:30:00|2026-01-05T10:00:00|09:30:00|12:00:00|node=1|node=1|1|
2|2|a|x|p|q|NODE_FAIL|2026-01-05T01:00:00|2026-01-05T01:00:00|2026-01-05T01:00:00|2026-01-05T02:00:00|01:00:00|12:00:00|node=2|node=2|2|
2|2|a|x|p|q|NODE_FAIL|2026-01-05T01:00:00|2026-01-05T01:00:00|2026-01-05T01:00:00|2026-01-05T02:00:00|01:00:00|12:00:00|node=2|node=2|2|
2|2|a|x|p|q|COMPLETED|2026-01-05T02:02:00|2026-01-05T02:02:00|2026-01-05T05:00:00|2026-01-05T07:00:00|02:00:00|12:00:00|node=2|node=2|2|
`

func readCluster(t *testing.T, how trace.Sacct) *trace.Trace {
	t.Helper()
	how.Need = "node"
	log, err := trace.ReadSacct("jobs", strings.NewReader(failedRuns), how)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestOutages: events of sacctmgr become failures of a replay, those of a node that touch as one and one without an
// end up to that of the log. The account tells of every line, and an error of those that cannot be read.
func TestOutages(t *testing.T) {
	o, err := trace.ReadOutages("events", strings.NewReader(nodeEvents), nil)
	for _, want := range []string{`events:9: "n[2" is no list of nodes; a bracket is missing`, `events:10: "yesterday" is no time`, "events:11: 4 columns; the header has 7"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not say %q", err, want)
		}
	}
	r := o.Report
	skipped := 0
	for _, s := range r.Skipped {
		skipped += s.Lines
	}
	if r.Lines != 12 || r.Comments != 1 || r.Jobs != 4 || r.Malformed != 3 || len(r.Faulty) != 3 || skipped != 4 || r.Comments+r.Jobs+r.Malformed+skipped != r.Lines {
		t.Errorf("account %+v", r)
	}
	if x := o.List[1]; x.Reason != "ECC | DIMM 3" || x.Node != "n10" || x.Drained || !o.List[2].Drained || !o.List[3].To.IsZero() {
		t.Errorf("%+v", o.List)
	}
	log := readCluster(t, trace.Sacct{})
	list, remarks, err := o.Failures(log, trace.Replay{Servers: 4}, 1)
	// n9 is before n10: of four nodes these are 1 and 3. The first outage of n9 lasts until one o'clock.
	want := []trace.Failure{{1800, 1, 1800, "disk"}, {7200, 3, 3 * 3600, "Not responding"}, {9.5 * 3600, 1, 1800, "disk"}}
	if err != nil || !reflect.DeepEqual(list, want) || len(remarks) != 1 || !strings.Contains(remarks[0], "2 outages drained") {
		t.Errorf("%v, %q, %v\nwant %v", list, remarks, err, want)
	}
	list, _, err = o.Failures(log, trace.Replay{Servers: 16}, 8)
	if err != nil || len(list) != 24 || list[0].Server != 0 || list[8].Server != 8 || list[15].Server != 15 {
		t.Errorf("%v, %v", list, err)
	}
	list, _, err = o.Failures(log, trace.Replay{Nodes: []spec.Nodes{{Count: 3, Units: 4}, {Count: 1, Units: 8}}}, 0)
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("on nodes: %v, %v", list, err)
	}
	for text, how := range map[string]struct{ servers, perNode int }{"2 nodes have outages, and there are 1": {1, 1}, "0 servers a node": {4, 0}} {
		if _, _, err := o.Failures(log, trace.Replay{Servers: how.servers}, how.perNode); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v\ndoes not say %q", err, text)
		}
	}
	if _, _, err := o.Failures(trace.New("made", log.Jobs), trace.Replay{Servers: 4}, 1); err == nil || !strings.Contains(err.Error(), "numbers without a date") {
		t.Error(err)
	}
}

// TestOutagesNow: sinfo -R tells of nodes that are out now, in columns or with bars, with a header or without.
func TestOutagesNow(t *testing.T) {
	bars := "Not responding|slurm|2026-01-05T03:00:00|n[08-09,11],g1\n"
	columns := "REASON               USER      TIMESTAMP           NODELIST\nNot responding       slurm     2026-01-05T03:00:00 n[08-09,11],g1\n"
	for _, text := range []string{bars, columns, "REASON|USER|TIMESTAMP|NODELIST\n" + bars, strings.SplitAfter(columns, "\n")[1]} {
		o, err := trace.ReadOutages("sinfo", strings.NewReader(text), time.FixedZone("CET", 3600))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var names []string
		for _, x := range o.List {
			names = append(names, x.Node)
			if x.Reason != "Not responding" || !x.Drained || !x.To.IsZero() || x.From.UTC().Hour() != 2 {
				t.Errorf("%q: %+v", text, x)
			}
		}
		if got := strings.Join(names, " "); got != "n08 n09 n11 g1" {
			t.Errorf("%q: %s", text, got)
		}
	}
	for text, want := range map[string]string{
		"": "the file has no header", "hello\n": "is no line of sinfo -R", failedRuns: "is no line of sinfo -R", "NodeName|State\nn1|DOWN\n": "needs the columns",
		bars + "Low memory root Unknown n1\n": "sinfo:2", bars + "x|root|2026-01-05T03:00:00|n[1-99999999]\n": "more than 65536 nodes",
		bars + "x|root|2026-01-05T03:00:00|n[9-1]\n": "is no range of nodes", bars + "x|root|Unknown|n1\n": "needs its start",
	} {
		if _, err := trace.ReadOutages("sinfo", strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\ndoes not say %q", text, err, want)
		}
	}
}

// TestNodeFail: runs that ended as a node failed are told once, whatever becomes of the job, and are given failures.
func TestNodeFail(t *testing.T) {
	for _, runs := range []trace.Runs{trace.EachRun, trace.LastRun, trace.Joined} {
		log := readCluster(t, trace.Sacct{Requeued: runs})
		if len(log.Failed) != 1 || log.Failed[0].Need != 2 || log.Failed[0].Service != 3600 || log.Failed[0].Arrival != 3600 {
			t.Errorf("%s: %+v", runs, log.Failed)
		}
	}
	log := readCluster(t, trace.Sacct{})
	list, _, err := log.FailedNodes(600).Failures(log, trace.Replay{Servers: 2}, 1)
	if err != nil || len(list) != 1 || list[0].Time != 7200 || list[0].Repair != 600 {
		t.Errorf("%v, %v", list, err)
	}
	list, _, err = log.FailedNodes(0).Failures(log, trace.Replay{Servers: 2}, 1)
	if err != nil || len(list) != 1 || list[0].Repair != 0 {
		t.Errorf("interruptions: %v, %v", list, err)
	}
	if other := log.Within(math.Inf(-1), 3601); len(other.Failed) != 0 || len(log.Only(func(j *trace.Job) bool { return j.Need == 1 }).Failed) != 0 {
		t.Error("a part of the log has failures of the other part")
	}
	// One of two nodes is down from 2 to 5: the jobs of one node there wait for it.
	jobs := trace.New("two", []trace.Job{{Arrival: 3, Need: 1, Service: 4}, {Arrival: 3, Need: 1, Service: 4}})
	r, err := jobs.Replay(context.Background(), trace.Replay{Servers: 2, After: mjq.Resume, Failures: []trace.Failure{{Time: 2, Server: 0, Repair: 3}}})
	if err != nil || r.All.Waiting.Mean.Value != 1 {
		t.Errorf("%v, %v", r, err)
	}
}
