package sampler_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestUnbiasedFollowed holds followed samples against exact values, with first
// windows so short that most chains are far from stationary at job 0 and many
// still apart when the path ends: what the differences of windows put right.
func TestUnbiasedFollowed(t *testing.T) {
	m := workload.FiveClassExponential()
	for _, x := range []struct {
		rate         float64
		window, jobs int
		samples      int
		seed         uint64
	}{{1.0, 32, 100, 20_000, 1}, {1.0, 64, 2000, oracle.Sized(6000, 20_000), 2}, {1.5, 256, 300, 20_000, 3}} {
		r := mjq.Must(m.AtRate(x.rate).Solve(context.Background(), mjq.Unbiased{Samples: x.samples, Window: x.window, PathLength: x.jobs}, mjq.Seed(x.seed)))
		means, squares := oracle.FiveClasses(t, "E[W]_per_class", x.rate), oracle.FiveClasses(t, "Var[W]_per_class", x.rate)
		for i, c := range m.Spec().Classes {
			oracle.Within(t, "mean of "+c.Name, r.Classes[i].Waiting.Mean, means[i], 4)
			oracle.Within(t, "variance of "+c.Name, r.Classes[i].Waiting.Variance, squares[i], 4)
		}
		oracle.Within(t, "mean of all", r.All.Waiting.Mean, oracle.FiveClasses(t, "E[W]_all", x.rate)[0], 4)
		oracle.Within(t, "HOL waste", r.WastedHOL, oracle.FiveClasses(t, "HOL_waste", x.rate)[0], 4)
		if r.All.Waiting.Mean.RelErr() > 0.08 {
			t.Errorf("window %d: the interval %v says nothing", x.window, r.All.Waiting.Mean)
		}
	}
}

// TestUnbiasedFollowedPays: a path of some windows narrows the interval by far
// more than it costs, and Run tells what it costs.
func TestUnbiasedFollowedPays(t *testing.T) {
	m := workload.OneOrAll(32, 0.02, 1, 0.2).AtLoad(0.7)
	one := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: 160}))
	jobs := 20 * int(one.Run.Window)
	long := mjq.Must(m.Solve(context.Background(), mjq.Unbiased{Samples: 160, PathLength: jobs}))
	oracle.Within(t, "mean", long.All.Waiting.Mean, mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).All.Waiting.Mean.Value, 4)
	if long.Run.Window != one.Run.Window || long.Run.Jobs != int64(jobs) {
		t.Errorf("%+v followed, %+v not", long.Run, one.Run)
	}
	if more := long.Run.Steps - one.Run.Steps; more < 160*int64(jobs) || more > 2*160*int64(jobs) {
		t.Errorf("%d steps more for 160 paths of %d jobs", more, jobs)
	}
	a, b := one.All.Waiting.Mean.HalfWidth, long.All.Waiting.Mean.HalfWidth
	worth := a * a / b / b * float64(one.Run.Steps) / float64(long.Run.Steps)
	if t.Logf("a step of a path is worth %.1f others", worth); worth < 3 {
		t.Errorf("± %v and ± %v: a step of a path is worth %.1f others", a, b, worth)
	}
}

// TestUnbiasedFollowedTypes: recurrences of other queues are followed too.
func TestUnbiasedFollowedTypes(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.6).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("two", 2, 0.3, mjq.ErlangMeanPhases(2, 2))
	for i, q := range []mjq.Model{m, m.RandomAssignment()} {
		one := mjq.Must(q.Solve(context.Background(), mjq.Unbiased{Samples: oracle.Sized(400, 800)}, mjq.Seed(1))).All.Waiting.Mean
		long := mjq.Must(q.Solve(context.Background(), mjq.Unbiased{Samples: oracle.Sized(120, 250), PathLength: 2000}, mjq.Seed(2))).All.Waiting.Mean
		if off := math.Abs(one.Value - long.Value); !(off <= 4.0/1.96*math.Hypot(one.HalfWidth, long.HalfWidth)) || !(long.HalfWidth < one.HalfWidth/3) {
			t.Errorf("queue %d: %v at one look, %v followed", i, one, long)
		}
	}
}

// TestUnbiasedFollowedBits: the same on any number of goroutines, with a target.
func TestUnbiasedFollowedBits(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	ask := mjq.Options(mjq.Unbiased{Window: 500, PathLength: 3000}, mjq.RelErr(0.05), mjq.Seed(3))
	a, b := mjq.Must(m.Solve(context.Background(), ask, mjq.Workers(1))), mjq.Must(m.Solve(context.Background(), ask, mjq.Workers(3)))
	if !oracle.SameBits(a.Classes, b.Classes) || a.Run.Steps != b.Run.Steps || a.Run.Samples < 128 || !a.Run.Met {
		t.Errorf("%v on one goroutine, %v on three, %+v", a.All.Waiting.Mean, b.All.Waiting.Mean, a.Run)
	}
	_, err := m.Solve(context.Background(), mjq.Unbiased{PathLength: 31, Samples: 1})
	oracle.Mention(t, err, "PathLength 31", "at least 32", "Samples 1")
}
