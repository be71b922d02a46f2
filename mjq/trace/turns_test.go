package trace_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/trace"
)

// centre is a made-up log of users in accounts, of a load of nine tenths of some servers.
func centre(jobs, users, accounts, servers int, seed uint64) *trace.Trace {
	rng := rand.New(rand.NewPCG(seed, 3))
	list, now := make([]trace.Job, jobs), 0.0
	for i := range list {
		u := int(float64(users) * math.Pow(rng.Float64(), 2))
		j := trace.Job{Arrival: now, Need: 1 << rng.IntN(6), Service: 3600 * math.Exp(1.5*rng.NormFloat64()-1.125), Class: []string{"normal", "urgent"}[max(0, rng.IntN(10)-8)],
			User: fmt.Sprint("u", u), Account: fmt.Sprint("a", u%accounts)}
		j.Estimate = j.Service * (1 + 3*rng.Float64())
		list[i] = j
		now += rng.ExpFloat64() * 10.5 * 3600 / (0.9 * float64(servers))
	}
	return trace.New("centre", list)
}

// TestTurns: shares owed and used, head starts, and the notes on weights that tie.
func TestTurns(t *testing.T) {
	log := centre(3000, 12, 3, 64, 1)
	p := mjq.Multifactor{Age: 500, MaxAge: 7200, FairShare: 900, HalfLife: 3600, Class: 100, Factors: map[string]float64{"urgent": 1, "normal": 0.5}}
	x, err := log.Turns(context.Background(), trace.Replay{Servers: 64, Policy: p.Within(mjq.EASY())})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]trace.Turn{x.Accounts, x.Users} {
		var owed, used, waited float64
		jobs := 0
		for _, a := range list {
			owed, used, waited, jobs = owed+a.Owed, used+a.Used, waited+a.Waited, jobs+a.Jobs
		}
		if math.Abs(owed-1)+math.Abs(used-1)+math.Abs(waited-1) > 1e-9 || jobs != 3000 {
			t.Errorf("owed %v, used %v, waited %v, %d jobs", owed, used, waited, jobs)
		}
	}
	if h := x.HeadStarts; !slices.Equal(h, []trace.HeadStart{{Class: "normal", Time: 720}, {Class: "urgent", Time: 1440}}) {
		t.Errorf("head starts %v", h)
	}
	notes := strings.Join(x.Notes, "\n")
	for _, says := range []string{"largest weight is 900", "mean service times"} {
		if !strings.Contains(notes, says) {
			t.Errorf("%q is not said: %s", says, notes)
		}
	}
	if len(x.Accounts) != 3 || !strings.Contains(x.String(), "% owed") || !strings.Contains(x.HTML(), "Head starts") {
		t.Error(x)
	}
	none := mjq.Must(log.Turns(context.Background(), trace.Replay{Servers: 64, Policy: mjq.Multifactor{}}))
	if !strings.Contains(strings.Join(none.Notes, "\n"), "All weights of the priorities are 0") {
		t.Error(none.Notes)
	}
}

// TestFairShareCost: a year of jobs of many users under priorities within EASY takes little longer than
// under EASY. At full size that is 10⁶ jobs of 500 users.
func TestFairShareCost(t *testing.T) {
	oracle.Long(t, "BenchmarkFairShare")
	plain, fair := costs(t, 1_000_000)
	t.Logf("EASY %v, priorities within EASY %v: ratio %.2f", plain, fair, fair.Seconds()/plain.Seconds())
}

// costs are the times of a replay under EASY, and under priorities within it.
func costs(t testing.TB, jobs int) (plain, fair time.Duration) {
	log := centre(jobs, 500, 40, 1600, 2)
	p := mjq.Multifactor{Age: 1000, MaxAge: 7 * trace.Day, FairShare: 10_000, HalfLife: 14 * trace.Day, Size: 500, Class: 2000, Factors: map[string]float64{"normal": 0.1, "urgent": 1}}
	for _, x := range []struct {
		policy mjq.Policy
		took   *time.Duration
	}{{mjq.EASY(), &plain}, {p.Within(mjq.EASY()), &fair}} {
		began := time.Now()
		r, err := log.Replay(context.Background(), trace.Replay{Servers: 1600, Policy: x.policy}, mjq.NoCache())
		if err != nil {
			t.Fatal(err)
		}
		*x.took = time.Since(began)
		t.Logf("%v: mean wait %.0f s, utilization %.3f", x.policy, r.All.Waiting.Mean.Value, r.Utilization.Value)
	}
	return plain, fair
}

// BenchmarkFairShare has the ratio of the two times.
func BenchmarkFairShare(b *testing.B) {
	for b.Loop() {
		plain, fair := costs(b, 1_000_000)
		b.ReportMetric(fair.Seconds()/plain.Seconds(), "ratio")
	}
}
