package mjq

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// byLoad are all verbs that need arrivals.
var byLoad = map[string]func(ctx context.Context, m Model) (*result.Result, error){
	"backward": func(ctx context.Context, m Model) (*result.Result, error) {
		return m.Solve(ctx, Backward{Samples: 300})
	},
	"forward": func(ctx context.Context, m Model) (*result.Result, error) {
		return m.Solve(ctx, Forward{Jobs: 1000})
	},
	"certified": func(ctx context.Context, m Model) (*result.Result, error) {
		return m.Solve(ctx, Certified{Eps: 1e-3, Samples: 64})
	},
	"unbiased": func(ctx context.Context, m Model) (*result.Result, error) {
		return m.Solve(ctx, Unbiased{Samples: 64})
	},
	"dominated": func(ctx context.Context, m Model) (*result.Result, error) {
		return m.Solve(ctx, Dominated{Samples: 64})
	},
	"simulate": func(ctx context.Context, m Model) (*result.Result, error) {
		return m.Solve(ctx, Simulation{Jobs: 1000})
	},
	"exact": func(ctx context.Context, m Model) (*result.Result, error) { return m.Solve(ctx, Exact{}) },
	"sweep": func(ctx context.Context, m Model) (*result.Result, error) {
		sw, err := Sweep(ctx, m, Grid{}, Backward{Samples: 300})
		if err != nil {
			return nil, err
		}
		return sw.At(0), nil
	},
}

// three is a queue of three servers and jobs that all need three: one server,
// stable below 1/2.
func three() Model { return Servers(3).Class("three", 3, 1, ExpMean(2)) }

// At a load every verb gives, to the last digit, what it gives at that fraction
// of the limit.
func TestVerbsAtALoad(t *testing.T) {
	for name, run := range byLoad {
		at, by := Must(run(background, three().AtLoad(0.6))), Must(run(background, three().AtRate(0.6*0.5)))
		if at.Rate != 0.3 || at.All.Waiting.Mean != by.All.Waiting.Mean || at.WastedHOL != by.WastedHOL || at.Model != by.Model {
			t.Errorf("%s: %v at load 0.6, %v at rate 0.3", name, at, by)
		}
	}
	p, q := Must(three().AtLoad(0.6).Path(background, 0, 100)), Must(three().AtRate(0.3).Path(background, 0, 100))
	if !oracle.SameBits(p, q) {
		t.Error("the paths differ")
	}
	m := Servers(3).Arrivals(ErlangMeanPhases(7, 2)).Class("three", 3, 1, ExpMean(2))
	if got, want := Must(m.AtLoad(0.6).Resolve(background)).Spec().Arrivals, m.AtRate(0.3).Spec().Arrivals; got != want {
		t.Errorf("arrivals %v, want %v", got, want)
	}
	if r := Must(m.AtRate(0.1).AtLoad(0.6).AtRate(0.2).Solve(background, Forward{Jobs: 100})); math.Abs(r.Rate-0.2) > 1e-15 {
		t.Errorf("AtRate after AtLoad has rate %v", r.Rate)
	}
}

// A load that is no load is a fault of every verb, along with its others; one
// beyond 1 is a result.
func TestLoadsThatAreNone(t *testing.T) {
	for name, run := range byLoad {
		for _, load := range []float64{-1, 0, math.NaN(), math.Inf(1), math.Inf(-1)} {
			_, err := run(background, three().AtLoad(load))
			oracle.Mention(t, err, fmt.Sprintf("AtLoad(%v)", load), "positive finite")
		}
		if name == "dominated" {
			continue // it takes no load λ E[σ] of 1 or more
		}
		for _, load := range []float64{1, 1.2} {
			if r, err := run(background, three().AtLoad(load)); err != nil || r.Stable || !math.IsInf(r.All.Waiting.Mean.Value, 1) {
				t.Errorf("%s at load %v: %v, error %v", name, load, r, err)
			}
		}
	}
	_, err := three().AtLoad(-1).Path(background, 0, 100)
	oracle.Mention(t, err, "AtLoad(-1)")
	_, err = three().AtLoad(-1).Resolve(background)
	oracle.Mention(t, err, "AtLoad(-1)", "positive finite")
	_, err = three().AtLoad(1.7e308).AtLoad(5e-324).Resolve(background)
	oracle.Mention(t, err, "AtLoad(5e-324)", "rate is 0")
	_, err = three().AtLoad(2).Solve(background, Dominated{})
	oracle.Mention(t, err, "below 1")
}

// AtLoad computes nothing, nor does anything that describes the model, though
// its limit takes minutes; what is not known says so.
func TestLoadIsKeptNotComputed(t *testing.T) {
	bare := BorgCellB()
	began := time.Now()
	for _, m := range []Model{bare.AtLoad(0.7), bare.AtRate(3).AtLoad(0.7), bare.AtLoad(0.9).AtLoad(0.7)} {
		if m.Load() != 0.7 || !math.IsNaN(m.Rate()) || !math.IsNaN(m.OfferedLoad()) || m.Spec().Arrivals != nil {
			t.Errorf("load %v, rate %v, offered %v, arrivals %v", m.Load(), m.Rate(), m.OfferedLoad(), m.Spec().Arrivals)
		}
		for _, text := range []string{m.String(), m.HTML()} {
			if !strings.Contains(text, "Poisson arrivals at 0.7 of the stability limit") {
				t.Errorf("described as %s", text)
			}
		}
		if cost := (Dominated{}).Cost(m); !math.IsNaN(cost) {
			t.Errorf("cost %v", cost)
		}
	}
	if text := bare.AtRate(3).AtLoad(0.7).AtRate(2).String(); !strings.Contains(text, "Poisson arrivals of rate 2 ") {
		t.Errorf("described as %s", text)
	}
	if text := Servers(1).Arrivals(Deterministic(3)).Class("a", 1, 1, ExpMean(1)).AtLoad(0.5).String(); !strings.Contains(text, "arrivals Deterministic(3), scaled to 0.5 of the stability limit") {
		t.Errorf("described as %s", text)
	}
	if !math.IsNaN(bare.Load()) || !math.IsNaN(bare.AtRate(1).Load()) {
		t.Error("a model without a load has one")
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("all this took %v", took)
	}
}

func TestLoadInJSON(t *testing.T) {
	erlang := Servers(3).Arrivals(ErlangMeanPhases(7, 2)).Class("three", 3, 1, ExpMean(2))
	for _, m := range []Model{three().AtLoad(0.7), three().AtRate(2).AtLoad(1. / 3), erlang.AtLoad(0.7)} {
		text := Must(json.Marshal(m))
		var back Model
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if again := Must(json.Marshal(&back)); back.Load() != m.Load() || string(again) != string(text) {
			t.Errorf("%s comes back as %s", text, again)
		}
		if a, b := Must(m.Resolve(background)), Must(back.Resolve(background)); a.Spec().Arrivals != b.Spec().Arrivals {
			t.Errorf("arrivals %v come back as %v", a.Spec().Arrivals, b.Spec().Arrivals)
		}
	}
	for _, load := range []float64{math.NaN(), -1} {
		_, err := json.Marshal(three().AtLoad(load))
		oracle.Mention(t, err, fmt.Sprintf("AtLoad(%v)", load))
	}
	var m Model
	err := json.Unmarshal([]byte(`{"servers":1,"load":-1,"classes":[{"name":"a","need":2,"prob":1,"service":{"law":"ExpMean","mean":1}}]}`), &m)
	oracle.Mention(t, err, "the load is -1", "need 2 exceeds")
}

// Copies with another limit are at the load of their own: a sweep over servers
// and laws, a given limit, random assignment.
func TestLoadIsOfOnesOwnLimit(t *testing.T) {
	m := Servers(2).Class("two", 2, 1, ExpMean(1)).AtLoad(0.5)
	sw := Must(Sweep(background, m, Grid{Servers: []int{2, 4, 7},
		Laws: []LawFamily{LawFamily{"constant", Deterministic}, LawFamily{"exponential", ExpMean}}}, Backward{Samples: 100}))
	for i, want := range []float64{0.5, 1, 1.5, 0.5, 1, 1.5} { // s/2 servers of rate 1
		if p := sw.Points[i]; p.Load != 0.5 || math.Abs(sw.At(i).Rate-want) > 1e-12 {
			t.Errorf("%+v has rate %v, want %v", p, sw.At(i).Rate, want)
		}
	}
	if rate := Must(m.WithLimit(&result.Stability{Rate: 0.4}).Resolve(background)).Rate(); rate != 0.2 {
		t.Errorf("half of the given limit 0.4 is %v", rate)
	}
	unit := Servers(3).Class("one", 1, 0.5, Deterministic(1)).Class("all", 3, 0.5, Deterministic(1))
	const assigned = 1.1700054404409466 // the limit by special.UnitAssignment
	c := Must(unit.AtLoad(0.5).RandomAssignment().Resolve(background))
	oracle.Within(t, "half the limit of random assignment", half(Must(c.Stability(background)).Estimate()), c.Rate(), 1e-9)
	if math.Abs(c.Rate()/(0.5*assigned)-1) > 0.01 {
		t.Errorf("rate %v, half the limit is %v", c.Rate(), 0.5*assigned)
	}
	text := unit.RandomAssignment().AtLoad(0.5).String()
	if !strings.Contains(text, "at 0.5 of the stability limit") {
		t.Errorf("described as %s", text)
	}
}

// half is half an estimate.
func half(e result.Estimate) result.Estimate {
	e.Value /= 2
	e.HalfWidth /= 2
	return e
}
