package policychain

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/policy"
)

// general are the policies that take any needs.
var general = []policy.Policy{policy.FCFS{}, policy.Window{Jobs: 3}, policy.ServerFilling{},
	policy.MostServersFirst{}, policy.LeastServersFirst{}, policy.FirstFit{}, policy.AdaptiveQuickswap{},
	policy.PreemptiveMostServersFirst{}, policy.PreemptiveLeastServersFirst{}, policy.MaxWeight{}}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

// TestManyServers: jobs that all need one server see M/M/s under every policy, here
// with classes that only their names and a disguise of the law tell apart.
func TestManyServers(t *testing.T) {
	s := System{Servers: 3, Rate: 2.1, Classes: []states.Class{exponential(1, 0.5, 1), exponential(1, 0.2, 1), disguised(1, 0.3, 1)}}
	want := mam.ErlangC(3, 2.1) / (3 - 2.1)
	for _, p := range general {
		m := solve(t, s, p)
		near(t, p.String()+" wait", m.Wait, want, 1e-8)
		for _, c := range m.Classes {
			near(t, p.String()+" wait of a class", c.Wait, want, 1e-8)
		}
	}
}

// disguised is an exponential service whose chain changes phase, which means nothing.
func disguised(need int, prob, rate float64) states.Class {
	return states.Class{Need: need, Prob: prob, Alpha: []float64{0.7, 0.3}, A: [][]float64{{-rate - 0.6, 0.6}, {0.9, -rate - 0.9}}}
}

// TestOneAtATime: jobs that all need every server see M/G/1 under every policy
// (Pollaczek and Khinchine).
func TestOneAtATime(t *testing.T) {
	erlang := states.Class{Need: 4, Prob: 0.6, Alpha: []float64{1, 0}, A: [][]float64{{-2, 2}, {0, -2}}}
	hyper := states.Class{Need: 4, Prob: 0.4, Alpha: []float64{0.3, 0.7}, A: [][]float64{{-0.5, 0}, {0, -2}}}
	s := System{Servers: 4, Rate: 0.7, Classes: []states.Class{erlang, hyper}}
	mean := 0.6*1 + 0.4*(0.3/0.5+0.7/2)
	square := 0.6*6/4 + 0.4*(0.3*2/0.25+0.7*2/4)
	want := s.Rate * square / 2 / (1 - s.Rate*mean)
	for _, p := range general {
		m := solve(t, s, p)
		near(t, p.String()+" wait", m.Wait, want, 1e-8)
		near(t, p.String()+" utilisation", m.Utilisation, s.Rate*mean, 1e-10)
		near(t, p.String()+" response of the second class", m.Classes[1].Response, want+0.3/0.5+0.7/2, 1e-8)
	}
}

// TestWindowOfOne: the solver of FCFS, which leaves the class of the job at the head
// unsaid and solves its levels by itself, agrees, with phase-type services.
func TestWindowOfOne(t *testing.T) {
	s := mixed(0.8)
	x, err := states.NewIndex(states.System{Servers: s.Servers, Classes: s.Classes}.Compile())
	if err != nil {
		t.Fatal(err)
	}
	sol, err := open.Solve(context.Background(), x, s.Servers, s.Rate, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := solve(t, s, policy.Window{Jobs: 1})
	near(t, "jobs", m.Jobs, sol.Moments().Jobs[0], 1e-11)
	near(t, "decay", m.Decay, sol.Moments().Decay, 1e-11)
	for c, k := range sol.Kinds() {
		near(t, "wait", m.Classes[c].Wait, k.Mean, 1e-11)
		near(t, "start at once", m.Classes[c].NoWait, k.Zero, 1e-11)
	}
}

// mixed has an exponential, an Erlang and a cyclic phase-type class.
func mixed(rate float64) System {
	return System{Servers: 5, Rate: rate, Classes: []states.Class{
		{Need: 1, Prob: 0.5, Alpha: []float64{1}, A: [][]float64{{-1}}},
		{Need: 2, Prob: 0.3, Alpha: []float64{1, 0}, A: [][]float64{{-2, 2}, {0, -2}}},
		{Need: 4, Prob: 0.2, Alpha: []float64{0.4, 0.6}, A: [][]float64{{-3, 1}, {0.5, -1}}},
	}}
}

// TestDisguise: exponential services whose chains change phase for nothing give the
// same answers, so that phases are kept right through starts and preemptions.
func TestDisguise(t *testing.T) {
	plain := System{Servers: 2, Rate: 0.2, Classes: []states.Class{exponential(1, 0.6, 1), exponential(2, 0.4, 2)}}
	masked := System{Servers: 2, Rate: 0.2, Classes: []states.Class{disguised(1, 0.6, 1), disguised(2, 0.4, 2)}}
	for _, p := range general {
		a, b := solve(t, plain, p), solve(t, masked, p)
		near(t, p.String()+" jobs", b.Jobs, a.Jobs, 1e-8)
		near(t, p.String()+" square", b.JobsSquare, a.JobsSquare, 1e-7)
		near(t, p.String()+" wait of the small", b.Classes[0].Wait, a.Classes[0].Wait, 1e-8)
	}
}

// TestOrderOfPreempted: jobs of one need are served in order of arrival, so that the
// small jobs of ServerFilling with one big class and room for a single small one beside
// it wait as in a queue that another program would have to keep as a list; here the
// classes of one need are named or mixed, which must not matter to their sum.
func TestOrderOfPreempted(t *testing.T) {
	named := System{Servers: 2, Rate: 0.5, Classes: []states.Class{exponential(1, 0.3, 3), exponential(1, 0.3, 0.7), exponential(2, 0.4, 2)}}
	mixture := System{Servers: 2, Rate: 0.5, Classes: []states.Class{{Need: 1, Prob: 0.6, Alpha: []float64{0.5, 0.5}, A: [][]float64{{-3, 0}, {0, -0.7}}}, exponential(2, 0.4, 2)}}
	for _, p := range general {
		a, b := solve(t, named, p), solve(t, mixture, p)
		near(t, p.String()+" jobs", b.Jobs, a.Jobs, 1e-8)
		small := (0.3*a.Classes[0].Response + 0.3*a.Classes[1].Response) / 0.6
		near(t, p.String()+" response of the small", b.Classes[0].Response, small, 1e-8)
	}
}

// TestFaults: what is wrong with a system is said all at once, and what cannot be
// solved is refused with the reason.
func TestFaults(t *testing.T) {
	bad := System{Servers: 0, Rate: -1, Classes: []states.Class{{Need: 5, Prob: 0.4, Alpha: []float64{0.5}, A: [][]float64{{-1}}}}}
	_, err := New(bad, policy.FCFS{})
	for _, want := range []string{"0 servers", "arrival rate -1", "no time with probability 0.5", "sum to 0.4", "needs 5"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if _, err := New(mixed(1), policy.EASY()); err == nil || !strings.Contains(err.Error(), "EASY") {
		t.Errorf("EASY: %v", err)
	}
	var unstable *mam.Unstable
	q := prepare(t, mixed(5), policy.FCFS{})
	if _, err := q.Solve(context.Background()); !errors.As(err, &unstable) {
		t.Errorf("beyond the limit: %v", err)
	}
	var large *chain.TooLarge
	q = prepare(t, System{Servers: 16, Rate: 1, Classes: []states.Class{exponential(1, 0.4, 1), exponential(2, 0.3, 1), exponential(3, 0.3, 1)}}, policy.Window{Jobs: 9})
	if _, err := q.Solve(context.Background()); !errors.As(err, &large) {
		t.Errorf("60 servers: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := q.Solve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
