package trace_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
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

// BenchmarkFairShare has the processor time of a replay of jobs of 500 users in 40 accounts under priorities
// within EASY over that under EASY, with usage that is continuous and in steps, and with 7,600 jobs waiting on average:
//
//	MJQ_LONG=1 go test ./mjq/trace -run xx -bench FairShare -benchtime 1x
func BenchmarkFairShare(b *testing.B) {
	shares := sharesOf(500, 40)
	for _, x := range []struct {
		name, shares string
		servers      int
		period       float64
	}{{"continuous", shares, 1600, 0}, {"steps", shares, 1600, 300}, {"siblings", "", 1600, 0}, {"crowded", shares, 1400, 0}, {"crowdedSteps", shares, 1400, 300}} {
		b.Run(x.name, func(b *testing.B) {
			log := centre(madeSize(), 500, 40, 1600, 2)
			p := mjq.Multifactor{Age: 1000, MaxAge: 7 * trace.Day, FairShare: 10_000, HalfLife: 14 * trace.Day, CalcPeriod: x.period, Size: 500,
				Class: 2000, Factors: map[string]float64{"normal": 0.1, "urgent": 1}, Shares: x.shares}
			for b.Loop() {
				plain := replayed(b, log, x.servers, mjq.EASY())
				fair := replayed(b, log, x.servers, p.Within(mjq.EASY()))
				b.ReportMetric(fair/plain, "ratio")
			}
		})
	}
}

// sharesOf has users with one share each in accounts, as centre has them.
func sharesOf(users, accounts int) string {
	var b strings.Builder
	for a := range accounts {
		fmt.Fprintf(&b, "a%d=%d(", a, 1+a%3)
		for u := a; u < users; u += accounts {
			fmt.Fprintf(&b, "u%d=1,", u)
		}
		b.WriteString(") ")
	}
	return b.String()
}

// replayed is the processor time of a replay.
func replayed(t testing.TB, log *trace.Trace, servers int, p mjq.Policy) float64 {
	runtime.GC()
	began := processorTime()
	r, err := log.Replay(context.Background(), trace.Replay{Servers: servers, Policy: p}, mjq.NoCache())
	if err != nil {
		t.Fatal(err)
	}
	took := processorTime() - began
	t.Logf("%.2f s, mean wait %.0f s, utilization %.3f", took, r.All.Waiting.Mean.Value, r.Utilization.Value)
	return took
}
