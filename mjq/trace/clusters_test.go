package trace

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// The excerpts are made up, in the layouts that the pages of the logs describe.
const (
	heliosExcerpt = `job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
1,u1,vcA,8,32,1,COMPLETED,2020-04-01 00:10:00,2020-04-01 00:12:00,2020-04-01 01:12:00,3600,120
2,u2,vcB,0,4,1,COMPLETED,2020-04-01 00:11:00,2020-04-01 00:11:00,2020-04-01 00:21:00,600,0
3,u3,vcA,1,4,1,CANCELLED,2020-04-01 00:20:00,,2020-04-01 00:25:00,,
4,u1,vcA,16,64,2,FAILED,2020-04-01 00:05:00,2020-04-01 00:30:00,2020-04-01 00:31:00,60,1500
`
	acmeExcerpt = `job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time
a,u1,1,8,96,900,100,Pretrain,COMPLETED,2023-05-17 11:00:00+08:00,2023-05-17 11:00:08+08:00,2023-05-17 11:00:18+08:00,,,18,8,80
b,u2,1,2,96,900,100,Evaluation,COMPLETED,2023-05-17 11:00:12+00:00,2023-05-17 11:01:22+00:00,2023-05-17 11:01:34+00:00,,,12,70,24
`
	openbExcerpt = `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
p1,12000,16384,1,1000,,LS,Running,0,12537496,0
p2,6500,12288,1,460,,LS,Succeeded,427061,603902,427061
p3,20652,12288,0,0,,BE,Succeeded,500000,500100,500020
p4,1000,1000,8,1000,A100,BE,Pending,600000,600100,
`
	phillyExcerpt = `[{"status":"Pass","vc":"v1","jobid":"a1","user":"u1","submitted_time":"2017-10-09 10:00:00","attempts":[
 {"start_time":"2017-10-09 10:05:00","end_time":"2017-10-09 11:05:00","detail":[{"ip":"m1","gpus":["g0","g1"]},{"ip":"m2","gpus":["g0"]}]},
 {"start_time":"2017-10-09 11:15:00","end_time":"2017-10-09 11:45:00","detail":[{"ip":"m3","gpus":["g0","g1","g2"]}]}]},
{"status":"Killed","vc":"v1","jobid":"a2","user":"u2","submitted_time":"2017-10-09 10:01:00","attempts":[]},
{"status":"Failed","vc":"v2","jobid":"a3","user":"u2","submitted_time":"2017-10-09 09:00:00","attempts":[{"start_time":"2017-10-09 09:30:00","end_time":null,"detail":[]}]},
{"status":"Failed","vc":"v2","jobid":"a4","user":"u2","submitted_time":"yesterday","attempts":[]},
{"status":"Pass","vc":"v2","jobid":"a5","user":"u3","submitted_time":"2017-10-09 09:59:00","attempts":[{"start_time":"2017-10-09 09:59:30","end_time":"2017-10-09 10:09:30","detail":[{"ip":"m1","gpus":["g5"]}]}]}]`
	paiJobs = `j1,i1,u1,Terminated,1000.0,2000.0
j2,i2,u2,Running,1100.0,
j3,i3,u3,Terminated,1200.0,1900.0
j4,i4,u1,Failed,x,1900.0
`
	paiTable = `j1,ps,1,Terminated,1030.0,2000.0,600.0,29.0,,CPU
j1,worker,3,Terminated,1020.0,2000.0,600.0,29.0,50.0,T4
j2,worker,1,Running,1105.0,,600.0,29.0,100.0,V100
j3,worker,1,Terminated,1200.0,1900.0,600.0,29.0,,CPU
j5,worker,one,Terminated,1200.0,1900.0,600.0,29.0,,CPU
`
)

// brief is what the tests of excerpts look at.
type brief struct {
	arrival, service, waited float64
	need                     int
	class                    string
}

func briefly(t *testing.T, log *Trace) (list []brief) {
	t.Helper()
	for _, j := range log.Jobs {
		list = append(list, brief{j.Arrival, j.Service, j.Waited, j.Need, j.Class})
	}
	r := &log.Report
	if sum := r.Comments + r.Jobs + r.Joined + r.SkippedLines() + r.Malformed; sum != r.Lines {
		t.Errorf("%d lines, of which %d are accounted for\n%v", r.Lines, sum, r)
	}
	return list
}

func TestLayoutsOfClusters(t *testing.T) {
	for _, c := range []struct {
		name, text string
		how        CSV
		want       []brief
		adjusted   int
	}{
		{"Helios", heliosExcerpt, Helios(), []brief{{300, 60, 1500, 16, "vcA"}, {600, 3600, 120, 8, "vcA"}}, 0},
		{"Acme", acmeExcerpt, Acme(), []brief{{10800, 10, 8, 8, "Pretrain"}, {39612, 12, 70, 2, "Evaluation"}}, 1},
		{"openb", openbExcerpt, AlibabaGPU2023(), []brief{{0, 12537496, 0, 1, "LS"}, {427061, 176841, 0, 1, "LS"}, {500000, 80, 20, 0, "BE"}}, 0},
	} {
		log, err := ReadCSV(c.name, strings.NewReader(c.text), c.how)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := briefly(t, log); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%v\nwant\n%v", c.name, got, c.want)
		}
		if n := len(log.Report.Adjusted); n != c.adjusted {
			t.Errorf("%s: %v", c.name, &log.Report)
		}
	}
	log, _ := ReadCSV("openb", strings.NewReader(openbExcerpt), AlibabaGPU2023())
	if !slices.Equal(log.Types, []string{"gres/gpu", "cpu"}) || !slices.Equal(log.Jobs[1].Units, []int{1, 7}) || !slices.Equal(log.Jobs[2].Units, []int{0, 21}) {
		t.Errorf("%v: %+v", log.Types, log.Jobs)
	}
}

func TestPhilly(t *testing.T) {
	for _, c := range []struct {
		attempts Runs
		want     []brief
	}{
		{EachRun, []brief{{35940, 600, 30, 1, "v2"}, {36000, 3600, 300, 3, "v1"}, {39900, 1800, 600, 3, "v1"}}},
		{LastRun, []brief{{35940, 600, 30, 1, "v2"}, {39900, 1800, 600, 3, "v1"}}},
		{Joined, []brief{{35940, 600, 30, 1, "v2"}, {36000, 5400, 300, 3, "v1"}}},
	} {
		log, err := ReadPhilly("philly", strings.NewReader(phillyExcerpt), Philly{Attempts: c.attempts})
		if err == nil || !strings.Contains(err.Error(), `job a4 was submitted at "yesterday"`) {
			t.Errorf("error %v", err)
		}
		if got := briefly(t, log); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%v\nwant\n%v", c.attempts, got, c.want)
		}
		if !log.Report.Origin.Equal(time.Date(2017, 10, 9, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("from %v", log.Report.Origin)
		}
	}
	for _, text := range []string{"", "{}", "[1]", "[]", `[{"jobid":`} {
		if _, err := ReadPhilly("philly", strings.NewReader(text), Philly{}); err == nil {
			t.Errorf("%q is a log", text)
		}
	}
}

func TestPAI(t *testing.T) {
	for whole, need := range map[bool]int{false: 150, true: 3} {
		log, err := ReadPAI("pai", strings.NewReader(paiJobs), strings.NewReader(paiTable), PAI{Whole: whole})
		for _, part := range []string{`pai (tasks):5: the number of instances is "one"`, `pai:4: the submission is "x"`} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v\ndoes not say %q", err, part)
			}
		}
		if got, want := briefly(t, log), []brief{{1000, 980, 20, need, "CPU"}}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if _, err := ReadPAI("pai", &failing{}, strings.NewReader(""), PAI{}); err == nil {
		t.Error("a reader that fails is a log")
	}
}

// What is written with types reads back as it was.
func TestTypesRoundTrip(t *testing.T) {
	log, _ := sacctSample(t, Sacct{Types: []string{"cpu", "gres/gpu"}, Class: "Partition"})
	var text bytes.Buffer
	if err := log.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	back, err := ReadCSV("back", &text, CSV{Types: []CSVType{{Name: "cpu"}, {Name: "gres/gpu"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range log.Jobs {
		log.Jobs[i].Line = 0
	}
	sameJobs(t, back.Jobs, log.Jobs)
}

func TestCSVTimesFaults(t *testing.T) {
	for _, o := range []CSV{{Start: "a"}, {Types: []CSVType{{}}}, {Types: []CSVType{{Name: "a"}, {Name: "a"}}}, {Types: []CSVType{{Name: "a", Per: math.Inf(1)}}}} {
		if o.Validate() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	for text, part := range map[string]string{
		"arrival,servers,start,end\n2020-01-01 00:00:00,1,2020-01-01 00:00:00,x\n":                     `the end time is "x"; expected timestamps`,
		"arrival,servers,begin,end\n2020-01-01 00:00:00,1,2020-01-01 00:00:00,2020-01-01 00:00:00\n":   "no column start for the start time",
		"arrival,servers,start,end\n2020-01-01 00:00:00,0,2020-01-01 00:00:00,2020-01-01 00:00:10\n":   "the number of servers is 0",
		"arrival,servers,start,end\n2020-01-01 00:00:00,-1,2020-01-01 00:00:00,2020-01-01 00:00:10Z\n": `the number of servers is "-1"`,
	} {
		_, err := ReadCSV("x", strings.NewReader(text), CSV{Start: "start", End: "end", Times: Timestamps})
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v\ndoes not say %q", text, err, part)
		}
	}
	day, err := ReadCSV("x", strings.NewReader("arrival,servers,service\n02/03/2026 05:00,1,60\n"), CSV{Times: "02/01/2006 15:04"})
	if err != nil || day.Jobs[0].Arrival != 5*3600 || day.Report.Origin.Month() != time.March {
		t.Errorf("%v, %v", day, err)
	}
}

func FuzzPhilly(f *testing.F) {
	f.Add(phillyExcerpt, "each")
	f.Add(phillyExcerpt, "joined")
	f.Fuzz(func(t *testing.T, text, attempts string) {
		log, _ := ReadPhilly("f", strings.NewReader(text), Philly{Attempts: Runs(attempts)})
		if log == nil {
			return
		}
		briefly(t, log)
		if err := jobFaults(log.Jobs); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzPAI(f *testing.F) {
	f.Add(paiJobs, paiTable, false)
	f.Fuzz(func(t *testing.T, jobs, tasks string, whole bool) {
		log, _ := ReadPAI("f", strings.NewReader(jobs), strings.NewReader(tasks), PAI{Whole: whole})
		briefly(t, log)
		if err := jobFaults(log.Jobs); err != nil {
			t.Fatal(err)
		}
	})
}
