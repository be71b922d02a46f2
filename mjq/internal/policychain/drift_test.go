package policychain

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/policy"
)

// driftLimit fails unless both ends of a limit agree.
func driftLimit(t *testing.T, s System, p policy.Policy, most float64) float64 {
	t.Helper()
	low, high, err := prepare(t, s, p).DriftLimit(context.Background(), most, MaxDense)
	if err != nil {
		t.Fatalf("%v of %+v: %v", p, s, err)
	}
	if !(low < high && high-low < 1e-11*high) {
		t.Errorf("%v: stable up to %v, unstable from %v", p, low, high)
	}
	return (low + high) / 2
}

// TestDriftLimits holds limits by drifts against the reference, whose own error is 1e-6
// of them.
func TestDriftLimits(t *testing.T) {
	n := 0
	for _, v := range values(t, "stability") {
		if v.Policy != "leastServersFirst" && v.Policy != "firstFit" {
			continue
		}
		v.ArrivalRate = 1
		s := v.system()
		got := driftLimit(t, s, v.policy(), 1/prepare(t, s, v.policy()).load())
		if !(math.Abs(got-v.Value) <= v.Tolerance) {
			t.Errorf("%s: %.12g, want %.12g", v.ID, got, v.Value)
		}
		n++
	}
	if n != 11 {
		t.Errorf("%d limits", n)
	}
}

// TestLeastServersOfOneOrAll: with needs of one and all servers a big job starts once the
// small ones have drained, which they begin to do with those that came during a big
// service: λ₂ < 1/(1/μ₂ + E[D]). D is a sum of busy periods of M/M/s, level by level.
func TestLeastServersOfOneOrAll(t *testing.T) {
	servers, p, small, big := 4, 0.7, 1.3, 0.8
	s := System{Servers: servers, Rate: 1, Classes: []states.Class{exponential(1, p, small), exponential(servers, 1-p, big)}}
	got := driftLimit(t, s, policy.LeastServersFirst{}, 1/prepare(t, s, policy.LeastServersFirst{}).load())
	arrive := p * got
	// down[n] is the mean time from n small jobs to n-1; from s on it is the same.
	down := make([]float64, servers+1)
	down[servers] = 1 / (float64(servers)*small - arrive)
	for n := servers - 1; n > 0; n-- {
		down[n] = (1 + arrive*down[n+1]) / (float64(n) * small)
	}
	drain, below, chance := 0.0, 0.0, 1/(1+arrive/big) // of n arrivals in a big service
	for n := 0; n < 2000; n++ {
		if n > 0 {
			below += down[min(n, servers)]
		}
		drain += chance * below
		chance *= (arrive / big) / (1 + arrive/big)
	}
	near(t, "rate of big jobs", (1-p)*got, 1/(1/big+drain), 1e-11)
}

// TestTwoNeedsAtCapacity: MostServersFirst, FirstFit and AdaptiveQuickswap carry as much
// as any policy where there are two needs, whether the servers, full of one, ever turn
// to the other or not; LeastServersFirst does not. The capacity of two needs is at a
// corner of the sets of jobs that fit.
func TestTwoNeedsAtCapacity(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 30 {
		servers := 2 + rng.IntN(7)
		a, b := 1+rng.IntN(servers), 1+rng.IntN(servers)
		if a == b {
			continue
		}
		p, rates := 0.1+0.8*rng.Float64(), [2]float64{0.5 + rng.Float64(), 0.5 + rng.Float64()}
		s := System{Servers: servers, Rate: 1, Classes: []states.Class{exponential(a, p, rates[0]), exponential(b, 1-p, rates[1])}}
		if i%3 == 0 {
			s.Classes[i%2] = disguised(s.Classes[i%2].Need, s.Classes[i%2].Prob, rates[i%2])
		}
		most := twoNeedCapacity(servers, a, b, p/rates[0], (1-p)/rates[1])
		for _, x := range []policy.Policy{policy.MostServersFirst{}, policy.FirstFit{}, policy.AdaptiveQuickswap{}} {
			near(t, x.String(), driftLimit(t, s, x, 1/prepare(t, s, x).load()), most, 1e-11)
		}
		if got := driftLimit(t, s, policy.LeastServersFirst{}, most); got > most*(1+1e-11) {
			t.Errorf("LeastServersFirst carries %v of at most %v", got, most)
		}
	}
}

// twoNeedCapacity looks for the direction of the work among the segments between two
// sets of jobs that fit.
func twoNeedCapacity(servers, a, b int, workA, workB float64) (rate float64) {
	var sets [][2]float64
	for n := 0; n*a <= servers; n++ {
		sets = append(sets, [2]float64{float64(n), float64((servers - n*a) / b)})
	}
	for _, x := range sets {
		rate = max(rate, min(x[0]/workA, x[1]/workB))
		for _, y := range sets {
			// x + t(y-x) in the direction of the work
			d := (y[0]-x[0])*workB - (y[1]-x[1])*workA
			if along := (x[1]*workA - x[0]*workB) / d; along >= 0 && along <= 1 {
				rate = max(rate, (x[0]+along*(y[0]-x[0]))/workA)
			}
		}
	}
	return rate
}

// TestErlangServicesMoveTheLimit: phases count where a limit depends on more than means;
// disguised ones do not.
func TestErlangServicesMoveTheLimit(t *testing.T) {
	plain := System{Servers: 3, Rate: 1, Classes: []states.Class{exponential(1, 0.6, 1), exponential(3, 0.4, 1)}}
	masked := System{Servers: 3, Rate: 1, Classes: []states.Class{disguised(1, 0.6, 1), disguised(3, 0.4, 1)}}
	erlang := System{Servers: 3, Rate: 1, Classes: []states.Class{exponential(1, 0.6, 1), {Need: 3, Prob: 0.4, Alpha: []float64{1, 0}, A: [][]float64{{-2, 2}, {0, -2}}}}}
	var got []float64
	for _, s := range []System{plain, masked, erlang} {
		got = append(got, driftLimit(t, s, policy.LeastServersFirst{}, 3/(0.6+1.2)))
	}
	near(t, "disguised", got[1], got[0], 1e-11)
	if math.Abs(got[2]-got[0]) < 1e-3 {
		t.Errorf("Erlang services: %v, exponential ones: %v", got[2], got[0])
	}
}

// TestFavouredLimits: the favoured need is a queue alone, those after it have what it
// leaves on average, here by the law of Erlang C, and where needs divide one another
// nothing but means counts. The chain at a rate just above the limit has no answer.
func TestFavouredLimits(t *testing.T) {
	favoured := func(s System, p policy.Policy) float64 {
		t.Helper()
		low, high, err := prepare(t, s, p).FavouredLimit(context.Background(), 1e9)
		if err != nil || high-low > 1e-9*high {
			t.Fatalf("%v: %v to %v, %v", p, low, high, err)
		}
		return (low + high) / 2
	}
	s := System{Servers: 7, Rate: 1, Classes: []states.Class{exponential(2, 0.5, 1), exponential(3, 0.5, 0.6)}}
	rate := favoured(s, policy.PreemptiveMostServersFirst{})
	offered := rate * 0.5 / 0.6 // of the jobs of three, two of which fit
	idle := 1 / (1 + offered + offered*offered/(2-offered))
	room := 3*idle + 2*idle*offered + 0*(1-idle-idle*offered)
	near(t, "jobs of two after those of three", rate*0.5, room, 1e-9)

	dividing := System{Servers: 8, Rate: 1, Classes: []states.Class{exponential(1, 0.5, 1), exponential(2, 0.3, 0.7), disguised(4, 0.2, 2)}}
	near(t, "dividing needs", favoured(dividing, policy.PreemptiveMostServersFirst{}), 8/(0.5+0.6/0.7+0.4), 1e-11)

	three := System{Servers: 5, Rate: 1, Classes: []states.Class{exponential(1, 0.5, 1), exponential(2, 0.3, 0.7), exponential(3, 0.2, 1)}}
	limit := favoured(three, policy.PreemptiveLeastServersFirst{})
	near(t, "jobs of three after the others", limit*0.2, roomForThree(limit), 1e-7)
}

// roomForThree iterates the chain of the jobs of one and of two, rates 1 and 0.7, shares
// 0.5 and 0.3, on five servers where the smaller go first, and counts the jobs of three
// that fit beside them.
func roomForThree(rate float64) (room float64) {
	const cut, fastest = 50, 12.0
	pi, next := make([]float64, cut*cut), make([]float64, cut*cut)
	pi[0] = 1
	for range 30_000 {
		clear(next)
		for i, p := range pi {
			small, big := i/cut, i%cut
			runs := min(small, 5)
			bigRuns := min(big, (5-runs)/2)
			stay := fastest
			to := func(j int, v float64) {
				next[j] += p * v / fastest
				stay -= v
			}
			if small+1 < cut {
				to(i+cut, rate*0.5)
			}
			if big+1 < cut {
				to(i+1, rate*0.3)
			}
			if runs > 0 {
				to(i-cut, float64(runs))
			}
			if bigRuns > 0 {
				to(i-1, 0.7*float64(bigRuns))
			}
			next[i] += p * stay / fastest
		}
		pi, next = next, pi
	}
	for i, p := range pi {
		runs := min(i/cut, 5)
		room += p * float64((5-runs-2*min(i%cut, (5-runs)/2))/3)
	}
	return room
}

// TestOpenLimits: what the drifts do not decide is said so.
func TestOpenLimits(t *testing.T) {
	var open *Undetermined
	three := mixed(1)
	if _, _, err := prepare(t, three, policy.MostServersFirst{}).DriftLimit(context.Background(), 3, MaxDense); !errors.As(err, &open) {
		t.Errorf("three needs: %v", err)
	}
	if _, _, err := prepare(t, three, policy.MostServersFirst{}).FavouredLimit(context.Background(), 1e9); !errors.As(err, &open) {
		t.Errorf("no fixed order: %v", err)
	}
	wide := System{Servers: 64, Rate: 1, Classes: []states.Class{exponential(1, 0.5, 1), exponential(64, 0.5, 1)}}
	var large *chain.TooLarge
	if _, _, err := prepare(t, wide, policy.LeastServersFirst{}).DriftLimit(context.Background(), 3, 50); !errors.As(err, &large) {
		t.Errorf("64 servers, 50 phases: %v", err)
	}
}
