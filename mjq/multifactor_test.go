package mjq_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestMultifactorExact: priorities by class alone are levels, with their exact answers, and the
// questions of the methods see that.
func TestMultifactorExact(t *testing.T) {
	ctx := context.Background()
	cluster := mjq.Servers(4).Poisson(1.1).Class("narrow", 1, 0.75, mjq.ExpMean(1)).Class("wide", 3, 0.25, mjq.ExpMean(0.7))
	for _, c := range []struct {
		p    mjq.Multifactor
		want mjq.Policy
	}{
		{mjq.Multifactor{Age: 1000, MaxAge: 3}, mjq.FCFS()},
		{mjq.Multifactor{Class: 2000, Factors: map[string]float64{"narrow": 0.1, "wide": 0.7}}, mjq.Priority([]string{"wide"})},
		{mjq.Multifactor{Size: 2000, FavorSmall: true}, mjq.LeastServersFirst()},
	} {
		got, err := cluster.Policy(c.p).Solve(ctx, mjq.Exact{MomentsOnly: true})
		if err != nil {
			t.Errorf("%v: %v", c.p, err)
			continue
		}
		want := mjq.Must(cluster.Policy(c.want).Solve(ctx, mjq.Exact{MomentsOnly: true}))
		for i := range got.Classes {
			oracle.Relative(t, c.p.String()+", "+got.Classes[i].Name, got.Classes[i].Waiting.Mean.Value, want.Classes[i].Waiting.Mean.Value, 1e-9)
		}
	}
}

// TestUsagesAsShares: two users who always have jobs waiting use the servers as their shares are, if the
// half-life is long against the jobs. The numbers are of another program, and by alwaysWaiting. With a short
// half-life they depend on the number of servers.
func TestUsagesAsShares(t *testing.T) {
	for _, c := range []struct {
		servers   int
		needs     [2]int
		half      float64
		want, tol float64
	}{{8, [2]int{1, 1}, 200, 2.997, 0.03}, {8, [2]int{1, 4}, 200, 2.98, 0.03}, {8, [2]int{1, 1}, 2, 2.79, 0.03}, {5, [2]int{1, 4}, 2, 0, 0.06}, {8, [2]int{1, 4}, 2, 0, 0.06}} {
		if apart := alwaysWaiting(c.servers, c.needs, c.half); c.want == 0 {
			c.want = apart
		} else if math.Abs(apart-c.want) > c.tol {
			t.Errorf("%d servers, needs %v, half-life %v: apart %.3f to 1, want %v", c.servers, c.needs, c.half, apart, c.want)
		}
		// The load is so far above the limit that neither line is ever empty.
		m := mjq.Servers(c.servers).Poisson(20).Class("a", c.needs[0], 0.5, mjq.ExpMean(1)).Class("b", c.needs[1], 0.5, mjq.ExpMean(1)).
			Policy(mjq.Multifactor{FairShare: 1e5, HalfLife: c.half, Shares: "a=3 b=1"})
		path := mjq.Must(m.Path(context.Background(), 0, 60_000, mjq.Seed(5)))
		var used [2]float64
		from, until := 100.0, 2900.0
		for _, j := range path.Jobs {
			if j.Start < until && j.End > from {
				used[j.Class] += float64(j.Need) * (min(until, j.End) - max(from, j.Start))
			}
		}
		if got := used[0] / used[1]; !(math.Abs(got-c.want) < c.tol) {
			t.Errorf("%d servers, needs %v, half-life %v: usages %.3f to 1, want %v", c.servers, c.needs, c.half, got, c.want)
		}
	}
}

// alwaysWaiting is the ratio of what two users with shares 3 and 1 use who always have a job waiting: whose usage over
// the share is less comes next, and waits until it fits. Usages are kept as they decay, from event to event.
func alwaysWaiting(servers int, needs [2]int, half float64) float64 {
	rng := rand.New(rand.NewPCG(1, 4))
	shares, rate := [2]float64{3, 1}, math.Ln2/half
	var usage, used, held [2]float64
	type running struct {
		end  float64
		user int
	}
	var list []running
	for now := 0.0; now < 20_000; {
		for {
			next := 0
			if usage[1]/shares[1] < usage[0]/shares[0] {
				next = 1
			}
			if held[0]+held[1]+float64(needs[next]) > float64(servers) {
				break
			}
			held[next] += float64(needs[next])
			list = append(list, running{now + rng.ExpFloat64(), next})
		}
		first := 0
		for i := range list {
			if list[i].end < list[first].end {
				first = i
			}
		}
		past := list[first].end - now
		for u := range usage {
			usage[u] = usage[u]*math.Exp(-rate*past) - held[u]*math.Expm1(-rate*past)/rate
			used[u] += held[u] * past
		}
		now += past
		held[list[first].user] -= float64(needs[list[first].user])
		list = append(list[:first], list[first+1:]...)
	}
	return used[0] / used[1]
}

// TestMultifactorFaults: what is wrong is said with its remedy.
func TestMultifactorFaults(t *testing.T) {
	cluster := mjq.Servers(4).Poisson(1.1).Class("narrow", 1, 0.5, mjq.ExpMean(1)).Class("wide", 3, 0.5, mjq.ExpMean(0.7))
	for _, c := range []struct {
		p    mjq.Multifactor
		says string
	}{
		{mjq.Multifactor{Age: 1000}, "MaxAge 0"},
		{mjq.Multifactor{Age: -1, MaxAge: 1}, "Age -1"},
		{mjq.Multifactor{Size: math.NaN()}, "Size NaN"},
		{mjq.Multifactor{FairShare: 10}, "HalfLife 0"},
		{mjq.Multifactor{FairShare: 10, HalfLife: -2}, "HalfLife -2"},
		{mjq.Multifactor{FairShare: 10, HalfLife: 9, Shares: "narrow=1"}, "user wide has no share"},
		{mjq.Multifactor{FairShare: 10, HalfLife: 9, Shares: "narrow=1 wide=1 wied=1"}, "did you mean wide"},
		{mjq.Multifactor{FairShare: 10, HalfLife: 9, Shares: "a(narrow=1"}, "not closed"},
		{mjq.Multifactor{FairShare: 10, HalfLife: 9, Shares: "a=1(narrow) b=1(narrow,wide)"}, "the accounts a and b"},
		{mjq.Multifactor{Class: 10}, "without Factors"},
		{mjq.Multifactor{Class: 10, Factors: map[string]float64{"narow": 1}}, "did you mean narrow"},
		{mjq.Multifactor{Damping: 2}, "set Classic"},
		{mjq.Multifactor{CalcPeriod: -1}, "CalcPeriod -1"},
		{mjq.Multifactor{}.Within(mjq.MostServersFirst()), "choose FCFS, FirstFit, EASY or Conservative"},
		{mjq.Multifactor{}.Tier([]string{"narrow", "narrow"}), "named twice"},
	} {
		if err := cluster.Policy(c.p).Err(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q", c.p, err, c.says)
		}
	}
}
