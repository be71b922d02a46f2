package trace

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestStreamSacct: a stream hands out the jobs of ReadSacct, with the same account of lines, of every small log.
func TestStreamSacct(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/[cdeg]*.txt")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []Sacct{{}, {Requeued: Joined, Running: true}, {Requeued: LastRun, Het: Separate, Types: []string{"cpu", "node"}, Class: "State"}} {
			want, wrong := ReadSacct("log", strings.NewReader(string(text)), how)
			s := StreamSacct("log", strings.NewReader(string(text)), how)
			jobs, malformed := s.Collect()
			if want == nil {
				if malformed == nil {
					t.Errorf("%s: read as a stream, and not otherwise: %v", file, wrong)
				}
				continue
			}
			report, of := s.Report(), want.Report
			report.Window, of.Window = Report{}.Window, Report{}.Window
			if len(jobs)+len(want.Jobs) > 0 && !reflect.DeepEqual(jobs, want.Jobs) || report.String() != of.String() || report.Left != of.Left {
				t.Errorf("%s, %+v: %d jobs, and %d otherwise\n%v\n%v", file, how, len(jobs), len(want.Jobs), &report, &of)
			}
			if of.Malformed > 0 && malformed == nil {
				t.Errorf("%s: %d malformed lines, and no error", file, of.Malformed)
			}
		}
	}
	cut := StreamSacct("log", &sacctLines{n: 1000}, Sacct{})
	for range cut.Jobs() {
		break
	}
	if r := cut.Report(); r.Jobs != 1 || r.Lines != 1001 {
		t.Errorf("stopped after a job: %v", &r)
	}
	if _, err := StreamSacct("log", &sacctLines{n: 10}, Sacct{Since: time.Unix(1, 0)}).Collect(); err == nil || !strings.Contains(err.Error(), "ReadSacct") {
		t.Errorf("a window: %v", err)
	}
}

// TestStreamSacctReplays: the queue runs on a stream as on the whole log without its window.
func TestStreamSacctReplays(t *testing.T) {
	log, err := ReadSacct("log", &sacctLines{n: 5000}, Sacct{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := log.Replay(t.Context(), Replay{Servers: 200_000, Since: -1, FromEmpty: true})
	if err != nil {
		t.Fatal(err)
	}
	streamed, err := StreamSacct("log", &sacctLines{n: 5000}, Sacct{}).Replay(t.Context(), Replay{Servers: 200_000})
	if err != nil || streamed.All.Waiting.Mean.Value != whole.All.Waiting.Mean.Value || streamed.MeanJobs.Value != whole.MeanJobs.Value {
		t.Errorf("%v: mean wait %v, and %v of the whole log", err, streamed.All.Waiting.Mean.Value, whole.All.Waiting.Mean.Value)
	}
}
