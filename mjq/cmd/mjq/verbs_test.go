package main

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
)

// TestFieldsOfMethods: every field of every method has a flag with a help, and the flag sets
// that field alone.
func TestFieldsOfMethods(t *testing.T) {
	for _, m := range mjq.Methods() {
		for _, f := range fieldsOf(m) {
			if helpOf[f.Name] == "" {
				t.Errorf("--%s has no help", hyphened(f.Name))
			}
			want := reflect.New(reflect.TypeOf(m)).Elem()
			text, x := "3e2", any(300)
			switch f.Type.Kind() {
			case reflect.Float64:
				text, x = "0.25", 0.25
			case reflect.Bool:
				text, x = "true", true
			case reflect.Map:
				text, x = "a=2,b=0.5", map[string]float64{"a": 2, "b": 0.5}
			case reflect.String:
				text, x = strings.ToUpper(wordsOf[f.Name][1]), wordsOf[f.Name][1]
			}
			want.FieldByIndex(f.Index).Set(reflect.ValueOf(x).Convert(f.Type))
			var s settings
			c := &cobra.Command{}
			s.add(c, []string{nameOf(m), "Exact", "Forward", "Simulation"}, nil)
			s.method = hyphened(nameOf(m))
			if err := c.Flags().Set(hyphened(f.Name), text); err != nil {
				t.Fatal(err)
			}
			if got, err := s.chosen(); err != nil || !reflect.DeepEqual(got, want.Interface()) {
				t.Errorf("--method %s --%s %s: %+v, want %+v, %v", s.method, hyphened(f.Name), text, got, want, err)
			}
		}
	}
}

// required are the flags without which a verb says nothing.
var required = map[string]string{
	"transient": "--until 1", "fewest-servers": "--mean-wait 1", "cheapest-servers": "--costs 1:5", "cheapest-mix": "--mean-wait 1 --prices cpu=1,gpu=1",
	"largest-rate": "--mean-wait 1", "largest-need": "--mean-wait 1 --class big", "compare": "--policy FCFS;EASY",
}

// TestVerbsAndQuestions: the library takes every option and every method that a verb has, all
// methods belong to some verb, and another method is refused.
func TestVerbsAndQuestions(t *testing.T) {
	inFolder(t)
	ended, end := context.WithCancel(context.Background())
	end()
	asked := func(v verb, more string) (notes string, code int) {
		var out, n bytes.Buffer
		line := v.name + " queue.json " + required[v.name] + " " + more
		code = run(ended, strings.Fields(line), streams{out: &out, notes: &n})
		return n.String(), code
	}
	values := map[string]string{"rel-err": "--rel-err 0.1", "half-width": "--half-width 1", "max-jobs": "--max-jobs 1e6", "shard": "--shard 0/3", "goals": "--service-level 1:50%"}
	used := map[string]bool{}
	for _, v := range slices.Concat(questions, searches) {
		for _, name := range v.options {
			if notes, _ := asked(v, values[name]); strings.Contains(notes, "does not") || strings.Contains(notes, "has no") || values[name] == "" {
				t.Errorf("%s %s: %s", v.name, name, notes)
			}
		}
		for _, m := range mjq.Methods() {
			name := hyphened(nameOf(m))
			used[name] = used[name] || slices.Contains(v.methods, nameOf(m))
			needed := map[string]string{"rare-event": " --wait 1"}
			more := "--method " + name
			if slices.Contains(v.methods, nameOf(m)) {
				more += needed[name]
			}
			notes, code := asked(v, more)
			if slices.Contains(v.methods, nameOf(m)) == (code == badInput) || strings.Contains(notes, "does not answer") {
				t.Errorf("%s --method %s: exit code %d, %s", v.name, name, code, notes)
			}
		}
	}
	for _, m := range mjq.Methods() {
		if !used[hyphened(nameOf(m))] {
			t.Errorf("no verb has the method %s", nameOf(m))
		}
	}
}

// changing are the parts of an answer that are not the same twice.
var changing = regexp.MustCompile(`"(elapsed|elapsedLimit|stepsPerSec|seconds)":[^,}]*`)

// TestSameAnswers: every question has the answer of the package.
func TestSameAnswers(t *testing.T) {
	inFolder(t)
	ctx, m := context.Background(), mjq.Model{}
	small, cluster := mjq.Model{}, mjq.Model{}
	for file, into := range map[string]*mjq.Model{"queue.json": &m, "small.json": &small, "cluster.json": &cluster} {
		if err := json.Unmarshal(mustRead(t, file), into); err != nil {
			t.Fatal(err)
		}
	}
	now := mjq.State{At: 1, Running: []mjq.Running{{Class: "small", Jobs: 3}, {Class: "big", Age: 0.5}, {Class: "small", Remaining: mjq.Deterministic(2)}}, Line: []string{"big", "small"}}
	grid := mjq.Grid{Loads: []float64{0.5, 0.8}, Servers: []int{20, 24}, Laws: []mjq.LawFamily{{Name: "ErlangMeanPhases(3)", Of: func(mean float64) mjq.Law { return mjq.ErlangMeanPhases(mean, 3) }}}, Replications: 2}
	of := func(x any, err error) any {
		if err != nil {
			t.Error(err)
		}
		return x
	}
	for line, want := range map[string]any{
		"stability queue.json --servers 30":                                                                        of(m.Servers(30).Stability(ctx)),
		"stability queue.json --method pile --rel-err 5% --replications 16":                                        of(m.Stability(ctx, mjq.Pile{Replications: 16}, mjq.RelErr(0.05))),
		"capacity queue.json":                                                                                      of(m.Capacity(ctx)),
		"heavy-traffic queue.json":                                                                                 of(m.HeavyTraffic(ctx)),
		"optimum small.json --weights small=2 --rel-err 1e-4":                                                      of(small.Optimum(ctx, mjq.PolicyIteration{Weights: map[string]float64{"small": 2}}, mjq.RelErr(1e-4))),
		"sensitivities queue.json --method simulation --jobs 500 --seed 4":                                         of(m.Sensitivities(ctx, mjq.Simulation{Jobs: 500}, mjq.Seed(4))),
		"path queue.json --from 3 --to 9 --policy EASY --seed 8":                                                   of(m.Policy(mjq.EASY()).Path(ctx, 3, 9, mjq.Seed(8))),
		"path queue.json --policy Conservative --to 9":                                                             of(m.Policy(policy.Conservative()).Path(ctx, 0, 9)),
		"transient queue.json --until 2 --parts 3 --method exact":                                                  of(m.Transient(ctx, mjq.State{}, mjq.Horizon{Until: 2, Parts: 3}, mjq.Exact{})),
		"fewest-servers queue.json --mean-wait 0.25 --wait-quantile 99%:3:big":                                     of(m.FewestServers(ctx, mjq.MeanWait(0.25), mjq.WaitQuantile(0.99, 3, "big"))),
		"fewest-servers queue.json --service-level 0.5:80% --mean-slowdown 10:1.5 --method simulation --jobs 2000": of(m.FewestServers(ctx, mjq.ServiceLevel(0.5, 0.8), mjq.MeanSlowdown(10, 1.5), mjq.Simulation{Jobs: 2000})),
		"cheapest-servers queue.json --costs 1:5":                                                                  of(m.CheapestServers(ctx, mjq.Costs{Server: 1, Wait: 5})),
		"cheapest-mix cluster.json --prices cpu=1,gpu=3 --mean-wait 5 --max-jobs 1e6":                              of(cluster.CheapestMix(ctx, map[string]float64{"cpu": 1, "gpu": 3}, mjq.MeanWait(5), mjq.MaxJobs(1e6))),
		"largest-rate queue.json --mean-wait 0.25 --rel-err 0.1":                                                   of(m.LargestRate(ctx, mjq.MeanWait(0.25), mjq.RelErr(0.1))),
		"largest-need queue.json --class big --mean-wait 1":                                                        of(m.LargestNeed(ctx, "big", mjq.MeanWait(1))),
		"sweep queue.json --load 50%,0.8 --servers 20,24 --laws ErlangMeanPhases(3) --replications-a-point 2 --method forward --jobs 500 --seed 3":                                                                                                      of(mjq.Sweep(ctx, m, grid, mjq.Forward{Jobs: 500}, mjq.Seed(3))),
		`transient queue.json --until 2 --state {"at":1,"running":[{"class":"small","jobs":3},{"class":"big","age":0.5},{"class":"small","remaining":{"law":"Deterministic","value":2}}],"line":["big","small"]} --method simulation --replications 50`: of(m.Transient(ctx, now, mjq.Horizon{Until: 2}, mjq.Simulation{Replications: 50})),
	} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := json.Compact(&got, []byte(answered(t, append(strings.Fields(line), "--json")...))); err != nil {
			t.Fatal(err)
		}
		if got, want := changing.ReplaceAllString(got.String(), ""), changing.ReplaceAllString(string(text), ""); got != want {
			t.Errorf("mjq %s:\n%s\nwhere the package has\n%s", line, got, want)
		}
	}
}

// TestSeveralAnswers: several rates and numbers of servers give an answer each.
func TestSeveralAnswers(t *testing.T) {
	inFolder(t)
	all := decoded[[]struct{ Best float64 }](t, strings.Fields("fewest-servers queue.json --mean-wait 0.25 --rate 0.5,1.25")...)
	if len(all) != 2 || all[1].Best != 24 || !(all[0].Best < 24) {
		t.Errorf("%+v", all)
	}
	if rows := strings.Count(answered(t, strings.Fields("solve queue.json --servers 20,24,30 --load 0.5,0.9 --csv")...), "\n"); rows != 1+6*3 {
		t.Errorf("%d lines", rows)
	}
}

// TestMerge: parts of a sweep are put together to the whole.
func TestMerge(t *testing.T) {
	inFolder(t)
	line := "sweep queue.json --rate 0.5,1,1.25 --method forward --jobs 500 "
	for _, part := range []string{"0", "1"} {
		answered(t, strings.Fields(line+"--shard "+part+"/2 --json -o part"+part+".json")...)
	}
	if got, want := answered(t, "merge", "part1.json", "part0.json", "--csv"), answered(t, strings.Fields(line+"--csv")...); got != want {
		t.Errorf("%s\nwhere the whole is\n%s", got, want)
	}
	if out, notes, code := command("merge", "part0.json", "queue.json"); code != badInput || out != "" || !strings.Contains(notes, "queue.json") {
		t.Errorf("exit code %d, %s, printed %q", code, notes, out)
	}
}

// TestRelErrOfEveryVerb: whatever verb has --rel-err takes it as a part and as a percentage, with one
// answer, and refuses what is no part by name.
func TestRelErrOfEveryVerb(t *testing.T) {
	inFolder(t)
	some := map[string]string{"solve": "--method forward --jobs 2000", "report": "--method forward --jobs 2000", "sweep": "--rate 0.3 --method forward --jobs 2000",
		"stability": "--method pile --replications 16", "compare": "--policy FCFS;MostServersFirst --jobs 2000 --replications 4", "largest-rate": "--mean-wait 1", "optimum": "", "methods": ""}
	for _, v := range slices.Concat(questions, searches) {
		if !slices.Contains(v.options, "rel-err") {
			continue
		}
		line, known := some[v.name]
		if !known {
			t.Errorf("%s has --rel-err; give it a line here", v.name)
			continue
		}
		form := "--json"
		if v.name == "report" {
			form = "--csv"
		}
		asked := func(value string) (string, string, int) {
			return command(append(strings.Fields(v.name+" small.json "+line), "--rel-err", value, form)...)
		}
		part, notes, code := asked("0.3")
		percent, _, _ := asked("30%")
		part, percent = changing.ReplaceAllString(part, ""), changing.ReplaceAllString(percent, "")
		if code != 0 && code != notMet || part == "" || part != percent {
			t.Errorf("%s --rel-err 0.3: exit code %d, %s; 30%% has another answer: %v", v.name, code, notes, part != percent)
		}
		for _, wrong := range []string{"0", "-1", "nan", "inf", "500%", "5", "much"} {
			if out, notes, code := asked(wrong); code != badInput || out != "" || !strings.Contains(strings.ToLower(strings.ReplaceAll(notes, "-", "")), "relerr") {
				t.Errorf("%s --rel-err %s: exit code %d, %s, printed %q", v.name, wrong, code, notes, out)
			}
		}
	}
}
