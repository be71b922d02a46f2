package mjq

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestMethodsAreData: every method with every field set is read as it was written, a field
// of one name has one type in all, and no field is lost on the way to the engine.
func TestMethodsAreData(t *testing.T) {
	types := map[string]reflect.Type{}
	for _, m := range Methods() {
		v := reflect.New(reflect.TypeOf(m)).Elem()
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if of, seen := types[f.Name]; seen && of != f.Type {
				t.Errorf("%T.%s is of type %v, and of %v in another method", m, f.Name, f.Type, of)
			}
			types[f.Name] = f.Type
			switch x := v.Field(i).Addr().Interface().(type) {
			case *int:
				*x = 1000 + i
			case *float64:
				*x = 0.5 + float64(i)
			case *bool:
				*x = true
			case *Controls:
				*x = CloseControls
			case *Processor:
				*x = Auto
			case *map[string]float64:
				*x = map[string]float64{"a": 2}
			default:
				t.Fatalf("%T.%s has a type that this test does not know", m, f.Name)
			}
		}
		want := v.Interface().(Method)
		text, err := MarshalMethod(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := UnmarshalMethod(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %#v: %v", text, got, err)
		}
		if e := want.engine(); e != nil {
			code := run.Text(e, new(problem.Options))
			for i := range v.NumField() {
				if name := v.Type().Field(i).Name; !strings.Contains(code, name+": ") {
					t.Errorf("%s is lost: %s", name, code)
				}
			}
		}
	}
}

// TestMethodsAreRead: numbers in any notation, and faults that say what to write.
func TestMethodsAreRead(t *testing.T) {
	got, err := UnmarshalMethod([]byte(`{"method":"Forward","jobs":5e6,"controls":"close"}`))
	if want := (Forward{Jobs: 5_000_000, Controls: CloseControls}); err != nil || got != want {
		t.Errorf("read as %#v: %v", got, err)
	}
	if got, err := UnmarshalMethod([]byte("null")); got != nil || err != nil {
		t.Errorf("null is read as %#v: %v", got, err)
	}
	for text, want := range map[string]string{
		`{"method":"Forwards"}`:                    `no "Forwards"; take one of Exact, Dominated`,
		`{"jobs":5}`:                               "no name",
		`{"method":"Dominated","window":5}`:        "Dominated has no window; Backward, Unbiased do",
		`{"method":"Forward","jobs":2.5}`:          "jobs: 2.5 is not a whole number",
		`{"method":"Exact","momentsOnly":"yes"}`:   "momentsOnly",
		`{"method":"Backward","quickness":"much"}`: "Backward has no quickness; no method has",
		`[]`: "reading a method",
	} {
		if got, err := UnmarshalMethod([]byte(text)); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v and not %q", text, err, want)
		}
	}
	if _, err := MarshalMethod(MethodFunc("mine", nil)); err == nil {
		t.Error("a function has a written form")
	}
}

// TestOptions: all faults of the options come at once, each with who takes it; of what is
// said twice the last counts, nil is none.
func TestOptions(t *testing.T) {
	m := Servers(4).Poisson(1).Class("one", 1, 1, ExpMean(1))
	var none *Forward
	_, err := m.Solve(background, MeanWait(3), Pile{}, Shard(1, 2), Exact{}, none)
	if err == nil {
		t.Fatal("no fault")
	}
	for _, want := range []string{"mean wait ≤ 3: Solve has no goals; FewestServers", "Shard(1, 2): Solve does not take it; Sweep does",
		"Pile and Exact: a question has one method", "option 5 is a nil *mjq.Forward"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
	usual := Options(Seed(3), Level(0.5), nil)
	a := Must(m.Solve(background, Forward{Jobs: 1000}, usual, Seed(4), Level(0.9)))
	b := Must(m.Solve(background, &Forward{Jobs: 1000}, Seed(4), Level(0.9)))
	if a.Run.Seed != 4 || a.Level != 0.9 || a.All.Waiting.Mean != b.All.Waiting.Mean {
		t.Errorf("seed %d, level %v: %v and %v", a.Run.Seed, a.Level, a.All.Waiting.Mean, b.All.Waiting.Mean)
	}
	for text, ask := range map[string]func() error{
		"it is for Stability":         func() error { _, err := m.Solve(background, Pile{}); return err },
		"use Exact, Pile":             func() error { _, err := m.Stability(background, Forward{}); return err },
		"leave the method out":        func() error { _, err := m.Capacity(background, Exact{}); return err },
		"RelErr(0.1): Path does not":  func() error { _, err := m.Path(background, 0, 5, RelErr(0.1)); return err },
		"BatchMeans":                  func() error { _, err := m.ByTime(background, 4, Simulation{BatchMeans: 20}); return err },
		"Path: jobs 5 to 5":           func() error { _, err := m.Path(background, 5, 5); return err },
		"Controls \"far\": use":       func() error { _, err := m.Solve(background, Forward{Controls: "far"}); return err },
		"Device \"TPU\": use mjq.CPU": func() error { _, err := m.Solve(background, Forward{Device: "TPU"}); return err },
		"Wait 0: give a positive":     func() error { _, err := m.Solve(background, RareEvent{}); return err },
		"Forward: Jobs -1: at least":  func() error { _, err := m.Solve(background, Forward{Jobs: -1}); return err },
		"mjq: FewestServers: Pile":    func() error { _, err := m.FewestServers(background, MeanWait(1), Pile{}); return err },
		"neither a result nor an error": func() error {
			_, err := m.Solve(background, MethodFunc("none", func(context.Context, Model, uint64) (*result.Result, error) { return nil, nil }))
			return err
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v and not %q", err, text)
		}
	}
}

// TestSolveChooses: the exact solution where it fits and is small, forward runs where services
// are not phase-type, the simulation under other policies; asking for what the result names
// gives the same, and the notes say why and what was not reached.
func TestSolveChooses(t *testing.T) {
	exact := Servers(4).Poisson(1).Class("one", 1, 0.5, ExpMean(1)).Class("two", 2, 0.5, ExpMean(1))
	other := Servers(4).Poisson(1).Class("one", 1, 0.5, ExpMean(1)).Class("two", 2, 0.5, LogNormalMeanSCV(1, 2))
	r := Must(exact.Solve(background))
	if r.Run.Method != "mjq.Exact{}" || !strings.Contains(r.Notes[0], "chosen by mjq") {
		t.Errorf("%s: %v", r.Run.Method, r.Notes)
	}
	want := Must(exact.Solve(background, Exact{}))
	if r.All.Waiting.Mean != want.All.Waiting.Mean {
		t.Errorf("chosen %v, asked %v", r.All.Waiting.Mean, want.All.Waiting.Mean)
	}
	r = Must(other.Solve(background))
	if !strings.HasPrefix(r.Run.Method, "mjq.Forward{") || !r.Run.Met || !strings.Contains(r.Notes[0], "not phase-type") {
		t.Errorf("%s, met %v: %v", r.Run.Method, r.Run.Met, r.Notes)
	}
	for _, c := range r.Classes {
		if e := c.Waiting.Mean; !(e.HalfWidth <= max(0.02*e.Value, 0.005)) {
			t.Errorf("class %s: %v is wider than 2 %% of the wait or .5 %% of the service", c.Name, e)
		}
	}
	r = Must(other.Policy(EASY()).Solve(background, MaxJobs(100_000)))
	if !strings.HasPrefix(r.Run.Method, "mjq.Simulation{") || r.Run.Met || len(r.Notes) < 2 || !strings.Contains(r.Notes[1], "raise MaxJobs") {
		t.Errorf("%s, met %v: %v", r.Run.Method, r.Run.Met, r.Notes)
	}
	if jobs := float64(r.Run.Samples) * float64(r.Run.Jobs+r.Run.WarmUp); jobs > 100_000 {
		t.Errorf("%v jobs, more than the budget", jobs)
	}
	if r = Must(other.AtRate(100).Solve(background)); r.Stable || !math.IsInf(r.All.Waiting.Mean.Value, 1) {
		t.Errorf("beyond the limit: stable %v, %v", r.Stable, r.All.Waiting.Mean)
	}
}

// TestModelsAreValues: a longer description leaves the shorter one as it was, two models that
// begin alike share no memory, the order of calls does not matter, and the last word counts.
func TestModelsAreValues(t *testing.T) {
	begin := Servers(8).Class("a", 1, 0.5, ExpMean(1))
	one, two := begin.Class("b", 2, 0.5, ExpMean(1)), begin.Class("c", 4, 0.5, ExpMean(2))
	if one.Spec().Classes[1].Name != "b" || two.Spec().Classes[1].Name != "c" || len(begin.Spec().Classes) != 1 {
		t.Errorf("%v\n%v", one, two)
	}
	ways := []Model{
		Servers(8).Poisson(2).Class("a", 1, 0.5, ExpMean(1)).Class("b", 2, 0.5, ExpMean(1)).Policy(EASY()),
		Servers(4).Policy(FCFS()).Class("a", 1, 0.5, ExpMean(1)).Servers(8).Poisson(1).Class("b", 2, 0.5, ExpMean(1)).Policy(EASY()).AtLoad(0.5).AtRate(2),
	}
	a, b := Must(json.Marshal(ways[0])), Must(json.Marshal(ways[1]))
	if string(a) != string(b) {
		t.Errorf("%s\n%s", a, b)
	}
	var read Model
	if err := json.Unmarshal(a, &read); err != nil || string(Must(json.Marshal(read))) != string(a) {
		t.Errorf("read as %v: %v", read, err)
	}
	before := read
	if err := json.Unmarshal([]byte(`{"servers":0}`), &read); err == nil || read.String() != before.String() {
		t.Errorf("after a fault %v: %v", read, err)
	}
}

// TestFaultyArrivals: no description panics on its way, whatever comes after it, and all are
// faults when asked; of a faulty model no number is known.
func TestFaultyArrivals(t *testing.T) {
	b := Servers(4).Class("a", 1, 0.5, ExpMean(1)).Class("b", 2, 0.5, ExpMean(1))
	for want, m := range map[string]Model{
		"MarkedMAP": b.MarkedMAP([][]float64{{-1, 2}}, map[string][][]float64{"a": {{1}}}), "is NaN": b.MarkedMAP([][]float64{{math.NaN()}}, map[string][][]float64{"zz": {{1}}}),
		"MAP": b.MAP(nil, nil), "give a row for each rate": b.MMPP([]float64{1}, nil), "Batches": b.Poisson(1).Batches(nil), "batches": b.Batches(arrival.FixedSize(3)),
		"Profile": b.Profile(0), "no law ": b.Arrivals(nil), "service: no law given": Servers(2).Class("a", 1, 1, nil),
		"units are counted by type": Resources("cpu", 4).Servers(9).Needing("a", Needs{"cpu": 1}, 1, ExpMean(1)).Poisson(1),
	} {
		for _, m := range []Model{m, m.AtRate(2), m.AtLoad(0.5), m.Batches(arrival.FixedSize(2)), m.Policy(EASY())} {
			if _, err := m.Solve(background); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v and not %q", err, want)
			}
			if m.Err() != nil && (!math.IsNaN(m.Rate()) || !math.IsNaN(m.IdealRate()) || !math.IsNaN(m.OfferedLoad()) || m.Spec() == nil || m.HTML() == "") {
				t.Errorf("%s: numbers of a faulty model, %v", want, m)
			}
		}
	}
	if rate := b.Poisson(1).AtRate(3).Batches(arrival.FixedSize(3)).Rate(); rate != 9 {
		t.Errorf("batches of 3 at rate 3 bring %v jobs", rate)
	}
	_, err := b.Poisson(1).Solve(background, Exact{}, RelErr(0.1))
	oracle.Mention(t, err, "RelErr(0.1): Exact does not take it")
}

// TestFaultyModels: a model on its way carries its faults, all at once, and every question
// returns them; the zero model says how to begin.
func TestFaultyModels(t *testing.T) {
	bad := Servers(2).Poisson(-1).Class("wide", 3, 0.5, nil)
	var zero Model
	for want, m := range map[string]Model{"begin with mjq.Servers": zero, "exceeds the 2 servers": bad, "Poisson(-1)": bad, "no law given": bad,
		"no class of jobs": Servers(3), "AtLoad(-2)": bad.AtLoad(-2), "AtRate(+Inf)": bad.AtRate(math.Inf(1))} {
		_, solve := m.Solve(background)
		_, stability := m.Stability(background)
		_, path := m.Path(background, 0, 3)
		_, sizing := m.FewestServers(background, MeanWait(1))
		_, sweep := Sweep(background, m, Grid{Loads: []float64{0.5}})
		_, compare := Compare(background, m, []Policy{FCFS(), EASY()})
		for _, err := range []error{m.Err(), solve, stability, path, sizing, sweep, compare} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v and not %q", err, want)
			}
		}
		if _, err := json.Marshal(m); err == nil {
			t.Errorf("%v has a written form", m)
		}
		if !strings.Contains(m.String(), want) || !strings.Contains(m.HTML(), "Not a model yet") {
			t.Errorf("shown as %v, %s", m, m.HTML())
		}
	}
	if err := Servers(1).Class("one", 1, 1, ExpMean(1)).Err(); err != nil {
		t.Errorf("without arrivals: %v", err)
	}
	_, err := Servers(1).Class("one", 1, 1, ExpMean(1)).Solve(background)
	if err == nil || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "no arrivals") {
		t.Errorf("solved without arrivals: %v", err)
	}
}
