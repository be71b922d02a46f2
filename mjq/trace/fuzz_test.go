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

func FuzzTuples(f *testing.F) {
	f.Add("(1, 0.5, 0.5)\n(20, 0.5, 2)\n", 0)
	f.Add("(1, 0.5, 0.5, 3)", 1)
	f.Add("(1, 0.5, 25.0, 0.2525, 0.01)", 2)
	f.Add("(1, 0.5, 0.1492, 400, 1.4)\n()\n(,,)", 3)
	f.Add("(1, 0.5, 7)\n(1, 0.5, 1e300)\n(9, 1, 5e-324)", 5)
	f.Add("(1, 0.5, 7)\n(1, 0.5, 1.1)\n(9, 1, 1e-5)", 6)
	f.Fuzz(func(t *testing.T, text string, family int) {
		classes, err := ReadTuples("f", strings.NewReader(text), Family(family))
		if len(classes) == 0 && err == nil {
			t.Fatal("neither classes nor an error")
		}
		for _, c := range classes {
			if c.Need < 1 || !(c.Prob > 0 && c.Prob <= 1) || c.Name == "" || c.Service.Validate() != nil {
				t.Fatalf("impossible class %+v", c)
			}
		}
	})
}

func FuzzTOML(f *testing.F) {
	f.Add(tomlText)
	f.Add("cores=8\narrival={mode=\"shared\",distribution=\"deterministic\",value=1.5}\nservice={distribution=\"exponential\",rate=2}\n[class.1]\ncores=2\narrival.prob=0.3\n")
	f.Add("cores=1\n[[pivot]]\nclass=[1]\n[[class]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := ReadTOML("f", strings.NewReader(text))
		if err != nil {
			return
		}
		for _, s := range x.Runs[:min(3, len(x.Runs))] {
			if s.Servers < 1 || len(s.Classes) == 0 {
				t.Fatalf("impossible %+v", s)
			}
			for _, c := range s.Classes {
				if c.Need < 1 || !(c.Prob > 0) || c.Service.Validate() != nil {
					t.Fatalf("impossible class %+v", c)
				}
			}
			var out bytes.Buffer
			queue := s.Model()
			if err := queue.Err(); err != nil {
				t.Fatal(err)
			}
			if err := WriteTOML(&out, "x", 1, 1, queue.Spec()); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadTOML("", &out); err != nil {
				t.Fatalf("written but not read: %v", err)
			}
		}
	})
}

func FuzzRates(f *testing.F) {
	f.Add("[0.1, 0.2]")
	f.Add("\n[ 1e300,\n 5e-324 , ]\r\n")
	f.Add("x [1] y")
	f.Add("[0, -1, NaN, , 2]")
	f.Fuzz(func(t *testing.T, text string) {
		rates, err := ReadRates("f", strings.NewReader(text))
		if err != nil {
			var bad *LineError
			if errors.As(err, &bad) && (bad.Line < 1 || bad.Line > strings.Count(text, "\n")+1 || bad.Reason == "") {
				t.Fatalf("error %v", err)
			}
			return
		}
		for _, x := range rates {
			if !(x > 0) || math.IsInf(x, 1) {
				t.Fatalf("impossible rates %v", rates)
			}
		}
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
