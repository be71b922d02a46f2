package trace_test

import (
	"errors"
	"math"
	"reflect"
	"regexp"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// TestWhatIsNotKnown: what a replay has not measured is unknown and does not read as 0.
func TestWhatIsNotKnown(t *testing.T) {
	var jobs []trace.Job
	for k := range 500 {
		jobs = append(jobs, trace.Job{Arrival: float64(k) + math.Mod(0.618*float64(k), 0.9), Need: 1 + 2*(k*7%5/3), Service: 0.5 + float64(k*k%11)/4})
	}
	log := &trace.Trace{Name: "log", Jobs: jobs}
	how := trace.Replay{Servers: 4, Within: 0.1}
	idle := mjq.Must(log.Replay(background, trace.Replay{Servers: 400}))
	for what, c := range map[string]struct {
		answer any
		truly  string // 0
	}{
		"replay":               {mjq.Must(log.Replay(background, how)), "Killed|Preemptions|Overtaking"},
		"comparison":           {mjq.Must(log.Compare(background, how, []mjq.Policy{mjq.FCFS(), mjq.FirstFit()})), "Killed|Preemptions|Differences"},
		"replay without waits": {idle, "Killed|Preemptions|Overtaking|WastedHOL"},
	} {
		zero := regexp.MustCompile(c.truly)
		oracle.Estimates(reflect.ValueOf(c.answer), "", func(at string, e *result.Estimate) {
			if (*e == result.Estimate{}) || e.Known() && !zero.MatchString(at) && (e.Value < 0 || e.Value == 0 && e.HalfWidth == 0) {
				t.Errorf("%s: %s is %v", what, at, *e)
			}
		})
	}
	if e := idle.All.Waiting.Mean; e.Value != 0 || !math.IsNaN(e.HalfWidth) {
		t.Errorf("nobody waits in the replay: %v", e)
	}
}

// TestProgressThatPanics: the function that is told of progress may panic.
func TestProgressThatPanics(t *testing.T) {
	jobs := make([]trace.Job, 5000)
	for i := range jobs {
		jobs[i] = trace.Job{Arrival: float64(i), Need: 1, Service: 0.5}
	}
	log := trace.New("long", jobs)
	boom := mjq.Progress(func(mjq.Step) { panic("boom") })
	how := trace.Replay{Servers: 1}
	for what, ask := range map[string]func() error{
		"Replay":  func() error { _, err := log.Replay(background, how, boom); return err },
		"Path":    func() error { _, err := log.Path(background, how, 0, 0, boom); return err },
		"Compare": func() error { _, err := log.Compare(background, how, []mjq.Policy{mjq.FCFS()}, boom); return err },
		"Fit": func() error {
			_, err := log.Fit(background, trace.Fit{Servers: 1, Arrivals: trace.Best}, boom)
			return err
		},
	} {
		var p *mjq.Panic
		if err := ask(); !errors.As(err, &p) || p.Value != "boom" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestReplayInOtherUnits: nothing depends on the unit of time.
func TestReplayInOtherUnits(t *testing.T) {
	m := mjq.Servers(3).Class("a", 1, 0.6, mjq.ExpMean(1)).Class("b", 2, 0.4, mjq.ExpMean(1)).Poisson(0.7)
	log := synthetic(m, 3000, 3)
	slow := trace.New("slow", log.Jobs)
	for i := range slow.Jobs {
		slow.Jobs[i].Arrival *= 1024
		slow.Jobs[i].Service *= 1024
	}
	a, b := mjq.Must(log.Replay(background, trace.Replay{Servers: 3})), mjq.Must(slow.Replay(background, trace.Replay{Servers: 3}))
	for what, c := range map[string][2]float64{
		"wait": {1024 * a.All.Waiting.Mean.Value, b.All.Waiting.Mean.Value}, "half-width": {1024 * a.All.Waiting.Mean.HalfWidth, b.All.Waiting.Mean.HalfWidth},
		"variance": {1024 * 1024 * a.All.Response.Variance.Value, b.All.Response.Variance.Value}, "limit": {a.Limit.Rate, 1024 * b.Limit.Rate},
		"waste": {a.WastedHOL.Value, b.WastedHOL.Value},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v and %v", what, c[0], c[1])
		}
	}
}
