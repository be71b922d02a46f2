package exact_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// twoClasses are jobs of one and of three servers out of four.
func twoClasses() mjq.Model {
	return mjq.Servers(4).Class("a", 1, 0.75, mjq.ErlangMeanPhases(1, 2)).Class("b", 3, 0.25, mjq.HyperExpMeans(2.5, 0.4, 0.3))
}

// inTurns marks two jobs of a and one of b in turn, in batches, and leaves others to
// the probabilities.
var inTurns = arrival.Superposition{arrival.Poisson(0.2), arrival.Markov{D0: [][]float64{{-0.3, 0}, {0.1, -0.4}}, Events: []arrival.Event{
	{Rates: [][]float64{{0, 0.3}, {0, 0}}, Size: 2, Class: "a"}, {Rates: [][]float64{{0, 0}, {0.3, 0}}, Size: 1, Class: "b"}}}}

// TestExactAgainstSimulation: bursts, and batches some of which are marked, within four
// standard errors of a simulation in all that both say; and every curve has the moments
// of its metric.
func TestExactAgainstSimulation(t *testing.T) {
	for _, m := range []mjq.Model{
		twoClasses().MMPP([]float64{0.1, 2}, [][]float64{{-0.1, 0.1}, {0.2, -0.2}}),
		twoClasses().Process(inTurns),
	} {
		exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 20_000, Replications: 32}, mjq.Seed(7)))
		same := func(what string, x, e result.Estimate) {
			z := (e.Value - x.Value) / (e.HalfWidth / result.StudentT(e.Level, e.N-1))
			if !(math.Abs(z) < 4) {
				t.Errorf("%v, %s: %v by simulation, %v exactly, z = %.1f", m.Spec().Arrivals, what, e, x, z)
			}
		}
		for i := range r.Classes {
			x, e := &exact.Classes[i], &r.Classes[i]
			same("mean wait of "+x.Name, x.Waiting.Mean, e.Waiting.Mean)
			same("variance of "+x.Name, x.Waiting.Variance, e.Waiting.Variance)
			same("response of "+x.Name, x.Response.Mean, e.Response.Mean)
			for _, at := range []float64{0, 0.5, 3} {
				same("distribution of "+x.Name, x.Waiting.CDF(at), e.Waiting.CDF(at))
				if at > 0 {
					same("responses of "+x.Name, x.Response.CDF(at), e.Response.CDF(at))
				}
			}
			oracle.Relative(t, "E[W] from its curve", area(&x.Waiting, 1), x.Waiting.Mean.Value, 1e-6)
			oracle.Relative(t, "E[T²] from its curve", area(&x.Response, 2), x.Response.Variance.Value+math.Pow(x.Response.Mean.Value, 2), 1e-5)
		}
		if !(exact.Run.Residual < 1e-10) {
			t.Errorf("residual %.2g", exact.Run.Residual)
		}
		same("mean wait", exact.All.Waiting.Mean, r.All.Waiting.Mean)
		same("idle", exact.Idle, r.Idle)
		same("waste", exact.WastedHOL, r.WastedHOL)
		same("jobs", exact.MeanJobs, r.MeanJobs)
	}
}

// TestExactPoissonKeepsItsWay: Poisson arrivals in any disguise are solved by the
// number of jobs, with the same bits; marked ones by ages, with the same values.
func TestExactPoissonKeepsItsWay(t *testing.T) {
	plain := moments(t, twoClasses().Poisson(0.8))
	same := moments(t, twoClasses().MAP([][]float64{{-0.8}}, [][]float64{{0.8}}))
	marked := moments(t, twoClasses().MarkedMAP([][]float64{{-0.8}}, map[string][][]float64{"a": {{0.6}}, "b": {{0.2}}}))
	for i := range plain.Classes {
		a, b, c := &plain.Classes[i].Waiting, &same.Classes[i].Waiting, &marked.Classes[i].Waiting
		if a.Mean != b.Mean || a.Variance != b.Variance {
			t.Errorf("%v, %v in disguise", a.Mean, b.Mean)
		}
		oracle.Relative(t, "mean by ages", c.Mean.Value, a.Mean.Value, 1e-11)
		oracle.Relative(t, "variance by ages", c.Variance.Value, a.Variance.Value, 1e-11)
	}
	oracle.Relative(t, "jobs by ages", marked.MeanJobs.Value, plain.MeanJobs.Value, 1e-11)
	oracle.Relative(t, "limit by ages", marked.Limit.Rate, plain.Limit.Rate, 1e-11)
}

// TestExactInTurns: a deterministic order of two classes that never fit together is a
// queue of pairs, whose limit is not that of classes in random order; and E2/M/1 has a
// geometric number of jobs at arrivals.
func TestExactInTurns(t *testing.T) {
	turns := mjq.Servers(3).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.ExpMean(0.5)).MarkedMAP([][]float64{{-1, 0}, {0, -1}},
		map[string][][]float64{"a": {{0, 1}, {0, 0}}, "b": {{0, 0}, {1, 0}}})
	r := moments(t, turns)
	oracle.Relative(t, "limit of turns", r.Limit.Rate, 2/1.5, 1e-12)
	if r := moments(t, turns.AtRate(1.34)); r.Stable || !math.IsInf(r.All.Waiting.Mean.Value, 1) {
		t.Errorf("stable beyond its limit: %v", r)
	}
	e2 := mjq.Must(mjq.Servers(1).Class("a", 1, 1, mjq.ExpMean(1)).Arrivals(mjq.ErlangMeanPhases(1.25, 2)).Solve(context.Background(), mjq.Exact{}))
	// The root of x = (1.6/(1.6+1-x))²: waits are exponential of rate 1-x but for an atom.
	x := 0.5
	for range 200 {
		x = math.Pow(1.6/(1.6+1-x), 2)
	}
	oracle.Relative(t, "mean wait", e2.All.Waiting.Mean.Value, x/(1-x), 1e-12)
	for n, want := range []float64{0.2, 0.8 * (1 - x), 0.8 * (1 - x) * x} { // P(N = n) in time
		oracle.Relative(t, "P(N = n)", e2.Jobs.Probability(n), want, 1e-12)
	}
	oracle.Relative(t, "no wait", e2.All.Waiting.CDF(0).Value, 1-x, 1e-9)
	oracle.Relative(t, "0.99 quantile", e2.All.Waiting.Quantile(0.99).Value, math.Log(100*x)/(1-x), 1e-7)
}

func TestExactArrivalFaults(t *testing.T) {
	for _, c := range []struct {
		b    mjq.Model
		want []string
	}{
		{twoClasses().Profile(24, 0.4, 1.6), []string{"only Poisson and Markovian arrivals", "by the hour"}},
		{twoClasses().Arrivals(law.LogNormalMeanSCV(1, 4)), []string{"only Poisson and Markovian arrivals", "phase type"}},
		{twoClasses().MarkedMAP([][]float64{{-1}}, map[string][][]float64{"a": {{1}}}), []string{`class "b"`, "leave it out"}},
	} {
		m := c.b
		_, err := m.Solve(context.Background(), mjq.Exact{})
		oracle.Mention(t, err, c.want...)
		if len(mjq.Must(m.Methods(context.Background())).Columns[2].Cells[0]) == 0 {
			t.Error("Methods does not say why not")
		}
	}
	m := twoClasses().Process(arrival.Batches{Of: arrival.Poisson(0.1), Sizes: arrival.FixedSize(200)})
	_, err := m.Solve(context.Background(), mjq.Exact{MaxBytes: 1e6})
	oracle.Mention(t, err, "phases", "MaxBytes", "Forward")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := twoClasses().Process(inTurns).Solve(ctx, mjq.Exact{}); err == nil {
		t.Error("a solution after the end")
	}
	r := mjq.Must(twoClasses().Process(inTurns).Solve(context.Background(), mjq.Exact{}))
	var buf bytes.Buffer
	var back result.Result
	if err := gob.NewEncoder(&buf).Encode(r); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil || r.Class("b").Waiting.Quantile(0.9) != back.Class("b").Waiting.Quantile(0.9) {
		t.Errorf("it does not come back: %v", err)
	}
}
