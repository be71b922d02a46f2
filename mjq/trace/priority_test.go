package trace_test

import (
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// TestReplayWithPriorities follows five jobs by hand on four servers: levels go by the labels
// of the log, whatever the classes of the result are.
func TestReplayWithPriorities(t *testing.T) {
	log := trace.New("five jobs", []trace.Job{
		{Arrival: 0, Need: 4, Service: 10, Class: "normal"},
		{Arrival: 1, Need: 2, Service: 5, Class: "normal"},
		{Arrival: 2, Need: 4, Service: 3, Class: "urgent"},
		{Arrival: 3, Need: 2, Service: 1, Class: "normal"},
		{Arrival: 4, Need: 2, Service: 2, Class: "urgent"},
	})
	urgent := mjq.Priority([]string{"urgent"})
	for _, c := range []struct {
		p          policy.Priority
		urgent     float64 // mean wait of jobs 2 and 4
		normal     float64 // of jobs 0, 1 and 3
		stops, off float64 // preemptions and time lost, of all
	}{
		// 0: 0-10, 2: 10-13, 4 and 1: 13-15 and 13-18, 3: 15-16
		{urgent, (8. + 9) / 2, (0. + 12 + 12) / 3, 0, 0},
		// 2: 2-5, 4: 5-7, then 1 cannot: 0 needs all and is before it; 0: 0-2 and 7-15, 1 and 3 from 15
		{urgent.Preemptive(mjq.Resume), (0. + 1) / 2, (5. + 14 + 12) / 3, 1, 0},
		// 0 begins again at 7: 7-17
		{urgent.Preemptive(mjq.Restart), (0. + 1) / 2, (7. + 16 + 14) / 3, 1, 2},
		// 0 leaves at 2; 1 begins beside 4 at 5, 3 at 7
		{urgent.Preemptive(mjq.Drop), (0. + 1) / 2, (0. + 4 + 4) / 3, 1, 2},
	} {
		for _, by := range []trace.Grouping{trace.ByNeed, trace.ByClass, trace.ByLabel, trace.ByUser} {
			how := trace.Replay{Servers: 4, Policy: c.p, Classes: by, Overtaking: true}
			r, err := log.Replay(background, how)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := r.All.Waiting.Mean.Value, (2*c.urgent+3*c.normal)/5; got < want-1e-12 || got > want+1e-12 {
				t.Errorf("%v by %q: wait %v, want %v", c.p, by, got, want)
			}
			if by == trace.ByLabel && (r.Class("urgent").Waiting.Mean.Value != c.urgent || len(r.Classes) != 2) {
				t.Errorf("%v: urgent jobs wait %v, want %v", c.p, r.Class("urgent").Waiting.Mean, c.urgent)
			}
			if c.p.Preempts != "" && (r.All.Preemptions.Value != c.stops/5 || r.All.Lost.Value != c.off/5) {
				t.Errorf("%v: preemptions %v, lost %v", c.p, r.All.Preemptions, r.All.Lost)
			}
		}
		path := mjq.Must(log.Path(background, trace.Replay{Servers: 4, Policy: c.p, Classes: trace.ByClass}, 0, 0))
		if name := path.Classes[path.Jobs[len(path.Jobs)-1].Class]; !strings.Contains(name, "/") {
			t.Errorf("%v: a job of the path is of class %q", c.p, name)
		}
	}
	for says, p := range map[string]policy.Policy{`"urgnt" is not in the model`: mjq.Priority([]string{"urgnt"}), "choose restart": urgent.Preemptive(mjq.Resampled)} {
		if _, err := log.Replay(background, trace.Replay{Servers: 4, Policy: p}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v", p, err)
		}
	}
	d := mjq.Must(log.Compare(background, trace.Replay{Servers: 4}, []mjq.Policy{mjq.FCFS(), urgent, urgent.Preemptive(mjq.Restart)}))
	if !strings.Contains(d.String(), "Priority(urgent).Preemptive(restart)") {
		t.Errorf("%v", d)
	}
}

// kindsInTurn serves kind after kind, each while it fits.
var kindsInTurn = policy.New("", func(v *policy.View) {
	for kind := range v.Waiting {
		for v.Waiting[kind] > 0 {
			if !v.Start(kind) {
				return
			}
		}
	}
})

// byName is a policy from outside that tells classes by their names: "urgent" comes first.
type byName struct{ policy.Policy }

func (p byName) String() string { return "urgent first" }

func (p byName) LevelsOf(classes []policy.Class) (levels []int) {
	for _, c := range classes {
		level := 1
		if c.Name == "urgent" {
			level = 0
		}
		levels = append(levels, level)
	}
	return levels
}

// TestReplayWithLevelsFromOutside: a policy from outside with levels is served as Priority is.
func TestReplayWithLevelsFromOutside(t *testing.T) {
	var jobs []trace.Job
	for i := range 400 {
		jobs = append(jobs, trace.Job{Arrival: float64(i), Need: 1 + i%3, Service: float64(1 + i*7%5), Class: []string{"normal", "urgent"}[i%2]})
	}
	log := trace.New("two levels", jobs)
	outside := byName{kindsInTurn}
	got := mjq.Must(log.Replay(background, trace.Replay{Servers: 3, Policy: outside, Classes: trace.ByLabel}))
	want := mjq.Must(log.Replay(background, trace.Replay{Servers: 3, Policy: mjq.Priority([]string{"urgent"}), Classes: trace.ByLabel}))
	first := mjq.Must(log.Replay(background, trace.Replay{Servers: 3, Classes: trace.ByLabel}))
	if w := got.Class("urgent").Waiting.Mean.Value; w >= first.Class("urgent").Waiting.Mean.Value || w > 2*want.Class("urgent").Waiting.Mean.Value {
		t.Errorf("urgent jobs wait %v, %v under Priority and %v first come, first served", w, want.Class("urgent").Waiting.Mean, first.Class("urgent").Waiting.Mean)
	}
}

// byMean has the classes of the least mean service time first.
type byMean struct{ byName }

func (p byMean) String() string { return "shortest first" }

func (p byMean) LevelsOf(classes []policy.Class) (levels []int) {
	for _, c := range classes {
		level := 0
		for _, other := range classes {
			if other.Mean < c.Mean {
				level++
			}
		}
		levels = append(levels, level)
	}
	return levels
}

// TestReplayWithMeans: a policy that goes by the mean service times of the classes has those of the
// log, in the pool and on nodes.
func TestReplayWithMeans(t *testing.T) {
	var jobs []trace.Job
	for i := range 400 {
		class := i % 3
		jobs = append(jobs, trace.Job{Arrival: float64(i), Need: 1, Service: []float64{3, 0.5, 1.2}[class] * float64(1+i%4), Class: []string{"c", "a", "b"}[class]})
	}
	log := trace.New("three means", jobs)
	for _, where := range []trace.Replay{{Servers: 3}, {Nodes: []spec.Nodes{{Count: 3, Units: 1}}}} {
		where.Classes = trace.ByLabel
		means, levels := where, where
		means.Policy = byMean{byName{kindsInTurn}}
		levels.Policy = mjq.Priority([]string{"a"}, []string{"b"}, []string{"c"})
		got, want := mjq.Must(log.Replay(background, means)), mjq.Must(log.Replay(background, levels))
		first := mjq.Must(log.Replay(background, where))
		for i := range got.Classes {
			if a, b := got.Classes[i].Waiting.Mean.Value, want.Classes[i].Waiting.Mean.Value; a != b || a == first.Classes[i].Waiting.Mean.Value {
				t.Errorf("%s: waits %v, by levels %v, first come, first served %v", got.Classes[i].Name, a, b, first.Classes[i].Waiting.Mean.Value)
			}
		}
	}
}
