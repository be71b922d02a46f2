package simulation_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

func pathModels() map[string]mjq.Model {
	return map[string]mjq.Model{
		"five classes": workload.FiveClassExponential().AtRate(1.6),
		"one or all":   workload.OneOrAll(6, 0.3, 1, 1).AtRate(1),
		"unstable":     workload.FiveClassErlang().AtRate(3),
		"lattice": mjq.Servers(5).Arrivals(mjq.Deterministic(1)).Class("a", 2, 0.5, mjq.Deterministic(2)).
			Class("b", 3, 0.5, mjq.Deterministic(1)),
		"one server": mjq.Servers(1).Poisson(0.7).Class("a", 1, 1, mjq.ExpMean(1)),
	}
}

// TestPathMeetsTheRecurrenceAndTheEventList compares every start of service
// with both, and the blocked servers with the waste of the recurrence.
func TestPathMeetsTheRecurrenceAndTheEventList(t *testing.T) {
	const jobs = 3000
	for name, m := range pathModels() {
		p := mjq.Must(m.Path(context.Background(), 0, jobs, mjq.Seed(5)))
		if len(p.Jobs) != jobs || !p.Complete || p.From != 0 {
			t.Fatalf("%s: %d jobs from %v on, complete %v", name, len(p.Jobs), p.From, p.Complete)
		}
		runs, wasted := recurrence.NewRuns(m.Spec().Servers), 0.0
		for i, j := range p.Jobs {
			start, waste := runs.Step(j.Arrival, int32(j.Need), j.End-j.Start)
			wasted += waste
			if math.Abs(start-j.Start) > 1e-9*(1+start) || j.Number != int64(i) {
				t.Fatalf("%s: job %d starts at %v, by the recurrence at %v", name, i, j.Start, start)
			}
		}
		idle := 0.0
		for _, b := range p.Blocked() {
			idle += b.To - b.From
		}
		if math.Abs(idle-wasted) > 1e-9*(1+wasted) {
			t.Errorf("%s: blocked servers stand idle for %v, by the recurrence %v", name, idle, wasted)
		}
		sim := events.New(compiled.System{Servers: m.Spec().Servers})
		sim.Started = func(n int64, class int32, wait, service float64) {
			j := p.Jobs[n]
			if int(class) != j.Class || math.Abs(wait-j.Waiting()) > 1e-9*(1+j.Start) || math.Abs(service-(j.End-j.Start)) > 1e-9*(1+j.End) {
				t.Fatalf("%s: job %d: the event list has class %d, wait %v, service %v; the path %+v", name, n, class, wait, service, j)
			}
		}
		sim.Reset(problem.New(m.Spec()).System(5, 1).Input.Reader(0))
		sim.Until(jobs / 2)
	}
}

// TestPathSeatsJobsOnFreeServersOfLowestNumbers looks at every server.
func TestPathSeatsJobsOnFreeServersOfLowestNumbers(t *testing.T) {
	for name, m := range pathModels() {
		p := mjq.Must(m.Path(context.Background(), 0, 800, mjq.Seed(2)))
		for i, j := range p.Jobs {
			var free []int
			for k := range m.Spec().Servers {
				busy := slices.ContainsFunc(p.Jobs[:i], func(e result.PathJob) bool { return e.End > j.Start && slices.Contains(e.Seized, k) })
				if !busy {
					free = append(free, k)
				}
			}
			if len(free) < j.Need || !slices.Equal(j.Seized, free[:j.Need]) {
				t.Fatalf("%s: job %d needs %d, seizes %v of the free %v", name, i, j.Need, j.Seized, free)
			}
			if i > 0 && j.Head != max(j.Arrival, p.Jobs[i-1].Start) {
				t.Fatalf("%s: job %d comes to the head at %v", name, i, j.Head)
			}
		}
	}
}

func TestPathAfterAWarmUpIsTheEndOfTheLongOne(t *testing.T) {
	const jobs = 1000
	m := workload.FiveClassExponential().AtRate(1.7)
	long := mjq.Must(m.Path(context.Background(), 0, jobs, mjq.Seed(9)))
	for warm := 800; warm < 900; warm++ {
		end := mjq.Must(m.Path(context.Background(), warm, warm+jobs-warm, mjq.Seed(9)))
		from := long.Jobs[warm].Arrival
		var there []result.PathJob
		for _, j := range long.Jobs {
			if j.Number >= int64(warm) || j.End > from {
				there = append(there, j)
			}
		}
		if end.From != from || end.To != long.To || fmt.Sprint(end.Jobs) != fmt.Sprint(there) {
			t.Fatalf("%d jobs from %v to %v; expected %d from %v to %v", len(end.Jobs), end.From, end.To, len(there), from, long.To)
		}
		var blocked []result.Idle
		for _, b := range long.Blocked() {
			if b.To > from {
				b.From = max(b.From, from)
				blocked = append(blocked, b)
			}
		}
		if !slices.Equal(end.Blocked(), blocked) {
			t.Fatalf("%d blocked stretches after job %d, expected %d", len(end.Blocked()), warm, len(blocked))
		}
	}
}

func TestPathNamesAllFaults(t *testing.T) {
	_, err := workload.FiveClassExponential().Path(context.Background(), -1, -2)
	for _, part := range []string{"no arrivals", "jobs -1 to -2"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error %v does not name %s", err, part)
		}
	}
}

func TestPathStopsWithWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := workload.FiveClassExponential().AtRate(1.7)
	started, stopped := time.Now(), time.Duration(0)
	p, err := m.Path(ctx, 0, 1<<24, mjq.Progress(func(s mjq.Step) {
		if s.Done > 10_000 && ctx.Err() == nil {
			stopped = time.Since(started)
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) || p.Complete || len(p.Jobs) <= 10_000 {
		t.Fatalf("%d jobs, complete %v, error %v", len(p.Jobs), p.Complete, err)
	}
	if late := time.Since(started) - stopped; late > oracle.Soon {
		t.Errorf("it stopped %v after the cancellation", late)
	}
}
