package speed

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/methods"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestForeseenSteps: the planner foresees within a factor of two how many jobs a method
// runs through until a target is met. Both numbers are the same on any machine.
func TestForeseenSteps(t *testing.T) {
	queues := plannedQueues()
	for _, c := range []struct {
		plannedQueue
		target float64
		names  string
	}{
		{queues[1], 0.03, "Forward Certified Unbiased"},
		{queues[3], 0.015, "Forward Certified Unbiased"},
		{queues[6], 0.03, "Forward Certified"},
		{queues[6], 0.1, "Backward Dominated"},
	} {
		p := problem.New(c.m.Spec())
		efforts, unforeseen, err := methods.Efforts(background, p, c.target)
		if unforeseen != nil || err != nil {
			t.Fatalf("%s: %v %v", c.name, unforeseen, err)
		}
		for _, e := range efforts {
			if !slices.Contains(strings.Fields(c.names), e.Method.Row().Name) {
				continue
			}
			r := mjq.Must(runEffort(p, &e, c.target))
			if ratio := e.Steps / float64(r.Run.Steps); !r.Run.Met || !(ratio > 0.5 && ratio < 2) {
				t.Errorf("%s %s: %.3g steps were foreseen and %d taken (%.2f), met: %v", c.name, e.Query(), e.Steps, r.Run.Steps, ratio, r.Run.Met)
			}
		}
	}
}

// TestChosenRun: a target without a method gives the digits of the query that the result
// names, whose interval holds the truth.
func TestChosenRun(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.35).Batches(arrival.FixedSize(2)).Class("one", 1, 1, mjq.Deterministic(1))
	r := mjq.Must(m.Solve(background, mjq.RelErr(0.03)))
	p := problem.New(m.Spec())
	efforts, _, err := methods.Efforts(background, p, 0.03)
	if err != nil {
		t.Fatal(err)
	}
	named := slices.IndexFunc(efforts, func(e methods.Effort) bool {
		_, forward := e.Method.(sampler.Forward)
		return forward && strings.HasPrefix(r.Run.Method, strings.TrimSuffix(e.Query(), "}"))
	})
	if named < 0 {
		t.Fatalf("%s is none of the queries", r.Run.Method)
	}
	if again := mjq.Must(runEffort(p, &efforts[named], 0.03)); again.All.Waiting.Mean != r.All.Waiting.Mean {
		t.Errorf("%v, but %s gives %v", r.All.Waiting.Mean, efforts[named].Query(), again.All.Waiting.Mean)
	}
	// Of the work before a job, and of the other job of its batch half of the time.
	if want := 0.7/(2*0.3) + 0.5/0.3; !r.Run.Met || math.Abs(r.All.Waiting.Mean.Value-want) > 1.5*r.All.Waiting.Mean.HalfWidth {
		t.Errorf("mean wait %v, met: %v", r.All.Waiting.Mean, r.Run.Met)
	}
}

// TestNothingForeseen: where nothing is foreseen, Methods says why, and a question without a
// method is answered all the same.
func TestNothingForeseen(t *testing.T) {
	two := mjq.Servers(2).Class("a", 1, 0.5, mjq.Deterministic(1)).Class("b", 2, 0.5, mjq.ExpMean(1))
	for name, m := range map[string]mjq.Model{
		"arrivals":         two,
		"not stable":       two.Poisson(5),
		"first come first": two.Poisson(0.5).Policy(mjq.EASY()),
		"variance":         mjq.Servers(2).Poisson(0.5).Class("a", 1, 1, mjq.LomaxScaleShape(1, 1.5)),
	} {
		table := mjq.Must(m.Methods(background))
		if !strings.Contains(table.Note, name) {
			t.Errorf("%s: the note is %q", name, table.Note)
		}
		for i, e := range table.Columns[3].Values[1:] {
			if !math.IsNaN(e.Value) {
				t.Errorf("%s: %s takes %v s", name, table.Columns[0].Cells[i+1], e.Value)
			}
		}
		free, failed := m.Solve(background, mjq.MaxJobs(50_000))
		if (failed != nil) != (name == "arrivals") || failed == nil && free.Stable != (name != "not stable") {
			t.Errorf("%s: %v, %v", name, free, failed)
		}
	}
	m := two.Poisson(0.5)
	_, err := m.Methods(background, mjq.RelErr(-1))
	oracle.Mention(t, err, "RelErr(-1)", "positive")
	ended, stop := context.WithCancel(background)
	stop()
	if note := mjq.Must(m.Methods(ended)).Note; !strings.Contains(note, "canceled") {
		t.Errorf("interrupted, the note is %q", note)
	}
}

// TestMethodsTable: what fits has seconds and a query, what does not has a reason.
func TestMethodsTable(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	table := mjq.Must(m.Methods(background, mjq.RelErr(0.05)))
	for i, name := range table.Columns[0].Cells {
		seconds, fits := table.Columns[3].Values[i].Value, table.Columns[2].Cells[i] == ""
		if (seconds > 0) != (fits && name != "RareEvent") || (table.Columns[4].Cells[i] == "") != math.IsNaN(seconds) {
			t.Errorf("%s: %v s, fits: %v, asked as %q", name, seconds, fits, table.Columns[4].Cells[i])
		}
	}
	_, err := m.Methods(background, mjq.RelErr(-1))
	oracle.Mention(t, err, "RelErr(-1)")
}
