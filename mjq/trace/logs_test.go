package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const swfLog = `; Version: 2.2
; MaxProcs: 128
; Queue: 1 short
; Queue: 2 long

1 0 5 100 4 -1 -1 4 200 -1 1 7 3 -1 1 -1 -1 -1
2 10 0 0 8 -1 -1 8 200 -1 5 7 3 -1 2 -1 -1 -1
3 20 0 -1 8 -1 -1 8 200 -1 5 7 3 -1 2 -1 -1 -1
4 30 0 50.5 -1 -1 -1 16 200 -1 1 8 3 -1 2 -1 -1 -1
5 40 0 50 0 -1 -1 -1 200 -1 0 8 3 -1 2 -1 -1 -1
6 35 0 60 2 -1 -1 2 200 -1 3 8 3 -1 2 -1 -1 -1
7 35 0 60 2 -1 -1 1 200 -1 0 8 3 -1 2 -1 -1 -1
8 50 0 sixty 2 -1 -1 1 200 -1 0 8 3 -1 2 -1 -1 -1
9 50 0 60 2
10 50 0 60 2.5 -1 -1 1 200 -1 0 8 3 -1 2 -1 -1 -1
11 50 0 -7 2 -1 -1 1 200 -1 0 8 3 -1 2 -1 -1 -1
12 -1 0 7 2 -1 -1 1 200 -1 0 8 3 -1 2 -1 -1 -1
13 60 -1 7 2 -1 -1 1 -1 -1 0 -1 3 -1 -1 -1 -1 -1 99 cpu=2
`

// accounted is the promise of the package: no line is lost.
func accounted(t testing.TB, r Report, jobs int) {
	t.Helper()
	if r.Jobs != jobs || r.Lines != r.Comments+r.Jobs+r.SkippedLines()+r.Malformed {
		t.Errorf("lines are lost: %d jobs came, the report says\n%v", jobs, &r)
	}
}

func collect(t testing.TB, s *Stream) (jobs []Job, faults []string) {
	t.Helper()
	for j, err := range s.Jobs() {
		var bad *LineError
		switch {
		case errors.As(err, &bad):
			faults = append(faults, err.Error())
		case err != nil:
			t.Fatal(err)
		default:
			jobs = append(jobs, j)
		}
	}
	return jobs, faults
}

func TestSWFRules(t *testing.T) {
	s := StreamSWF("a.swf", strings.NewReader(swfLog), SWF{Class: 15})
	jobs, faults := collect(t, s)
	want := []Job{{0, 4, 100, "short", 6, 200, 5, true, "7", nil, 0, ""}, {30, 16, 50.5, "long", 9, 200, 0, true, "8", nil, 0, ""}, {35, 2, 60, "long", 12, 200, 0, true, "8", nil, 0, ""}, {60, 2, 7, "", 18, 0, 0, false, "", nil, 0, ""}}
	if !equalJobs(jobs, want) {
		t.Errorf("jobs\n%v\nwant\n%v", jobs, want)
	}
	r := s.Report()
	accounted(t, r, 4)
	reasons := []Count{{Reason: zeroRunTime, Lines: 1, FirstLine: 7}, {Reason: noRunTime, Lines: 1, FirstLine: 8}, {Reason: noProcessors, Lines: 1, FirstLine: 10}, {Reason: partial, Lines: 1, FirstLine: 11}, {Reason: noSubmit, Lines: 1, FirstLine: 17}}
	if !slices.Equal(r.Skipped, reasons) || r.Servers != 128 || r.Malformed != 4 {
		t.Errorf("report\n%v\nwant %v, 128 servers, 4 malformed", &r, reasons)
	}
	if !slices.Equal(r.Adjusted, []Count{{Reason: substituted, Lines: 1, FirstLine: 9}, {Reason: beyond, Lines: 1, FirstLine: 18}}) {
		t.Errorf("adjusted %v", r.Adjusted)
	}
	for i, part := range []string{`a.swf:13: field 4 is "sixty"`, "a.swf:14: 5 fields", "a.swf:15: field 5 is 2.5",
		"a.swf:16: field 4 is -7"} {
		if i >= len(faults) || !strings.HasPrefix(faults[i], part) {
			t.Errorf("fault %d of %q does not begin with %q", i, faults, part)
		}
	}
}

func TestSWFOptions(t *testing.T) {
	s := StreamSWF("a.swf", strings.NewReader(swfLog), SWF{Requested: true, ZeroRunTime: 0.5, Partial: true, Class: 12})
	jobs, _ := collect(t, s)
	var needs []int
	for _, j := range jobs {
		needs = append(needs, j.Need)
	}
	if !slices.Equal(needs, []int{4, 8, 16, 2, 1, 1}) || jobs[1].Service != 0.5 || jobs[0].Class != "7" {
		t.Errorf("jobs %v", jobs)
	}
	if r := s.Report(); r.OutOfOrder != 0 || len(r.Adjusted) != 2 || r.Adjusted[0].Reason != rounded {
		t.Errorf("report %v", &r)
	}
	for _, o := range []SWF{{Class: 11}, {Class: 17}, {ZeroRunTime: -1}, {ZeroRunTime: math.NaN()}} {
		if o.Validate() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func TestCSVRules(t *testing.T) {
	text := "\ufeffid,Submit,cores,runtime,class\r\n1,0,4,1.5,\"wide, slow\"\r\n\r\n2,3,1,0,x\n3,2,1,0.25,\"say \"\"x\"\"\"\n" +
		"4,5,1\n5,-1,1,1,x\n6,5,0,1,x\n7,5,1.5,1,x\n8,5,1,NaN,x\n9,5,1,1,\"x\n10,5,1,1,\"x\"y\n"
	s := StreamCSV("b.csv", strings.NewReader(text), CSV{})
	jobs, faults := collect(t, s)
	want := []Job{{Need: 4, Service: 1.5, Class: "wide, slow", Line: 2}, {Arrival: 3, Need: 1, Class: "x", Line: 4}, {Arrival: 2, Need: 1, Service: 0.25, Class: `say "x"`, Line: 5}}
	if !equalJobs(jobs, want) {
		t.Errorf("jobs\n%v\nwant\n%v", jobs, want)
	}
	r := s.Report()
	accounted(t, r, 3)
	if r.OutOfOrder != 1 {
		t.Errorf("%d out of order, want 1", r.OutOfOrder)
	}
	for i, part := range []string{"b.csv:6: 3 columns", `b.csv:7: the arrival time is "-1"`, "b.csv:8: the number of servers is 0",
		"b.csv:9: the number of servers is 1.5", `b.csv:10: the service time is "NaN"`, "b.csv:11: a quote that", `b.csv:12: "y" after`} {
		if i >= len(faults) || !strings.HasPrefix(faults[i], part) {
			t.Errorf("fault %d of %q does not begin with %q", i, faults, part)
		}
	}
}

func TestCSVColumns(t *testing.T) {
	s := StreamCSV("c", strings.NewReader("# machine 7\n2;1;0\n"), CSV{NoHeader: true, Arrival: "3", Servers: "1", Service: "2", Comma: ';', Comment: '#'})
	jobs, faults := collect(t, s)
	if !equalJobs(jobs, []Job{{Need: 2, Service: 1, Line: 2}}) || len(faults) > 0 {
		t.Errorf("%v, %v", jobs, faults)
	}
	known := StreamCSV("c", strings.NewReader("arrival,servers,service,walltime,wait,user\n0,1,1,60,0,ada\n1,1,1,,,\n2,1,1,x,,\n"), CSV{})
	jobs, faults = collect(t, known)
	want := []Job{{0, 1, 1, "", 2, 60, 0, true, "ada", nil, 0, ""}, {Arrival: 1, Need: 1, Service: 1, Line: 3}}
	if !equalJobs(jobs, want) ||
		len(faults) != 1 || !strings.Contains(faults[0], `the estimate is "x"`) {
		t.Errorf("%v, %v", jobs, faults)
	}
	for _, bad := range []CSV{{Arrival: "when"}, {Class: "kind"}, {NoHeader: true, Servers: "4"}, {NoHeader: true, Servers: "need"}} {
		s := StreamCSV("c", strings.NewReader("arrival,servers,service\n0,1,1\n"), bad)
		if jobs, faults := collect(t, s); len(jobs) > 0 || len(faults) != 1 || !strings.HasPrefix(faults[0], "c:1: ") {
			t.Errorf("%+v: %v, %v", bad, jobs, faults)
		}
	}
}

// A line of names, as converters write, is left out with a note; one further down is not.
func TestSWFLineOfNames(t *testing.T) {
	s := StreamSWF("h", strings.NewReader("; made by hand\nid submit wait run\n1 0 5 100 4 -1 -1 4 200 -1 1 7 3 -1 1 -1 -1 -1 7 8\nid submit\n"), SWF{})
	jobs, faults := collect(t, s)
	r := s.Report()
	accounted(t, r, 1)
	if len(jobs) != 1 || len(faults) != 1 || !slices.Equal(r.Adjusted, []Count{{Reason: names, Lines: 1, FirstLine: 2}, {Reason: beyond, Lines: 1, FirstLine: 3}}) {
		t.Errorf("%v, %q, %v", jobs, faults, &r)
	}
}

// A reader that fails is not the end of the log.
func TestReaderFails(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("arrival,servers,service\n0,1,1\n"), failing{})
	for _, s := range []*Stream{StreamCSV("c", broken, CSV{}), StreamSWF("s", failing{}, SWF{})} {
		if _, err := s.Collect(); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

func TestLogsRoundTrip(t *testing.T) {
	jobs := []Job{{0, 1, 0.1 + 0.2, "a", 0, 1. / 3, 0, true, "12", nil, 0, ""}, {1e-300, 100, 1e300, `b, "c"`, 0, 0, 0, false, "", nil, 0, ""}, {math.Pi, math.MaxInt32, 5, "", 0, 7, 1e-9, true, "3", nil, 0, ""}}
	var text bytes.Buffer
	if err := WriteCSV(&text, jobs); err != nil {
		t.Fatal(err)
	}
	got, _ := collect(t, StreamCSV("", &text, CSV{}))
	sameJobs(t, got, jobs)
	text.Reset()
	if err := WriteSWF(&text, slices.Values(jobs), 64, []string{"a", `b, "c"`}); err != nil {
		t.Fatal(err)
	}
	s := StreamSWF("", &text, SWF{Class: 15})
	got, _ = collect(t, s)
	sameJobs(t, got, jobs)
	if s.Report().Servers != 64 {
		t.Error("MaxProcs is lost")
	}
}

// equalJobs reports whether two lists have the same jobs.
func equalJobs(a, b []Job) bool {
	return slices.EqualFunc(a, b, func(x, y Job) bool { return reflect.DeepEqual(x, y) })
}

func sameJobs(t *testing.T, got, want []Job) {
	t.Helper()
	for i := range got {
		got[i].Line = 0
	}
	if !equalJobs(got, want) {
		t.Errorf("round trip:\n%v\nwant\n%v", got, want)
	}
}

// generated is a log of n lines made on the fly.
type generated struct {
	line, n int
	left    []byte
	buffer  []byte
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.left) == 0 {
		if g.line == g.n {
			return 0, io.EOF
		}
		g.line++
		g.buffer = fmt.Appendf(g.buffer[:0], "%d %d 3 %d %d -1 -1 %d 3600 -1 1 %d 1 -1 %d -1 -1 -1\n",
			g.line, 7*g.line, g.line%5000, 1<<(g.line%8), 1<<(g.line%8), g.line%100, g.line%3)
		g.left = g.buffer
	}
	n := copy(p, g.left)
	g.left = g.left[n:]
	return n, nil
}

// Ten million lines of SWF stream in memory that does not grow; fewer with
// -short and by default, all with MJQ_LONG set.
func TestSWFStreamsInConstantMemory(t *testing.T) {
	n := 300_000
	if os.Getenv("MJQ_LONG") != "" {
		n = 10_000_000
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := StreamSWF("big", &generated{n: n}, SWF{Class: 15})
	jobs, work := 0, 0.0
	for j, err := range s.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		jobs++
		work += j.Service * float64(j.Need)
	}
	runtime.ReadMemStats(&after)
	r := s.Report()
	accounted(t, r, jobs)
	if r.SkippedLines() != n/5000 {
		t.Errorf("%d skipped, want %d", r.SkippedLines(), n/5000)
	}
	bytes, allocations := after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs
	t.Logf("%d lines: %d bytes in %d allocations by reader and generator", n, bytes, allocations)
	// The generator boxes six numbers a line; the buffer takes 64 KiB.
	if limit := uint64(8*n + 1000); allocations > limit {
		t.Errorf("%d allocations for %d lines, more than %d", allocations, n, limit)
	}
	if live := after.HeapAlloc; live > before.HeapAlloc+32<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before.HeapAlloc, live)
	}
}

// Reading a line allocates nothing once the classes are known.
func TestLinesAllocateNothing(t *testing.T) {
	swf := strings.Repeat("1 0 5 100 4 -1 -1 4 200 -1 1 7 3 -1 1 -1 -1 -1\n", 1000)
	csv := "arrival,servers,service,class\n" + strings.Repeat("0,4,100,\"a\"\n", 1000)
	for name, open := range map[string]func() *Stream{
		"SWF": func() *Stream { return StreamSWF("", strings.NewReader(swf), SWF{Class: 15}) },
		"CSV": func() *Stream { return StreamCSV("", strings.NewReader(csv), CSV{}) },
	} {
		got := testing.AllocsPerRun(5, func() {
			for _, err := range open().Jobs() {
				if err != nil {
					t.Fatal(err)
				}
			}
		})
		if got > 40 {
			t.Errorf("%s: %v allocations for 1000 lines", name, got)
		}
	}
}

// A line without an end is malformed, and the next one is read.
func TestEndlessLine(t *testing.T) {
	long := strings.Repeat("9", 3*longest+5)
	for name, s := range map[string]*Stream{
		"SWF": StreamSWF("x", strings.NewReader("; MaxProcs: 5\n"+long+"\n1 0 5 100 4 -1 -1 4 200 -1 1 7 3 -1 1 -1 -1 -1"), SWF{}),
		"CSV": StreamCSV("x", strings.NewReader("arrival,servers,service\n"+long+"\n0,4,100"), CSV{}),
	} {
		jobs, faults := collect(t, s)
		if len(jobs) != 1 || jobs[0].Service != 100 || jobs[0].Line != 3 || len(faults) != 1 || !strings.HasPrefix(faults[0], "x:2: the line has more than") {
			t.Errorf("%s: %v, %v", name, jobs, faults)
		}
		accounted(t, s.Report(), 1)
	}
}
