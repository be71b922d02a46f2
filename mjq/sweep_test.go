package mjq

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

func small() Model {
	return Servers(4).Poisson(1).Class("one", 1, 0.7, ExpMean(1)).Class("three", 3, 0.3, ExpMean(0.5))
}

// A point of a sweep is what its verb gives by itself.
func TestSweepPoints(t *testing.T) {
	ctx := context.Background()
	m := small()
	sw := Must(Sweep(ctx, m, Grid{Rates: []float64{0.5, 1}, Loads: []float64{0.6}}, Backward{Samples: 500}, Seed(7), Level(0.9)))
	for i, one := range []Model{m.AtRate(0.5), m.AtRate(1), m.AtLoad(0.6)} {
		want := Must(one.Solve(ctx, Backward{Samples: 500}, Seed(7), Level(0.9)))
		if got := sw.At(i); got.All.Waiting.Mean != want.All.Waiting.Mean || got.Rate != want.Rate || got.WastedHOL != want.WastedHOL {
			t.Errorf("point %d: %v at rate %v, want %v at %v", i, got.All.Waiting.Mean, got.Rate, want.All.Waiting.Mean, want.Rate)
		}
	}
	_, err := Sweep(ctx, m, Grid{}, Certified{Eps: 2, Samples: 100})
	if err == nil || !strings.Contains(err.Error(), "Eps 2") {
		t.Errorf("certified to 2: %v", err)
	}
	if tab := sw.Table(); tab.Rows() != 3 || !strings.Contains(tab.String(), "mean wait three") || tab.Columns[2].Values[2].Value != 0.6 {
		t.Errorf("table\n%v", tab)
	}
}

// The same bits whatever the cut: goroutines, parts, the order of merging.
func TestSweepGoroutinesAndParts(t *testing.T) {
	ctx := context.Background()
	whole := Must(Sweep(ctx, small(), Grid{Rates: []float64{0.5, 1, 9}, Servers: []int{3, 5}, Replications: 3}, Backward{Samples: 100},
		Seed(5), Workers(1)))
	if !whole.Complete() || len(whole.Points) != 6 {
		t.Fatalf("not complete: %v", whole)
	}
	var reps []result.Estimate
	for _, j := range whole.Jobs[:3] {
		reps = append(reps, j.Result.All.Waiting.Mean)
	}
	if a, b, c := reps[0], reps[1], reps[2]; a.Value == b.Value || b.Value == c.Value || a.N != 34 || b.N != 33 || c.N != 33 {
		t.Errorf("replications %v of 34, 33 and 33 samples are not independent", reps)
	}
	var parts []*result.Sweep
	for k := range 4 {
		p := Must(Sweep(ctx, small(), Grid{Rates: []float64{0.5, 1, 9}, Servers: []int{3, 5}, Replications: 3}, Backward{Samples: 100},
			Seed(5), Shard(3-k, 4), Workers(k+1)))
		if p.Complete() {
			t.Error("a part claims to be the whole")
		}
		var wire bytes.Buffer // parts travel
		if err := gob.NewEncoder(&wire).Encode(p); err != nil {
			t.Fatal(err)
		}
		var back result.Sweep
		if err := gob.NewDecoder(&wire).Decode(&back); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, &back)
	}
	merged := Must(result.MergeSweeps(append(parts, parts[2])...))
	if !merged.Complete() || merged.Table().CSV() != whole.Table().CSV() {
		t.Errorf("cut\n%v\nwhole\n%v", merged.Table().CSV(), whole.Table().CSV())
	}
	for i := range whole.Points {
		a, b := &whole.At(i).Classes[1].Waiting, &merged.At(i).Classes[1].Waiting
		if fmt.Sprint(a.Variance.Value, a.Variance.HalfWidth) != fmt.Sprint(b.Variance.Value, b.Variance.HalfWidth) || a.Dist.Quantile(0.9) != b.Dist.Quantile(0.9) && a.Dist.Total > 0 {
			t.Errorf("point %d: other variance or quantile", i)
		}
	}
	if r := whole.At(2); r.Stable || !math.IsInf(r.All.Waiting.Mean.Value, 1) {
		t.Error("a rate beyond the limit has a finite wait")
	}
	other := Must(Sweep(ctx, small(), Grid{Rates: []float64{0.5, 1, 9}, Servers: []int{3, 5}, Replications: 3}, Backward{Samples: 100},
		Seed(6), Shard(0, 4)))
	if _, err := result.MergeSweeps(parts[0], other); err == nil {
		t.Error("sweeps of different seeds are merged")
	}
	parts[1].Jobs[0].Result.All.Waiting.Mean.Value++
	if _, err := result.MergeSweeps(append(parts, whole)...); err == nil {
		t.Error("a job with two results is merged")
	}
}

// Sweeps that differ in any setting of their method are two sweeps.
func TestSweepsOfOtherSettings(t *testing.T) {
	m := small()
	part := func(k int, q Option) *result.Sweep {
		return Must(Sweep(context.Background(), m, Grid{Rates: []float64{0.5, 1}}, q, Shard(k, 2)))
	}
	first := part(0, Backward{Samples: 50, Window: 100})
	if _, err := result.MergeSweeps(first, part(1, Backward{Samples: 50, Window: 100})); err != nil {
		t.Error(err)
	}
	for _, q := range []Option{
		Backward{Samples: 50}, Backward{Samples: 50, Window: 200},
		Backward{Samples: 50, Window: 100, MaxWindow: 1000}, Backward{Samples: 51, Window: 100},
	} {
		if merged, err := result.MergeSweeps(first, part(1, q)); err == nil {
			t.Errorf("merged:\n%v", merged.Table())
		}
	}
}

// forward is a cheap verb for sweeps.
func forward(ctx context.Context, m Model, seed uint64) (*result.Result, error) {
	return m.Solve(ctx, Forward{Jobs: 20_000, Replications: 10}, Seed(seed))
}

// Pollaczek and Khinchine: the mean wait is ρ/(1-ρ)·(1+c²)/2 for mean service 1.
func TestSweepLaws(t *testing.T) {
	m := Servers(1).Class("one", 1, 1, ExpMean(1))
	families := []LawFamily{{"constant", Deterministic}, {"Erlang-2", func(mean float64) Law { return ErlangMeanPhases(mean, 2) }},
		{"exponential", ExpMean}, {"SCV 3", func(mean float64) Law { return HyperExpMeanSCV(mean, 3) }}}
	sw := Must(Sweep(context.Background(), m, Grid{Laws: families, Loads: []float64{0.5}, Replications: 4}, MethodFunc("forward", forward)))
	for i, p := range sw.Points {
		scv := []float64{0, 0.5, 1, 3}[i]
		want := p.Load / (1 - p.Load) * (1 + scv) / 2
		w := sw.At(i).All.Waiting.Mean
		if se := w.HalfWidth / 1.96; math.Abs(w.Value-want) > 4.5*se || se > 0.03*want || w.N != 4*10 {
			t.Errorf("%s: mean wait %v ± %v, want %v", p.Label(), w.Value, se, want)
		}
		squares := 0.0 // of the half-widths of four replications with equal weights
		for _, j := range sw.Jobs[4*i : 4*i+4] {
			squares += math.Pow(j.Result.All.Waiting.Mean.HalfWidth, 2)
		}
		if math.Abs(w.HalfWidth-math.Sqrt(squares)/4) > 1e-12 {
			t.Errorf("%s: half-width %v, want %v", p.Label(), w.HalfWidth, math.Sqrt(squares)/4)
		}
		v := &sw.At(i).Classes[0].Waiting
		if got := v.CDF(0); math.Abs(got.Value-(1-p.Load)) > 4.5*got.HalfWidth/1.96 || got.HalfWidth > 0.02 {
			t.Errorf("%s: P(no wait) %v, want %v", p.Label(), got, 1-p.Load)
		}
	}
}

// Erlang C of M/M/s: the variance of pooled waits as well as their mean.
func TestSweepServers(t *testing.T) {
	m := Servers(2).Poisson(1.5).Class("one", 1, 1, ExpMean(1))
	sw := Must(Sweep(context.Background(), m, Grid{Servers: []int{2, 3}, Replications: 7}, MethodFunc("forward", forward)))
	for i, c := range []float64{9. / 14, 27. / 114} { // P(wait) for offered load 1.5
		drain := []float64{0.5, 1.5}[i] // s - 1.5
		mean, variance := c/drain, c*(2-c)/drain/drain
		w := sw.At(i).All.Waiting
		if math.Abs(w.Mean.Value-mean) > 4.5*w.Mean.HalfWidth/1.96 || math.Abs(w.Variance.Value-variance) > 4.5*w.Variance.HalfWidth/1.96 {
			t.Errorf("%d servers: %v and %v, want %v and %v", sw.Points[i].Servers, w.Mean, w.Variance, mean, variance)
		}
		if w.Variance.HalfWidth > 0.15*variance {
			t.Errorf("%d servers: the interval %v of the variance is wide", sw.Points[i].Servers, w.Variance)
		}
	}
}

func TestSweepInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := small()
	Must(m.Stability(background))
	var last, total float64
	sw, err := Sweep(ctx, m, Grid{Rates: []float64{0.1, 0.2, 0.3, 0.4}},
		MethodFunc("two points", func(ctx context.Context, m Model, seed uint64) (*result.Result, error) {
			if m.Rate() > 0.25 {
				cancel()
				began := time.Now()
				r, err := m.Solve(ctx, Backward{Samples: 1 << 40})
				if took := time.Since(began); took > oracle.Soon {
					t.Errorf("stopped after %v", took)
				}
				return r, err
			}
			time.Sleep(60 * time.Millisecond) // progress is told at most 20 times a second
			return m.Solve(ctx, Backward{Samples: 300}, Seed(seed))
		}), Progress(func(s Step) { last, total = s.Done, s.Total }))
	if !errors.Is(err, context.Canceled) || len(sw.Results()) != 2 || sw.At(2) != nil || sw.Complete() {
		t.Errorf("%v, error %v", sw, err)
	}
	if last != 2 || total != 4 {
		t.Errorf("progress ended at %v of %v, want 2 of 4", last, total)
	}
}

func TestSweepFaults(t *testing.T) {
	ctx := context.Background()
	_, err := Sweep(ctx, small(), Grid{Servers: []int{2, 4}, Rates: []float64{-1}, Laws: []LawFamily{LawFamily{Name: "none"}},
		Replications: -2}, Backward{Samples: -2}, Shard(2, 2), Level(2))
	for _, part := range []string{"Rates: -1", `the family "none"`, "Replications -2", "Shard(2, 2)", "Samples -2", "Level(2)"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
	if _, err := Sweep(ctx, small(), Grid{Servers: []int{2}},
		Backward{}); err == nil || !strings.Contains(err.Error(), "need 3 exceeds the 2 servers") {
		t.Errorf("too few servers: %v", err)
	}
	bare := Servers(1).Class("one", 1, 1, ExpMean(1))
	if _, err := Sweep(ctx, bare, Grid{}, Backward{}); err == nil || !strings.Contains(err.Error(), "no arrivals") {
		t.Errorf("no rate: %v", err)
	}
	sw, err := Sweep(ctx, bare, Grid{Rates: []float64{0.1, 0.2}},
		MethodFunc("half", func(ctx context.Context, m Model, seed uint64) (*result.Result, error) {
			if m.Rate() < 0.15 {
				return nil, fmt.Errorf("will not")
			}
			return m.Solve(ctx, Backward{Samples: 300})
		}))
	if err == nil || !strings.Contains(err.Error(), "1 servers, rate 0.1: will not") || len(sw.Results()) != 1 {
		t.Errorf("%v, error %v", sw, err)
	}
}
