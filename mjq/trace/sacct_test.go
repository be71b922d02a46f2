package trace

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// sacctExpected are the answers that go with testdata/sacct_sample.txt.
type sacctExpected struct {
	Report struct {
		Lines, Comments, Joined, Jobs int
		Skipped, Adjusted             map[string]int
		Malformed                     [][2]any
		OutOfOrder                    int `json:"out_of_order"`
	}
	Origin time.Time
	Jobs   []struct {
		Line                               int
		Arrival, Service, Estimate, Waited float64
		CPU, GPU, Node                     int
		Mem                                float64 `json:"mem_mib"`
		User, Partition, QOS, State        string
	}
}

// sacctSample reads the sample.
func sacctSample(t *testing.T, how Sacct) (*Trace, error) {
	t.Helper()
	f, err := os.Open("testdata/sacct_sample.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	return ReadSacct("sample", f, how)
}

// expectedSacct reads the answers.
func expectedSacct(t *testing.T) (x sacctExpected) {
	t.Helper()
	text, err := os.ReadFile("testdata/sacct_expected.json")
	if err == nil {
		err = json.Unmarshal(text, &x)
	}
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// accountedAll checks that no line is lost.
func accountedAll(t *testing.T, r *Report) {
	t.Helper()
	if sum := r.Comments + r.Jobs + r.Joined + r.SkippedLines() + r.Malformed; sum != r.Lines {
		t.Errorf("%d lines, of which %d are accounted for\n%v", r.Lines, sum, r)
	}
	faulty := 0
	for _, c := range r.Faulty {
		faulty += c.Lines
	}
	if faulty != r.Malformed {
		t.Errorf("%d malformed lines, %d with a reason", r.Malformed, faulty)
	}
}

func TestSacctSampleJobByJob(t *testing.T) {
	want := expectedSacct(t)
	log, err := sacctSample(t, Sacct{Types: []string{"cpu", "gres/gpu", "node", "mem"}, Class: "Partition+QOS+State"})
	if err == nil || log == nil {
		t.Fatalf("malformed lines are no error: %v", err)
	}
	if len(log.Jobs) != len(want.Jobs) || !log.Report.Origin.Equal(want.Origin) {
		t.Fatalf("%d jobs from %v, want %d from %v", len(log.Jobs), log.Report.Origin, len(want.Jobs), want.Origin)
	}
	byLine := map[int]Job{}
	for _, j := range log.Jobs {
		byLine[j.Line] = j
	}
	for _, w := range want.Jobs {
		j, known := byLine[w.Line]
		class := w.Partition + "+" + w.QOS + "+" + w.State
		if !known || j.Arrival != w.Arrival || j.Service != w.Service || j.Estimate != w.Estimate || j.Waited != w.Waited ||
			j.Units[0] != w.CPU || j.Units[1] != w.GPU || j.Units[2] != w.Node || float64(j.Units[3]) != w.Mem ||
			j.User != w.User || j.Class != class || !j.WaitKnown {
			t.Errorf("line %d: %+v\nwant %+v", w.Line, j, w)
		}
	}
}

// The report of the sample, with the words of this package beside those of the answers.
func TestSacctSampleReport(t *testing.T) {
	want := expectedSacct(t)
	log, err := sacctSample(t, Sacct{})
	r := &log.Report
	accountedAll(t, r)
	if r.Lines != want.Report.Lines || r.Comments != want.Report.Comments || r.Joined != want.Report.Joined ||
		r.Jobs != want.Report.Jobs || r.OutOfOrder != want.Report.OutOfOrder || r.Malformed != len(want.Report.Malformed) {
		t.Errorf("report\n%v\nwant %+v", r, want.Report)
	}
	for _, list := range []struct {
		what string
		got  []Count
		want map[string]int
	}{{"skipped", r.Skipped, want.Report.Skipped}, {"adjusted", r.Adjusted, want.Report.Adjusted}} {
		got := map[string]int{}
		for _, c := range list.got {
			word, _, _ := strings.Cut(c.Reason, ": a part")
			got[word] = c.Lines
		}
		for reason, n := range list.want {
			if got[reason] != n {
				t.Errorf("%s: %q %d times, want %d", list.what, reason, got[reason], n)
			}
		}
	}
	for _, part := range []string{"sample:42: 14 columns, and the header has 18; the line is cut off", "sample:43: \"02 Mar 05:02\" is no time; run sacct with SLURM_TIME_FORMAT=standard", "sample:44: \"four\" of cpu"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v\ndoes not say %q", err, part)
		}
	}
	left, waiting := 0, 0
	for _, d := range log.Left {
		if left++; d.Waiting {
			waiting++
		}
	}
	if left != 100 || waiting != 98 {
		t.Errorf("%d jobs left or wait, %d of them wait; want 100 and 98, of which 96 are tasks of one array: %+v", left, waiting, log.Left)
	}
}

// Who left before it started, and after how long.
func TestSacctDepartures(t *testing.T) {
	log, _ := sacctSample(t, Sacct{})
	got := map[int]Departure{}
	for _, d := range log.Left {
		got[d.Line] = d
	}
	for line, want := range map[int]Departure{9: {Arrival: 1320, Waited: 9610, Need: 128}, 33: {Arrival: 15060, Waited: 14400, Need: 8}} {
		if d := got[line]; d.Arrival != want.Arrival || d.Waited != want.Waited || d.Need != want.Need || d.Waiting {
			t.Errorf("line %d: %+v, want %+v", line, d, want)
		}
	}
}

func TestSacctSums(t *testing.T) {
	cpus, _ := sacctSample(t, Sacct{})
	gpus, _ := sacctSample(t, Sacct{Need: "gres/gpu"})
	sum := func(log *Trace) (work, wait float64) {
		for _, j := range log.Jobs {
			work += float64(j.Need) * j.Service
			wait += j.Waited
		}
		return work, wait / float64(len(log.Jobs))
	}
	if work, wait := sum(cpus); work != 90737918 || wait != 1147.4634146341464 || cpus.MaxNeed() != 512 {
		t.Errorf("%v CPU seconds, mean wait %v, at most %d CPUs", work, wait, cpus.MaxNeed())
	}
	if work, _ := sum(gpus); work != 3244113 || len(gpus.Jobs) != 17 || gpus.MaxNeed() != 32 {
		t.Errorf("%v GPU seconds in %d jobs, at most %d GPUs", work, len(gpus.Jobs), gpus.MaxNeed())
	}
	accountedAll(t, &gpus.Report)
}

// head is the least that a file of sacct has.
const head = "JobID|User|Partition|State|Submit|Eligible|Start|End|Elapsed|Timelimit|AllocTRES\n"

func TestSacctRules(t *testing.T) {
	const day = "2026-03-02T"
	row := func(id, state, submit, eligible, start, end, elapsed, tres string) string {
		return strings.Join([]string{id, "u", "p", state, day + submit, day + eligible, day + start, day + end, elapsed, "1:00:00", tres}, "|") + "\n"
	}
	twice := row("7", "PREEMPTED", "01:00:00", "01:00:00", "01:00:10", "01:10:10", "10:00", "cpu=2") + row("7", "COMPLETED", "01:10:11", "01:12:11", "02:00:00", "02:20:00", "20:00", "cpu=3")
	for _, c := range []struct {
		name, text string
		how        Sacct
		jobs       int
		check      func(log *Trace) bool
	}{
		{"each run", head + twice, Sacct{}, 2, func(l *Trace) bool { return l.Jobs[1].Arrival == 4331 && l.Jobs[1].Need == 3 }},
		{"last run", head + twice, Sacct{Requeued: LastRun}, 1, func(l *Trace) bool { return l.Jobs[0].Arrival == 4331 && l.Jobs[0].Service == 1200 }},
		{"joined runs", head + twice, Sacct{Requeued: Joined}, 1, func(l *Trace) bool {
			j := l.Jobs[0]
			return j.Arrival == 3600 && j.Service == 1800 && j.Need == 3 && j.Waited == 10 && l.Report.Joined == 1
		}},
		{"a line twice", head + strings.Repeat(row("8", "CD", "01:00:00", "01:00:00", "01:00:10", "01:10:10", "10:00", "cpu=2"), 2), Sacct{}, 1, func(l *Trace) bool { return l.Report.Skipped[0].Reason == sameRun }},
		{"by submission", head + row("9", "F", "01:00:00", "02:00:00", "02:00:01", "02:00:02", "0:01", "cpu=1"), Sacct{From: Submit}, 1, func(l *Trace) bool { return l.Jobs[0].Waited == 3601 }},
		{"no length", head + row("9", "F", "01:00:00", "01:00:00", "02:00:01", "02:00:01", "0:00", "cpu=1"), Sacct{ZeroRunTime: 0.5}, 1, func(l *Trace) bool { return l.Jobs[0].Service == 0.5 }},
		{"separate components", head + row("5+0", "CD", "01:00:00", "01:00:00", "01:00:00", "01:10:00", "10:00", "cpu=2") + row("5+1", "CD", "01:00:00", "01:00:00", "01:00:00", "01:10:00", "10:00", "cpu=1"), Sacct{Het: Separate}, 2, nil},
		{"components that start apart", head + row("5+0", "CD", "01:00:00", "01:00:00", "01:00:00", "01:10:00", "10:00", "cpu=2") + row("5+1", "CD", "01:00:00", "01:00:00", "01:00:05", "01:10:05", "10:00", "cpu=1"), Sacct{}, 2, func(l *Trace) bool { return l.Report.Adjusted[0].Reason == apartHet }},
		{"carriage returns, -p and a mark", "\ufeff" + strings.ReplaceAll(head+row("9", "CD", "01:00:00", "01:00:00", "01:00:01", "01:00:02", "0:01", "cpu=1"), "\n", "|\r\n"), Sacct{}, 1, nil},
		{"-p with a header that has none", head + strings.TrimSpace(row("9", "CD", "01:00:00", "01:00:00", "01:00:01", "01:00:02", "0:01", "cpu=1")) + "|\n", Sacct{}, 1, nil},
		{"only a partition", head + row("1", "CD", "01:00:00", "01:00:00", "01:00:01", "01:00:02", "0:01", "cpu=1") + strings.Replace(row("2", "CD", "01:00:00", "01:00:00", "01:00:01", "01:00:02", "0:01", "cpu=1"), "|p|", "|q|", 1), Sacct{Only: map[string]string{"partition": "q"}, Class: "Partition"}, 1, func(l *Trace) bool { return l.Jobs[0].Class == "q" }},
		{"without it", head + row("1", "CD", "01:00:00", "01:00:00", "01:00:01", "01:00:02", "0:01", "cpu=1") + strings.Replace(row("2", "CD", "01:00:00", "01:00:00", "01:00:01", "01:00:02", "0:01", "cpu=1"), "|p|", "|q|", 1), Sacct{Without: map[string]string{"Partition": "q"}, Class: "Partition"}, 1, func(l *Trace) bool { return l.Jobs[0].Class == "p" }},
		{"running", head + row("1", "RUNNING", "01:00:00", "01:00:00", "01:00:01", "01:00:02", "5:00", "cpu=1"), Sacct{Running: true}, 1, func(l *Trace) bool { return l.Jobs[0].Service == 300 }},
		{"a window", head + row("1", "CD", "01:00:00", "01:00:00", "01:00:00", "03:00:00", "2:00:00", "cpu=4") + row("2", "CD", "01:30:00", "01:30:00", "02:10:00", "02:30:00", "20:00", "cpu=4") +
			row("3", "CD", "00:00:00", "00:00:00", "00:00:00", "00:30:00", "30:00", "cpu=4") + row("4", "CD", "02:30:00", "02:30:00", "02:40:00", "02:50:00", "10:00", "cpu=1") + row("5", "CD", "04:30:00", "04:30:00", "04:40:00", "04:50:00", "10:00", "cpu=1"),
			Sacct{Since: time.Date(2026, 3, 2, 2, 0, 0, 0, time.UTC), Until: time.Date(2026, 3, 2, 4, 0, 0, 0, time.UTC)}, 1, func(l *Trace) bool {
				return len(l.Begin) == 2 && l.Begin[0].Service == 3600 && l.Begin[0].Arrival == 7200 && l.Begin[1].Service == 1200
			}},
		{"other columns", "jobidraw|STATE%30|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS\n9|COMPLETED|1700000000|1700000005|1700000065|60|4294967295|12\n", Sacct{}, 1, func(l *Trace) bool {
			return l.Jobs[0].Need == 12 && l.Jobs[0].Service == 60 && l.Jobs[0].Estimate == 0 && l.Jobs[0].Waited == 5
		}},
	} {
		log, err := ReadSacct(c.name, strings.NewReader(c.text), c.how)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		accountedAll(t, &log.Report)
		if len(log.Jobs) != c.jobs || c.check != nil && !c.check(log) {
			t.Errorf("%s: %+v\nbegin %+v\n%v", c.name, log.Jobs, log.Begin, &log.Report)
		}
	}
}

func TestSacctFaults(t *testing.T) {
	good := "1|u|p|CD|2026-03-02T01:00:00|2026-03-02T01:00:00|2026-03-02T01:00:00|2026-03-02T01:00:10|0:10|1:00|cpu=1\n"
	for _, c := range []struct {
		name, text string
		how        Sacct
		says       []string
	}{
		{"empty", "", Sacct{}, []string{"no line", "--format=JobIDRaw"}},
		{"no header", good, Sacct{}, []string{"no header of sacct", "leave out -n"}},
		{"columns that are missing", "JobID|State|Submit\n", Sacct{Need: "gres/gpu", Class: "QOS"}, []string{"no column Start, and none End, and none Elapsed, and none AllocTRES, and none QOS", "sacct -a -X -D"}},
		{"no job", head, Sacct{}, []string{"there is no job in it"}},
		{"a name with a bar", head + strings.Replace(good, "u|", "a|b|", 1) + good, Sacct{}, []string{"12 columns, and the header has 11; does a field hold '|', such as JobName"}},
		{"a line cut off", head + good + good[:40], Sacct{}, []string{"the line is cut off"}},
		{"a date of another form", head + strings.Replace(good, "2026-03-02T01:00:00|", "02 Mar 01:00|", 1) + good, Sacct{}, []string{"SLURM_TIME_FORMAT=standard"}},
		{"options", head + good, Sacct{Need: "cpu", Types: []string{"cpu", "cpu"}, From: "x", Requeued: "y", Het: EachRun, ZeroRunTime: -1}, []string{"give one of them", "each resource once", "From", "Requeued", "Het", "ZeroRunTime -1"}},
	} {
		_, err := ReadSacct(c.name, strings.NewReader(c.text), c.how)
		for _, part := range c.says {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\ndoes not say %q", c.name, err, part)
			}
		}
	}
}

// A file of malformed lines is a summary.
func TestSacctManyMalformedLines(t *testing.T) {
	text := head + strings.Repeat("1|u|p|CD|yesterday|||||\n", 100000) + strings.Repeat("x\n", 50000)
	log, err := ReadSacct("bad", strings.NewReader(text), Sacct{})
	if n := strings.Count(err.Error(), "\n"); n > 12 || !strings.Contains(err.Error(), "and 149990 more") {
		t.Errorf("%d lines of error: %.2000s", n, err)
	}
	accountedAll(t, &log.Report)
}

// Local times: the hour that the clock shows twice is the earlier.
func TestSacctLocalTimes(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	text := head + "1|u|p|CD|2026-10-25T02:30:00|2026-10-25T02:30:00|2026-10-25T02:30:00|2026-10-25T04:30:00|3:00:00|9:00|cpu=1\n"
	log, err := ReadSacct("rome", strings.NewReader(text), Sacct{Location: zone})
	if err != nil || log.Jobs[0].Arrival != 2.5*3600 || log.Jobs[0].Service != 3*3600 || log.Report.Adjusted[0].Reason != twiceTold {
		t.Errorf("%v, %+v", err, log)
	}
	if log, _ = ReadSacct("utc", strings.NewReader(text), Sacct{}); log.Report.Adjusted[len(log.Report.Adjusted)-1].Reason != otherClock {
		t.Errorf("%v", &log.Report)
	}
}
