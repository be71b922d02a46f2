package limit

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// TestSearchCovers: the interval of a search holds limits that are known exactly.
func TestSearchCovers(t *testing.T) {
	classes := []spec.Class{{Name: "a", Need: 1, Prob: 0.8, Service: law.ExpRate(1)}, {Name: "b", Need: 4, Prob: 0.2, Service: law.ExpRate(2)}}
	for _, p := range []policy.Policy{policy.LeastServersFirst{}, policy.Window{Jobs: 2}, policy.PreemptiveLeastServersFirst{}} {
		for seed := range uint64(oracle.Sized(1, 4)) {
			x := problem.New(&spec.Spec{Servers: 4, Classes: classes, Policy: p})
			exact, err := exactPolicyLimit(context.Background(), x, forced)
			if err != nil {
				t.Fatal(err)
			}
			o := problem.Defaults()
			o.SetSeed(seed)
			o.MaxJobs = problem.Give[int64](700_000)
			st, err := searchLimit(context.Background(), x, &o)
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(st.Rate-exact.Rate) <= st.HalfWidth) || !(st.HalfWidth < 0.2*st.Rate) || st.Jobs > 700_000 {
				t.Errorf("%v, seed %d: %v, exact %v", p, seed, st, exact.Rate)
			}
		}
	}
}

// TestSearchAdmits: services without a variance have no interval, and the end of the
// context ends the search.
func TestSearchAdmits(t *testing.T) {
	x := problem.New(&spec.Spec{Servers: 2, Policy: policy.EASY(), Classes: []spec.Class{
		{Name: "a", Need: 1, Prob: 0.5, Service: law.Lomax{Shape: 1.5, Scale: 1}}, {Name: "b", Need: 2, Prob: 0.5, Service: law.ExpRate(1)}}})
	o := problem.Defaults()
	o.MaxJobs = problem.Give[int64](200_000)
	st, err := searchLimit(context.Background(), x, &o)
	if err != nil || !math.IsNaN(st.HalfWidth) || !strings.Contains(strings.Join(st.Notes, "\n"), `"a"`) {
		t.Errorf("%v, %v", st, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if st, err := searchLimit(ctx, x, &o); err == nil || st != nil {
		t.Errorf("cancelled: %v, %v", st, err)
	}
}

// TestLimitOfThoseWhoStay: first come, first served the limit is that of the jobs that never give up,
// although some that do wait all the time; and the search, which does not know that, finds the same.
func TestLimitOfThoseWhoStay(t *testing.T) {
	t.Parallel()
	x := problem.New(&spec.Spec{Servers: 4, Classes: []spec.Class{{Name: "a", Need: 1, Prob: 0.7, Service: law.ExpRate(1), Patience: law.ExpMean(5)},
		{Name: "b", Need: 3, Prob: 0.3, Service: law.ExpRate(2)}}})
	exact, err := Find(t.Context(), x, Way{}, problem.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	const want = 2 / 0.3 // one of class b at a time
	if math.Abs(exact.Rate-want) > 1e-12 || exact.HalfWidth != 0 || !math.IsNaN(exact.Wasted) && math.Abs(exact.Wasted-1) > 1e-12 {
		t.Errorf("limit %v, %v servers wasted; want %v and 1", exact.Estimate(), exact.Wasted, want)
	}
	o := problem.Defaults()
	o.SetSeed(1)
	o.MaxJobs = problem.Give[int64](8_000_000)
	st, err := searchLimit(t.Context(), x, &o)
	if err != nil || !(math.Abs(st.Rate-want) <= st.HalfWidth) || !(st.HalfWidth < 0.1*want) {
		t.Errorf("the search finds %v, %v; want %v", st.Estimate(), err, want)
	}
}

// TestLateAtTheLimit: at the limit the number of those who wait is, from afar, a Brownian motion reflected
// at 0. How often it is last as low as early in the run late and early is what a search with sixteen runs
// relies on; the bounds are four standard errors.
func TestLateAtTheLimit(t *testing.T) {
	t.Parallel()
	const paths, steps = 4000, 1024
	r, late, early := rand.New(rand.NewPCG(1, 2)), 0.0, 0.0
	for range paths {
		place, low, last := 0.0, 0.0, 0
		for n := 1; n <= steps; n++ {
			switch place += r.NormFloat64(); {
			case n < steps*3/32:
			case n <= steps/8:
				low = max(low, math.Abs(place))
			case math.Abs(place) <= low:
				last = n
			}
		}
		if last > steps*3/4 {
			late++
		} else if last < steps/4 {
			early++
		}
	}
	if late, early = late/paths, early/paths; math.Abs(late-0.595) > 0.031 || math.Abs(early-0.109) > 0.02 || math.Pow(late, stayRuns) > 1e-3 {
		t.Errorf("late with probability %.3g, early with %.3g; want .595 and .109", late, early)
	}
}
