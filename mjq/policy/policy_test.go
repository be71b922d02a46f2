package policy

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// TestWritten writes all policies down and reads them back.
func TestWritten(t *testing.T) {
	names := map[string]bool{}
	for _, p := range Examples() {
		data, err := Marshal(p)
		if err != nil || !json.Valid(data) {
			t.Errorf("%s: %s, %v", p, data, err)
		}
		q, err := Unmarshal(data)
		if err != nil || !reflect.DeepEqual(q, p) {
			t.Errorf("%s: read back as %v, %v", p, q, err)
		}
		names[strings.Split(string(data), `"`)[3]] = true
	}
	if len(names) != len(Names()) {
		t.Errorf("%d names of %v were written", len(names), Names())
	}
	data, err := Marshal(Backfill{Depth: 4}.Estimates(Factor(2)).Kill())
	if want := `{"policy":"Backfill","depth":4,"estimates":{"rule":"factor","factor":2},"kill":true}`; err != nil || string(data) != want {
		t.Errorf("%s, want %s; %v", data, want, err)
	}
	if data, _ := Marshal(FCFS{}); string(data) != `{"policy":"FCFS"}` {
		t.Errorf("FCFS is %s", data)
	}
}

// TestPriorityWritten writes priorities with all their settings down and reads them back.
func TestPriorityWritten(t *testing.T) {
	urgent := Priority{Levels: [][]string{{"urgent"}, {"normal", "debug"}}}
	for want, p := range map[string]Priority{
		`{"policy":"Priority","levels":[]}`:                                                                                                             {},
		`{"policy":"Priority","levels":[["urgent"],["normal","debug"]],"preempt":"resume"}`:                                                             urgent.Preemptive(Resume),
		`{"policy":"Priority","levels":[["urgent"],["normal","debug"]],"passing":true}`:                                                                 urgent.Passing(),
		`{"policy":"Priority","levels":[["urgent"],["normal","debug"]],"preempt":"restart","exempt":2,"overhead":{"law":"Deterministic","value":0.05}}`: urgent.Preemptive(Restart).Exempt(2).Overhead(law.Deterministic{X: 0.05}),
		`{"policy":"Priority","levels":[["urgent"],["normal","debug"]],"within":{"policy":"Backfill","depth":1}}`:                                       urgent.Within(EASY()),
	} {
		data, err := Marshal(p)
		if err != nil || string(data) != want {
			t.Errorf("%v is written %s, want %s; %v", p, data, want, err)
		}
		if q, err := Unmarshal(data); err != nil || !reflect.DeepEqual(q, Policy(p)) {
			t.Errorf("%s is read as %v, want %v; %v", data, q, p, err)
		}
	}
	for data, says := range map[string]string{
		`{"policy":"Priority","levels":"urgent"}`:                      "levels",
		`{"policy":"Priority","levels":[],"overhead":{"law":"Expo"}}`:  "overhead",
		`{"policy":"Priority","levels":[],"within":{"policy":"EAZY"}}`: "within",
		`{"policy":"Priority","level":[["a"]]}`:                        "level",
	} {
		if p, err := Unmarshal([]byte(data)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s is read as %v, %v", data, p, err)
		}
	}
}

// smallAndBig are two classes.
var smallAndBig = []Class{{Name: "small", Need: 1, Mean: 1}, {Name: "big", Need: 8, Mean: 2}}

// TestPriorityFaults: names of classes and settings that do not go together are named, all
// at once.
func TestPriorityFaults(t *testing.T) {
	p := Priority{Levels: [][]string{{"small"}}}
	for _, c := range []struct {
		p    Priority
		says []string
	}{
		{Priority{Levels: [][]string{{"smal", "small"}, {"small"}, {}}}, []string{`"smal" is not in the model`, "small", `"small" is named twice`, "level 2 has no class"}},
		{p.Preemptive("pause"), []string{`"pause"`, "resume, restart, resampled, drop"}},
		{p.Preemptive(Resume).Exempt(-1), []string{"Exempt(-1)"}},
		{p.Exempt(1), []string{"Preemptive"}},
		{p.Overhead(law.ExpMean(1)), []string{"Preemptive"}},
		{p.Preemptive(Drop).Overhead(law.ExpMean(-1)), []string{"leave it out", "mean"}},
		{p.Preemptive(Resume).Passing(), []string{"Passing"}},
		{p.Within(Priority{}), []string{"choose FCFS"}},
		{p.Within(PreemptiveFirstFit{}), []string{"choose FCFS"}},
		{p.Within(ServerFilling{}), []string{"choose FCFS"}},
		{p.Preemptive(Resume).Within(EASY()), []string{"ServerFilling"}},
		{p.Preemptive(Drop).Within(ServerFilling{}), []string{"FirstFit"}},
		{p.Within(FirstFit{}).Passing(), []string{"Passing"}},
		{p.Preemptive(Resume).Within(FirstFit{}).Exempt(1), []string{"Exempt"}},
		{p.Within(EASY().Estimates(Factor(0.5))), []string{"at least 1"}},
	} {
		err := Validate(c.p, System{Servers: 8, Classes: smallAndBig})
		for _, says := range c.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q in it", c.p, err, says)
			}
		}
	}
	for _, p := range []Priority{p, p.Within(FCFS{}), p.Preemptive(Resume).Within(ServerFilling{}), p.Preemptive(Restart).Exempt(2).Overhead(law.ExpMean(1))} {
		if err := Validate(p, System{Servers: 8, Classes: smallAndBig}); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
}

// TestNotWritten: what cannot be written or read is an error that says why.
func TestNotWritten(t *testing.T) {
	if _, err := Marshal(New("mine", func(*View) {})); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Errorf("a function is written down: %v", err)
	}
	for data, says := range map[string]string{
		`{"policy":"Backfil","depth":1}`:   "Backfil",
		`{"policy":"Backfill","deep":1}`:   "deep",
		`{"depth":1}`:                      `"policy"`,
		`[1]`:                              "object",
		`{"policy":"Window","jobs":"all"}`: "Window",
	} {
		if p, err := Unmarshal([]byte(data)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s is read as %v, %v", data, p, err)
		}
	}
}

// TestValidate: every fault names what is wrong and what to do, all at once.
func TestValidate(t *testing.T) {
	for _, p := range Examples() {
		if err := Validate(p, System{Servers: 8, Classes: smallAndBig}); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		if err := Validate(p, System{Servers: 8, Classes: []Class{{Name: "huge", Need: 9}, {Name: "none", Need: 0}}}); err == nil || !strings.Contains(err.Error(), `"huge"`) || !strings.Contains(err.Error(), `"none"`) {
			t.Errorf("%s takes needs of 9 and 0 of 8 servers: %v", p, err)
		}
	}
	for _, c := range []struct {
		p    Policy
		says []string
	}{
		{Quickswap{Threshold: 8}, []string{`"middle"`, "AdaptiveQuickswap", "from 0 to 7"}},
		{ArmedQuickswap{Threshold: -1}, []string{`"middle"`, "from 0 to 7"}},
		{Window{}, []string{"at least 1"}},
		{Backfill{Depth: -2}, []string{"All"}},
		{EASY().Estimates(Factor(0.5)), []string{"at least 1"}},
		{EASY().Estimates(UniformFactor(math.NaN())), []string{"at least 1"}},
		{EASY().Estimates(Exact().Rounded(1)), []string{"more than 1"}},
		{EASY().Estimates(Estimates{Rule: "guess"}), []string{"guess", "factor"}},
		{EASY().Estimates(Estimates{Factor: 2}), []string{"no factor"}},
	} {
		err := Validate(c.p, System{Servers: 8, Classes: []Class{{Name: "small", Need: 1}, {Name: "middle", Need: 4}, {Name: "big", Need: 8}}})
		for _, says := range c.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q in it", c.p, err, says)
			}
		}
	}
}

// TestEstimates computes some by hand.
func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		e    Estimates
		want float64
	}{
		{Exact(), 8}, {Factor(3), 24}, {UniformFactor(3), 12}, {Given(), 5}, {Exact().Rounded(2), 8}, {Factor(1.01).Rounded(2), 16},
		{Given().Rounded(10), 10}, {Given().Rounded(5), 5},
	} {
		if got := c.e.Of(8, 5, 0.25); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of 8: %v, want %v", c.e, got, c.want)
		}
	}
	for k := range 300 {
		for _, base := range []float64{2, 3, 10} {
			if x := math.Pow(base, float64(k%40-20)); Exact().Rounded(base).Of(x, 0, 0) != x {
				t.Errorf("%v is rounded up to another power of %v", x, base)
			}
		}
	}
	if got := Exact().Rounded(2).Of(0, 0, 0); got != 0 {
		t.Errorf("0 is rounded to %v", got)
	}
}

// TestKnown: what the methods of the package rely on.
func TestKnown(t *testing.T) {
	for _, p := range Examples() {
		k := p.Properties()
		if _, estimates := p.(Estimator); k.Estimates && !estimates || k.Given && !k.Estimates || k.Recurrence != (p == Policy(FCFS{})) {
			t.Errorf("%s: %+v", p, k)
		}
		if strings.Contains(p.String(), "Preemptive") && !k.Preemptive {
			t.Errorf("%s is not preemptive", p)
		}
	}
	if !EASY().Estimates(Given()).Properties().Given || (Backfill{By: Given()}).Properties().Given {
		t.Error("given estimates are needed by EASY and not by First-Fit")
	}
}

// TestEnds compares the treap with a list.
func TestEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var tree ends
	list := map[int32]*Job{}
	at := map[int32]float64{}
	number := int64(0)
	for range 5000 {
		id := int32(rng.IntN(60))
		if j := list[id]; j != nil {
			if tree.remove(id, j.Need) != at[id] {
				t.Fatal("a job is removed with the end of another")
			}
			delete(list, id)
			delete(at, id)
		} else {
			number++
			j := &Job{ID: id, Number: number, Need: 1 + rng.IntN(9)}
			list[id], at[id] = j, float64(rng.IntN(30))
			tree.insert(id, number, j.Need, at[id])
		}
		by, released, total := float64(rng.IntN(30)), 0, 0
		for id, j := range list {
			total += j.Need
			if at[id] <= by {
				released += j.Need
			}
		}
		if got := tree.released(by); got != released {
			t.Fatalf("released by %v: %d, want %d", by, got, released)
		}
		if total == 0 {
			continue
		}
		servers := 1 + rng.IntN(total)
		if when := tree.when(servers); tree.released(when) < servers || tree.released(when-0.5) >= servers {
			t.Fatalf("%d servers are released at %v", servers, when)
		}
		last := math.Inf(-1)
		tree.each(func(at float64, servers int) {
			if at < last {
				t.Fatalf("an end at %v follows one at %v", at, last)
			}
			last = at
			total -= servers
		})
		if total != 0 {
			t.Fatalf("each leaves out %d servers", total)
		}
	}
}

// TestEarliest compares the tree with a list.
func TestEarliest(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var tree earliest
	var list []Job
	for n := range int64(5000) {
		if rng.IntN(2) == 0 || len(list) == 0 {
			j := Job{ID: int32(n), Number: n, Estimate: float64(rng.IntN(20))}
			tree.push(&j)
			list = append(list, j)
		} else {
			i := rng.IntN(len(list))
			for at, p := range tree.jobs[:tree.next] {
				if p.here && p.number == list[i].Number {
					tree.remove(at)
				}
			}
			list = slices.Delete(list, i, i+1)
		}
		limit, want := float64(rng.IntN(20)), int64(-1)
		if i := slices.IndexFunc(list, func(j Job) bool { return 1+j.Estimate <= limit }); i >= 0 {
			want = list[i].Number
		}
		got := int64(-1)
		if at := tree.find(tree.first, 1, limit); at >= 0 {
			got = tree.jobs[at].number
		}
		if got != want {
			t.Fatalf("the first that ends by %v is job %d, want %d", limit, got, want)
		}
	}
}
