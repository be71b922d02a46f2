package trace_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// TestPathUnderEveryPolicy: the path of each trace of the file has its starts and ends,
// and no server has two jobs at a time.
func TestPathUnderEveryPolicy(t *testing.T) {
	var file struct {
		Traces []struct {
			Name     string
			Servers  int
			Jobs     []trace.Job
			Policies map[string]struct{ Start, End []float64 }
		}
	}
	data, err := os.ReadFile("../testdata/policy_traces.json")
	if err != nil || json.Unmarshal(data, &file) != nil {
		t.Fatal(err)
	}
	split := 0
	for _, x := range file.Traces {
		tr := trace.New(x.Name, x.Jobs)
		for name, want := range x.Policies {
			p := named(name)
			path := mjq.Must(tr.Path(background, trace.Replay{Servers: x.Servers, Policy: p}, 0, 0))
			if len(path.Jobs) != len(x.Jobs) || !path.Complete || path.To != slices.Max(want.End) {
				t.Errorf("%s under %v: %d jobs up to %v", x.Name, p, len(path.Jobs), path.To)
				continue
			}
			for i, j := range path.Jobs {
				if j.Number != int64(i) || j.End != want.End[i] || j.Start != want.Start[i] || len(j.Seized) != x.Jobs[i].Need {
					t.Errorf("%s under %v: job %d is %+v, want from %v to %v", x.Name, p, i, j, want.Start[i], want.End[i])
				}
				split += len(j.Stretches)
			}
			apart(t, path)
		}
	}
	if split == 0 {
		t.Error("nothing was preempted")
	}
}

// apart says where a server has two jobs at a time, or stands blocked while it has one.
func apart(t *testing.T, path *result.Path) {
	t.Helper()
	rows := make([][]result.Stretch, path.Servers)
	for _, j := range path.Jobs {
		if !(j.Arrival <= j.Head && j.Head <= j.Start && j.Start <= j.End) {
			t.Errorf("%+v", j)
		}
		for _, s := range j.Served() {
			for _, k := range s.Seized {
				rows[k] = append(rows[k], s)
			}
		}
	}
	for _, b := range path.Blocked() {
		rows[b.Server] = append(rows[b.Server], result.Stretch{From: b.From, To: b.To})
	}
	for k, row := range rows {
		slices.SortFunc(row, func(a, b result.Stretch) int { return cmp.Compare(a.From+a.To, b.From+b.To) })
		for i := 1; i < len(row); i++ {
			if row[i].From < row[i-1].To-1e-9 && row[i].From < row[i].To {
				t.Fatalf("server %d has %v and %v", k, row[i-1], row[i])
			}
		}
	}
}

// TestPathOfAnInterval: the jobs between two times are those of the whole path that are
// in the system then, digit by digit; without a policy the schedule is FCFS.
func TestPathOfAnInterval(t *testing.T) {
	tr := hpc2n(t)
	for _, p := range []policy.Policy{nil, policy.EASY().Estimates(policy.Given()), policy.PreemptiveLeastServersFirst{}} {
		how := trace.Replay{Servers: 240, Policy: p, Classes: trace.PowersOfTwo}
		whole := mjq.Must(tr.Path(background, how, 0, 0))
		from, to := tr.Jobs[1000].Arrival, tr.Jobs[1100].Arrival
		part := mjq.Must(tr.Path(background, how, from, to))
		var want []result.PathJob
		for _, j := range whole.Jobs {
			if j.Arrival < to && (j.Arrival >= from || j.End > from) {
				want = append(want, j)
			}
		}
		same := func(a, b result.PathJob) bool {
			return a.Number == b.Number && a.Class == b.Class && a.Head == b.Head && a.Start == b.Start && a.End == b.End && slices.Equal(a.Seized, b.Seized)
		}
		if len(part.Jobs) < 100 || !part.Complete || part.From != from || part.To != to || !slices.EqualFunc(part.Jobs, want, same) {
			t.Errorf("%v: %d jobs from %v to %v, want %d", p, len(part.Jobs), part.From, part.To, len(want))
		}
		r := mjq.Must(tr.Replay(background, how))
		if len(part.Classes) != len(r.Classes) {
			t.Fatalf("classes %v", part.Classes)
		}
		for i, c := range r.Classes {
			if part.Classes[i] != c.Name {
				t.Errorf("class %d is %s, in the result %s", i, part.Classes[i], c.Name)
			}
		}
		if sum := waits(whole); p == nil && (sum/float64(len(whole.Jobs))-r.All.Waiting.Mean.Value) > 1e-6 {
			t.Errorf("mean wait %v by the path, %v by the recurrence", sum/float64(len(whole.Jobs)), r.All.Waiting.Mean)
		}
	}
}

func waits(p *result.Path) (sum float64) {
	for _, j := range p.Jobs {
		sum += j.Waiting()
	}
	return sum
}

// TestPathFaults: what keeps a path from being followed is said.
func TestPathFaults(t *testing.T) {
	tr := trace.New("t", []trace.Job{{Need: 1, Service: 1}, {Arrival: 1, Need: 2, Service: 1, Line: 2}})
	for part, q := range map[string]struct {
		how      trace.Replay
		from, to float64
	}{
		"from 5 to 3":             {trace.Replay{Servers: 4}, 5, 3},
		"from 0 to +Inf":          {trace.Replay{Servers: 4}, 0, math.Inf(1)},
		"jobs arrive from 0 to 1": {trace.Replay{Servers: 4}, 7, 9},
		"give their number":       {trace.Replay{}, 0, 0},
		"at least one server":     {trace.Replay{Servers: -1}, 0, 0},
		"has no estimate":         {trace.Replay{Servers: 4, Policy: policy.EASY().Estimates(policy.Given())}, 0, 0},
		"take 2 servers":          {trace.Replay{Servers: 1}, 0, 0},
	} {
		if p, err := tr.Path(background, q.how, q.from, q.to); p != nil || err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, %v", part, p, err)
		}
	}
	lazy := policy.New("Lazy", func(v *policy.View) {
		if v.Now == 0 {
			v.Start(0)
		}
	})
	p, err := tr.Path(background, trace.Replay{Servers: 4, Policy: lazy}, 0, 0)
	if err != nil || p.Complete || len(p.Jobs) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	bad, _ := trace.ReadCSV("log", strings.NewReader("arrival,servers,service\n0,1,1\n1,1,x\n2,1,1\n"), trace.CSV{})
	if p, err := bad.Path(background, trace.Replay{Servers: 1}, 0, 0); err != nil || len(p.Jobs) != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = trace.StreamCSV("log", strings.NewReader("arrival,servers,service\n0,1,1\n1,1,x\n2,1,1\n"), trace.CSV{}).
		Path(background, trace.Replay{Servers: 1}, 0, 0)
	if p == nil || len(p.Jobs) != 2 || err == nil || !strings.Contains(err.Error(), "log:3") {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestPathIsInterrupted: it stops where it is.
func TestPathIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	how := trace.Replay{Servers: 240, Policy: policy.Conservative().Estimates(policy.Given())}
	p, err := hpc2n(t).Path(ctx, how, 0, 0, mjq.Progress(func(s mjq.Step) {
		if s.Done > 0 {
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if p != nil && p.Complete {
		t.Error("complete")
	}
	cancel()
}
