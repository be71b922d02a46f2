package playground

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// several are settings with what queues have beyond needs and shares, and the same in Go.
func several() map[string]struct {
	set  func(s *Setting)
	same func(m mjq.Model) mjq.Model
} {
	type pair = struct {
		set  func(s *Setting)
		same func(m mjq.Model) mjq.Model
	}
	up, repair := mjq.ExpMean(40), mjq.ExpMean(4)
	return map[string]pair{
		"up":     {func(s *Setting) { s.Up = 40 }, func(m mjq.Model) mjq.Model { return m.Failures("failure", up, mjq.Deterministic(0)) }},
		"repair": {func(s *Setting) { s.Up, s.Repair = 40, 4 }, func(m mjq.Model) mjq.Model { return m.Failures("failure", up, repair) }},
		"after":  {func(s *Setting) { s.Up, s.Repair, s.After = 40, 4, "resume" }, func(m mjq.Model) mjq.Model { return m.Failures("failure", up, repair).After(mjq.Resume) }},
		"recovery": {func(s *Setting) { s.Up, s.Repair, s.Recovery = 40, 4, 0.5 }, func(m mjq.Model) mjq.Model {
			return m.Failures("failure", up, repair).After(mjq.Checkpoint{How: mjq.Restart, Recovery: 0.5})
		}},
		"every": {func(s *Setting) { s.Up, s.After, s.Every, s.Cost = 40, "checkpoint", 0.5, 0.1 }, func(m mjq.Model) mjq.Model {
			return m.Failures("failure", up, mjq.Deterministic(0)).After(mjq.Checkpoint{Every: 0.5, Cost: 0.1})
		}},
		"shrink": {func(s *Setting) {
			s.Up, s.Repair, s.After, s.Classes[1].Stretching = 40, 4, "shrink", Stretching{Least: 1, Most: 6}
		}, func(m mjq.Model) mjq.Model {
			return m.Failures("failure", up, repair).After(mjq.Restart).Shrink().Elastic("b", 1, 6, mjq.Linear())
		}},
		"spares": {func(s *Setting) { s.Up, s.Repair, s.Spares = 40, 4, 2 }, func(m mjq.Model) mjq.Model { return m.Failures("failure", up, repair).Spares(2) }},
		"setup":  {func(s *Setting) { s.Setup = 2 }, func(m mjq.Model) mjq.Model { return m.Sleep(mjq.Deterministic(0), mjq.ExpMean(2)) }},
		"idle":   {func(s *Setting) { s.Setup, s.Idle = 2, 1 }, func(m mjq.Model) mjq.Model { return m.Sleep(mjq.Deterministic(1), mjq.ExpMean(2)) }},
		"awake":  {func(s *Setting) { s.Setup, s.Awake = 2, 3 }, func(m mjq.Model) mjq.Model { return m.Sleep(mjq.Deterministic(0), mjq.ExpMean(2)).Awake(3) }},
		"linear": {func(s *Setting) { s.Classes[1].Stretching = Stretching{Least: 1, Most: 6} }, func(m mjq.Model) mjq.Model { return m.Elastic("b", 1, 6, mjq.Linear()) }},
		"Amdahl": {func(s *Setting) { s.Classes[1].Stretching = Stretching{2, 6, "Amdahl", 0.9} }, func(m mjq.Model) mjq.Model { return m.Elastic("b", 2, 6, mjq.Amdahl(0.9)) }},
		"power":  {func(s *Setting) { s.Classes[1].Stretching = Stretching{2, 5, "power", 0.5} }, func(m mjq.Model) mjq.Model { return m.Elastic("b", 2, 5, mjq.Power(0.5)) }},
		"users":  {func(s *Setting) { s.Classes[1].Looping = Looping{6, 5} }, func(m mjq.Model) mjq.Model { return m.Users("b", 6, mjq.ExpMean(5)) }},
	}
}

// TestProperties: each property of the page is that of the same model in Go, moves the mean wait that is
// asked for there, has its interval or is exact, and survives the address of the page and Of.
func TestProperties(t *testing.T) {
	ctx := context.Background()
	setting := func() Setting {
		return Setting{Servers: 6, Rate: 1, Classes: []Class{{Name: "a", Need: 1, Share: 0.5, Law: "exponential", Mean: 1}, {Name: "b", Need: 4, Share: 0.5, Law: "exponential", Mean: 1}}}
	}
	plain := asked(t, setting())
	before := plain[len(plain)-1]
	for name, x := range several() {
		s := setting()
		x.set(&s)
		prob, a := 0.5, 0.5
		if s.Classes[1].Users > 0 {
			prob, a = 0, 1
		}
		want := x.same(mjq.Servers(6).Class("a", 1, a, mjq.ExpMean(1)).Class("b", 4, prob, mjq.ExpMean(1))).AtRate(1)
		got := mjq.Must(s.Model())
		if g, w := string(mjq.Must(got.MarshalJSON())), string(mjq.Must(want.MarshalJSON())); g != w {
			t.Errorf("%s: %s, want %s", name, g, w)
			continue
		}
		text := mjq.Must(json.Marshal(s))
		read, err := Read(text)
		if again := mjq.Must(json.Marshal(read)); err != nil || string(again) != string(text) {
			t.Errorf("%s: %s read as %s, %v", name, text, again, err)
		}
		taken, err := Of(want)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if g := string(mjq.Must(mjq.Must(taken.Model()).MarshalJSON())); g != string(mjq.Must(want.MarshalJSON())) {
			t.Errorf("%s comes back as %s", name, g)
		}
		list := asked(t, s)
		last := list[len(list)-1]
		if !last.Done || last.Error != "" || last.All == nil {
			t.Errorf("%s: %+v", name, last)
			continue
		}
		r := mjq.Must(want.Solve(ctx, mjq.Simulation{Jobs: 5_000, Replications: 8}, mjq.Seed(77)))
		e := r.All.Waiting.Mean
		if d := math.Abs(float64(last.All.Mean) - e.Value); !(d <= 2.5*(float64(last.All.Half)+e.HalfWidth)) {
			t.Errorf("%s: mean wait %v ± %v on the page, %v in Go", name, last.All.Mean, last.All.Half, e)
		}
		if d := math.Abs(float64(last.All.Mean - before.All.Mean)); !(d > float64(last.All.Half)) {
			t.Errorf("%s does not move the mean wait %v", name, before.All.Mean)
		}
		if len(last.Classes[1].More)+len(last.Whole) == 0 {
			t.Errorf("%s has no measure of its own: %+v", name, last)
		}
	}
}

// TestPresetsHaveNoProperties: what nobody asked for is not in the address of a page.
func TestPresetsHaveNoProperties(t *testing.T) {
	for name, s := range Presets() {
		text := string(mjq.Must(json.Marshal(s)))
		for _, key := range []string{"up", "repair", "after", "every", "cost", "recovery", "spares", "setup", "sleepAfter", "awake", "least", "most", "speed", "spread", "users", "think"} {
			if strings.Contains(text, `"`+key+`"`) || s.beyond() {
				t.Errorf("%s: %s in %s", name, key, text)
			}
		}
	}
}

// TestPropertyFaults: each field of a property that makes no sense has its fault, and a pair that no method
// serves is refused with its remedy.
func TestPropertyFaults(t *testing.T) {
	const extra, need = `"classes"`, `"b","need":2`
	for _, c := range []struct{ field, text, old, new string }{
		{"up", "-1 is not positive.", extra, `"up":-1,"classes"`},
		{"up", "Give a time, or leave", extra, `"repair":3,"classes"`},
		{"repair", "-3 is negative. Give 0 or more.", extra, `"up":9,"repair":-3,"classes"`},
		{"cost", "-3 is negative.", extra, `"up":9,"cost":-3,"classes"`},
		{"recovery", "Give a number, or leave it empty.", extra, `"up":9,"recovery":null,"classes"`},
		{"every", "Give a number.", extra, `"up":9,"after":"checkpoint","classes"`},
		{"after", `There is no "vanish" here; choose restart, resume, checkpoint or shrink.`, extra, `"up":9,"after":"vanish","classes"`},
		{"spares", "1.5 is not a whole number.", extra, `"spares":1.5,"classes"`},
		{"setup", "Give a time, or leave", extra, `"awake":2,"classes"`},
		{"setup", "-1 is not positive.", extra, `"setup":-1,"classes"`},
		{"sleep-after", "-1 is negative.", extra, `"setup":1,"sleepAfter":-1,"classes"`},
		{"awake", "-1 is too few.", extra, `"setup":1,"awake":-1,"classes"`},
		{"classes.1.least", "0 is too few.", need, need + `,"least":0,"most":3`},
		{"classes.1.least", "give at most that", need, need + `,"least":3,"most":4`},
		{"classes.1.most", "Give a whole number.", need, need + `,"least":1`},
		{"classes.1.most", "give at least that", need, need + `,"least":1,"most":1`},
		{"classes.1.most", "exceeds the 4 servers", need, need + `,"least":1,"most":9`},
		{"classes.1.speed", `There is no "warp" here.`, need, need + `,"least":1,"most":4,"speed":"warp"`},
		{"classes.1.spread", "give an exponent in (0, 1]", need, need + `,"least":1,"most":4,"speed":"power","spread":1.5`},
		{"classes.1.users", "Give a whole number.", need, need + `,"think":3`},
		{"classes.1.think", "Give a number.", need, need + `,"users":3`},
		{"classes.1.think", "-3 is not positive.", need, need + `,"users":3,"think":-3`},
	} {
		_, err := Read(link(c.old, c.new))
		if faults, _ := err.(Faults); len(faults) != 1 || faults[0].Field != c.field || !strings.Contains(faults[0].Text, c.text) || strings.Contains(faults[0].Text, alone) {
			t.Errorf("%s: %#v, want %q at %s", c.new, err, c.text, c.field)
		}
	}
	s := Setting{Servers: 8, Load: 0.5, Failing: Failing{Up: 9}, Sleeping: Sleeping{Setup: 1}, Classes: []Class{{Name: "a", Need: 1, Share: 1, Law: "exponential", Mean: 1}}}
	if list := asked(t, s); len(list) != 1 || !strings.Contains(list[0].Error, "leave one of them out") {
		t.Errorf("failures and sleep: %+v", list)
	}
}

// TestPropertiesGiven: what a page does not have of a property is refused and not left out.
func TestPropertiesGiven(t *testing.T) {
	m := mjq.Servers(8).Poisson(1).Class("a", 2, 1, mjq.ExpMean(1))
	fails := m.Failures("disk", mjq.ExpMean(9), mjq.ExpMean(1))
	for want, m := range map[string]mjq.Model{
		"one kind of failure":     fails.Failures("net", mjq.ExpMean(9), mjq.ExpMean(1)),
		"exponential time up":     m.Failures("disk", mjq.Deterministic(9), mjq.ExpMean(1)),
		"neither WhileBusy":       fails.WhileBusy(),
		"neither Reserve, Crews":  fails.Crews(1),
		"no Detection":            fails.After(mjq.Checkpoint{Every: 1, Detection: 1}),
		"and do not migrate":      fails.After(mjq.Migrate),
		"do not shrink begin":     fails.After(mjq.Resume).Shrink().Elastic("a", 1, 4, mjq.Linear()),
		"with an exponential":     m.Sleep(mjq.Deterministic(0), mjq.Deterministic(1)),
		"Elastic jobs of any":     m.Elastic("a", 1, 4, mjq.Linear().Resize(1)),
		"think for exponential":   m.Class("u", 1, 0, mjq.ExpMean(1)).Users("u", 3, mjq.Deterministic(1)),
		"a page takes offered lo": m.AtLoad(0.5).Elastic("a", 1, 4, mjq.Linear()),
	} {
		if _, err := Of(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestPropertyPrograms: a program asks for what the page does.
func TestPropertyPrograms(t *testing.T) {
	s := Setting{Servers: 8, Load: 0.5, Failing: Failing{Up: 40, Repair: 4, After: "checkpoint", Every: 0.5, Cost: 0.1, Spares: 2}, Classes: []Class{
		{Name: "a", Need: 1, Share: 1, Law: "exponential", Mean: 1}, {Name: "b", Need: 4, Law: "exponential", Mean: 1, Looping: Looping{6, 5}}}}
	for _, want := range []string{`Failures("failure", mjq.ExpMean(40), mjq.ExpMean(4))`, "After(mjq.Checkpoint{Every: 0.5, Cost: 0.1, Recovery: 0})", "Spares(2)", `Class("b", 4, 0,`, `Users("b", 6, mjq.ExpMean(5))`, "AtOffered(0.5)"} {
		if text := s.Program(); !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	s.Failing = Failing{Up: 40, After: "shrink"}
	if text := mjq.Must(s.properties()).code(); !strings.Contains(string(text), "After(mjq.Checkpoint{How: mjq.Restart, Recovery: 0}).\n\t\tShrink()") {
		t.Error(text)
	}
	s.Failing, s.Sleeping, s.Classes[0].Stretching, s.Classes = Failing{}, Sleeping{Setup: 2, Idle: 1, Awake: 3}, Stretching{1, 4, "Amdahl", 0.9}, s.Classes[:1]
	for _, want := range []string{`Elastic("a", 1, 4, mjq.Amdahl(0.9))`, "Sleep(mjq.Deterministic(1), mjq.ExpMean(2))", "Awake(3)"} {
		if lines := mjq.Must(s.properties()).code(); !strings.Contains(string(lines), want) {
			t.Errorf("no %s in\n%s", want, lines)
		}
	}
}

// TestPropertiesOnPage: the page has the fields, and offers how jobs go on after a failure.
func TestPropertiesOnPage(t *testing.T) {
	page := string(mjq.Must(os.ReadFile("page/index.html")))
	for _, id := range []string{"up", "repair", "after", "every", "cost", "recovery", "spares", "setup", "sleep-after", "awake", "more"} {
		if !strings.Contains(page, ` id="`+id+`"`) {
			t.Errorf("the page has no field %s", id)
		}
	}
	for _, name := range Aftermaths {
		if !strings.Contains(page, `<option value="`+name+`"`) {
			t.Errorf("the page does not offer %s", name)
		}
	}
	for _, pageOf := range []string{"failures", "sleep", "elastic", "turned-away"} {
		if _, err := os.Stat("../../site/docs/methods/" + pageOf + ".md"); err != nil || !strings.Contains(page, "/methods/"+pageOf+".html") {
			t.Errorf("no link to %s, %v", pageOf, err)
		}
	}
}
