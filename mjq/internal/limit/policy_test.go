package limit_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
)

// TestPolicyLimits holds the limit of every policy in policy_values.json, and the bound of
// them all, against the values, to a millionth, as a user asks for them.
func TestPolicyLimits(t *testing.T) {
	data, err := os.ReadFile("../../testdata/policy_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Values []json.RawMessage }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, raw := range file.Values {
		var v struct {
			ID, Model, Policy string
			Servers, Window   int
			Value             float64
			Classes           []struct {
				Need              int
				Rate, Probability float64
			}
		}
		if json.Unmarshal(raw, &v) != nil || v.Model != "stability" {
			continue
		}
		b := mjq.Servers(v.Servers)
		for i, c := range v.Classes {
			b = b.Class(string(rune('a'+i)), c.Need, c.Probability, mjq.ExpRate(c.Rate))
		}
		m := b
		got, gap := 0.0, 0.0
		if v.Policy == "any" {
			c := mjq.Must(m.Capacity(context.Background()))
			got, gap = c.Rate, c.HalfWidth
		} else {
			p := map[string]mjq.Policy{"fcfs": mjq.FCFS(), "smash": mjq.Window(v.Window), "serverFilling": mjq.ServerFilling(),
				"leastServersFirst": mjq.LeastServersFirst(), "firstFit": mjq.FirstFit()}[v.Policy]
			st := mjq.Must(m.Policy(p).Stability(context.Background(), mjq.Exact{}))
			got, gap = st.Rate, st.HalfWidth
		}
		if !(math.Abs(got-v.Value) <= 1e-6) || !(gap <= 1e-9) {
			t.Errorf("%s: %.12g ± %.2g, want %.12g", v.ID, got, gap, v.Value)
		}
		n++
	}
	if n != 49 {
		t.Errorf("%d limits", n)
	}
}

// TestPolicyLimitsByTheory: what is known to attain the capacity does, whatever the laws,
// and other policies have the limits of special cases.
func TestPolicyLimitsByTheory(t *testing.T) {
	b := mjq.Servers(8).Class("a", 1, 0.6, mjq.LomaxScaleShape(2, 1.5)).Class("b", 2, 0.2, mjq.Deterministic(3)).Class("c", 8, 0.2, mjq.Uniform(1, 2))
	m := b
	for _, p := range []mjq.Policy{mjq.MaxWeight(), mjq.ServerFilling(), mjq.PreemptiveMostServersFirst(), policy.ServerFillingSRPT{}} {
		if st := mjq.Must(m.Policy(p).Stability(context.Background())); math.Abs(st.Rate/m.IdealRate()-1) > 1e-12 || st.HalfWidth != 0 {
			t.Errorf("%v: %v, want the ideal rate %v", p, st, m.IdealRate())
		}
	}
	alike := mjq.Servers(8).Class("a", 3, 0.6, mjq.LogNormalMeanSCV(1, 4)).Class("b", 3, 0.4, mjq.Deterministic(2))
	for _, p := range []mjq.Policy{mjq.EASY(), mjq.FirstFit(), mjq.Conservative(), mjq.PreemptiveFirstFit(), mjq.AdaptiveQuickswap(), policy.FirstFitSRPT{}} {
		if st := mjq.Must(alike.Policy(p).Stability(context.Background())); math.Abs(st.Rate-2/1.4) > 1e-12 {
			t.Errorf("%v: %v, want two at once", p, st)
		}
	}
	oneOrAll := mjq.Servers(6).Class("a", 1, 0.8, mjq.ExpMean(1)).Class("b", 6, 0.2, mjq.ExpMean(2))
	for _, p := range []mjq.Policy{mjq.Quickswap(0), mjq.Quickswap(3), mjq.ArmedQuickswap(2), mjq.AdaptiveQuickswap(), mjq.MostServersFirst(), mjq.FirstFit()} {
		if st := mjq.Must(oneOrAll.Policy(p).Stability(context.Background())); math.Abs(st.Rate/oneOrAll.IdealRate()-1) > 1e-11 {
			t.Errorf("%v: %v, want %v", p, st, oneOrAll.IdealRate())
		}
	}
}

// TestLoadUnderPolicy: a load is a fraction of the limit under the policy, whose own
// simulation has the rate.
func TestLoadUnderPolicy(t *testing.T) {
	m := mjq.Servers(4).Class("a", 1, 0.8, mjq.ExpRate(1)).Class("b", 4, 0.2, mjq.ExpRate(2)).Policy(mjq.LeastServersFirst())
	r := mjq.Must(m.AtLoad(0.5).Solve(context.Background(), mjq.Simulation{Jobs: 20_000, Replications: 16}))
	if math.Abs(r.Rate-0.5*2.2560599475) > 1e-9 || !r.Stable {
		t.Errorf("rate %v", r.Rate)
	}
	if r := mjq.Must(m.AtLoad(1.1).Solve(context.Background(), mjq.Simulation{})); r.Stable {
		t.Error("stable beyond the limit")
	}
}

// TestExactUnderPolicies: arrivals that come in bursts, in batches or with marks are
// solved under policies (policy_values.json), special cases agree, and what it takes is
// said beforehand.
func TestExactUnderPolicies(t *testing.T) {
	b := mjq.Servers(3).Class("a", 1, 0.7, mjq.ExpRate(1)).Class("b", 2, 0.3, mjq.ExpRate(0.5))
	bursts := b.MMPP([]float64{0.3, 1.2}, [][]float64{{-0.2, 0.2}, {0.3, -0.3}})
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-7 {
			t.Errorf("%s: %.12g, want %.12g", what, got, want)
		}
	}
	exact := func(m mjq.Model, p mjq.Policy) float64 {
		t.Helper()
		return mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Exact{})).All.Waiting.Mean.Value
	}
	near("FirstFit in bursts", exact(bursts, mjq.FirstFit()), 0.79580626369895)
	near("Window(1) in bursts", exact(bursts, mjq.Window(1)), 1.5009127794781)
	near("FCFS in bursts, by ages", mjq.Must(bursts.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).All.Waiting.Mean.Value, 1.5009127794781)
	marked := mjq.Servers(3).MarkedMAP([][]float64{{-0.6, 0.1}, {0.1, -0.5}}, map[string][][]float64{
		"a": {{0.3, 0.1}, {0.05, 0.05}}, "b": {{0.05, 0.05}, {0.1, 0.2}}}).
		Class("a", 1, 0.5, mjq.ExpRate(1)).Class("b", 2, 0.5, mjq.ExpRate(0.5))
	near("MostServersFirst, marked", exact(marked, mjq.MostServersFirst()), 0.70090946461688)
	near("LeastServersFirst, marked", exact(marked, mjq.LeastServersFirst()), 0.7035404647289)
	if _, err := marked.Policy(mjq.FirstFit()).Solve(context.Background(), mjq.Exact{}); err == nil || !strings.Contains(err.Error(), "mark classes") {
		t.Errorf("marked jobs under FirstFit: %v", err)
	}
	oneOrAll := mjq.Servers(4).Poisson(1.5).Class("a", 1, 0.8, mjq.ExpRate(1)).Class("b", 4, 0.2, mjq.ExpRate(2))

	size := mjq.Must(mjq.Exact{}.Size(oneOrAll.Policy(mjq.MostServersFirst())))
	r := mjq.Must(oneOrAll.Policy(mjq.MostServersFirst()).Solve(context.Background(), mjq.Exact{}))
	near("Quickswap(0)", exact(oneOrAll, mjq.Quickswap(0)), r.All.Waiting.Mean.Value)
	if size.Cut == 0 || !(size.Phases > 500 && size.Phases < 50_000) || !(size.Bytes > 1e5) || !r.Stable {
		t.Errorf("size %v", size)
	}
	if z := mjq.Must(mjq.Exact{}.Size(bursts.Policy(mjq.Window(3)))); z.Cut != 0 || z.Phases < 20 {
		t.Errorf("size %v", z)
	}
	wide := mjq.Servers(64).Poisson(1).Class("a", 1, 0.4, mjq.ErlangMeanPhases(1, 3)).Class("b", 3, 0.3, mjq.ErlangMeanPhases(1, 4)).Class("c", 7, 0.3, mjq.ErlangMeanPhases(1, 4))
	for _, p := range []mjq.Policy{mjq.MostServersFirst(), mjq.ServerFilling(), mjq.Window(5)} {
		if _, err := (mjq.Exact{}).Size(wide.Policy(p)); err == nil || !strings.Contains(err.Error(), "states") {
			t.Errorf("%v of 64 servers: %v", p, err)
		}
		if _, err := wide.Policy(p).Solve(context.Background(), mjq.Exact{}); err == nil || !strings.Contains(err.Error(), "states") {
			t.Errorf("%v of 64 servers: %v", p, err)
		}
	}
}
