package policy

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestSimpler: priorities that come to a simpler policy are told as that.
func TestSimpler(t *testing.T) {
	x := System{Servers: 4, Classes: []Class{{Name: "narrow", Need: 1}, {Name: "again", Need: 1}, {Name: "wide", Need: 3}}}
	factors := map[string]float64{"narrow": 0.1, "again": 0.1, "wide": 0.7}
	for _, c := range []struct {
		p    Multifactor
		want Policy
	}{
		{Multifactor{}, FCFS{}},
		{Multifactor{Age: 1000, MaxAge: 3}, FCFS{}},
		{Multifactor{Age: 1000, MaxAge: 3}.Within(EASY()), EASY()},
		{Multifactor{Class: 2000, Factors: factors}, Priority{Levels: [][]string{{"wide"}, {"narrow", "again"}}}},
		{Multifactor{Class: 2000, Factors: factors, Nice: map[string]float64{"again": 5}}.Within(FirstFit{}), Priority{Levels: [][]string{{"wide"}, {"narrow"}, {"again"}}}.Within(FirstFit{})},
		{Multifactor{Class: 2, Factors: map[string]float64{"narrow": 0.4, "wide": 1}}, Priority{Levels: [][]string{{"wide"}, {"narrow", "again"}}}}, // 0.8 and 0 are both below 1
		{Multifactor{Size: 2000}, Priority{Levels: [][]string{{"wide"}, {"narrow", "again"}}}},
		{Multifactor{Size: 2000, FavorSmall: true}, Priority{Levels: [][]string{{"narrow", "again"}, {"wide"}}}},
		{Multifactor{Age: 500, MaxAge: 9}.Tier([]string{"again"}), Priority{Levels: [][]string{{"again"}, {"narrow", "wide"}}}},
		{Multifactor{Age: 500, MaxAge: 9, Size: 10}, nil},
		{Multifactor{FairShare: 500, HalfLife: 9}, nil},
		{Multifactor{Age: 500, MaxAge: 9, CalcPeriod: 300}, nil},
	} {
		if c.want == nil {
			c.want = c.p
		}
		if got := c.p.Simpler(x); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v comes to %v, want %v", c.p, got, c.want)
		}
	}
}

// TestMultifactorWritten writes priorities with all their settings down and reads them back.
func TestMultifactorWritten(t *testing.T) {
	p := Multifactor{1000, 168, 10000, math.Inf(1), 300, 500, true, 2000, map[string]float64{"normal": 0.1, "urgent": 1}, 10, map[string]float64{"gpu": 1},
		map[string]float64{"normal": -5}, map[string]float64{"physics": 100}, "physics=3(ann=1,bob=1) cy=1", true, 2, [][]string{{"urgent"}, {"normal", "gpu"}}, EASY()}
	v := reflect.ValueOf(p)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not set", v.Type().Field(i).Name)
		}
	}
	data, err := Marshal(p)
	if want := `{"policy":"Multifactor","age":1000,"maxAge":168,"fairShare":10000,"halfLife":"inf","calcPeriod":300,"size":500,"favorSmall":true,"class":2000,"factors":{"normal":0.1,"urgent":1},"partition":10,"partitions":{"gpu":1},"nice":{"normal":-5},"other":{"physics":100},"shares":"physics=3(ann=1,bob=1) cy=1","classic":true,"damping":2,"tier":[["urgent"],["normal","gpu"]],"within":{"policy":"Backfill","depth":1}}`; err != nil || string(data) != want {
		t.Errorf("%s, want %s; %v", data, want, err)
	}
	if q, err := Unmarshal(data); err != nil || !reflect.DeepEqual(q, Policy(p)) {
		t.Errorf("read back as %v; %v", q, err)
	}
	want := "Multifactor(Age=1000,MaxAge=168,FairShare=10000,HalfLife=+Inf,CalcPeriod=300,Size=500,Class=2000,Partition=10,Damping=2,Factors=(normal=0.1,urgent=1),Partitions=(gpu=1),Nice=(normal=-5),Other=(physics=100),FavorSmall,Classic,Shares=physics=3(ann=1,bob=1) cy=1).Tier(urgent;normal,gpu).Within(EASY)"
	if p.String() != want {
		t.Errorf("%v, want %s", p, want)
	}
	inside := want[len("Multifactor("):strings.Index(want, ").Tier")]
	if q, err := ReadMultifactor(inside); err != nil || !reflect.DeepEqual(q.Tier(p.Levels...).Within(p.Inner), p) {
		t.Errorf("%s is read as %v; %v", inside, q, err)
	}
	for text, says := range map[string]string{"Age": "takes a number", "Agee=1": "did you mean Age", "Classic=1": "takes nothing", "Factors=1": "numbers by name", "Factors=(a=(": "numbers by name"} {
		if _, err := ReadMultifactor(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
	p.Shares = "  physics=3(ann,  bob=1.0), cy"
	if same, _ := Marshal(p); string(same) != string(data) {
		t.Errorf("shares are not canonical: %s", same)
	}
	var q Multifactor
	for _, bad := range []string{`{"age":"x"}`, `{"halfLife":"long"}`, `{"agee":1}`, `{"within":{"policy":"X"}}`} {
		if err := json.Unmarshal([]byte(bad), &q); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
