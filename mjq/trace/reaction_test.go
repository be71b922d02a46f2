package trace_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/trace"
)

// loopedLog is what the scheduler of so many servers writes in which each user thinks, sends one job and
// waits for it; times are exponential of these means, in hours.
func loopedLog(users, servers, days int, think, service float64, seed uint64) *trace.Trace {
	rng := rand.New(rand.NewPCG(seed, 56))
	next, free := make([]float64, users), make([]float64, servers)
	for u := range next {
		next[u] = 3600 * think * rng.ExpFloat64()
	}
	var jobs []trace.Job
	for {
		u, k := slices.Index(next, slices.Min(next)), slices.Index(free, slices.Min(free))
		if next[u] > float64(days)*trace.Day {
			log := trace.New("looped", jobs)
			log.Unit = "s"
			return log
		}
		j := trace.Job{Arrival: next[u], Need: 1, Service: 3600 * service * rng.ExpFloat64(), Waited: max(0, free[k]-next[u]), WaitKnown: true, User: fmt.Sprint("u", u)}
		free[k] = j.Arrival + j.Waited + j.Service
		next[u] = free[k] + 3600*think*rng.ExpFloat64()
		jobs = append(jobs, j)
	}
}

// repaired is the mean wait of the same users by the formula of machine repair, in seconds.
func repaired(users, servers int, think, service float64) float64 {
	m := mjq.Servers(servers).Class("a", 1, 0, mjq.ExpMean(service)).Users("a", users, mjq.ExpMean(think))
	return 3600 * mjq.Must(m.Solve(background, mjq.Exact{})).All.Waiting.Mean.Value
}

// TestReaction: on logs of users who wait for their jobs, what a loop leaves of the gain of more servers is
// that of machine repair, within intervals that hold it as often as they say; thinks that stay as in the log
// leave what the replay promises.
func TestReaction(t *testing.T) {
	const users, servers, think, service = 24, 10, 2.0, 2.0
	want := repaired(users, servers, think, service) - repaired(users, servers+1, think, service)
	held, given, logs := 0, 0, oracle.Sized(12, 200)
	for seed := range uint64(logs) {
		log := loopedLog(users, servers, 40, think, service, seed)
		how := trace.Replay{Servers: servers, Loop: true, Session: mjq.None}
		more := how
		more.Servers++
		out := mjq.Must(log.WhatIf(background, how, []trace.Scenario{{Name: "more", Replay: more}}, mjq.NoCache()))
		if left := out.Scenarios[0].All.Waiting.Times(-1); left.HalfWidth > 0 {
			given++
			if left.Lo() <= want && want <= left.Hi() {
				held++
			}
		}
	}
	t.Logf("%d of %d logs have an interval, and %d hold %.0f s", given, logs, held, want)
	if given < logs || float64(held) < 0.85*float64(logs) {
		t.Errorf("%d of %d logs have an interval, and %d hold %v", given, logs, held, want)
	}

	log := loopedLog(users, servers, 40, think, service, 1)
	a := mjq.Must(log.Advise(background, trace.Replay{Servers: servers}, nil, mjq.NoCache()))
	if len(a.Reactions) == 0 {
		t.Fatal("no reaction")
	}
	x := a.Reactions[0]
	least, most := x.Taken()
	if x.Scenario != "1 server more" || x.Follow < 0.97 || !(x.Left.Lo() <= want && want <= x.Left.Hi()) || most < least || most < 0.2 {
		t.Errorf("%+v takes %v to %v; %v must be left", x, least, most, want)
	}
	for _, text := range []string{a.String(), a.HTML()} {
		if !strings.Contains(text, "if users wait for their jobs: they would take") {
			t.Errorf("the page does not say it:\n%s", text)
		}
	}
	for i := range log.Jobs {
		log.Jobs[i].User = ""
	}
	if a := mjq.Must(log.Advise(background, trace.Replay{Servers: servers}, nil, mjq.NoCache())); a.Reactions != nil || strings.Contains(a.String(), "they would take") {
		t.Error("users whom the log does not name react")
	}
}
