package trace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/trace/foreign"
	"github.com/mjqueue/mjq/mjq/workload"
)

// synthetic is a trace of the model, with classes as labels.
func synthetic(m mjq.Model, jobs int, seed uint64) *trace.Trace {
	buffer := make([]stream.Job, jobs)
	problem.Of(m.Spec(), new(problem.Limits)).System(seed, 1).Input.Reader(0).Fill(buffer, 0)
	var out []trace.Job
	now := 0.0
	for _, j := range buffer {
		out = append(out, trace.Job{Arrival: now, Need: int(j.Need), Service: j.Service, Class: m.Spec().Classes[j.Class].Name})
		now += j.Gap
	}
	return trace.New("synthetic", out)
}

// given feeds the event-list simulation with a trace; nothing comes after it.
type given []trace.Job

func (g given) Fill(dst []stream.Job, first int64) {
	for i := range dst {
		dst[i] = stream.Job{Gap: 1e12, Need: 1}
		if n := int(first) + i; n < len(g) {
			dst[i] = stream.Job{Gap: 1e12, Need: int32(g[n].Need), Service: g[n].Service}
			if n+1 < len(g) {
				dst[i].Gap = g[n+1].Arrival - g[n].Arrival
			}
		}
	}
}

// The event-list simulation shares nothing with the recurrence.
func TestReplayAgainstEvents(t *testing.T) {
	tr := synthetic(workload.FiveClassHyperExp().Poisson(1.2), 4000, 3)
	r := mjq.Must(tr.Replay(background, trace.Replay{Servers: 20}))
	sim, sum, waits := events.New(compiled.System{Servers: 20}), 0.0, 0.0
	sim.Started = func(n int64, _ int32, wait, service float64) {
		waits += wait
		sum += wait + service
	}
	sim.Reset(given(tr.Jobs))
	sim.Until(int64(len(tr.Jobs)))
	area, n := sim.Take(), float64(len(tr.Jobs))
	end := sum / r.MeanJobs.Value // Little's law over the whole run
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"mean wait", r.All.Waiting.Mean.Value, waits / n},
		{"mean response", r.All.Response.Mean.Value, sum / n},
		{"jobs in the system", r.MeanJobs.Value, area.System / end},
		{"waste", r.WastedHOL.Value, area.Wasted / end},
		{"idle servers", r.Idle.Value, (area.Idle - 20*(area.Time-end)) / end},
	} {
		if math.Abs(c.got-c.want) > 1e-6*math.Abs(c.want) { // the clock of the oracle runs to 1e12
			t.Errorf("%s: %v, the event list says %v", c.what, c.got, c.want)
		}
	}
}

// Two servers, by hand: job 3 needs both and waits for job 1 until 10, job 4
// arrives while it does and starts with its end at 12.
func TestReplayByHand(t *testing.T) {
	tr := trace.New("hand", []trace.Job{{Arrival: 101, Need: 1, Service: 2}, {Arrival: 100, Need: 1, Service: 10},
		{Arrival: 102, Need: 2, Service: 2}, {Arrival: 103, Need: 1, Service: 1}})
	r := mjq.Must(tr.Replay(background, trace.Replay{Servers: 2}))
	if got := r.Class("T2").Waiting.Mean.Value; got != 8 {
		t.Errorf("the wide job waits %v, want 8", got)
	}
	if got := r.Class("T1").Waiting.Mean.Value; got != 3 { // 0, 0 and 9
		t.Errorf("the narrow jobs wait %v on average, want 3", got)
	}
	// One server stands idle from 3 to 10 for the wide job, in 13 units of time.
	if w, b := r.WastedHOL.Value, r.Utilization.Value; math.Abs(w-7./13) > 1e-15 || math.Abs(b-17./26) > 1e-15 {
		t.Errorf("waste %v and utilisation %v, want %v and %v", w, b, 7./13, 17./26)
	}
	if got := r.Limit.Rate; got != 4./13 { // the pile is 10 + 2 + 1 high
		t.Errorf("limit %v, want 4/13", got)
	}
	if w := mjq.Must(tr.Replay(background, trace.Replay{Servers: 2, WarmUp: 3})); w.All.Waiting.Mean.Value != 9 {
		t.Errorf("after the warm-up the wait is %v, want 9", w.All.Waiting.Mean.Value)
	}
}

// A long M/M/1 trace: the intervals by batch means must cover the exact mean
// wait 1 most of the time, and not because they are wide.
func TestReplayIntervals(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.5).Class("one", 1, 1, mjq.ExpMean(1))
	// 23 of 24 and 57 of 60 are expected; the bounds are 4 standard errors below.
	covered, runs, least := 0, oracle.Sized(24, 60), oracle.Sized(19, 50)
	for seed := range uint64(runs) {
		w := mjq.Must(synthetic(m, 20_000, seed).Replay(background, trace.Replay{Servers: 1})).All.Waiting.Mean
		if w.HalfWidth > 0.2 || w.N < 32 || w.N > 64 {
			t.Fatalf("interval %v over %d batches", w, w.N)
		}
		if w.Covers(1) {
			covered++
		}
	}
	if covered < least {
		t.Errorf("%d of %d intervals cover", covered, runs)
	}
}

// The stream and the trace are the same run; batches and classes do not depend
// on the grouping.
func TestReplayStreams(t *testing.T) {
	tr := synthetic(workload.FiveClassExponential().Poisson(1.2), 3000, 1)
	var text bytes.Buffer
	if err := tr.WriteSWF(&text, 20); err != nil {
		t.Fatal(err)
	}
	log := text.String()
	s := trace.StreamSWF("log", strings.NewReader(log), trace.SWF{Class: 15})
	whole := mjq.Must(tr.Replay(background, trace.Replay{Servers: 20, Classes: trace.ByClass}))
	streamed := mjq.Must(s.Replay(background, trace.Replay{Servers: 20, Classes: trace.ByClass}))
	if streamed.All.Waiting.Mean != whole.All.Waiting.Mean || len(streamed.Classes) != 5 || streamed.Classes[4].Name != "T15/15" ||
		streamed.Class("T5/5").Response.Mean != whole.Class("T5/5").Response.Mean {
		t.Errorf("streamed\n%v\nwhole\n%v", streamed, whole)
	}
	two := mjq.Must(tr.Replay(background, trace.Replay{Servers: 20, Classes: trace.PowersOfTwo}))
	var names []string
	for _, c := range two.Classes {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != "T1 T2 T5-8 T9-16" || two.All.Waiting.Mean.Value != whole.All.Waiting.Mean.Value {
		t.Errorf("classes %s, wait %v and %v", got, two.All.Waiting.Mean, whole.All.Waiting.Mean)
	}
}

func TestReplayFaults(t *testing.T) {
	tr := trace.New("t", []trace.Job{{Need: 4, Service: 1, Line: 7}, {Arrival: 1, Need: 9, Service: 1, Line: 8}})
	_, err := tr.Replay(background, trace.Replay{Servers: 2, WarmUp: -2}, mjq.Level(1))
	for _, part := range []string{"2 jobs need more than the 2 servers, the first at line 7 of the log (4 servers)", "Level(1)", "WarmUp -2"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
	r, err := trace.StreamCSV("log", strings.NewReader("arrival,servers,service\n0,1,1\n1,x,1\n2,1,1\n"), trace.CSV{}).
		Replay(background, trace.Replay{Servers: 2})
	if r == nil || r.Run.Jobs != 2 || err == nil || !strings.Contains(err.Error(), "log:3: the number of servers") {
		t.Errorf("malformed line: %v, %v", r, err)
	}
	_, err = trace.StreamCSV("log", strings.NewReader("arrival,servers,service\n5,1,1\n1,1,1\n"), trace.CSV{}).
		Replay(background, trace.Replay{Servers: 2})
	var line *trace.LineError
	if !errors.As(err, &line) || line.Line != 3 {
		t.Errorf("disorder: %v", err)
	}
	if _, err := trace.StreamSWF("log", strings.NewReader(""), trace.SWF{Class: 99}).Replay(background, trace.Replay{Servers: 2}); err == nil || !strings.Contains(err.Error(), "99") {
		t.Errorf("option: %v", err)
	}
	if _, err := trace.ReadSWF("log", strings.NewReader("; nothing\n"), trace.SWF{}); err == nil || !strings.Contains(err.Error(), "no job") {
		t.Errorf("empty log: %v", err)
	}
}

// endless is a log without an end.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	e.n++
	return copy(p, fmt.Sprintf("%d,1,0.5\n", e.n)), nil
}

func TestReplayInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	log := io.MultiReader(strings.NewReader("arrival,servers,service\n"), &endless{})
	r, err := trace.StreamCSV("log", log, trace.CSV{}).Replay(ctx, trace.Replay{Servers: 2}, mjq.Progress(func(s mjq.Step) {
		if s.Done > 0 {
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) || r == nil || r.Run.Complete || r.Run.Jobs == 0 {
		t.Errorf("result %v, error %v", r, err)
	}
}

// A model of a long trace has the moments of the model that made it.
func TestTraceModel(t *testing.T) {
	made := workload.FiveClassErlang().Poisson(1.2)
	tr := synthetic(made, 50_000, 9)
	for name, how := range map[string]trace.Fit{"empirical": {}, "two moments": {Moments: 2},
		"by class": {Classes: trace.ByClass, Arrivals: trace.PoissonOnly}, "exponential": {Moments: 1}} {
		how.Servers = 20
		m := mjq.Must(tr.Fit(background, how)).Model
		if math.Abs(m.Rate()/tr.Rate()-1) > 1e-9 || math.Abs(m.OfferedLoad()/tr.OfferedLoad(20)-1) > 1e-9 {
			t.Errorf("%s: rate %v and load %v, the trace has %v and %v", name, m.Rate(), m.OfferedLoad(), tr.Rate(), tr.OfferedLoad(20))
		}
		for i, c := range m.Spec().Classes {
			want := made.Spec().Classes[i]
			n := want.Prob * 50_000
			if math.Abs(c.Prob-want.Prob) > 5*math.Sqrt(want.Prob/50_000) || math.Abs(c.Service.Mean()/want.Service.Mean()-1) > 5*math.Sqrt(1/(3*n)) {
				t.Errorf("%s: class %+v, want %+v", name, c, want)
			}
			if s := law.SCV(c.Service); name != "exponential" && math.Abs(s-1./3) > 5*math.Sqrt(4/n) { // Var of the SCV of an Erlang-3 sample is below 4/n
				t.Errorf("%s: class %s has SCV %v, want 1/3", name, c.Name, s)
			}
		}
	}
	two := mjq.Must(tr.Fit(background, trace.Fit{Servers: 20, Classes: trace.PowersOfTwo})).Model
	if c := two.Spec().Classes; len(c) != 4 || c[3].Need != 15 || c[2].Need != 5 || two.OfferedLoad() < tr.OfferedLoad(20) {
		t.Errorf("powers of two: %v", two)
	}
	if _, err := tr.Fit(background, trace.Fit{Servers: 8}); err == nil || !strings.Contains(err.Error(), "take 15 servers") {
		t.Errorf("too few servers: %v", err)
	}
	if _, err := trace.New("one", tr.Jobs[:1]).Fit(background, trace.Fit{Servers: 20}); err == nil {
		t.Error("one job has a rate")
	}
}

func TestTraceRoundTrip(t *testing.T) {
	tr := synthetic(workload.FiveClassExponential().Poisson(1), 500, 2)
	var csv, swf bytes.Buffer
	if err := errors.Join(tr.WriteCSV(&csv), tr.WriteSWF(&swf, 20)); err != nil {
		t.Fatal(err)
	}
	for name, back := range map[string]*trace.Trace{"CSV": mjq.Must(trace.ReadCSV("x", &csv, trace.CSV{})), "SWF": mjq.Must(trace.ReadSWF("x", &swf, trace.SWF{Class: 15}))} {
		for i, j := range back.Jobs {
			j.Line = 0
			if !reflect.DeepEqual(j, tr.Jobs[i]) {
				t.Fatalf("%s: job %d is %+v, want %+v", name, i, j, tr.Jobs[i])
			}
		}
	}
	if f := tr.Faster(2); math.Abs(f.Rate()/tr.Rate()-2) > 1e-12 || f.Jobs[100].Service != tr.Jobs[100].Service {
		t.Errorf("twice as fast: %v", f)
	}
}

func TestModelFilesRoundTrip(t *testing.T) {
	var text bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	m := mjq.Servers(40).Poisson(rng.Float64()).Class("a", 1, 0.25, mjq.ExpMean(rng.Float64())).
		Class("b", 40, 0.75, mjq.BoundedPareto(rng.Float64(), 3, 1.5))
	if err := foreign.WriteTOML(&text, "x", 10, 20, m.Spec()); err != nil {
		t.Fatal(err)
	}
	x := mjq.Must(foreign.ReadTOML("x.toml", &text))
	if got := x.FirstCome(); len(got) != 1 || got[0].Model().String() != m.String() || got[0].Model().Rate() != m.Rate() {
		t.Errorf("TOML: %v, want %v", x.FirstCome(), m)
	}
}

// TestShortLogsAreNotJudged: a log of a few hours with jobs of three days says nothing of what its servers
// can serve unless jobs wait in it.
func TestShortLogsAreNotJudged(t *testing.T) {
	var jobs []trace.Job
	for i := range 300 {
		jobs = append(jobs, trace.Job{Arrival: float64(60 * i), Need: 1, Service: 3 * trace.Day})
	}
	log := trace.New("three days", jobs)
	for servers, grew := range map[int]bool{100: true, 300: false, 400: false, 100_000: false} {
		r := mjq.Must(log.Replay(background, trace.Replay{Servers: servers}))
		if notes := strings.Join(r.Notes, " "); r.Stable == grew || strings.Contains(notes, "Waits grew") != grew {
			t.Errorf("%d servers: stable %v, %s", servers, r.Stable, notes)
		}
	}
}
