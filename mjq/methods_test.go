package mjq

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/method"
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
		{queues[1], 0.02, "Forward Certified Unbiased"},
		{queues[3], 0.01, "Forward Certified Unbiased"},
		{queues[6], 0.02, "Forward Certified"},
		{queues[6], 0.1, "Backward Dominated"},
	} {
		efforts, unforeseen, err := c.m.p.Efforts(background, c.target)
		if unforeseen != nil || err != nil {
			t.Fatalf("%s: %v %v", c.name, unforeseen, err)
		}
		for _, e := range efforts {
			if !slices.Contains(strings.Fields(c.names), e.Method.Name) {
				continue
			}
			r := Must(runEffort(c.m, &e, c.target))
			if ratio := e.Steps / float64(r.Run.Steps); !r.Run.Met || !(ratio > 0.5 && ratio < 2) {
				t.Errorf("%s %s: %.3g steps were foreseen and %d taken (%.2f), met: %v", c.name, e.Query(), e.Steps, r.Run.Steps, ratio, r.Run.Met)
			}
		}
	}
}

// TestChosenSampler: with nothing but a target, Sample gives the digits of the query that
// the note names, whose interval holds the exact mean; with anything else it is Forward.
func TestChosenSampler(t *testing.T) {
	m := Must(FiveClassExponential().Poisson(1.4).Build())
	r := Must(m.Sample().RelErr(0.03).Run(background))
	note := r.Notes[len(r.Notes)-1]
	efforts, _, err := m.p.Efforts(background, 0.03)
	if err != nil {
		t.Fatal(err)
	}
	named := slices.IndexFunc(efforts, func(e method.Effort) bool { return strings.Contains(note, e.Query()+" ") })
	if named < 0 {
		t.Fatalf("the note %q names none of the queries", note)
	}
	if again := Must(runEffort(m, &efforts[named], 0.03)); again.All.Waiting.Mean != r.All.Waiting.Mean {
		t.Errorf("%v, but %s gives %v", r.All.Waiting.Mean, efforts[named].Query(), again.All.Waiting.Mean)
	}
	if !r.Run.Met || math.Abs(r.All.Waiting.Mean.Value-9.603199413595318) > 1.5*r.All.Waiting.Mean.HalfWidth {
		t.Errorf("mean wait %v, met: %v", r.All.Waiting.Mean, r.Run.Met)
	}
	short := m.Sample().Jobs(2000)
	if a, b := Must(short.Run(background)), Must(short.Forward().Run(background)); a.All.Waiting.Mean != b.All.Waiting.Mean {
		t.Error("without a target it is not Forward")
	}
	a, b := Must(short.RelErr(0.2).Run(background)), Must(short.Forward().RelErr(0.2).Run(background))
	if a.All.Waiting.Mean != b.All.Waiting.Mean {
		t.Error("with a number of jobs it is not Forward")
	}
}

// TestNothingForeseen: where nothing is foreseen, Methods says why and Sample is Forward.
func TestNothingForeseen(t *testing.T) {
	two := Servers(2).Class("a", 1, 0.5, ExpMean(1)).Class("b", 2, 0.5, ExpMean(1))
	for name, m := range map[string]*Model{
		"arrivals":         Must(two.Build()),
		"not stable":       Must(two.Poisson(5).Build()),
		"first come first": Must(two.Poisson(0.5).Build()).WithPolicy(EASY()),
		"variance":         Must(Servers(2).Poisson(0.5).Class("a", 1, 1, LomaxScaleShape(1, 1.5)).Build()),
	} {
		table := Must(m.Methods().Run(background))
		if !strings.Contains(table.Note, name) {
			t.Errorf("%s: the note is %q", name, table.Note)
		}
		for i, e := range table.Columns[3].Values[1:] {
			if !math.IsNaN(e.Value) {
				t.Errorf("%s: %s takes %v s", name, table.Columns[0].Cells[i+1], e.Value)
			}
		}
		free, failed := m.Sample().RelErr(0.1).Run(background)
		forward, fails := m.Sample().Forward().RelErr(0.1).Run(background)
		if fmt.Sprint(failed) != fmt.Sprint(fails) || free != nil && free.Solver != forward.Solver {
			t.Errorf("%s: Sample says %v and Forward %v", name, failed, fails)
		}
	}
	m := Must(two.Poisson(0.5).Build())
	_, err := m.Methods().RelErr(-1).Run(background)
	mention(t, err, "RelErr(-1)", "positive")
	ended, stop := context.WithCancel(background)
	stop()
	if note := Must(m.Methods().Run(ended)).Note; !strings.Contains(note, "canceled") {
		t.Errorf("interrupted, the note is %q", note)
	}
}

// TestMethodsTable: what fits has seconds and a query, what does not has a reason.
func TestMethodsTable(t *testing.T) {
	m := Must(FiveClassExponential().Poisson(1.4).Build())
	table := Must(m.Methods().RelErr(0.05).Run(background))
	for i, name := range table.Columns[0].Cells {
		seconds, fits := table.Columns[3].Values[i].Value, table.Columns[2].Cells[i] == ""
		if (seconds > 0) != (fits && name != "Rare") || (table.Columns[4].Cells[i] == "") != math.IsNaN(seconds) {
			t.Errorf("%s: %v s, fits: %v, asked as %q", name, seconds, fits, table.Columns[4].Cells[i])
		}
	}
	if page, text := m.Methods().HTML(), m.Methods().String(); !strings.Contains(page, "<table") || !strings.Contains(text, "seconds") {
		t.Error("Methods does not show itself")
	}
	if page := m.Methods().RelErr(-1).HTML() + m.Methods().RelErr(-1).String(); strings.Count(page, "RelErr(-1)") < 2 {
		t.Errorf("a fault is shown as %q", page)
	}
}
