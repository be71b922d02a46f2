package sampler_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestFollow holds followed samples against exact values, by class, and asks
// that they are worth far more than as many samples of one look.
func TestFollow(t *testing.T) {
	m := workload.FiveClassExponential()
	for _, x := range []struct {
		rate        float64
		jobs, every int // the second from its window
	}{{1.0, 2000, 32}, {1.5, oracle.Sized(6000, 20_000), 64}} {
		const n = 400
		rate, jobs := x.rate, x.jobs
		r := mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Certified{Samples: n, PathLength: jobs}, mjq.Seed(2)))
		means, variances := oracle.FiveClasses(t, "E[W]_per_class", rate), oracle.FiveClasses(t, "Var[W]_per_class", rate)
		for i, c := range m.Spec().Classes {
			w, resp := &r.Classes[i].Waiting, &r.Classes[i].Response
			oracle.Within(t, "mean of "+c.Name, w.Mean, means[i], 4)
			oracle.Within(t, "variance of "+c.Name, w.Variance, variances[i], 4)
			oracle.Within(t, "response of "+c.Name, resp.Mean, means[i]+c.Service.Mean(), 4)
			if looks := float64(n * (1 + jobs/x.every)); w.Dist.Total != looks || resp.Dist.Total != looks {
				t.Errorf("%s: distributions of %v and %v looks, want %v", c.Name, w.Dist.Total, resp.Dist.Total, looks)
			}
		}
		oracle.Within(t, "mean of all", r.All.Waiting.Mean, oracle.FiveClasses(t, "E[W]_all", rate)[0], 4)
		oracle.Within(t, "HOL waste", r.WastedHOL, oracle.FiveClasses(t, "HOL_waste", rate)[0], 4)
		if e := r.All.Waiting.Effective; !(e > float64(oracle.Sized(5, 10)*n)) || e > float64(n*jobs) {
			t.Errorf("rate %v: %d samples followed for %d jobs are worth %v", rate, n, jobs, e)
		}
	}
}

// TestFollowCoverage: 95 % intervals of followed samples hold what is known of
// M/M/1 at load 1/2: means 1, half the waits 0, the median response 2 ln 2.
// With 400 runs the standard error of the coverage is 1.1 %; the bound is 3.5 %.
func TestFollowCoverage(t *testing.T) {
	runs := oracle.Sized(120, 400)
	m := mjq.Servers(1).Poisson(0.5).Class("one", 1, 1, mjq.ExpMean(1))
	var in [4]int
	for seed := range uint64(runs) {
		r := mjq.Must(m.Solve(context.Background(), mjq.Certified{Eps: 1e-4, Samples: 60, PathLength: 640}, mjq.Seed(seed)))
		for i, hit := range []bool{r.All.Waiting.Mean.Covers(1), r.MeanJobs.Covers(1), r.All.Waiting.CDF(0).Covers(0.5),
			r.All.Response.CDF(2 * math.Ln2).Covers(0.5)} {
			if hit {
				in[i]++
			}
		}
	}
	for i, what := range []string{"wait", "jobs", "P(W = 0)", "P(R ≤ 2 ln 2)"} {
		if got := float64(in[i]) / float64(runs); math.Abs(got-0.95) > 0.7/math.Sqrt(float64(runs)) {
			t.Errorf("%s: a 95 %% interval holds the truth in %.1f %% of the runs", what, 100*got)
		}
	}
}

// TestFollowTarget: the target is met, at no fewer samples than promised, with
// the same bits for any number of goroutines; one out of reach is noted.
func TestFollowTarget(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1)
	ask := mjq.Options(mjq.Certified{PathLength: 1000}, mjq.Seed(4))
	loose := mjq.Must(m.Solve(context.Background(), ask, mjq.RelErr(0.9)))
	if loose.Run.Samples != 128 || loose.Run.Jobs != 1000 {
		t.Errorf("a loose target took %d samples of %d jobs", loose.Run.Samples, loose.Run.Jobs)
	}
	half := float64(oracle.Sized(5, 3)) / 10 * loose.All.Waiting.Mean.HalfWidth
	a, b := mjq.Must(m.Solve(context.Background(), ask, mjq.HalfWidth(half), mjq.Workers(1))), mjq.Must(m.Solve(context.Background(), ask, mjq.HalfWidth(half), mjq.Workers(3)))
	if !(a.All.Waiting.Mean.HalfWidth <= half) || a.Run.Samples <= 128 || len(a.Notes) > 0 {
		t.Errorf("asked for ± %v: %v after %d samples, %q", half, a.All.Waiting.Mean, a.Run.Samples, a.Notes)
	}
	if !oracle.SameBits(a.Classes, b.Classes) || a.All.Waiting.Mean != b.All.Waiting.Mean || a.Run.Steps != b.Run.Steps {
		t.Errorf("%v on one goroutine, %v on three", a.All.Waiting.Mean, b.All.Waiting.Mean)
	}
	oracle.Mention(t, fmt.Errorf("%v", mjq.Must(m.Solve(context.Background(), mjq.Certified{PathLength: 1000, Samples: 130}, mjq.Seed(4),
		mjq.HalfWidth(half))).Notes), "not reached", "130 samples")
}

// TestFollowStartsWhereItWould: following changes no window, costs its jobs and
// narrows the interval.
func TestFollowStartsWhereItWould(t *testing.T) {
	m := workload.OneOrAll(32, 0.02, 1, 0.2).AtLoad(0.5)
	one := mjq.Must(m.Solve(context.Background(), mjq.Certified{Samples: 50}))
	long := mjq.Must(m.Solve(context.Background(), mjq.Certified{Samples: 50, PathLength: 100_000}))
	if one.Run.MinWindow != long.Run.MinWindow || one.Run.MaxWindow != long.Run.MaxWindow || long.Run.Steps != one.Run.Steps+50*100_000 {
		t.Errorf("following changes the windows: %+v and %+v", one.Run, long.Run)
	}
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true})) // the classes wait for very different times
	oracle.Within(t, "mean", long.All.Waiting.Mean, exact.All.Waiting.Mean.Value, 4)
	oracle.Within(t, "waste", long.WastedHOL, exact.WastedHOL.Value, 4)
	if !(long.All.Waiting.Mean.HalfWidth < one.All.Waiting.Mean.HalfWidth/3) {
		t.Errorf("%v followed, %v at one look", long.All.Waiting.Mean, one.All.Waiting.Mean)
	}
}

func TestFollowRefusals(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1)
	for _, jobs := range []int{-5, 1, 31} {
		_, err := m.Solve(context.Background(), mjq.Certified{PathLength: jobs})
		oracle.Mention(t, err, fmt.Sprintf("PathLength %d", jobs), "at least 32")
	}
	_, err := m.Solve(context.Background(), mjq.Certified{PathLength: 31, Samples: -2}, mjq.RelErr(-1))
	oracle.Mention(t, err, "PathLength 31", "Samples -2", "RelErr(-1)")
}

// TestFollowStops: within a path as well, and keeps the samples before.
func TestFollowStops(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.5).Class("one", 1, 1, mjq.ExpMean(1)) // its bound takes no time
	mjq.Must(m.Stability(context.Background()))
	for _, jobs := range []int{100_000, 1 << 40} {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		started := time.Now()
		r, err := m.Solve(ctx, mjq.Certified{Eps: 1e-3, PathLength: jobs, Samples: 1e9})
		if time.Since(started) > oracle.Soon {
			t.Errorf("stopped after %v", time.Since(started))
		}
		oracle.Mention(t, err, "interrupted")
		if r == nil || r.Run.Complete || len(r.Notes) == 0 {
			t.Fatalf("the result does not say that it was interrupted: %+v", r)
		}
		if n := r.Run.Samples; n > 1 {
			again := mjq.Must(m.Solve(context.Background(), mjq.Certified{Eps: 1e-3, PathLength: jobs, Samples: n}))
			if again.All.Waiting.Mean != r.All.Waiting.Mean {
				t.Errorf("the kept part gives %v, a run of that length %v", r.All.Waiting.Mean, again.All.Waiting.Mean)
			}
		}
	}
}
