package estimate

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// TestMeasuresReachTheirFields: each measure has a field of the results to itself.
func TestMeasuresReachTheirFields(t *testing.T) {
	var tally Tally
	tally.Take(Happening{Preempts: true, Loses: true, Kills: true}, Asked{InTime: 1, Failing: true}, func(q Quantity) Times { return Times{Mean: result.Exact(1+float64(q), "")} },
		func(m Mean) result.Estimate { return result.Exact(101+float64(m), "") })
	var c result.ClassResult
	tally.fill(&c, 0.95)
	for q, m := range Metrics(&c) {
		if m.Mean.Value != 1+float64(q) {
			t.Errorf("quantity %d is %v", q, m.Mean)
		}
	}
	for m, e := range Numbers(&c)[:Means] {
		if e.Value != 101+float64(m) {
			t.Errorf("mean %d is %v", m, e)
		}
	}
	var plain Tally
	plain.Take(Happening{Kills: true}, Asked{}, func(Quantity) Times { return Times{} }, func(Mean) result.Estimate { return result.Exact(1, "") })
	if plain.FirstStart.Value != 0 || plain.Left.Value != 0 || plain.Killed.Value != 1 || plain.Preemptions != result.Exact(0, "") {
		t.Errorf("without preemption %+v", plain)
	}
	if plain.WaitingInTime != (result.Estimate{}) || plain.ResponseInTime != (result.Estimate{}) {
		t.Errorf("nobody asked for %+v", plain)
	}
}

// TestAddByDefinition: sums are those of the definitions, and a job that is taken away again
// leaves nothing.
func TestAddByDefinition(t *testing.T) {
	asked := Asked{Threshold: 2, InTime: 3}
	jobs := []Served{{Wait: 0, Service: 1}, {Wait: 3, FirstWait: 3, Service: 4}, {Wait: 4, FirstWait: 1, Service: 0.5, Preemptions: 2, Lost: 0.25},
		{Wait: 2, Service: 3, Preemptions: 1, Lost: 3, Dropped: true}, {Wait: 5, FirstWait: 5, Service: 1, Killed: true}}
	var sums, none Sums
	for i := range jobs {
		values := asked.Values(jobs[i].Wait, jobs[i].Service)
		for _, to := range []*Sums{&sums, &none} {
			to.AddValues(&values, 2)
			to.Add(&jobs[i], &asked, 2)
		}
	}
	want := Sums{N: 10, Means: [Means]float64{preemptions: 6, killed: 2, FirstStart: 18, lost: 6.5, Left: 2, atOnce: 4, waitingInTime: 6, responseInTime: 2}}
	want.Of[Waiting].X, want.Of[Waiting].X2 = 28, 108
	want.Of[Response].X, want.Of[Response].X2 = 47, 2*(1+49+20.25+25+36)
	want.Of[Slowdown].X, want.Of[Slowdown].X2 = 2*(1+1.75+2.25+5./3+3), 2*(1+1.75*1.75+2.25*2.25+25./9+9)
	if near := math.Abs(sums.Of[Slowdown].X-want.Of[Slowdown].X) < 1e-12; near {
		want.Of[Slowdown] = sums.Of[Slowdown]
	}
	if sums != want {
		t.Errorf("got %+v, want %+v", sums, want)
	}
	var all Sums
	all.Merge(&sums)
	for i := range jobs {
		values := asked.Values(jobs[i].Wait, jobs[i].Service)
		all.AddValues(&values, -2)
		all.Add(&jobs[i], &asked, -2)
	}
	for q := range all.Of {
		if math.Abs(all.Of[q].X)+math.Abs(all.Of[q].X2) > 1e-12 {
			t.Errorf("quantity %d leaves %v", q, all.Of[q])
		}
	}
	if all.N != 0 || all.Means != [Means]float64{} {
		t.Errorf("left over: %+v", all)
	}
	for wait, slow := range map[float64]float64{0: 1, 1: math.Inf(1)} {
		if v := (&Asked{}).Values(wait, 0); v[Slowdown] != slow {
			t.Errorf("a job without service that waits %v has slowdown %v", wait, v[Slowdown])
		}
	}
}

// TestShortsObserveEachQuantity: what has no loop, for speed, leaves none out.
func TestShortsObserveEachQuantity(t *testing.T) {
	var s Shorts
	var sums Sums
	var values [Quantities]float64
	for q := range values {
		s[q].From(Quantity(q).Usual(1))
		values[q] = 1 + float64(q)
	}
	s.Add(&values)
	sums.AddValues(&values, 1)
	for q := range s {
		var h Histogram
		s[q].MoveTo(&h)
		if d := h.Distribution(); d.Total != 1 || math.Abs(d.Quantile(0.5)-values[q]) > 0.02*values[q] || sums.Of[q].X != values[q] {
			t.Errorf("quantity %d: %v in the histogram, sum %v, want %v", q, d, sums.Of[q], values[q])
		}
	}
}
