package methods_test

import (
	"context"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// row is a question without a method and what mjq chooses for it.
type row struct {
	name   string
	m      mjq.Model
	opts   []mjq.Option
	method string   // how Run.Method begins
	met    bool     // Run.Met
	notes  []string // what the notes say, among others
}

var (
	mm2  = mjq.Servers(2).Poisson(1.4).Class("j", 1, 1, mjq.ExpMean(1))
	pair = mjq.Servers(4).Class("small", 1, 0.5, mjq.ExpMean(2)).Class("wide", 4, 0.5, mjq.ExpMean(1.5))
)

const quick = "Exact, chosen by mjq: it fits and is quick."

// TestExactWhateverTheTarget: a target and a budget never turn an exact answer off, which
// meets every target; so under a policy, and where jobs are turned away.
func TestExactWhateverTheTarget(t *testing.T) {
	for name, m := range map[string]mjq.Model{
		"M/M/2": mm2, "M/M/2 at a load": mm2.AtLoad(0.7), "policy": pair.Poisson(0.3).Policy(mjq.MostServersFirst()),
		"loss": mm2.Loss(), "patience": mm2.Patience(mjq.ExpMean(2)), "priority": pair.Poisson(0.3).Policy(mjq.Priority([]string{"small"})),
		"MMPP":     mm2.MMPP([]float64{1, 2}, [][]float64{{-1, 1}, {1, -1}}),
		"unstable": mm2.AtRate(3),
	} {
		for option, opts := range map[string][]mjq.Option{
			"none": nil, "RelErr": {mjq.RelErr(0.05)}, "HalfWidth": {mjq.HalfWidth(1e-9)}, "MaxJobs": {mjq.MaxJobs(1000)},
			"all": {mjq.RelErr(1e-12), mjq.HalfWidth(0.1), mjq.MaxJobs(1), mjq.Level(0.99), mjq.Seed(3)},
		} {
			row{name + ", " + option, m, opts, "mjq.Exact{}", true, []string{quick}}.check(t)
		}
		g, err := mjq.Sweep(context.Background(), m, mjq.Grid{}, mjq.RelErr(0.05), mjq.MaxJobs(1000))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r := g.Jobs[0].Result; r.Run.Method != "mjq.Exact{}" || !r.Run.Met {
			t.Errorf("%s: Sweep takes %s, met %v", name, r.Run.Method, r.Run.Met)
		}
	}
}

// TestLightQueues: a wait that no run can tell from 0 has the bound of P(W > 0), from a run of
// moderate length, and meets the default target; from 50 servers to a million.
func TestLightQueues(t *testing.T) {
	for _, servers := range []int{50, 1000, 1_000_000} {
		for _, law := range []mjq.Law{mjq.LogNormalMeanSCV(1, 4), mjq.Uniform(0, 2), mjq.WeibullMeanShape(1, 0.6)} {
			for _, p := range []mjq.Policy{mjq.FCFS(), mjq.EASY()} {
				m := mjq.Servers(servers).Poisson(5).Class("small", 1, 0.9, law).Class("wide", 4, 0.1, law).Policy(p)
				r, err := m.Solve(context.Background())
				if err != nil {
					t.Errorf("%d servers, %v, %v: %v", servers, law, p, err)
					continue
				}
				if e := r.All.Waiting.Mean; e.Value > 1e-6 || e.Value == 0 && !strings.Contains(strings.Join(r.Notes, " "), "P(W > 0) is below") {
					t.Errorf("%d servers, %v, %v: %v, %q", servers, law, p, e, r.Notes)
				}
				if jobs := r.Run.Samples * int(r.Run.Jobs+r.Run.WarmUp); !r.Run.Met || jobs > 1_000_000 {
					t.Errorf("%d servers, %v, %v: %d jobs, met %v", servers, law, p, jobs, r.Run.Met)
				}
			}
		}
	}
}

// TestFaultsOfTargets: what is wrong with a target or a budget is a fault also where the
// answer is exact.
func TestFaultsOfTargets(t *testing.T) {
	for text, o := range map[string]mjq.Option{
		"RelErr(5): give a fraction of the estimate below 1, such as 0.05 for 5 %": mjq.RelErr(5),
		"RelErr(0): must be positive":     mjq.RelErr(0),
		"HalfWidth(-1): must be positive": mjq.HalfWidth(-1),
		"MaxJobs(0): must be positive":    mjq.MaxJobs(0),
	} {
		for _, m := range []mjq.Model{mm2, mm2.Policy(mjq.EASY()), mm2.Loss()} {
			if _, err := m.Solve(context.Background(), o); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v, want %q", err, text)
			}
		}
	}
}

// check asks and compares.
func (c row) check(t *testing.T) {
	t.Helper()
	r, err := c.m.Solve(context.Background(), c.opts...)
	if err != nil {
		t.Errorf("%s: %v", c.name, err)
		return
	}
	if !strings.HasPrefix(r.Run.Method, c.method) || r.Run.Met != c.met {
		t.Errorf("%s: %s, met %v; want %s, met %v: %q", c.name, r.Run.Method, r.Run.Met, c.method, c.met, r.Notes)
	}
	for _, note := range c.notes {
		if !strings.Contains(strings.Join(r.Notes, "\n"), note) {
			t.Errorf("%s: no %q in %q", c.name, note, r.Notes)
		}
	}
}

// TestChoice: what is chosen for a queue and options, and what the notes say.
func TestChoice(t *testing.T) {
	mixed := mjq.Servers(4).Poisson(0.7).Class("a", 1, 0.5, mjq.ExpMean(2)).Class("b", 4, 0.5, mjq.ExpMean(1.5))
	rough := mjq.Servers(4).Poisson(1).Class("one", 1, 0.5, mjq.ExpMean(1)).Class("two", 2, 0.5, mjq.LogNormalMeanSCV(1, 2))
	heavy := mjq.Servers(12).Poisson(11.5).Class("one", 1, 0.9, mjq.LogNormalMeanSCV(0.7, 4)).Class("two", 2, 0.1, mjq.WeibullMeanShape(1.6, 0.6)).Policy(mjq.EASY())
	steady := mjq.Servers(1).Arrivals(mjq.Deterministic(1)).Class("j", 1, 1, mjq.Deterministic(0.9))
	light := mjq.Servers(60).Poisson(5).Class("s", 1, 0.5, mjq.LogNormalMeanSCV(1, 4)).Class("w", 2, 0.5, mjq.Uniform(0, 1))
	for _, c := range []row{
		{"MaxWeight", mixed.AtRate(0.7).Policy(mjq.MaxWeight()), nil, "mjq.Exact{}", true, []string{quick}},
		{"least servers first", mixed.AtRate(0.5).Policy(mjq.PreemptiveLeastServersFirst()), nil, "mjq.Exact{}", true, []string{quick}},
		{"D/D/1", steady, nil, "mjq.Exact{}", true, []string{quick}},
		{"D/D/1 at the limit", steady.AtRate(1 / 0.9), nil, "mjq.Exact{}", true, nil},
		{"D/D/1, a target of 0", steady, []mjq.Option{mjq.RelErr(0.01)}, "mjq.Exact{}", true, []string{quick}},
		{"D/D/1 simulated, a target of 0", steady, []mjq.Option{mjq.Simulation{Jobs: 1000}, mjq.RelErr(0.01)}, "mjq.Simulation{", true, nil},
		{"forward", rough, nil, "mjq.Forward{Jobs: ", true, []string{"is not phase-type", "The default target is met: half-widths of mean waits are at most 2 % of the mean wait"}},
		{"forward, given target", rough, []mjq.Option{mjq.RelErr(0.1)}, "mjq.Forward{", true, []string{"is not phase-type"}},
		{"forward, few jobs", rough, []mjq.Option{mjq.MaxJobs(20_000)}, "mjq.Forward{Jobs: ", false, []string{"The default target is missed", "raise MaxJobs"}},
		{"simulation", rough.Policy(mjq.EASY()), nil, "mjq.Simulation{Jobs: ", true, []string{"The default target is met"}},
		{"simulation, too long", heavy, []mjq.Option{mjq.MaxJobs(400_000)}, "mjq.Simulation{Jobs: ", false, []string{"The default target is missed: the mean wait of class", "raise MaxJobs"}},
		{"light", light, nil, "mjq.Forward{Jobs: 5000,", true, []string{"0.5 % of the mean service time for classes s, w", "P(W > 0) is below"}},
		{"light, half-width", light, []mjq.Option{mjq.HalfWidth(0.01)}, "mjq.Forward{", true, []string{"P(W > 0) is below"}},
	} {
		c.check(t)
	}
	if _, err := light.Servers(1000).Solve(context.Background(), mjq.RelErr(0.05)); err == nil || !strings.Contains(err.Error(), "too near 0 for any run") {
		t.Errorf("a relative target of a wait near 0: %v", err)
	}
}
