package trace

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// fuzzedLog checks that whatever the text, jobs are possible, lines are
// accounted for and faults name a line of the text.
func fuzzedLog(t *testing.T, s *Stream, text string) []Job {
	var jobs []Job
	for j, err := range s.Jobs() {
		var bad *LineError
		if err != nil {
			if !errors.As(err, &bad) || bad.Line < 1 || bad.Line > strings.Count(text, "\n")+1 || bad.Reason == "" {
				t.Fatalf("error %v", err)
			}
			continue
		}
		if !(j.Arrival >= 0) || !(j.Service >= 0) || math.IsInf(j.Arrival+j.Service, 1) && math.IsInf(max(j.Arrival, j.Service), 1) || j.Need < 1 || j.Line < 1 {
			t.Fatalf("impossible job %+v", j)
		}
		jobs = append(jobs, j)
	}
	if r := s.Report(); !strings.Contains(text, "servers") || r.Malformed == 0 {
		accounted(t, r, len(jobs))
	}
	return jobs
}

func FuzzSWF(f *testing.F) {
	f.Add(swfLog, 15, 0.5, true)
	f.Add("1 0 5 1e300 4 -1 -1 4 200 -1 1 7 3 -1 1 -1 -1 -1", 0, 0., false)
	f.Add("-1 9 9\n; MaxProcs: 5\n;\n\n", 12, 1., false)
	f.Fuzz(func(t *testing.T, text string, class int, zero float64, partial bool) {
		o := SWF{Class: class, ZeroRunTime: zero, Partial: partial}
		if o.Validate() != nil {
			return
		}
		jobs := fuzzedLog(t, StreamSWF("f", strings.NewReader(text), o), text)
		var out bytes.Buffer
		var labels []string
		for i := range jobs {
			jobs[i].Class = "" // names of queues in the text may be anything
			jobs[i].Line = 0
		}
		if err := WriteSWF(&out, slices.Values(jobs), 0, labels); err != nil {
			t.Fatal(err)
		}
		back, err := StreamSWF("", &out, SWF{ZeroRunTime: 1}).Collect()
		if err != nil {
			t.Fatal(err)
		}
		sameJobs(t, back, jobs)
	})
}

func FuzzCSV(f *testing.F) {
	f.Add("arrival,servers,service,class\n0,1,2,a\n1,2,0,\"b,\"\"c\"\"\"\n", false)
	f.Add("0;1;2\n", true)
	f.Add("arrival,servers,service\n0,1,\n,,\n\"\n\r\n", false)
	f.Fuzz(func(t *testing.T, text string, noHeader bool) {
		jobs := fuzzedLog(t, StreamCSV("f", strings.NewReader(text), CSV{NoHeader: noHeader}), text)
		for i := range jobs {
			jobs[i].Line = 0
			if strings.ContainsAny(jobs[i].Class, "\r\n") {
				jobs[i].Class = ""
			}
		}
		var out bytes.Buffer
		if err := WriteCSV(&out, jobs); err != nil {
			t.Fatal(err)
		}
		back, err := StreamCSV("", &out, CSV{}).Collect()
		if err != nil {
			t.Fatal(err)
		}
		sameJobs(t, back, jobs)
	})
}

func FuzzSacct(f *testing.F) {
	f.Add(head+"1|u|p|CD|2026-03-02T01:00:00|2026-03-02T01:00:00|2026-03-02T01:00:00|2026-03-02T01:00:10|0:10|1:00|cpu=1\n", "", "each", true)
	f.Add(head+"1_[3-5]|u|p|PD|1|1||||1:00|\n2+0|u|p|CD|1|1|2|3|0:10|1:00|cpu=1\n2+1|u|p|CD|1|1|2|3|0:10|1:00|cpu=1\n", "Partition+State", "joined", false)
	f.Add("jobid|STATE|Submit|start|End|ElapsedRaw|NCPUS\n7|F|5|9|60|51|1\n7|F|5|9|60|51|1\n", "User", "last", false)
	f.Fuzz(func(t *testing.T, text, class, runs string, typed bool) {
		how := Sacct{Class: class, Requeued: Runs(runs), Since: time.Unix(2, 0)}
		if typed {
			how.Types, how.Since = []string{"cpu", "gres/gpu"}, time.Time{}
		}
		log, _ := ReadSacct("f", strings.NewReader(text), how)
		if log == nil {
			return
		}
		accountedAll(t, &log.Report)
		if err := jobFaults(log.Jobs); err != nil {
			t.Fatal(err)
		}
	})
}
