package mjq

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestPoliciesByName: every policy of the facade serves the same two classes, agrees
// with its written form, and starts jobs that need one server alone as M/M/s does.
func TestPoliciesByName(t *testing.T) {
	plain := Must(Servers(3).Poisson(2).Class("one", 1, 1, ExpMean(1)).Build())
	want := Must(plain.Exact().MomentsOnly().Run(background)).All.Waiting.Mean.Value // M/M/3 at 2/3
	for _, p := range []Policy{FCFS(), FirstFit(), Backfill(3), EASY(), Conservative(), Window(4), MostServersFirst(), LeastServersFirst(),
		AdaptiveQuickswap(), ServerFilling(), PreemptiveFirstFit(), PreemptiveMostServersFirst(), PreemptiveLeastServersFirst(), MaxWeight()} {
		m := plain.WithPolicy(p)
		r, err := m.Simulate().Jobs(20_000).Replications(16).Run(background)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		within(t, p.String(), r.All.Waiting.Mean, want, 4)
		var back Model
		if text, err := json.Marshal(m); err != nil || json.Unmarshal(text, &back) != nil || back.String() != m.String() {
			t.Errorf("%v: written as %s, read as %v", p, text, &back)
		}
	}
}

// TestPolicyFaults: what a policy cannot do is said with the remedy, by every verb.
func TestPolicyFaults(t *testing.T) {
	m := Must(Servers(4).Poisson(0.3).Class("a", 2, 0.5, ExpMean(1)).Class("b", 3, 0.5, ExpMean(1)).Build())
	_, err := m.WithPolicy(Quickswap(1)).Simulate().Run(background)
	if err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("quickswap with needs of 2 and 3: %v", err)
	}
	easy := m.WithPolicy(EASY())
	_, backward := easy.Sample().Backward().Run(background)
	_, exact := easy.Exact().Run(background)
	_, limit := easy.Stability().Exact().Run(background)
	_, pile := easy.Stability().Pile().Run(background)
	_, load := easy.WithPolicy(EASY().(policy.Backfill).Kill()).Stability().Exact().Run(background)
	for _, err := range []error{backward, exact, limit, pile, load} {
		if err == nil || !strings.Contains(err.Error(), "policy EASY") {
			t.Errorf("under EASY: %v", err)
		}
	}
	methods := Must(easy.Methods().Run(background))
	for i, why := range methods.Columns[2].Cells {
		if name := methods.Columns[0].Cells[i]; strings.Contains(why, "policy EASY") != (name != "Simulate" && name != "Unbiased") {
			t.Errorf("%s under EASY: %q", name, why)
		}
	}
}

// TestArrivalsOnTheWay: a MAP that is a Poisson process has its digits, one of two rates
// has the same limit and longer waits, and what marks classes is not looked at backward.
func TestArrivalsOnTheWay(t *testing.T) {
	b := Servers(4).Class("a", 1, 0.5, ExpMean(1)).Class("b", 3, 0.5, ExpMean(1))
	m := Must(b.Poisson(0.6).Build())
	same := Must(b.MAP([][]float64{{-0.6}}, [][]float64{{0.6}}).Build())
	bursty := Must(b.MMPP([]float64{0.1, 1.1}, [][]float64{{-0.01, 0.01}, {0.01, -0.01}}).Build())
	run := func(m *Model) *result.Result {
		return Must(m.Sample().Forward().Jobs(40_000).Replications(16).Seed(3).Run(background))
	}
	one, two, three := run(m), run(same), run(bursty)
	if math.Abs(one.All.Waiting.Mean.Value-two.All.Waiting.Mean.Value) > 1e-12 {
		t.Errorf("Poisson %v, as a MAP %v", one.All.Waiting.Mean, two.All.Waiting.Mean)
	}
	if three.Limit.Rate != one.Limit.Rate || !(three.All.Waiting.Mean.Lo() > 2*one.All.Waiting.Mean.Hi()) {
		t.Errorf("in bursts %v, else %v", three.All.Waiting.Mean, one.All.Waiting.Mean)
	}
	marked := Must(b.MarkedMAP([][]float64{{-1}}, map[string][][]float64{"a": {{0.75}}, "b": {{0.25}}}).Build())
	if p := marked.Classes()[0].Prob; p != 0.75 {
		t.Errorf("class a has probability %v, of the arrivals 0.75", p)
	}
	if _, err := marked.Sample().Backward().Run(background); err == nil || !strings.Contains(err.Error(), "class a job is") {
		t.Errorf("marked arrivals backward: %v", err)
	}
	twins := Must(b.Poisson(0.3).Batches(arrival.FixedSize(2)).Build())
	if twins.Rate() != 0.6 {
		t.Errorf("pairs at rate 0.3 are %v jobs", twins.Rate())
	}
	var back Model
	if text, err := json.Marshal(twins); err != nil || json.Unmarshal(text, &back) != nil || back.String() != twins.String() {
		t.Errorf("written as %s, read as %v", text, &back)
	}
}

// TestPoliciesExactly: under Window and ServerFilling the exact means are those of a
// simulation, Window(1) is first come first served, and loads are fractions of the limit.
func TestPoliciesExactly(t *testing.T) {
	m := Must(Servers(4).Poisson(0.8).Class("a", 1, 0.5, ExpMean(1)).Class("b", 2, 0.25, ErlangMeanPhases(1, 2)).Class("c", 4, 0.25, ExpMean(1)).Build())
	want := Must(m.Exact().MomentsOnly().Run(background))
	if one := Must(m.WithPolicy(Window(1)).Exact().Run(background)); math.Abs(one.All.Waiting.Mean.Value/want.All.Waiting.Mean.Value-1) > 1e-9 {
		t.Errorf("Window(1) waits %v, first come first served %v", one.All.Waiting.Mean, want.All.Waiting.Mean)
	}
	for _, p := range []Policy{Window(2), ServerFilling()} {
		q := m.WithPolicy(p)
		exact, sim := Must(q.Exact().Run(background)), Must(q.Simulate().Jobs(40_000).Replications(16).Run(background))
		for i, c := range exact.Classes {
			within(t, p.String()+" "+c.Name, sim.Classes[i].Waiting.Mean, c.Waiting.Mean.Value, 4.5)
		}
		limit := Must(q.Stability().Run(background))
		if limit.Rate <= Must(m.Limit(background)).Rate || limit.Rate > q.IdealRate()*(1+1e-12) {
			t.Errorf("%v has the limit %v, first come first served %v", p, limit, Must(m.Limit(background)))
		}
		if half := Must(q.AtLoad(0.5).Resolve(background)); math.Abs(half.Rate()/limit.Rate-0.5) > 1e-12 {
			t.Errorf("%v: half of %v is %v", p, limit.Rate, half.Rate())
		}
		if r := Must(q.AtRate(1.1 * limit.Rate).Exact().Run(background)); r.Stable {
			t.Errorf("%v is stable beyond its limit", p)
		}
	}
}

// TestCutChains: under policies that look at any number of jobs the exact means say that
// the chain was cut, and are those of a simulation.
func TestCutChains(t *testing.T) {
	m := Must(Servers(3).Poisson(0.8).Class("one", 1, 0.6, ExpMean(1)).Class("all", 3, 0.4, ExpMean(0.7)).Build())
	for _, p := range []Policy{FirstFit(), MostServersFirst(), Quickswap(1), PreemptiveLeastServersFirst(), MaxWeight()} {
		q := m.WithPolicy(p)
		exact, sim := Must(q.Exact().Run(background)), Must(q.Simulate().Jobs(20_000).Replications(16).Run(background))
		within(t, p.String(), sim.All.Waiting.Mean, exact.All.Waiting.Mean.Value, 4.5)
		if text := strings.Join(exact.Notes, "\n"); !strings.Contains(text, "cut at") || !(exact.All.Waiting.Mean.HalfWidth > 0) {
			t.Errorf("%v: %v, notes %q", p, exact.All.Waiting.Mean, text)
		}
	}
}
