package trace_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

// oneServer is a log of M/M/1 of two classes and accounts, a load of .4 each and services of a mean of 300 s.
// First come, first served, all wait 1200 s on average. With a class before the other, without preemption, its mean
// wait is 240/.6 = 400 s and that of the other 240/(.6 × .2) = 2000 s; .5 W1 + .5 W2 is 1200 s whatever the order.
func oneServer(days int) *trace.Trace {
	rng := rand.New(rand.NewPCG(3, 11))
	var jobs []trace.Job
	for now := 0.0; now < float64(days)*trace.Day; now += 375 * rng.ExpFloat64() {
		who := rng.IntN(2)
		jobs = append(jobs, trace.Job{Arrival: now, Need: 1, Service: 300 * rng.ExpFloat64(), Class: []string{"normal", "urgent"}[who],
			User: []string{"ann", "cy"}[who], Account: []string{"physics", "biology"}[who]})
	}
	t := trace.New("one server", jobs)
	t.Unit = "s"
	return t
}

// TestBestWeights: weights that meet a goal are found where theory says that there are some, judged on days
// that did not choose them, and none are where theory says that none are.
func TestBestWeights(t *testing.T) {
	log := oneServer(300)
	today := mjq.Multifactor{Age: 1000, MaxAge: trace.Day, Class: 1, Factors: map[string]float64{"urgent": 1}}
	how := trace.Replay{Servers: 1, Classes: trace.ByLabel}
	bounds := map[string][2]float64{"Age": {1000, 1000}, "Class": {0, 100_000}}
	ask := func(goals ...trace.WeightGoal) *trace.BestWeights {
		t.Helper()
		b, err := log.BestWeights(context.Background(), how, trace.WeightSearch{Today: today, Goals: goals, Bounds: bounds, Tries: 10}, mjq.NoCache())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := ask(trace.WeightGoal{Class: "urgent", Wait: 600}, trace.WeightGoal{Class: "normal", Wait: 2600})
	if g := b.Goals[0]; b.Verdict != trace.WeightsMeet || g.TodayShown != trace.WeightsMiss || g.Judged.Value < 350 || g.Judged.Hi() > 600 || g.Alone < 350 || g.Alone > 450 || b.Weights[1].Best < 5 {
		t.Errorf("%v\n%+v", b, g)
	}
	if !strings.Contains(b.String(), "PriorityWeightQOS=") || !strings.Contains(b.HTML(), "today 1") {
		t.Error(b)
	}
	// Both below 1000 s cannot be, as their mean is 1200 s; each alone can.
	if b = ask(trace.WeightGoal{Class: "urgent", Wait: 1000}, trace.WeightGoal{Class: "normal", Wait: 1000}); b.Verdict != trace.NoWeights || b.Goals[0].Unreachable {
		t.Error(b)
	}
	// No order brings a class below 400 s.
	if b = ask(trace.WeightGoal{Class: "urgent", Wait: 300}); b.Verdict != trace.NoWeights || !b.Goals[0].Unreachable || !strings.Contains(b.String(), "Out of reach") {
		t.Error(b)
	}
}

// TestBestWeightsOfAccounts: shares while an account waits, and the bad inputs.
func TestBestWeightsOfAccounts(t *testing.T) {
	log := oneServer(130)
	p := mjq.Multifactor{Age: 1000, MaxAge: trace.Day, FairShare: 1, HalfLife: trace.Day, Shares: "physics=1(ann=1) biology=20(cy=1)"}
	how := trace.Replay{Servers: 1, Classes: trace.ByAccount}
	share := trace.WeightGoal{Account: "biology", Share: 0.55}
	ask := trace.WeightSearch{Today: p, Goals: []trace.WeightGoal{share}, Bounds: map[string][2]float64{"FairShare": {0, 100_000}}, Tries: 8}
	b, err := log.BestWeights(context.Background(), how, ask)
	if err != nil {
		t.Fatal(err)
	}
	if g := b.Goals[0]; b.Verdict != trace.WeightsMeet || !(g.Today.Value < 0.5) || !(g.Judged.Value > 0.55) {
		t.Error(b)
	}
	for says, change := range map[string]func(s *trace.WeightSearch){
		"give at least one":                 func(s *trace.WeightSearch) { s.Goals = nil },
		`class "x" is not in the log`:       func(s *trace.WeightSearch) { s.Goals = []trace.WeightGoal{{Class: "x", Wait: 1}} },
		`account "x" is not in the log`:     func(s *trace.WeightSearch) { s.Goals = []trace.WeightGoal{{Account: "x", Wait: 1}} },
		"has Wait 0 and Share 0":            func(s *trace.WeightSearch) { s.Goals = []trace.WeightGoal{{}} },
		"and the Account whose it is":       func(s *trace.WeightSearch) { s.Goals = []trace.WeightGoal{{Share: 0.5}} },
		"did you mean FairShare":            func(s *trace.WeightSearch) { s.Bounds = map[string][2]float64{"Fairshare": {0, 1}} },
		"give two finite numbers in order":  func(s *trace.WeightSearch) { s.Bounds = map[string][2]float64{"Age": {2, 1}} },
		"give 1 to 100,000":                 func(s *trace.WeightSearch) { s.Tries = -1 },
		"give the bounds of those that may": func(s *trace.WeightSearch) { s.Today, s.Bounds = mjq.Multifactor{}, nil },
	} {
		s := ask
		change(&s)
		if _, err := log.BestWeights(context.Background(), how, s); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := log.BestWeights(ctx, how, ask); err == nil {
		t.Error("a context that has ended is not heard")
	}
}
