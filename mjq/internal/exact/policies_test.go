package exact_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestPolicies: every policy that packs starts jobs that need one server alone as M/M/s does,
// and comes back from its written form.
func TestPolicies(t *testing.T) {
	plain := mjq.Servers(3).Poisson(2).Class("one", 1, 1, mjq.ExpMean(1))
	want := mjq.Must(plain.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).All.Waiting.Mean.Value // M/M/3 at 2/3
	for _, p := range policy.Examples() {
		k := p.Properties()
		if !k.Packs && !k.Recurrence || k.Given || k.Sizes { // those that know sizes do better
			continue
		}
		m := plain.Policy(p)
		r, err := m.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(4000, 20_000), Replications: 16})
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		oracle.Within(t, p.String(), r.All.Waiting.Mean, want, 4)
		var back mjq.Model
		if text, err := json.Marshal(m); err != nil || json.Unmarshal(text, &back) != nil || back.String() != m.String() {
			t.Errorf("%v: written as %s, read as %v", p, text, &back)
		}
	}
}

// TestPolicyFaults: what a policy cannot do is said with the remedy, by every verb.
func TestPolicyFaults(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.3).Class("a", 2, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.ExpMean(1))
	_, err := m.Policy(mjq.Quickswap(1)).Solve(context.Background(), mjq.Simulation{})
	if err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("quickswap with needs of 2 and 3: %v", err)
	}
	easy := m.Policy(mjq.EASY())
	_, backward := easy.Solve(context.Background(), mjq.Backward{})
	_, exact := easy.Solve(context.Background(), mjq.Exact{})
	_, limit := easy.Stability(context.Background(), mjq.Exact{})
	_, pile := easy.Stability(context.Background(), mjq.Pile{})
	_, load := easy.Policy(mjq.EASY().(policy.Backfill).Kill()).Stability(context.Background(), mjq.Exact{})
	for _, err := range []error{backward, exact, limit, pile, load} {
		if err == nil || !strings.Contains(err.Error(), "policy EASY") {
			t.Errorf("under EASY: %v", err)
		}
	}
	methods := mjq.Must(easy.Methods(context.Background()))
	for i, why := range methods.Columns[2].Cells {
		if name := methods.Columns[0].Cells[i]; strings.Contains(why, "policy EASY") != (name != "Simulation" && name != "Unbiased") {
			t.Errorf("%s under EASY: %q", name, why)
		}
	}
}

// TestArrivalsOnTheWay: a MAP that is a Poisson process has its digits, one of two rates
// has the same limit and longer waits, and what marks classes is not looked at backward.
func TestArrivalsOnTheWay(t *testing.T) {
	b := mjq.Servers(4).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.ExpMean(1))
	m := b.Poisson(0.6)
	same := b.MAP([][]float64{{-0.6}}, [][]float64{{0.6}})
	bursty := b.MMPP([]float64{0.1, 1.1}, [][]float64{{-0.01, 0.01}, {0.01, -0.01}})
	run := func(m mjq.Model) *result.Result {
		return mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 40_000, Replications: 16}, mjq.Seed(3)))
	}
	one, two, three := run(m), run(same), run(bursty)
	if math.Abs(one.All.Waiting.Mean.Value-two.All.Waiting.Mean.Value) > 1e-12 {
		t.Errorf("Poisson %v, as a MAP %v", one.All.Waiting.Mean, two.All.Waiting.Mean)
	}
	if three.Limit.Rate != one.Limit.Rate || !(three.All.Waiting.Mean.Lo() > 2*one.All.Waiting.Mean.Hi()) {
		t.Errorf("in bursts %v, else %v", three.All.Waiting.Mean, one.All.Waiting.Mean)
	}
	marked := b.MarkedMAP([][]float64{{-1}}, map[string][][]float64{"a": {{0.75}}, "b": {{0.25}}})
	if p := marked.Spec().Classes[0].Prob; p != 0.75 {
		t.Errorf("class a has probability %v, of the arrivals 0.75", p)
	}
	if _, err := marked.Solve(context.Background(), mjq.Backward{}); err == nil || !strings.Contains(err.Error(), "class a job is") {
		t.Errorf("marked arrivals backward: %v", err)
	}
	twins := b.Poisson(0.3).Batches(arrival.FixedSize(2))
	if twins.Rate() != 0.6 {
		t.Errorf("pairs at rate 0.3 are %v jobs", twins.Rate())
	}
	var back mjq.Model
	if text, err := json.Marshal(twins); err != nil || json.Unmarshal(text, &back) != nil || back.String() != twins.String() {
		t.Errorf("written as %s, read as %v", text, &back)
	}
}

// TestPoliciesExactly: under Window and ServerFilling the exact means are those of a
// simulation, Window(1) is first come first served, and loads are fractions of the limit.
func TestPoliciesExactly(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.8).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.25, mjq.ErlangMeanPhases(1, 2)).Class("c", 4, 0.25, mjq.ExpMean(1))
	want := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	if one := mjq.Must(m.Policy(mjq.Window(1)).Solve(context.Background(), mjq.Exact{})); math.Abs(one.All.Waiting.Mean.Value/want.All.Waiting.Mean.Value-1) > 1e-9 {
		t.Errorf("Window(1) waits %v, first come first served %v", one.All.Waiting.Mean, want.All.Waiting.Mean)
	}
	for _, p := range []mjq.Policy{mjq.Window(2), mjq.ServerFilling()} {
		q := m.Policy(p)
		exact, sim := mjq.Must(q.Solve(context.Background(), mjq.Exact{})), mjq.Must(q.Solve(context.Background(), mjq.Simulation{Jobs: 40_000, Replications: 16}))
		for i, c := range exact.Classes {
			oracle.Within(t, p.String()+" "+c.Name, sim.Classes[i].Waiting.Mean, c.Waiting.Mean.Value, 4.5)
		}
		limit := mjq.Must(q.Stability(context.Background()))
		if limit.Rate <= mjq.Must(m.Stability(context.Background())).Rate || limit.Rate > q.IdealRate()*(1+1e-12) {
			t.Errorf("%v has the limit %v, first come first served %v", p, limit, mjq.Must(m.Stability(context.Background())))
		}
		if half := mjq.Must(q.AtLoad(0.5).Resolve(context.Background())); math.Abs(half.Rate()/limit.Rate-0.5) > 1e-12 {
			t.Errorf("%v: half of %v is %v", p, limit.Rate, half.Rate())
		}
		if r := mjq.Must(q.AtRate(1.1*limit.Rate).Solve(context.Background(), mjq.Exact{})); r.Stable {
			t.Errorf("%v is stable beyond its limit", p)
		}
	}
}

// TestCutChains: under policies that look at any number of jobs the exact means say that
// the chain was cut, and are those of a simulation.
func TestCutChains(t *testing.T) {
	m := mjq.Servers(3).Poisson(0.8).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("all", 3, 0.4, mjq.ExpMean(0.7))
	for _, p := range []mjq.Policy{mjq.FirstFit(), mjq.MostServersFirst(), mjq.Quickswap(1), mjq.PreemptiveLeastServersFirst(), mjq.MaxWeight()} {
		q := m.Policy(p)
		exact, sim := mjq.Must(q.Solve(context.Background(), mjq.Exact{})), mjq.Must(q.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(4000, 20_000), Replications: 16}))
		oracle.Within(t, p.String(), sim.All.Waiting.Mean, exact.All.Waiting.Mean.Value, 4.5)
		if text := strings.Join(exact.Notes, "\n"); !strings.Contains(text, "truncated at") || !(exact.All.Waiting.Mean.HalfWidth > 0) {
			t.Errorf("%v: %v, notes %q", p, exact.All.Waiting.Mean, text)
		}
	}
}
