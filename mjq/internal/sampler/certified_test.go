package sampler_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestCertified holds certified samples against exact values, from light load
// to 94 % of the limit, where the per-sample rule is far off.
func TestCertified(t *testing.T) {
	m := workload.FiveClassExponential()
	for rate, n := range map[float64]int{1.0: oracle.Sized(1500, 8000), 1.5: 2000} {
		r := mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Certified{Samples: n}, mjq.Seed(2)))
		means, variances := oracle.FiveClasses(t, "E[W]_per_class", rate), oracle.FiveClasses(t, "Var[W]_per_class", rate)
		for i, c := range r.Classes {
			oracle.Within(t, "mean of "+c.Name, c.Waiting.Mean, means[i], 4)
			oracle.Within(t, "variance of "+c.Name, c.Waiting.Variance, variances[i], 4)
		}
		oracle.Within(t, "HOL waste", r.WastedHOL, oracle.FiveClasses(t, "HOL_waste", rate)[0], 4)
		if !(r.Run.Theta > 0) || r.Run.Block < 32 || r.Run.Eps != 1e-6 {
			t.Errorf("the result does not say how it was certified: %+v", r.Run)
		}
	}
	one := mjq.Servers(1).Poisson(0.5).Class("one", 1, 1, mjq.Deterministic(1))
	oracle.Within(t, "M/D/1", mjq.Must(one.Solve(context.Background(), mjq.Certified{Samples: oracle.Sized(3000, 20_000)})).All.Waiting.Mean, 0.5, 4)
}

// TestCertificateMatters gives the sampler a bound that is far too low: its
// samples are then of an empty past and fall short, so the test above can fail.
func TestCertificateMatters(t *testing.T) {
	m := workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(10.2240)
	c := sampling.Certified{System: problem.New(m.Spec()).System(1, 2), Majorant: sampling.Majorant{Theta: 100, Block: 32},
		Samples: 2000, Window: 256, Eps: 1e-6, Level: 0.95}
	if e := c.Run(context.Background(), nil).All.Waiting.Mean(0.95, ""); !(e.Hi() < 0.5*35.586) {
		t.Errorf("with a false bound the mean is %v; it should be far below 35.6", e)
	}
}

// TestBlockBoundHolds compares the proven decay with the truth where it is
// known: the wait of M/M/1 decays at rate μ-λ, and no valid θ exceeds it.
func TestBlockBoundHolds(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.6).Class("one", 1, 1, mjq.ExpMean(1))
	sys := problem.New(m.Spec()).System(1, 1)
	charged := func(ctx context.Context) (*sampling.Charges, sampling.Tilted) {
		return sampler.Charged(ctx, problem.New(m.Spec()))
	}
	bound, err := sys.FindMajorant(context.Background(), sampler.Tilted(context.Background(), problem.New(m.Spec()), nil), charged, 0.6, 0.6, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	if !(bound.Theta > 0.2 && bound.Theta <= 0.4) {
		t.Errorf("θ = %v; the true decay is 0.4", bound.Theta)
	}
}

// TestCalculatedBound: the decay of a calculated bound lies below the true one of
// the queue, which the exact solver knows, and close to it; at 90 % of the limit
// on 1 and 256 servers as well, where no simulation proves one.
func TestCalculatedBound(t *testing.T) {
	for _, m := range []mjq.Model{
		workload.FiveClassExponential().Poisson(1.4),
		workload.OneOrAll(64, 0.004, 1, 0.1).AtLoad(0.9),
		mjq.Servers(4).Class("e", 1, 0.7, mjq.ErlangMeanPhases(1, 2)).Class("h", 3, 0.3, mjq.HyperExpMeans(5, 1, 0.1)).AtLoad(0.8),
	} {
		m := mjq.Must(m.Resolve(context.Background()))
		bound, ok := sampler.ExactMajorant(context.Background(), problem.New(m.Spec()), 1e-6, m.Rate()/mjq.Must(m.Stability(context.Background())).Rate)
		if !ok {
			t.Fatalf("no bound for %v", m)
		}
		truth := m.Rate() * (1/mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).Jobs.Decay - 1)
		if !(bound.Theta < truth && bound.Theta > 0.5*truth) {
			t.Errorf("θ = %v, the queue decays at %v", bound.Theta, truth)
		}
	}
}

// TestCertifiedNearTheLimit is at 90 % of the limit with rare large jobs, where
// rules that look at single samples are off by a factor.
func TestCertifiedNearTheLimit(t *testing.T) {
	m := workload.OneOrAll(32, 0.02, 1, 0.2).AtLoad(0.9)
	r := mjq.Must(m.Solve(context.Background(), mjq.Certified{Samples: oracle.Sized(150, 400)}, mjq.Seed(3)))
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true}))
	oracle.Within(t, "mean", r.All.Waiting.Mean, exact.All.Waiting.Mean.Value, 4)
	oracle.Within(t, "waste", r.WastedHOL, exact.WastedHOL.Value, 4)
	if !strings.Contains(r.Source, "calculated") {
		t.Errorf("the bound came from %s", r.Source)
	}
}

// TestNoCertificateNearTheLimit: where simulation proves no bound, an error says so.
func TestNoCertificateNearTheLimit(t *testing.T) {
	oracle.Long(t, "TestCertifiedRefusals")
	near := mjq.Servers(256).Poisson(22.1).Class("one", 1, 0.999, mjq.Uniform(0, 2)).Class("all", 256, 0.001, mjq.Deterministic(40))
	_, err := near.Solve(context.Background(), mjq.Certified{Samples: 10})
	oracle.Mention(t, err, "no certificate", "22.1", "Unbiased")
}

func TestCertifiedRefusals(t *testing.T) {
	heavy := mjq.Servers(2).Poisson(0.3).Class("heavy", 1, 0.5, mjq.LomaxScaleShape(2, 3)).Class("fine", 2, 0.5, mjq.ExpMean(1))
	_, err := heavy.Solve(context.Background(), mjq.Certified{Eps: 2, Samples: -2})
	oracle.Mention(t, err, "heavy", "Lomax", "no exponential moments", "Unbiased", "Samples -2", "Eps 2")
	m := workload.FiveClassExponential().Poisson(1.6)
	mjq.Must(m.Stability(context.Background()))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := m.Solve(ctx, mjq.Certified{Samples: 1e9}, mjq.Progress(func(s mjq.Step) {
		if s.Done >= 500 {
			cancel()
		}
	}))
	oracle.Mention(t, err, "interrupted")
	if r == nil || r.Run.Samples < 400 || r.Run.Samples > 1e6 || math.IsNaN(r.All.Waiting.Mean.HalfWidth) {
		t.Errorf("what was completed is lost: %+v", r)
	}
}
