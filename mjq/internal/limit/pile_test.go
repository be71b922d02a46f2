package limit_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// oneOrAllExact is the limit of small jobs of one server, exponential of mean 1,
// and big ones that take all n servers, with probability p and mean service mean.
// Small jobs fill the servers until a big one is next in line; then those in
// service drain one by one, and the big one runs alone, so that no more than its
// mean matters.
func oneOrAllExact(n int, p, mean float64) float64 {
	q, cycle := 1-p, mean
	for i := 1; i < n; i++ {
		cycle += math.Pow(q, float64(i)) / float64(i)
	}
	cycle += math.Pow(q, float64(n)) / (p * float64(n))
	return 1 / (p * cycle)
}

func rareModels() map[string]struct {
	b     mjq.Model
	class string
	exact float64
} {
	long := mjq.HyperExpMeans(5e5, 0.5, 1e-6)
	big := func(p float64, l mjq.Law) mjq.Model {
		return mjq.Servers(8).Class("small", 1, 1-p, mjq.ExpMean(1)).Class("big", 8, p, l)
	}
	type model = struct {
		b     mjq.Model
		class string
		exact float64
	}
	return map[string]model{
		// 1.65139 by the saturated chain: see the test.
		"a rare long phase":     {mjq.Servers(4).Class("a", 1, 0.5, long).Class("b", 3, 0.5, mjq.ExpMean(1)), "a", 1.65139},
		"on 64 servers":         {mjq.Servers(64).Class("a", 1, 0.6, long).Class("b", 16, 0.3, mjq.ExpMean(1)).Class("c", 40, 0.1, mjq.ExpMean(1)), "a", math.NaN()},
		"of infinite variance":  {big(0.05, mjq.LomaxScaleShape(1, 1.2)), "big", oneOrAllExact(8, 0.05, 5)},
		"Weibull of huge tail":  {big(0.05, mjq.WeibullMeanShape(5, 0.01)), "big", oneOrAllExact(8, 0.05, 5)},
		"a tail and small jobs": {mjq.Servers(4).Class("a", 1, 0.5, mjq.LomaxScaleShape(0.2, 1.2)).Class("b", 3, 0.5, mjq.ExpMean(1)), "a", math.NaN()},
		"Weibull and small":     {mjq.Servers(4).Class("a", 1, 0.5, mjq.WeibullMeanShape(1, 0.01)).Class("b", 3, 0.5, mjq.ExpMean(1)), "a", math.NaN()},
		"a class hardly seen":   {mjq.Servers(9).Class("small", 1, 1-1e-8, mjq.ExpMean(1)).Class("big", 8, 1e-8, mjq.ExpMean(1e7)), "big", math.NaN()},
	}
}

// TestPileKnowsWhatItHasNotSeen: models whose limit hangs on services of which
// the run holds few or none. An interval that has been measured as if all had been
// seen is off by a fifth with a thousandth claimed. Now it must hold the limit,
// where that is known, and what holds for any laws; Met must be false, and a note
// name the class.
func TestPileKnowsWhatItHasNotSeen(t *testing.T) {
	ctx := context.Background()
	chain := mjq.Must(rareModels()["a rare long phase"].b.Stability(ctx, mjq.Exact{})).Rate
	if math.Abs(chain-1.65139) > 1e-5 {
		t.Errorf("the saturated chain says %v", chain)
	}
	misses := 0 // of 4 or 12 intervals at 95 %
	defer func() {
		if misses > 1 {
			t.Errorf("%d intervals miss the limit", misses)
		}
	}()
	for name, c := range rareModels() {
		m := c.b
		for seed := range uint64(oracle.Sized(1, 3)) {
			st := mjq.Must(m.Stability(ctx, mjq.Pile{}, mjq.MaxJobs(3_000_000), mjq.Seed(seed+1)))
			e := st.Estimate()
			if st.Met || !(e.RelErr() > 0.002) {
				t.Errorf("%s, seed %d: %v claims to have met 0.2 %%", name, seed+1, e)
			}
			if !math.IsNaN(c.exact) && !e.Covers(c.exact) {
				t.Logf("%s, seed %d: %v without %v", name, seed+1, e, c.exact)
				misses++
			}
			if e.Lo() < problem.New(m.Spec()).SurestRate()*(1-1e-9) || e.Hi() > m.IdealRate()*(1+1e-9) {
				t.Errorf("%s, seed %d: %v is not between %v and %v", name, seed+1, e, problem.New(m.Spec()).SurestRate(), m.IdealRate())
			}
			if len(st.Notes) == 0 || !strings.Contains(st.Notes[0], "lass "+c.class) || !strings.Contains(st.String(), st.Notes[0]) {
				t.Errorf("%s, seed %d: no note on class %s in %q", name, seed+1, c.class, st)
			}
			if st.Jobs > 3_000_000 {
				t.Errorf("%s: %d jobs, at most 3,000,000 asked for", name, st.Jobs)
			}
		}
	}
}

// TestBoundsThatMeet: jobs that take all servers and come once in 10^8 times are
// left out of the pile; but with them next to nothing blocks, so that what they
// take at least, which is known, is all that they do.
func TestBoundsThatMeet(t *testing.T) {
	m := mjq.Servers(8).Class("small", 1, 1-1e-8, mjq.ExpMean(1)).Class("big", 8, 1e-8, mjq.ExpMean(1e7))
	st := mjq.Must(m.Stability(context.Background(), mjq.Pile{}, mjq.MaxJobs(3_000_000)))
	if !st.Met || !st.Estimate().Covers(oneOrAllExact(8, 1e-8, 1e7)) || len(st.Notes) == 0 {
		t.Errorf("%v, met: %v, want %v", st, st.Met, oneOrAllExact(8, 1e-8, 1e7))
	}
}

// TestSmallThingsUnseen: a rare class with a rare long phase, which no run here
// holds, makes a third of a per cent. With 5 % asked for that need not be cut; but
// the interval, which comes out ten times as narrow as asked, must have room for it.
func TestSmallThingsUnseen(t *testing.T) {
	m := mjq.Servers(4).Class("rare", 2, 0.002, mjq.HyperExpMeans(34000, 1, 3e-5)).Class("common", 3, 0.998, mjq.ExpMean(0.55))
	exact := 1 / problem.New(m.Spec()).MeanService() // one job at a time: no two fit
	for seed := range uint64(3) {
		st := mjq.Must(m.Stability(context.Background(), mjq.Pile{}, mjq.RelErr(0.05), mjq.MaxJobs(1_000_000), mjq.Seed(seed+1)))
		e := st.Estimate()
		if !st.Met || !(math.Abs(e.Value-exact) <= e.HalfWidth*(1+1e-9)) || e.RelErr() > 0.01 || len(st.Notes) > 0 {
			t.Errorf("%v, met: %v, want %v", st, st.Met, exact)
		}
	}
}

// TestPileWithALongPhase: one service of class a in 10^3 is a thousand times as
// long. Intervals of 95 % that have been met must hold the exact limit in 24 of 30
// runs or more (four standard errors below).
func TestPileWithALongPhase(t *testing.T) {
	m := mjq.Servers(4).Class("a", 1, 0.5, mjq.HyperExpMeans(500, 0.5, 1e-3)).Class("b", 3, 0.5, mjq.ExpMean(1))
	exact := mjq.Must(m.Stability(context.Background(), mjq.Exact{})).Rate
	held, runs := 0, oracle.Sized(5, 30)
	for seed := range uint64(runs) {
		st := mjq.Must(m.Stability(context.Background(), mjq.Pile{}, mjq.RelErr(0.03), mjq.Seed(seed+1)))
		if !st.Met || len(st.Notes) > 0 {
			t.Fatalf("%v, met: %v", st, st.Met)
		}
		if st.Estimate().Covers(exact) {
			held++
		}
	}
	if held < runs*4/5 {
		t.Errorf("the exact limit %v lies in %d of %d intervals", exact, held, runs)
	}
}

// TestPileOfWildModels: random models with phases of all lengths and rarities,
// short runs, wide intervals. They hold the exact limit in 26 of 32 cases or more
// (95 % asked; four standard errors below), and never leave what holds for any laws.
func TestPileOfWildModels(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(15, 1))
	held := 0
	models := oracle.Sized(8, 32)
	for seed := range uint64(models) {
		servers, classes := 2+rng.IntN(5), 2+rng.IntN(2)
		b, rest := mjq.Servers(servers), 1.0
		for c := range classes {
			p := math.Pow(10, -6*rng.Float64())
			mean := math.Pow(10, rng.Float64()-0.5)
			prob := rest
			if c+1 < classes {
				prob = rest * math.Pow(10, -5*rng.Float64()*rng.Float64())
				rest -= prob
			}
			b = b.Class(fmt.Sprint("c", c), 1+rng.IntN(servers), prob, mjq.HyperExpMeans(mean/(2*p), mean/(2*(1-p)), p))
		}
		m := b
		exact := mjq.Must(m.Stability(ctx, mjq.Exact{})).Rate
		e := mjq.Must(m.Stability(ctx, mjq.Pile{}, mjq.RelErr(0.05), mjq.MaxJobs(1_000_000), mjq.Seed(seed))).Estimate()
		if e.Lo() < problem.New(m.Spec()).SurestRate()*(1-1e-9) || e.Hi() > m.IdealRate()*(1+1e-9) || e.HalfWidth < 0 {
			t.Errorf("%v: %v is not between %v and %v", m, e, problem.New(m.Spec()).SurestRate(), m.IdealRate())
		}
		if math.Abs(exact-e.Value) <= e.HalfWidth+1e-9*exact {
			held++
		} else {
			t.Logf("%v: %v without %v", m, e, exact)
		}
	}
	if held < models*13/16 {
		t.Errorf("the exact limit lies in %d of %d intervals", held, models)
	}
}

// TestCutOnADevice: services are cut on the processor only.
func TestCutOnADevice(t *testing.T) {
	ctx := context.Background()
	st := mjq.Must(rareModels()["a rare long phase"].b.Stability(ctx, mjq.Pile{Device: mjq.Auto}, mjq.MaxJobs(200_000)))
	if st.On != "CPU" || !strings.Contains(st.Note, "cut") {
		t.Errorf("On(Auto): on %q with the note %q", st.On, st.Note)
	}
	_, err := rareModels()["a rare long phase"].b.Stability(ctx, mjq.Pile{Device: mjq.GPU}, mjq.MaxJobs(200_000))
	oracle.Mention(t, err, "cut", "Device: mjq.CPU")
}

// TestNearAWideLimit: within a wide interval nothing is certain, near neither end.
func TestNearAWideLimit(t *testing.T) {
	m := rareModels()["a tail and small jobs"].b
	st := mjq.Must(m.Stability(context.Background(), mjq.Pile{}, mjq.MaxJobs(200_000)))
	m = m.WithLimit(st)
	for _, rate := range []float64{st.Rate - 0.9*st.HalfWidth, st.Rate + 0.9*st.HalfWidth} {
		r := mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Forward{Jobs: 2000, Replications: 16}))
		text := strings.Join(r.Notes, "\n")
		if !strings.Contains(text, "The queue may be unstable") || !strings.Contains(text, "Stability limit: The interval is wide: service times LomaxScaleShape(0.2, 1.2) of class a") {
			t.Errorf("at %v, with a limit of %v: notes %q", rate, st.Estimate(), r.Notes)
		}
	}
}

// TestPileKnowsHowManyFit: where as many jobs run at once whatever their order, theory alone gives
// the limit, however many servers are left over. The interval of a run was cut there, and so lay on
// one side of it.
func TestPileKnowsHowManyFit(t *testing.T) {
	for name, c := range map[string]struct {
		m    mjq.Model
		rate float64
	}{
		"one need":      {mjq.Servers(8).Class("a", 3, 1, mjq.ErlangMeanPhases(0.5, 2)), 4},
		"needs alike":   {mjq.Servers(11).Class("a", 4, 0.5, mjq.ExpMean(1)).Class("b", 5, 0.5, mjq.LogNormalMeanSCV(3, 4)), 1},
		"types":         {mjq.Model{}.Resources("cpu", 8).Resources("gpu", 2).Needing("a", mjq.Needs{"cpu": 3}, 0.5, mjq.ExpMean(1)).Needing("b", mjq.Needs{"cpu": 4, "gpu": 1}, 0.5, mjq.ExpMean(1)), 2},
		"what all need": {mjq.Model{}.Resources("cpu", 8).Resources("gpu", 1).Needing("a", mjq.Needs{"gpu": 1}, 0.5, mjq.ExpMean(1)).Needing("b", mjq.Needs{"cpu": 4, "gpu": 1}, 0.5, mjq.ExpMean(3)), 0.5},
	} {
		st := mjq.Must(c.m.Stability(context.Background(), mjq.Pile{}, mjq.MaxJobs(200_000), mjq.Seed(1)))
		if math.Abs(st.Rate-c.rate) > 1e-12 || st.HalfWidth > 1e-12 || !st.Met {
			t.Errorf("%s: %v ± %v, want %v", name, st.Rate, st.HalfWidth, c.rate)
		}
	}
}
