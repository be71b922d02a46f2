package limit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

func numbers(v any) (out []float64) {
	for _, x := range v.([]any) {
		out = append(out, x.(float64))
	}
	return out
}

// limitOf is the default stability limit of exponential classes; classes that
// never arrive are left out.
func limitOf(t testing.TB, servers int, needs, probs, means []float64) *result.Stability {
	t.Helper()
	b := mjq.Servers(servers)
	for i := range needs {
		if probs[i] > 0 {
			b = b.Class(string(rune('a'+i)), int(needs[i]), probs[i], mjq.ExpMean(means[i]))
		}
	}
	return mjq.Must(b.Stability(context.Background()))
}

// TestExactLimits are all exact limits of the reference values: 1-and-n,
// capacities, five classes, and the waste of Figure 2(a).
func TestExactLimits(t *testing.T) {
	for _, v := range oracle.Values(t, "A1", "Xbar_1_and_n") {
		p := v.Parameters
		n, pn := p["n"].(float64), p["p_n"].(float64)
		st := limitOf(t, int(n), []float64{1, n}, []float64{1 - pn, pn}, []float64{1 / p["mu_1"].(float64), 1 / p["mu_n"].(float64)})
		oracle.Relative(t, "1-and-n", st.Rate, v.Value.(float64), 1e-12)
	}
	for _, v := range oracle.Values(t, "A2", "capacity_B6_b23") {
		p1, mu := v.Parameters["p1"].(float64), numbers(v.Parameters["mu"])
		st := limitOf(t, 6, []float64{2, 3}, []float64{p1, 1 - p1}, []float64{1 / mu[0], 1 / mu[1]})
		oracle.Relative(t, "capacity", st.Rate, v.Value.(float64), 1e-12)
	}
	solved := map[string]*result.Stability{}
	for _, name := range []string{"capacity_s200", "saturation_waste_s200"} {
		for _, v := range oracle.Values(t, "A4", name) {
			p, of := v.Parameters, fmt.Sprint(v.Parameters)
			if solved[of] == nil {
				solved[of] = limitOf(t, 200, numbers(p["need"]), numbers(p["p"]), numbers(p["mean"]))
			}
			st := solved[of]
			got := st.Rate
			if name != "capacity_s200" {
				got = st.Wasted
			}
			oracle.Relative(t, name, got, v.Value.(float64), 1e-9)
		}
	}
	for _, c := range []struct {
		model  mjq.Model
		want   float64
		method string
	}{
		{workload.FiveClassExponential(), 1.8008553591175, "saturated-chain"},
		{workload.FiveClassHyperExp(), 1.505510395618, "saturated-chain"},
		{workload.OneOrAll(256, 0.001, 1, 0.025), 20.448071665897075, "product-form"},
		{workload.FiveClassErlang(), 1.843705366421, "saturated-chain"}, // the largest chain
	}[:oracle.Sized(3, 4)] {
		st := mjq.Must(c.model.Stability(context.Background()))
		oracle.Relative(t, c.method, st.Rate, c.want, 1e-10)
		if st.Method != c.method || st.HalfWidth != 0 || !st.Met {
			t.Errorf("%v by %q, want the %s", st, st.Method, c.method)
		}
	}
}

// TestExactAgainstPile has the chain within the pile's interval for laws that
// no reference covers.
func TestExactAgainstPile(t *testing.T) {
	m := mjq.Servers(7).
		Class("cox", 2, 0.5, mjq.Cox2(3, 0.5, 0.4)).
		Class("ph", 3, 0.3, mjq.PhaseType([]float64{0.2, 0.8}, [][]float64{{-2, 1}, {0.5, -1}})).
		Class("exp", 5, 0.2, mjq.ExpMean(1.5))
	exact := mjq.Must(m.Stability(context.Background(), mjq.Exact{}))
	oracle.Within(t, "pile", mjq.Must(m.Stability(context.Background(), mjq.Pile{}, mjq.RelErr(0.003))).Estimate(), exact.Rate, 4)
}

func TestExactLimitFaults(t *testing.T) {
	m := mjq.Servers(4).Class("d", 1, 0.5, mjq.Deterministic(1)).Class("u", 3, 0.5, mjq.Uniform(0, 1))
	_, err := m.Stability(context.Background(), mjq.Exact{})
	oracle.Mention(t, err, `class "d"`, `class "u"`, "not phase-type")
	b := mjq.Servers(400)
	for i := range 8 {
		b = b.Class(string(rune('a'+i)), i+1, 0.125, mjq.ExpMean(float64(i+1)))
	}
	_, err = b.Stability(context.Background(), mjq.Exact{})
	oracle.Mention(t, err, "states", "mjq.Pile{}")
	if st := mjq.Must(b.Stability(context.Background(), mjq.RelErr(0.05))); st.Method != "bounds" || !(st.HalfWidth < 0.01*st.Rate) {
		t.Errorf("a chain too large, of needs that are small, went to %v", st)
	}
	if st := mjq.Must(b.Stability(context.Background(), mjq.RelErr(0.003))); st.Method != "pile" {
		t.Errorf("a chain too large went to %q", st.Method)
	}
}

func TestExactStopsSoon(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := workload.FiveClassErlang().Stability(ctx, mjq.Exact{})
	if err == nil {
		t.Error("an interrupted solve must say so")
	}
}

// TestHeavyTraffic are the relative completions of reference/math C.
func TestHeavyTraffic(t *testing.T) {
	for _, v := range oracle.Values(t, "C", "E_Delta_Yd_1_and_n") {
		p := v.Parameters
		n := int(p["n"].(float64))
		if n > 100 {
			continue
		}
		m := workload.OneOrAll(n, p["p_n"].(float64), p["mu_1"].(float64), p["mu_n"].(float64))
		h := mjq.Must(m.HeavyTraffic(context.Background()))
		oracle.Relative(t, "E[Δ]", h.RelativeCompletions, v.Value.(float64), 1e-10)
		sum, mean := 0.0, 0.0
		for _, s := range h.States {
			sum += s.Prob
			mean += s.Prob * s.Relative
		}
		if math.Abs(sum-1) > 1e-12 || math.Abs(mean) > 1e-10 {
			t.Errorf("states weigh %v and have a mean Δ of %v", sum, mean)
		}
	}
	one := mjq.Must(mjq.Servers(1).Class("a", 1, 1, mjq.ExpMean(1)).HeavyTraffic(context.Background()))
	oracle.Relative(t, "M/M/1", one.MeanResponse(0.7), 1/0.3, 1e-12)
	if !math.IsInf(one.MeanJobs(1), 1) {
		t.Error("finite at the limit")
	}
	_, err := mjq.Servers(1).Class("a", 1, 1, mjq.Deterministic(1)).HeavyTraffic(context.Background())
	oracle.Mention(t, err, "not phase-type")
}

// sixClasses has single jobs and pairs that are long with probability p, half a
// million times as long as the others at p = 10^-6: half of their work.
func sixClasses(p float64) mjq.Model {
	h := func(mean float64) mjq.Law { return mjq.HyperExpMeans(mean*0.5/p, mean*0.5/(1-p), p) }
	return mjq.Servers(20).Class("T1", 1, .45, h(.5)).Class("T1b", 1, .05, mjq.ExpMean(2)).Class("T2", 2, .1, h(.83)).
		Class("T5", 5, .2, mjq.ErlangMeanPhases(1.25, 2)).Class("T10", 10, .19, mjq.ExpMean(3.33)).Class("T15", 15, .01, mjq.ExpMean(10))
}

// TestStiffLimit: the default limit of a model whose time scales lie 10^6 apart
// comes from the chain and has settled. As p goes to 0 the limit of such models
// moves in proportion to p, which relates three solutions.
func TestStiffLimit(t *testing.T) {
	rates := map[float64]float64{}
	for _, p := range []float64{1e-4, 1e-6, 1e-8} {
		st, err := sixClasses(p).Stability(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if st.Method != "saturated-chain" || !st.Met || st.HalfWidth != 0 {
			t.Errorf("p = %v: %v", p, st)
		}
		oracle.Mention(t, errors.New(st.Source), "31247 states")
		rates[p] = st.Rate
	}
	oracle.Relative(t, "slope in p", (rates[1e-4]-rates[1e-6])/(1e-4-1e-6), (rates[1e-6]-rates[1e-8])/(1e-6-1e-8), 0.01)
	if r := rates[1e-6]; !(r > 1.6977 && r < 1.6979) {
		t.Errorf("λ_c = %v", r)
	}
}

// TestSizesBeforeMemory: services of so many phases that their generators would
// not fit are refused by every exact method, with the size and what to do.
func TestSizesBeforeMemory(t *testing.T) {
	for _, k := range []int{20_000, 100_000} {
		m := mjq.Servers(4).Poisson(.1).Class("long", 1, .5, mjq.ErlangMeanPhases(1, k)).Class("b", 3, .5, mjq.ExpMean(1))
		_, err := m.Stability(context.Background(), mjq.Exact{})
		oracle.Mention(t, err, `"long"`, "phases", "MB", "mjq.Pile{}")
		_, err = m.Solve(context.Background(), mjq.Exact{})
		oracle.Mention(t, err, `"long"`, "phases", "sampler")
		_, err = mjq.Exact{}.Size(m)
		oracle.Mention(t, err, `"long"`)
		_, err = m.HeavyTraffic(context.Background())
		oracle.Mention(t, err, `"long"`)
	}
	_, err := mjq.Servers(1<<31-1).Class("a", 1, .5, mjq.ExpMean(1)).Class("b", 3, .5, mjq.ExpMean(2)).Stability(context.Background(), mjq.Exact{})
	oracle.Mention(t, err, "states", "MB", "mjq.Pile{}")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err = mjq.Servers(1<<26).Class("a", 1, .5, mjq.ExpMean(1)).Class("b", 3, .5, mjq.ExpMean(2)).Stability(ctx)
	if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > oracle.Soon {
		t.Errorf("2^26 servers: %v after %v", err, took)
	}
}
