package result

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// leaves are all numbers, texts and times inside v, by path.
func leaves(v reflect.Value, at string, into map[string]any) map[string]any {
	switch _, isTime := v.Interface().(time.Time); {
	case v.Kind() == reflect.Struct && !isTime:
		for i := range v.NumField() {
			leaves(v.Field(i), at+"."+v.Type().Field(i).Name, into)
		}
	case v.Kind() == reflect.Slice:
		into[at+" length"] = v.Len()
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", at, i), into)
		}
	default:
		into[at] = v.Interface()
	}
	return into
}

// replication is a result with every field set, of a stable queue; those of other seeds
// have other numbers in all of them.
func replication(seed int) *Result {
	r := new(Result)
	(&filler{n: 1000 * seed, real: func(n int) float64 { return 1 + math.Mod(0.618*float64(n)+0.01*float64(seed), 1) }}).fill(reflect.ValueOf(r).Elem())
	return r
}

// TestPoolTakesEveryField: of replications that differ in everything, nothing that is
// pooled is that of the first alone, but the seed, and what grows or shrinks to its
// extremes. Of replications that agree nothing gets lost.
func TestPoolTakesEveryField(t *testing.T) {
	rs := []*Result{replication(2), replication(1), replication(4)} // the first is neither the least nor the largest
	first := leaves(reflect.ValueOf(*rs[0]), "", map[string]any{})
	for at, v := range leaves(reflect.ValueOf(*Pool(rs)), "", map[string]any{}) {
		same := at == ".Run.Seed" || at == ".Limit.Seed" || strings.Contains(at, "Notes[") || strings.Contains(at, "Clusters[") || strings.HasSuffix(at, " length") || reflect.TypeOf(v).Kind() == reflect.Bool ||
			strings.HasSuffix(at, ".Method") || strings.HasSuffix(at, ".Level")
		if !same && v == first[at] && !reflect.ValueOf(v).IsZero() {
			t.Errorf("%s: %v is that of the first replication", at, v)
		}
	}
	one := replication(1)
	all := leaves(reflect.ValueOf(*Pool([]*Result{one, one, one})), "", map[string]any{})
	for at, v := range leaves(reflect.ValueOf(*one), "", map[string]any{}) {
		if got, ok := all[at]; !ok || reflect.ValueOf(got).IsZero() && !reflect.ValueOf(v).IsZero() {
			t.Errorf("%s: %v of every replication becomes %v", at, v, got)
		}
	}
}

// TestPoolWeighs: means by their observations, counts added, what is exact as it is.
func TestPoolWeighs(t *testing.T) {
	at := func(value, half float64, n int) *Result {
		e := Estimate{value, half, 0.95, n, "samples"}
		r := &Result{Stable: true, MeanJobs: Exact(7, "exact"), Idle: Exact(0, "exact"), Limit: Stability{Rate: 2, HalfWidth: 0.5}, Classes: []ClassResult{{Killed: e}}}
		r.All.Slowdown.Mean, r.All.Waiting.ServiceLevel, r.Overtaking = e, e, [][]Estimate{{e}}
		r.Run.Elapsed, r.Run.Met = time.Second, true
		r.All.Waiting.TailProbability = []Exceedance{{3, e}}
		r.All.Waiting.Curve = Curve{Coef: [][]float64{{1}}}
		return r
	}
	p := Pool([]*Result{at(1, 0.3, 10), at(4, 0.4, 20)})
	want := Estimate{3, math.Sqrt(0.01 + 0.16*4/9), 0.95, 30, "samples"}
	for what, e := range map[string]Estimate{"slowdown": p.All.Slowdown.Mean, "in time": p.All.Waiting.ServiceLevel, "overtaking": p.Overtaking[0][0],
		"killed": p.Classes[0].Killed, "tail": p.All.Waiting.TailProbability[0].Prob} {
		if math.Abs(e.Value-want.Value) > 1e-12 || math.Abs(e.HalfWidth-want.HalfWidth) > 1e-12 || e.N != 30 || e.Level != 0.95 || e.Method != "samples" {
			t.Errorf("%s %+v, want %+v", what, e, want)
		}
	}
	if p.MeanJobs != Exact(7, "exact") || p.Idle != Exact(0, "exact") || p.Limit.Rate != 2 || p.Limit.HalfWidth != 0.5 || p.All.Waiting.TailProbability[0].Time != 3 || !p.All.Waiting.Curve.Known() {
		t.Errorf("what all agree on is lost: %v, %v, %v, %v", p.MeanJobs, p.Idle, p.Limit, p.All.Waiting)
	}
	if p.Utilization.Known() || p.All.Response.Mean.Known() || p.Run.Elapsed != 2*time.Second || !p.Run.Met {
		t.Errorf("utilisation %v and response %v that no replication knows, run %+v", p.Utilization, p.All.Response.Mean, p.Run)
	}
	other := at(2, 0.1, 10)
	other.All.Waiting.ServiceLevel = Estimate{}
	if e := Pool([]*Result{at(1, 0.3, 10), other}).All.Waiting.ServiceLevel; e.Known() {
		t.Errorf("what one replication does not know is %v", e)
	}
}

// TestPoolOfTwoOpinions: a stable and an unstable replication make neither a stable queue
// with an infinite mean nor an unstable one with a finite one.
func TestPoolOfTwoOpinions(t *testing.T) {
	stable, unstable := replication(1), replication(2)
	unstable.Stable = false
	unstable.All.Waiting.Mean, unstable.MeanJobs = Infinite("unstable"), Infinite("unstable")
	for _, rs := range [][]*Result{{stable, unstable}, {unstable, stable}} {
		r := Pool(rs)
		if q := r.All.Waiting.Quantile(0.5); r.Stable || r.All.Waiting.Mean.Known() || r.MeanJobs.Known() || q.Known() || r.Classes[1].Response.Mean.Known() || r.Idle.Known() {
			t.Errorf("stable %v, mean %v, median %v, jobs %v", r.Stable, r.All.Waiting.Mean, q, r.MeanJobs)
		}
		if note := r.Notes[len(r.Notes)-1]; !strings.Contains(note, "1 of 2 replications") {
			t.Errorf("the note is %q", note)
		}
	}
	both := Pool([]*Result{unstable, unstable})
	if both.Stable || !math.IsInf(both.All.Waiting.Mean.Value, 1) {
		t.Errorf("two unstable ones: %v, %v", both.Stable, both.All.Waiting.Mean)
	}
}

// TestZeroEstimateIsUnknown: what was not computed is a dash, null and empty, and stays
// unknown; an exact 0 is 0.
func TestZeroEstimateIsUnknown(t *testing.T) {
	var e Estimate
	if e.String() != "–" || e.Known() || !math.IsNaN(e.RelErr()) || !math.IsNaN(e.Lo()) || !math.IsNaN(e.Hi()) || e.Covers(0) {
		t.Errorf("zero value: %v, known %v, %v, %v to %v, covers 0 %v", e, e.Known(), e.RelErr(), e.Lo(), e.Hi(), e.Covers(0))
	}
	tab := NewTable("").Estimates("x", e, Exact(0, ""), Estimate{1, 0.5, 0.95, 9, ""}).Numbers("y", 0, math.NaN(), 2)
	if csv := tab.CSV(); csv != "x,x half-width,y\n,,0\n0,0,\n1,0.5,2\n" {
		t.Errorf("as CSV %q", csv)
	}
	if text := tab.String(); strings.Count(text, "–") != 2 || strings.Count(text, "0 ") < 1 {
		t.Errorf("as text\n%s", text)
	}
	r := &Result{MeanJobs: Exact(0, "exact"), Overtaking: [][]Estimate{{{}, Exact(0, "")}}}
	MarkUnknown(r)
	if !math.IsNaN(r.All.Slowdown.Mean.Value) || !math.IsNaN(r.Overtaking[0][0].HalfWidth) || r.Overtaking[0][1].Value != 0 || r.MeanJobs.Value != 0 {
		t.Errorf("marked: %+v", r)
	}
	if text, err := WriteJSON(e); err != nil || !strings.HasPrefix(string(text), `{"value":null,"halfWidth":null,`) {
		t.Errorf("as JSON %s, %v", text, err)
	}
	if text := fmt.Sprint((&Result{Rate: 3}).Table()); strings.Count(text, "–") != 10 {
		t.Errorf("a result of nothing says 0:\n%s", text)
	}
}
