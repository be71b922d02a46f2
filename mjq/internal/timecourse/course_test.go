package timecourse_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// officeDay is a small queue over a day in which nobody comes at night and more come at
// noon than can be served.
func officeDay(t *testing.T) mjq.Model {
	t.Helper()
	return mjq.Servers(4).Profile(24, 0, 1, 3, 1).
		Class("small", 1, 0.7, mjq.ExpMean(0.8)).Class("wide", 3, 0.3, mjq.ErlangMeanPhases(1, 2))
}

// TestDayIsExact: the event list and samples from the past against the chain that is
// followed through the day.
func TestDayIsExact(t *testing.T) {
	ctx, m := context.Background(), officeDay(t)
	exact := mjq.Must(m.ByTime(ctx, 8, mjq.Exact{}))
	seen := mjq.Must(m.ByTime(ctx, 8, mjq.Simulation{Jobs: oracle.Sized(8000, 40_000), Replications: 32}, mjq.Seed(3)))
	drawn := mjq.Must(m.ByTime(ctx, 8, mjq.Backward{Samples: 300}, mjq.Seed(4)))
	for k := range exact.Parts {
		e, s, d := &exact.Parts[k], &seen.Parts[k], &drawn.Parts[k]
		at := fmt.Sprintf("part %d", k)
		oracle.Agrees(t, at+": jobs", s.MeanJobs, e.MeanJobs.Value)
		oracle.Agrees(t, at+": waste", s.WastedHOL, e.WastedHOL.Value)
		oracle.Agrees(t, at+": idle", s.Idle, e.Idle.Value)
		if e.Rate == 0 {
			if !math.IsNaN(s.All.Waiting.Mean.Value) || !math.IsNaN(d.All.Waiting.Mean.Value) {
				t.Errorf("%s: nobody comes, and waits", at)
			}
			continue
		}
		for i := range e.Classes {
			x := e.Classes[i]
			for _, y := range []result.PartClass{s.Classes[i], d.Classes[i]} {
				oracle.Agrees(t, at+": wait of "+x.Name, y.Waiting.Mean, x.Waiting.Mean.Value)
				oracle.Agrees(t, at+": response of "+x.Name, y.Response.Mean, x.Response.Mean.Value)
				oracle.Agrees(t, at+": no wait of "+x.Name, y.Waiting.NoWait, x.Waiting.NoWait.Value)
				oracle.Agrees(t, at+": variance of "+x.Name, y.Waiting.Variance, x.Waiting.Variance.Value)
			}
		}
		oracle.Agrees(t, at+": wait", s.All.Waiting.Mean, e.All.Waiting.Mean.Value)
		oracle.Agrees(t, at+": wait", d.All.Waiting.Mean, e.All.Waiting.Mean.Value)
	}
}

// TestTwoHoursAreExact: from a state on, the event list against the chain.
func TestTwoHoursAreExact(t *testing.T) {
	ctx, m := context.Background(), officeDay(t)
	start := mjq.State{At: 11, Running: []mjq.Running{{Class: "wide", Age: 0.7}, {Class: "small"}}, Line: []string{"wide", "small", "small", "wide"}}
	exact := mjq.Must(m.Transient(ctx, start, mjq.Horizon{Until: 4, Parts: 4}, mjq.Exact{}))
	seen := mjq.Must(m.Transient(ctx, start, mjq.Horizon{Until: 4, Parts: 4}, mjq.Simulation{}, mjq.Seed(6)))
	if !(exact.Error < 1e-9) {
		t.Errorf("error %v", exact.Error)
	}
	for k := range exact.Parts {
		e, s := &exact.Parts[k], &seen.Parts[k]
		at := fmt.Sprintf("part %d", k)
		if e.Rate != s.Rate {
			t.Errorf("%s: rates %v and %v", at, e.Rate, s.Rate)
		}
		oracle.Agrees(t, at+": jobs", s.MeanJobs, e.MeanJobs.Value)
		oracle.Agrees(t, at+": queue", s.MeanQueue, e.MeanQueue.Value)
		oracle.Agrees(t, at+": waste", s.WastedHOL, e.WastedHOL.Value)
		oracle.Agrees(t, at+": cleared", s.Cleared, e.Cleared.Value)
		for i := range e.Classes {
			oracle.Agrees(t, at+": wait", s.Classes[i].Waiting.Mean, e.Classes[i].Waiting.Mean.Value)
			oracle.Agrees(t, at+": no wait", s.Classes[i].Waiting.NoWait, e.Classes[i].Waiting.NoWait.Value)
		}
	}
	if len(seen.Line) != 4 || !(seen.Line[0].Mean.Value < seen.Line[1].Mean.Value) {
		t.Errorf("the line starts at %v", seen.Line)
	}
	if !math.IsNaN(seen.Clear.Mean.Value) || !strings.Contains(fmt.Sprint(seen.Notes), "somebody waited all the time") {
		t.Errorf("clear after %v, with notes %q", seen.Clear.Mean, seen.Notes)
	}
	text := mjq.Must(json.Marshal(seen))
	var back result.Transient
	if err := json.Unmarshal(text, &back); err != nil || back.String() != seen.String() {
		t.Errorf("it does not survive JSON: %v", err)
	}
}

// TestDayByLoops is a day's simulation of its own: jobs by thinning, one list of times at
// which servers become free, no code shared.
func TestDayByLoops(t *testing.T) {
	got := mjq.Must(officeDay(t).ByTime(context.Background(), 8, mjq.Simulation{Jobs: 40_000}, mjq.Seed(9)))
	sums, jobs := make([]float64, 8), make([]float64, 8)
	r := rand.New(rand.NewPCG(77, 1))
	const days = 60_000
	free := []float64{0, 0, 0, 0} // ascending
	started := 0.0
	for day := range days {
		for now := 0.0; ; {
			if now -= math.Log(1-r.Float64()) / 3; now >= 24 {
				break
			}
			if rate := []float64{0, 1, 3, 1}[int(now/6)]; r.Float64()*3 > rate {
				continue
			}
			at := 24*float64(day) + now
			need, service := 1, -0.8*math.Log(1-r.Float64())
			if r.Float64() < 0.3 {
				need, service = 3, -0.5*math.Log((1-r.Float64())*(1-r.Float64()))
			}
			started = max(started, at, free[need-1])
			k := int(now / 3)
			sums[k] += started - at
			jobs[k]++
			for i := range need {
				free[i] = started + service
			}
			slices.Sort(free)
		}
	}
	for k := range got.Parts {
		if jobs[k] == 0 {
			continue
		}
		w, mine := got.Parts[k].All.Waiting.Mean, sums[k]/jobs[k]
		// The loops have more jobs, so that their error is the smaller one.
		if math.Abs(mine-w.Value) > 3*w.HalfWidth {
			t.Errorf("part %d: %v, the loops say %v", k, w, mine)
		}
	}
}

// TestCourseUnderPolicies: any policy, a start that it would not have, and the same
// digits on any number of goroutines.
func TestCourseUnderPolicies(t *testing.T) {
	ctx := context.Background()
	start := mjq.State{Running: []mjq.Running{{Class: "small", Jobs: 2, Remaining: mjq.Deterministic(1)}}, Line: []string{"wide", "small"}}
	for _, p := range []mjq.Policy{mjq.FirstFit(), mjq.EASY(), mjq.Conservative(), mjq.Window(3), mjq.MostServersFirst(), mjq.ServerFilling(), mjq.PreemptiveFirstFit(), mjq.MaxWeight()} {
		m := officeDay(t).Policy(p)
		one := mjq.Must(m.Transient(ctx, start, mjq.Horizon{Until: 3}, mjq.Simulation{Replications: 400}, mjq.Seed(2), mjq.Workers(1)))
		three := mjq.Must(m.Transient(ctx, start, mjq.Horizon{Until: 3}, mjq.Simulation{Replications: 400}, mjq.Seed(2), mjq.Workers(3)))
		if one.String() != three.String() {
			t.Errorf("%v: other digits on three goroutines", p)
		}
		if p == mjq.FirstFit() && one.Line[1].Mean.Value != 0 {
			t.Errorf("First-Fit starts the small job after %v", one.Line[1].Mean)
		}
		mjq.Must(m.ByTime(ctx, 6, mjq.Simulation{Jobs: 400, Replications: 4}))
	}
	both := mjq.Servers(3).Poisson(0.3).Class("big", 3, 0.5, mjq.ExpMean(1)).Class("one", 1, 0.5, mjq.ExpMean(1))
	waits := mjq.Must(both.Transient(ctx, mjq.State{Line: []string{"big"}}, mjq.Horizon{Until: 1}, mjq.Simulation{Replications: 100}))
	if waits.Line[0].Mean.Value != 0 || waits.Parts[0].Cleared.Value != 1 {
		t.Errorf("a job alone in line starts after %v", waits.Line[0].Mean)
	}
}

// TestPriorityByTime: a day whose rate is constant has Cobham's means, 0.5/0.7 and 0.5/(0.7·0.5)
// for two classes on one server, and preempting jobs see their own queue alone, 0.3/0.7.
func TestPriorityByTime(t *testing.T) {
	m := mjq.Servers(1).Profile(4, 1, 1).AtRate(0.5).Class("first", 1, 0.6, mjq.ExpMean(1)).Class("last", 1, 0.4, mjq.ExpMean(1))
	order := mjq.Priority([]string{"first"}, []string{"last"})
	for i, want := range [][]float64{{0.5 / 0.7, 0.5 / 0.35}, {0.3 / 0.7, 1/(0.7*0.5) - 1}} {
		p := []mjq.Policy{order, order.Preemptive(mjq.Resume)}[i]
		day := mjq.Must(m.Policy(p).ByTime(context.Background(), 1, mjq.Simulation{Jobs: oracle.Sized(20_000, 200_000), Replications: 16}, mjq.Seed(1)))
		for c, mean := range want {
			if e := day.Parts[0].Classes[c].Waiting.Mean; math.Abs(e.Value-mean) > 2*e.HalfWidth || !(e.HalfWidth < mean/10) {
				t.Errorf("%v, class %d: waits %v, want %v", p, c, e, mean)
			}
		}
	}
}

// TestCourseFaults: all faults at once, with the remedy.
func TestCourseFaults(t *testing.T) {
	ctx, m := context.Background(), officeDay(t)
	bad := mjq.State{At: -1, Running: []mjq.Running{{Class: "wide", Jobs: 2}, {Class: "huge"}, {Class: "small", Age: 1, Remaining: mjq.ExpMean(1)}}, Line: []string{"none"}}
	_, err := m.Transient(ctx, bad, mjq.Horizon{Parts: -1}, mjq.Simulation{Replications: 1 << 50})
	for _, want := range []string{"At: -1", "huge", "hold 7 servers of 4", "both an age", `"none"`, "Until 0", "-1 parts", "Replications"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
	steady := m.AtRate(1)
	plain := mjq.Servers(1).Poisson(0.5).Class("a", 1, 1, mjq.ExpMean(1))
	for want, ask := range map[string]func() (*result.Transient, error){
		"have no period":         func() (*result.Transient, error) { return plain.ByTime(ctx, 4, mjq.Simulation{}) },
		"only mjq.Simulation{}":  func() (*result.Transient, error) { return steady.Policy(mjq.FirstFit()).ByTime(ctx, 4, mjq.Exact{}) },
		"does not answer ByTime": func() (*result.Transient, error) { return steady.ByTime(ctx, 4, mjq.Forward{Jobs: 100}) },
		"Replications": func() (*result.Transient, error) {
			return steady.Transient(ctx, mjq.State{}, mjq.Horizon{Until: 1}, mjq.Simulation{Jobs: 100})
		},
		"more than 12 states": func() (*result.Transient, error) { return steady.ByTime(ctx, 4, mjq.Exact{MaxBytes: 10_000}) },
	} {
		if _, err := ask(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	full := mjq.Must(m.AtRate(9).ByTime(ctx, 4, mjq.Simulation{}))
	if title := full.Table().Title; strings.Contains(title, "()") || !strings.Contains(title, "grows without bound") {
		t.Errorf("title %q", title)
	}
	if full.Stable || !math.IsInf(full.Parts[0].All.Waiting.Mean.Value, 1) {
		t.Errorf("an unstable day: %v", full)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if c, err := m.Transient(stopped, mjq.State{}, mjq.Horizon{Until: 1}, mjq.Simulation{}); err == nil || c.Run.Complete {
		t.Error("a course that was stopped says that it is complete")
	}
}
