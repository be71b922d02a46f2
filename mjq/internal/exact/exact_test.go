package exact_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"math"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// moments are the exact ones, without the distributions.
func moments(t testing.TB, m mjq.Model) *result.Result {
	t.Helper()
	r, err := m.Solve(context.Background(), mjq.Exact{MomentsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestExactFiveClasses are means, variances and waste of the reference values,
// from a solver that names the class at the head of the line.
func TestExactFiveClasses(t *testing.T) {
	m := workload.FiveClassExponential()
	for _, rate := range []float64{0.2, 0.8, 1.4, 1.75} {
		r := moments(t, m.AtRate(rate))
		means, second := oracle.FiveClasses(t, "E[W]_per_class", rate), oracle.FiveClasses(t, "Var[W]_per_class", rate)
		for i := range r.Classes {
			oracle.Relative(t, "mean", r.Classes[i].Waiting.Mean.Value, means[i], 1e-8)
			oracle.Relative(t, "variance", r.Classes[i].Waiting.Variance.Value, second[i], 1e-7)
		}
		oracle.Relative(t, "waste", r.WastedHOL.Value, oracle.FiveClasses(t, "HOL_waste", rate)[0], 1e-8)
		oracle.Relative(t, "idle", r.Idle.Value, 20-rate*9.493, 1e-10)
		oracle.Relative(t, "jobs", r.MeanJobs.Value, rate*r.All.Response.Mean.Value, 1e-10)
	}
}

// TestExactTable1 is the Exact column of Table 1 of Baccelli et al.
func TestExactTable1(t *testing.T) {
	for _, v := range oracle.Values(t, "B1", "mean_wait_table1") {
		if lam := v.Parameters["lam"].(float64); lam == 2.0448 || lam == 18.4033 {
			r := moments(t, workload.OneOrAll(256, 0.001, 1, 0.025).AtRate(lam))
			oracle.Relative(t, "mean wait", r.All.Waiting.Mean.Value, v.Value.(float64), 1e-8)
		}
	}
}

// TestExactMultiserver compares with Erlang's formula: M/M/s, where P(W > t) =
// C exp(-(sμ-λ)t), also when jobs need two servers each and one is left over.
func TestExactMultiserver(t *testing.T) {
	for _, need := range []int{1, 2} {
		s, lambda := 5, 4.2
		m := mjq.Servers(s*need+need-1).Poisson(lambda).Class("a", need, 1, mjq.ExpMean(1))
		r := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		c, term, sum := 0.0, 1.0, 0.0
		for n := range s {
			sum += term
			term *= lambda / float64(n+1)
		}
		c = term / (1 - lambda/float64(s))
		c /= sum + c
		rate := float64(s) - lambda
		w := &r.Class("a").Waiting
		oracle.Relative(t, "mean", w.Mean.Value, c/rate, 1e-12)
		oracle.Relative(t, "variance", w.Variance.Value, 2*c/(rate*rate)-c*c/(rate*rate), 1e-11)
		for _, x := range []float64{0, 0.3, 2, 9} {
			oracle.Relative(t, "tail", 1-w.CDF(x).Value, c*math.Exp(-rate*x), 1e-7)
		}
		oracle.Relative(t, "0.999 quantile", w.Quantile(0.999).Value, math.Log(c/0.001)/rate, 1e-8)
	}
}

// TestExactPollaczek is M/PH/1 against Pollaczek and Khinchine, and its response
// time against the transform of the waiting time.
func TestExactPollaczek(t *testing.T) {
	for _, l := range []mjq.Law{mjq.ErlangMeanPhases(1, 3), mjq.HyperExpMeans(3, 0.5, 0.2), mjq.Cox2(2, 1, 0.3), mjq.PhaseType([]float64{0.3, 0.7}, [][]float64{{-2, 1.5}, {0.4, -1}})} {
		rate := 0.8 / l.Mean()
		r := mjq.Must(mjq.Servers(1).Poisson(rate).Class("a", 1, 1, l).Solve(context.Background(), mjq.Exact{}))
		second := l.Variance() + l.Mean()*l.Mean()
		oracle.Relative(t, l.String(), r.All.Waiting.Mean.Value, rate*second/2/0.2, 1e-11)
		oracle.Relative(t, "none in system", r.Jobs.Probability(0), 0.2, 1e-12)
		w, v := &r.All.Waiting, &r.All.Response
		oracle.Relative(t, "E[W] from its curve", area(w, 1), w.Mean.Value, 1e-7)
		oracle.Relative(t, "E[T] from its curve", area(v, 1), v.Mean.Value, 1e-7)
		oracle.Relative(t, "E[T²] from its curve", area(v, 2), v.Variance.Value+v.Mean.Value*v.Mean.Value, 1e-6)
	}
}

// area is E[X^k] by Simpson's rule on the survival function.
func area(m *result.Metric, k int) (sum float64) {
	const n = 40_000
	end := m.Quantile(1-1e-9).Value * 1.3
	for i := 0; i <= n; i++ {
		x := end * float64(i) / n
		weight := float64(2 + 2*(i%2))
		if i == 0 || i == n {
			weight = 1
		}
		f := m.Curve.Survival(x)
		if k == 2 {
			f *= 2 * x
		}
		sum += weight * f
	}
	return sum * end / n / 3
}

// TestExactNearTheLimit is at 0.999 of the limit, where (1-ρ)E[N] is near its
// limit: E[Δ] + 1 by Richardson's extrapolation from two loads.
func TestExactNearTheLimit(t *testing.T) {
	models := []mjq.Model{
		workload.OneOrAll(10, 0.1, 1, 1),
		workload.FiveClassExponential(),
		mjq.Servers(4).Class("e", 1, 0.7, mjq.ErlangMeanPhases(1, 2)).Class("h", 3, 0.3, mjq.HyperExpMeans(5, 1, 0.1)),
	}
	for _, m := range models {
		h := mjq.Must(m.HeavyTraffic(context.Background()))
		a := moments(t, m.AtRate(0.999*h.Limit.Rate)).MeanJobs.Value * 0.001
		b := moments(t, m.AtRate(0.9999*h.Limit.Rate)).MeanJobs.Value * 0.0001
		oracle.Relative(t, "(1-ρ) E[N]", b+(b-a)/9, h.RelativeCompletions+1, 3e-6)
	}
}

// TestExactAgainstSampler has random small models with mixed laws within five
// standard errors of the event list, and quantiles as well.
func TestExactAgainstSampler(t *testing.T) {
	for seed, b := range []mjq.Model{
		mjq.Servers(3).Class("a", 1, 0.6, mjq.ExpMean(1)).Class("b", 2, 0.4, mjq.ErlangMeanPhases(0.7, 2)),
		mjq.Servers(7).Class("a", 2, 0.5, mjq.HyperExpMeans(2, 0.4, 0.3)).Class("b", 3, 0.3, mjq.ExpMean(1)).Class("c", 7, 0.2, mjq.ExpMean(0.5)),
		mjq.Servers(10).Class("a", 4, 0.5, mjq.Cox2(2, 1, 0.5)).Class("b", 6, 0.5, mjq.ExpMean(0.3)),
	} {
		m := b.AtLoad(0.7)
		exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		sim := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 40_000, Replications: 24}, mjq.Seed(uint64(seed))))
		for i := range exact.Classes {
			oracle.Within(t, "mean wait", sim.Classes[i].Waiting.Mean, exact.Classes[i].Waiting.Mean.Value, 5)
			oracle.Within(t, "variance", sim.Classes[i].Waiting.Variance, exact.Classes[i].Waiting.Variance.Value, 5)
			oracle.Within(t, "0.9 quantile", sim.Classes[i].Response.Quantile(0.9), exact.Classes[i].Response.Quantile(0.9).Value, 5)
		}
		oracle.Within(t, "waste", sim.WastedHOL, exact.WastedHOL.Value, 5)
		oracle.Within(t, "jobs", sim.MeanJobs, exact.MeanJobs.Value, 5)
	}
}

// TestExactLargeAgainstSampler has the moments of 2,435 phases, by sweeps over levels,
// within five standard errors of the recurrence.
func TestExactLargeAgainstSampler(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute")
	}
	b := mjq.Servers(oracle.Sized(28, 40)).Class("T1", 1, .5, mjq.ExpMean(.5)).Class("T2", 2, .1, mjq.ExpMean(.83)).
		Class("T5", 5, .2, mjq.ExpMean(1.25)).Class("T10", 10, .19, mjq.ExpMean(3.33)).Class("T15", 15, .01, mjq.ExpMean(10))
	m := b.Poisson([]float64{2, 3.5}[oracle.Sized(0, 1)])
	done := 0.0
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{}, mjq.Progress(func(s mjq.Step) { done = s.Done / s.Total })))
	if !(done > 0.9 && done <= 1) {
		t.Errorf("progress ended at %v", done)
	}
	sim := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(40_000, 100_000), Replications: 24}, mjq.Seed(3)))
	for i := range exact.Classes {
		oracle.Within(t, "mean wait", sim.Classes[i].Waiting.Mean, exact.Classes[i].Waiting.Mean.Value, 5)
		oracle.Within(t, "variance", sim.Classes[i].Waiting.Variance, exact.Classes[i].Waiting.Variance.Value, 5)
		for _, x := range []float64{10, 1, 0, 30}[:oracle.Sized(1, 4)] {
			oracle.Within(t, "P(W > x)", sim.Classes[i].Waiting.Survival(x), exact.Classes[i].Waiting.Survival(x).Value, 5)
			oracle.Within(t, "P(R > x)", sim.Classes[i].Response.Survival(x), exact.Classes[i].Response.Survival(x).Value, 5)
		}
		oracle.Within(t, "median", sim.Classes[i].Waiting.Quantile(0.5), exact.Classes[i].Waiting.Quantile(0.5).Value, 5)
	}
	oracle.Within(t, "waste", sim.WastedHOL, exact.WastedHOL.Value, 5)
	oracle.Within(t, "jobs", sim.MeanJobs, exact.MeanJobs.Value, 5)
	if exact.MeanJobs.HalfWidth > 1e-7*exact.MeanJobs.Value {
		t.Errorf("mean number of jobs %v", exact.MeanJobs)
	}
}

// TestExactCapacityNote is Table I of Brandwajn and Begin: means to its digits,
// second moments to the exact ones.
func TestExactCapacityNote(t *testing.T) {
	b := mjq.Servers(6).Class("1", 2, 0.5, mjq.ExpMean(0.4)).Class("2", 3, 0.5, mjq.ExpMean(1.6))
	for _, c := range []struct{ rate, mean, queue2, sojourn2 float64 }{
		{1.0, 1.437764, 1.245273, 4.843148}, {1.4, 2.270721, 5.911350, 11.177880}, {1.8, 6.471445, 72.063414, 85.735510},
	} {
		r := moments(t, b.Poisson(c.rate))
		w, v := r.All.Waiting, r.All.Response
		oracle.Relative(t, "E[W]", v.Mean.Value, c.mean, 1e-6)
		oracle.Relative(t, "E[Wq²]", w.Variance.Value+w.Mean.Value*w.Mean.Value, c.queue2, 1e-6)
		oracle.Relative(t, "E[W²]", v.Variance.Value+v.Mean.Value*v.Mean.Value, c.sojourn2, 1e-6)
	}
}

func TestCount(t *testing.T) {
	r := moments(t, mjq.Servers(1).Poisson(0.5).Class("a", 1, 1, mjq.ExpMean(1)))
	for k, want := range []float64{1, 3, 13, 75} { // of a geometric number, Fubini numbers
		oracle.Relative(t, "moment", r.Jobs.Moment(k+1), want, 1e-12)
	}
	oracle.Relative(t, "variance", r.Jobs.Variance(), 2, 1e-12)
	oracle.Relative(t, "P(N = 9)", r.Jobs.Probability(9), math.Pow(0.5, 10), 1e-12)
	busy := moments(t, mjq.Servers(1).Poisson(0.9).Class("a", 1, 1, mjq.ExpMean(1)))
	oracle.Relative(t, "far out", busy.Jobs.Probability(2050)/busy.Jobs.P[2047], 0.729, 1e-9)
	if !math.IsNaN(r.Jobs.Moment(9)) || !math.IsNaN(result.Count{}.Probability(0)) || r.Jobs.Probability(-1) != 0 {
		t.Error("moments beyond the known ones, or jobs of an empty count")
	}
}

func TestExactFaults(t *testing.T) {
	m := mjq.Servers(2).Arrivals(law.Deterministic{X: 1}).Class("a", 1, 1, mjq.ErlangMeanPhases(1.5, 2))
	_, err := m.Solve(context.Background(), mjq.Exact{MaxBytes: -1}, mjq.Workers(0))
	oracle.Mention(t, err, "only Poisson and Markovian", "MaxBytes -1", "Workers(0)")
	_, err = mjq.Servers(2).Poisson(1).Class("a", 1, 0.5, mjq.Uniform(0, 1)).Class("b", 2, 0.5, mjq.ExpMean(1)).Solve(context.Background(), mjq.Exact{})
	oracle.Mention(t, err, `class "a"`, "not phase-type")
	big := workload.FiveClassErlang().Poisson(1)
	_, err = big.Solve(context.Background(), mjq.Exact{})
	oracle.Mention(t, err, "phases", "MaxBytes", "Certified")
	if z := mjq.Must(mjq.Exact{}.Size(big)); z.Phases != 91960 || !(z.Bytes > 1e9) || !z.Sparse {
		t.Errorf("size %v", z)
	}
	r := mjq.Must(workload.FiveClassExponential().AtRate(1.81).Solve(context.Background(), mjq.Exact{}))
	if r.Stable || !math.IsInf(r.All.Waiting.Mean.Value, 1) {
		t.Error("unstable model solved")
	}
}

func TestExactInterrupted(t *testing.T) {
	m := workload.OneOrAll(256, 0.001, 1, 0.025).AtRate(10)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
	defer cancel()
	if _, err := m.Solve(ctx, mjq.Exact{}); err == nil {
		t.Error("an interrupted solve must say so")
	}
}

// TestExactSurvivesGob: results pass between the cells of a notebook.
func TestExactSurvivesGob(t *testing.T) {
	r := mjq.Must(mjq.Servers(2).Poisson(1).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(0.3)).Solve(context.Background(), mjq.Exact{}))
	var buf bytes.Buffer
	var back result.Result
	if err := gob.NewEncoder(&buf).Encode(r); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if a, b := r.Class("b").Waiting.Quantile(0.9), back.Class("b").Waiting.Quantile(0.9); a != b {
		t.Errorf("%v became %v", a, b)
	}
}
