package interval_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestRelaxation by hand: M/M/1 has 4/(1-ρ)², deterministic arrivals and services
// nothing; two classes of work 1 and 6 with probabilities 3/4 and 1/4 have the mean
// 9/4 and, exponential, the mean square 2 (3/4 + 36/4) = 39/2. At a load of 2 with a constant
// patience of 100 the queue forgets as in a room of 200, and for the server 4 are added.
func TestRelaxation(t *testing.T) {
	mm1 := mjq.Servers(1).Poisson(0.5).Class("one", 1, 1, mjq.ExpMean(1))
	dd1 := mjq.Servers(1).Arrivals(mjq.Deterministic(2)).Class("one", 1, 1, mjq.Deterministic(1))
	two := mjq.Servers(3).Poisson(0.1).Class("a", 1, 0.75, mjq.ExpMean(1)).Class("b", 3, 0.25, mjq.ExpMean(2))
	patient := func(l mjq.Law) mjq.Model {
		return mjq.Servers(1).Poisson(2).Class("one", 1, 1, mjq.ExpMean(1)).Patience(l)
	}
	lomax := mjq.Servers(1).Poisson(0.1).Class("one", 1, 1, mjq.LomaxScaleShape(0.9, 1.9))
	for _, c := range []struct {
		m          mjq.Model
		load, want float64
	}{{mm1, 0.5, 16}, {mm1, 0.9, 400}, {dd1, 0.9, 0}, {two, 0.5, 8 * 19.5 / (2.25 * 2.25)}, {lomax, 0.5, math.Inf(1)},
		{patient(mjq.Deterministic(100)), 2, 40_004}} {
		if got := problem.New(c.m.Spec()).Relaxation(c.load); !(math.Abs(got-c.want) <= 1e-9*max(1, c.want)) && got != c.want {
			t.Errorf("%v at %v: %v, by hand %v", c.m, c.load, got, c.want)
		}
	}
	for _, c := range []struct {
		m    mjq.Model
		load float64
		want int64
	}{{mm1, 0.5, 1_000_000}, {mm1, 0.99, 4_000_000}, {mm1, 0.9999, 10_000_000}, {lomax, 0.5, 1_000_000}, {dd1, 0.9, 1_000_000}} {
		if got := problem.New(c.m.Spec()).ReplicationJobs(c.load); math.Abs(float64(got-c.want)) > 1 {
			t.Errorf("%v at %v: %d jobs, want %d", c.m, c.load, got, c.want)
		}
	}
}

// TestPatientRelaxation: with exponential patience a queue forgets in about a mean patience, by
// which 2 λ E[patience] jobs count as independent, whatever the service times are.
func TestPatientRelaxation(t *testing.T) {
	for _, service := range []mjq.Law{mjq.Deterministic(1), mjq.ExpMean(1), mjq.HyperExpMeanSCV(1, 4)} {
		for _, patience := range []float64{1e3, 1e5} {
			m := mjq.Servers(1).Poisson(1.5).Class("one", 1, 1, service).Patience(mjq.ExpMean(patience))
			if got, want := problem.New(m.Spec()).Relaxation(math.NaN()), 2*1.5*patience; !(got > want && got < 1.05*want) {
				t.Errorf("%v, patience %v: %v jobs, want about %v", service, patience, got, want)
			}
		}
	}
}

// TestDefaultLength: a run without Jobs has the length that goes with its load, and
// the fifth before it; with Jobs it has those.
func TestDefaultLength(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.984).Class("one", 1, 1, mjq.ExpMean(1)) // τ = 15625
	forward := mjq.Must(m.Solve(context.Background(), mjq.Forward{Replications: 2}))
	simulate := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Replications: 2, WarmUp: 7}))
	batches := mjq.Must(m.Solve(context.Background(), mjq.Simulation{BatchMeans: 10}))
	given := mjq.Must(m.Solve(context.Background(), mjq.Forward{Replications: 2, Jobs: 200_000, WarmUp: 3}))
	for _, c := range []struct {
		what       string
		r          *result.Result
		jobs, warm int64
	}{{"forward", forward, 1_562_500, 312_500}, {"simulate", simulate, 1_562_500, 7},
		{"batches", batches, 1_562_500, 312_500}, {"given", given, 200_000, 3}} {
		if r := c.r.Run; math.Abs(float64(r.Jobs-c.jobs)) > 1 || math.Abs(float64(r.WarmUp-c.warm)) > 1 {
			t.Errorf("%s: %d jobs after %d, want %d after %d", c.what, r.Jobs, r.WarmUp, c.jobs, c.warm)
		}
	}
}

// TestShortNotes: a replication shorter than ten relaxation times has a note with the
// jobs to ask for, and a run has one that meets the jobs which matter seldom; others
// have none.
func TestShortNotes(t *testing.T) {
	mm1 := mjq.Servers(1).Poisson(0.9).Class("one", 1, 1, mjq.ExpMean(1)) // τ = 400
	rare := mjq.Servers(10).Poisson(0.2).Class("small", 1, 0.999, mjq.ExpMean(1)).Class("big", 10, 0.001, mjq.ExpMean(100))
	for _, c := range []struct {
		what string
		ask  func() (*result.Result, error)
		want []string
	}{
		{"short", func() (*result.Result, error) {
			return mm1.Solve(context.Background(), mjq.Forward{Jobs: 3900, Replications: 2})
		},
			[]string{"has 3900 jobs", "after about 400.", "at least 4000."}},
		{"simulated", func() (*result.Result, error) {
			return mm1.Solve(context.Background(), mjq.Simulation{Jobs: 3900, Replications: 2})
		},
			[]string{"has 3900 jobs"}},
		{"long", func() (*result.Result, error) {
			return mm1.Solve(context.Background(), mjq.Forward{Jobs: 4100, Replications: 2})
		}, nil},
		{"rare", func() (*result.Result, error) {
			return rare.Solve(context.Background(), mjq.Forward{Jobs: 20_000, Replications: 2})
		},
			[]string{`class "big"`, "contain about 3 of them", "at least 3e+05 in all"}},
		{"not rare", func() (*result.Result, error) {
			return rare.Solve(context.Background(), mjq.Forward{Jobs: 310_000, Replications: 2})
		}, nil},
	} {
		notes := strings.Join(mjq.Must(c.ask()).Notes, "\n")
		for _, text := range c.want {
			if !strings.Contains(notes, text) {
				t.Errorf("%s: no %q in the notes %q", c.what, text, notes)
			}
		}
		if c.want == nil && (strings.Contains(notes, "forgets") || strings.Contains(notes, "much of the waiting")) {
			t.Errorf("%s: notes %q", c.what, notes)
		}
	}
}

// TestQuantileWidths: half-widths of quantiles are, on average over 100 runs, the
// half-widths that go with how much the quantiles vary between runs, within a quarter;
// the standard error of that is 7 %.
func TestQuantileWidths(t *testing.T) {
	runs, least, most := uint64(oracle.Sized(20, 100)), 0.65, 1.6
	if runs == 100 {
		least, most = 0.8, 1.35
	}
	m := mjq.Servers(2).Poisson(0.7).Class("a", 1, 0.7, mjq.ExpMean(1)).Class("b", 2, 0.3, mjq.ExpMean(1.3))
	for name, ask := range map[string]func(seed uint64) *result.Result{
		"forward": func(seed uint64) *result.Result {
			return mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 1500}, mjq.Seed(seed)))
		},
		"simulate": func(seed uint64) *result.Result {
			return mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 1500}, mjq.Seed(seed)))
		},
		"followed": func(seed uint64) *result.Result {
			return mjq.Must(m.Solve(context.Background(), mjq.Certified{Samples: 64, PathLength: 640}, mjq.Seed(seed)))
		},
	} {
		of := func(r *result.Result) []result.Estimate {
			return []result.Estimate{r.All.Waiting.Quantile(0.5), r.Classes[1].Waiting.Quantile(0.5), r.All.Response.Quantile(0.5),
				r.Classes[0].Response.Quantile(0.9), r.All.Waiting.CDF(2)}
		}
		var values, halves [5][]float64
		for seed := range runs {
			for k, e := range of(ask(seed + 1)) {
				values[k], halves[k] = append(values[k], e.Value), append(halves[k], e.HalfWidth)
			}
		}
		for k := range values {
			mean, half, squares := 0.0, 0.0, 0.0
			for i, v := range values[k] {
				mean += v / float64(runs)
				half += halves[k][i] / float64(runs)
			}
			for _, v := range values[k] {
				squares += (v - mean) * (v - mean) / float64(runs-1)
			}
			if ratio := half / (1.96 * math.Sqrt(squares)); !(ratio > least && ratio < most) {
				t.Errorf("%s, number %d: half-widths are %.2f times what goes with the spread of %v", name, k, ratio, mean)
			}
		}
	}
}
