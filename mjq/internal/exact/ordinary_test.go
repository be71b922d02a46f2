package exact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/result"
)

// ordinary is a value of a textbook queue, which another program found by its formula.
type ordinary struct {
	ID    string
	Model struct {
		Servers, Need         int
		Poisson               float64
		Interarrival, Service string
	}
	Quantity         string
	Value, Tolerance float64
}

// written is a law as the values name it.
func written(t *testing.T, text string) mjq.Law {
	t.Helper()
	var a, b float64
	var k int
	scan := func(format string, to ...any) bool {
		n, err := fmt.Sscanf(text, format, to...)
		return err == nil && n == len(to)
	}
	switch {
	case scan("ExpMean(%g)", &a):
		return mjq.ExpMean(a)
	case scan("LogNormalMeanSCV(%g, %g)", &a, &b):
		return mjq.LogNormalMeanSCV(a, b)
	case scan("Deterministic(%g)", &a):
		return mjq.Deterministic(a)
	case scan("WeibullMeanShape(%g, %g)", &a, &b):
		return mjq.WeibullMeanShape(a, b)
	case scan("Uniform(%g, %g)", &a, &b):
		return mjq.Uniform(a, b)
	case scan("ErlangMeanPhases(%g, %d)", &a, &k):
		return mjq.ErlangMeanPhases(a, k)
	}
	t.Fatalf("no law %q", text)
	return nil
}

// quantity is a number of a result as the values name it.
func quantity(t *testing.T, r *result.Result, name string) float64 {
	t.Helper()
	w, x := &r.All.Waiting, 0.0
	switch {
	case name == "mean wait":
		return w.Mean.Value
	case name == "variance of the wait":
		return w.Variance.Value
	case name == "P(W = 0)":
		return w.NoWait.Value
	case name == "0.99-quantile of the wait":
		return w.Quantile(0.99).Value
	}
	if n, err := fmt.Sscanf(name, "P(W <= %g)", &x); n != 1 || err != nil {
		t.Fatalf("no quantity %q", name)
	}
	return w.CDF(x).Value
}

// TestOrdinaryValues: every value is answered exactly, without options, by the formula.
func TestOrdinaryValues(t *testing.T) {
	data, err := os.ReadFile("../../testdata/ordinary_values.json")
	var list []ordinary
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		m := mjq.Servers(v.Model.Servers).Class("j", v.Model.Need, 1, written(t, v.Model.Service))
		if v.Model.Interarrival != "" {
			m = m.Arrivals(written(t, v.Model.Interarrival))
		} else {
			m = m.Poisson(v.Model.Poisson)
		}
		r, err := m.Solve(context.Background(), mjq.NoCache())
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		got := quantity(t, r, v.Quantity)
		if !(math.Abs(got-v.Value) <= v.Tolerance*math.Abs(v.Value)) {
			t.Errorf("%s: %s is %.12g by %s, not %.12g (%.1e)", v.ID, v.Quantity, got, r.Run.Method, v.Value, got/v.Value-1)
		}
	}
}

// TestOneLawTwoSpellings: a formula and the chain of phases have the same answer: interarrival
// times by their phases or as a Markovian process, service times of one rate under two names.
func TestOneLawTwoSpellings(t *testing.T) {
	ctx := context.Background()
	erlang := mjq.Servers(7).Class("j", 2, 1, mjq.ExpMean(1))
	for _, c := range []struct {
		what       string
		one, other mjq.Model
	}{
		{"E2/M/3", erlang.Arrivals(mjq.ErlangMeanPhases(0.4, 2)), erlang.MAP([][]float64{{-5, 5}, {0, -5}}, [][]float64{{0, 0}, {5, 0}})},
		{"M/M/3", erlang.Poisson(2.5), mjq.Servers(7).Poisson(2.5).Class("j", 2, 1, mjq.HyperExpMeans(1, 1, 0.3))},
		{"M/M/3 in two classes", erlang.Poisson(2.5), mjq.Servers(7).Poisson(2.5).Class("a", 2, 0.4, mjq.ExpMean(1)).Class("b", 2, 0.6, mjq.ExpMean(1))},
		{"First-Fit", erlang.Poisson(2.5), erlang.Poisson(2.5).Policy(mjq.FirstFit())},
		{"EASY", erlang.Poisson(2.5), erlang.Poisson(2.5).Policy(mjq.EASY())},
	} {
		a, b := mjq.Must(c.one.Solve(ctx, mjq.Exact{})), mjq.Must(c.other.Solve(ctx, mjq.Exact{}))
		w, v := &a.All.Waiting, &b.All.Waiting
		for _, x := range [][2]float64{{w.Mean.Value, v.Mean.Value}, {w.Variance.Value, v.Variance.Value}, {w.NoWait.Value, v.NoWait.Value},
			{w.CDF(0.7).Value, v.CDF(0.7).Value}, {w.Quantile(0.99).Value, v.Quantile(0.99).Value},
			{a.All.Response.Quantile(0.9).Value, b.All.Response.Quantile(0.9).Value}, {a.MeanJobs.Value, b.MeanJobs.Value},
			{a.WastedHOL.Value, b.WastedHOL.Value}, {a.Utilization.Value, b.Utilization.Value}} {
			if !(math.Abs(x[0]-x[1]) <= 1e-8*(1+math.Abs(x[0]))) {
				t.Errorf("%s: %.12g and %.12g", c.what, x[0], x[1])
			}
		}
		for k := range 4 {
			if x, y := a.Jobs.Factorial[k], b.Jobs.Factorial[k]; math.Abs(x-y) > 1e-8*y {
				t.Errorf("%s: factorial moment %d of the jobs %.12g and %.12g", c.what, k+1, x, y)
			}
		}
	}
}

// TestNeverStopped: with one need a preemptive policy stops no job, and the answer says so; no two
// jobs that fit together have the limit of one server.
func TestNeverStopped(t *testing.T) {
	r := mjq.Must(mjq.Servers(4).Poisson(3).Class("j", 1, 1, mjq.HyperExpMeanSCV(1, 3)).Policy(mjq.PreemptiveFirstFit()).Solve(context.Background(), mjq.Exact{}))
	for _, c := range []result.ClassResult{r.All, r.Classes[0]} {
		if c.Preemptions.Value != 0 || c.FirstStart.Value != c.Waiting.Mean.Value || c.AtOnce.Value != c.Waiting.NoWait.Value || !(c.AtOnce.Value > 0.4) {
			t.Errorf("%s: %v preemptions, first start after %v of %v, at once %v", c.Name, c.Preemptions, c.FirstStart, c.Waiting.Mean, c.AtOnce)
		}
	}
	st := mjq.Must(mjq.Servers(5).Class("a", 3, 0.5, mjq.LogNormalMeanSCV(1, 2)).Class("b", 5, 0.5, mjq.Deterministic(1.5)).Stability(context.Background()))
	if math.Abs(st.Rate-0.8) > 1e-15 || st.HalfWidth != 0 {
		t.Errorf("the limit of one job at a time is %v ± %v, not 0.8", st.Rate, st.HalfWidth)
	}
}

// TestOrdinarySizes: what is foreseen is near to what is done. A formula costs little at any
// number of servers; the chain of a policy costs what its arrows do, and phases that follow each
// other more than those that do not.
func TestOrdinarySizes(t *testing.T) {
	size := func(m mjq.Model) float64 { return mjq.Must(mjq.Exact{}.Size(m)).Flops }
	three := func(law func(mean float64, k int) mjq.Law, k int) mjq.Model {
		return mjq.Servers(10).Poisson(1).Class("a", 1, 0.4, law(1, k)).Class("b", 2, 0.3, law(2, k)).Class("c", 3, 0.3, law(1, k))
	}
	for _, c := range []struct {
		what        string
		got         float64
		least, most float64
	}{
		{"M/M/3000", size(mjq.Servers(3000).Poisson(2900).Class("j", 1, 1, mjq.ExpMean(1))), 1e4, 1e6},
		{"M/M/10⁶", size(mjq.Servers(1_000_000).Poisson(999_000).Class("j", 1, 1, mjq.ExpMean(1))), 1e4, 1e7},
		{"M/G/1", size(mjq.Servers(1).Poisson(0.9).Class("j", 1, 1, mjq.LogNormalMeanSCV(1, 4))), 1e8, 3e9},
		{"MaxWeight", size(mjq.Servers(4).Poisson(0.7).Class("a", 1, 0.5, mjq.ExpMean(2)).Class("b", 4, 0.5, mjq.ExpMean(1.5)).Policy(mjq.MaxWeight())), 1e8, 1e10},
		{"three classes of Erlang-3", size(three(mjq.ErlangMeanPhases, 3)), 3e10, 1e12},
		{"three exponential classes", size(three(mjq.ErlangMeanPhases, 1)), 1e6, 1e9},
		{"M/H2/500", size(mjq.Servers(500).Poisson(460).Class("j", 1, 1, mjq.HyperExpMeanSCV(1, 5))), 3e10, 1e13},
	} {
		if !(c.got >= c.least && c.got <= c.most) {
			t.Errorf("%s: %.3g operations are foreseen, not from %.0g to %.0g", c.what, c.got, c.least, c.most)
		}
	}
}

// TestAtLoadOne: what is deterministic is decided for what it is.
func TestAtLoadOne(t *testing.T) {
	ctx := context.Background()
	for _, m := range []mjq.Model{
		mjq.Servers(1).Arrivals(mjq.Deterministic(1)).Class("j", 1, 1, mjq.Deterministic(1)),
		mjq.Servers(2).Arrivals(mjq.Deterministic(1)).Batches(arrival.FixedSize(2)).Class("j", 1, 1, mjq.Deterministic(1)),
		mjq.Servers(6).Arrivals(mjq.Deterministic(0.3)).Class("j", 2, 1, mjq.Deterministic(0.9)),
	} {
		for _, by := range []mjq.Method{mjq.Exact{}, mjq.Forward{Jobs: 2000}, mjq.Simulation{Jobs: 2000}} {
			r, err := m.Solve(ctx, by)
			if err != nil || !r.Stable || math.Abs(r.All.Waiting.Mean.Value) > 1e-9 {
				t.Errorf("%v by %T: %v, %v", m, by, r, err)
			}
		}
	}
}
