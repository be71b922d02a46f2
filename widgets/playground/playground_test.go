package playground

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// asked are all answers to a setting, each as the page reads it.
func asked(t *testing.T, s Setting) []Answer {
	t.Helper()
	var list []Answer
	Ask(context.Background(), s, func(a Answer) {
		if text, err := json.Marshal(a); err != nil || strings.Contains(string(text), "NaN") {
			t.Fatalf("%s: %v", text, err)
		}
		list = append(list, a)
	})
	return list
}

// The last answer of M/M/1 is exact: a mean wait of ρ/(1-ρ), P(W > t) = ρ exp(-(1-ρ)t).
func TestAskOneServer(t *testing.T) {
	s := Setting{Servers: 1, Load: 0.5, Classes: []Class{{Name: "one", Need: 1, Share: 3, Law: "exponential", Mean: 1}}}
	list := asked(t, s)
	a := list[len(list)-1]
	if !a.Done || !a.Stable || a.Error != "" || math.Abs(float64(a.All.Mean)-1) > 1e-9 || a.All.Half != 0 {
		t.Fatalf("%+v", a)
	}
	for k, x := range a.Grid {
		if want := 0.5 * math.Exp(-0.5*float64(x)); math.Abs(float64(a.Classes[0].Tail[k])-want) > 1e-6 {
			t.Errorf("P(W > %v) = %v, want %v", x, a.Classes[0].Tail[k], want)
		}
	}
	if u := a.Servers; math.Abs(float64(u.Busy)-0.5) > 1e-9 || math.Abs(float64(u.Idle)-0.5) > 1e-9 {
		t.Errorf("%+v", *u)
	}
}

// A queue in which nobody is blocked has a chart without idle servers in pink: a list that is empty
// and not null, which a page cannot go through.
func TestAskIdle(t *testing.T) {
	list := asked(t, Setting{Servers: 30, Rate: 0.1, Classes: []Class{{Name: "one", Need: 1, Share: 1, Law: "constant", Mean: 0.5}}})
	text, err := json.Marshal(list[0].Path)
	if err != nil || !strings.Contains(string(text), `"blocked":[]`) {
		t.Errorf("%.200s, %v", text, err)
	}
}

// Every preset first come first served and by First-Fit ends with an answer that has waits, and the sampled
// means of FCFS hold the exact ones.
func TestAskPresets(t *testing.T) {
	for name, s := range Presets() {
		for _, p := range Policies[:2] {
			s.Policy = p.Name
			list := asked(t, s)
			last := list[len(list)-1]
			if !last.Done || last.Error != "" || last.All == nil || last.Path == nil || len(last.Path.Runs) < 10 {
				t.Errorf("%s, %s: %+v", name, p.Name, last)
				continue
			}
			for _, before := range list[1 : len(list)-1] {
				d := math.Abs(float64(before.All.Mean - last.All.Mean))
				if last.All.Half == 0 && d > 3*float64(before.All.Half) {
					t.Errorf("%s: first %v ± %v, then %v", name, before.All.Mean, before.All.Half, last.All.Mean)
				}
			}
		}
	}
}

// Of a queue whose distributions take long the exact means come before, beside sampled
// tails.
func TestAskMeansFirst(t *testing.T) {
	list := asked(t, Presets()["five classes"])
	sample, early, last := list[len(list)-3], list[len(list)-2], list[len(list)-1]
	if early.Done || early.All.Half != 0 || early.All.Mean != last.All.Mean || sample.All.Half == 0 {
		t.Errorf("means %v ± %v, %v, %v", sample.All.Mean, sample.All.Half, early.All.Mean, last.All.Mean)
	}
	for i, c := range early.Classes {
		if c.Half != 0 || c.Mean != last.Classes[i].Mean || c.P99 != sample.Classes[i].P99 || !slices.Equal(c.Tail, sample.Classes[i].Tail) {
			t.Errorf("%+v, %+v, %+v", sample.Classes[i], c, last.Classes[i])
		}
	}
	if *early.Servers != *last.Servers {
		t.Errorf("%+v, %+v", early.Servers, last.Servers)
	}
}

// The preset of five classes is the queue of Table 2 that notebooks and pages have.
func TestFiveClassesAreTheWorkload(t *testing.T) {
	preset := Presets()["five classes"]
	m, err := preset.Model()
	if err != nil {
		t.Fatal(err)
	}
	got, want := mjq.Must(m.Stability(context.Background())), mjq.Must(workload.FiveClassExponential().Stability(context.Background()))
	if math.Abs(got.Rate-want.Rate) > 1e-9 || math.Abs(want.Rate-1.80086) > 5e-6 {
		t.Errorf("stable below %v, the workload below %v, and Table 3 has 1.80", got.Rate, want.Rate)
	}
	if load := m.AtRate(got.Rate).OfferedLoad(); math.Abs(load-0.85) > 0.005 { // as the playground's page says
		t.Errorf("stops at %v of its servers", load)
	}
}

func TestAskFaults(t *testing.T) {
	one := Class{Name: "one", Need: 3, Share: 1, Law: "exponential", Mean: 1}
	for text, s := range map[string]Setting{
		"need 3 exceeds the 2 servers": {Servers: 2, Load: 0.5, Classes: []Class{one}},
		`there is no "LIFO" here`:      {Servers: 4, Load: 0.5, Policy: "LIFO", Classes: []Class{one}},
		"at most 100000 servers":       {Servers: 1 << 30, Load: 0.5, Classes: []Class{one}},
	} {
		list := asked(t, s)
		if len(list) != 1 || !list[0].Done || !strings.Contains(list[0].Error, text) {
			t.Errorf("want %q: %+v", text, list)
		}
	}
	list := asked(t, Setting{Servers: 4, Rate: 2, Classes: []Class{one}})
	if a := list[len(list)-1]; a.Stable || !a.Done || !strings.Contains(a.Verdict, "Unstable") || a.Path == nil {
		t.Errorf("beyond the limit: %+v", a)
	}
}

// The programs and notebooks that the page saves compile, with all laws and policies.
func TestProgramsCompile(t *testing.T) {
	s := Setting{Servers: 9, Load: 0.7}
	for i, l := range Laws {
		s.Classes = append(s.Classes, Class{Name: string(rune('a' + i)), Need: i + 1, Share: 1, Law: l.Name, Mean: 0.5})
	}
	var args []string
	folder, err := os.MkdirTemp(".", "testdata-programs")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	given := []Choice{{Name: asGiven}}
	s.Rule = json.RawMessage(`{"policy":"Window","jobs":3}`)
	for i, p := range append(given, Policies...) {
		s.Policy = p.Name
		if i%2 == 1 {
			s.Load, s.Rate = 0, 0.25
		}
		file := filepath.Join(folder, string(rune('a'+i)), "main.go")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(s.Program()), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, "./"+filepath.Dir(file))
	}
	if out, err := exec.Command("go", append([]string{"vet"}, args...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, s.Program())
	}
	var book struct{ Cells []struct{ Source []string } }
	lines, wrong := s.built()
	if err := errors.Join(json.Unmarshal(s.Notebook(), &book), wrong); err != nil || len(book.Cells) != 5 || !strings.Contains(strings.Join(book.Cells[1].Source, ""), string(lines)) {
		t.Errorf("%v: %s", err, s.Notebook())
	}
}

// A model that goes to the page and comes back is the same queue: laws, arrivals and
// policies of any kind, at a rate and at a load. Programs read it.
func TestOfModels(t *testing.T) {
	b := mjq.Servers(9).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 4, 0.25, mjq.BoundedPareto(0.1, 30, 1.5)).Class("c", 9, 0.25, mjq.Deterministic(0.5))
	bursts := b.MMPP([]float64{0.2, 1.8}, [][]float64{{-0.1, 0.1}, {0.1, -0.1}})
	for name, m := range map[string]mjq.Model{
		"a rate": b.Poisson(0.4), "a load": b.AtLoad(0.6), "bursts": bursts, "bursts at a load": bursts.AtLoad(0.5),
		"a policy": b.Poisson(0.4).Policy(mjq.EASY()), "another": b.Poisson(0.4).Policy(mjq.Window(3)),
	} {
		s, err := Of(m)
		if err != nil {
			t.Fatal(name, err)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(name, err)
		}
		var came Setting
		if err := json.Unmarshal(text, &came); err != nil {
			t.Fatal(name, err)
		}
		got, err := came.Model()
		if err != nil {
			t.Fatal(name, err)
		}
		if p, _ := came.rule(); p != nil {
			got = got.Policy(p)
		}
		if a, b := string(mjq.Must(got.MarshalJSON())), string(mjq.Must(m.MarshalJSON())); a != b {
			t.Errorf("%s: %s\nwhere %s was given", name, a, b)
		}
		if program := came.Program(); !strings.Contains(program, "BoundedPareto") {
			t.Errorf("%s:\n%s", name, program)
		}
		if page := Explore(m).HTML(); !strings.Contains(page, base64.StdEncoding.EncodeToString(text)) || len(page) > 20_000 {
			t.Errorf("%s: %d bytes: %.300s", name, len(page), page)
		}
	}
	cluster := mjq.Resources("cpu", 4).Resources("gpu", 2).Poisson(1).Needing("all", mjq.Needs{"cpu": 1, "gpu": 1}, 1, mjq.ExpMean(1))
	if page := Explore(cluster).HTML(); !strings.Contains(page, "only identical servers can be shown") || strings.Contains(page, "<script") {
		t.Errorf("%.300s", page)
	}
	if page := Explore(b).HTML(); !strings.Contains(page, "AtLoad") {
		t.Errorf("%.300s", page)
	}
	if page := Explore(b.AtLoad(0.5).Policy(mjq.EASY())).HTML(); !strings.Contains(page, "Resolve") || strings.Contains(page, "<script") {
		t.Errorf("%.300s", page)
	}
	if page := Explore(b.Class("lawless", 1, 1, nil)).HTML(); strings.Count(page, "lawless") != 1 {
		t.Errorf("%.300s", page)
	}
}
