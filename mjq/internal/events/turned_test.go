package events

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// run is a simulation of so many jobs in 16 replications.
func run(p Plan, seed uint64, rate float64, jobs int64, classes ...stream.Class) *Result {
	p.Classes, p.Replications, p.Batches, p.Workers, p.Level = len(classes), 16, 1, 2, 0.95
	p.WarmUp, p.Length = jobs/80, jobs/16
	for _, c := range classes {
		p.Needs = append(p.Needs, c.Need)
	}
	p.Input = stream.New(seed, law.ExpRate(rate), classes)
	return p.Run(context.Background(), nil)
}

// TestInsensitive: without room only the means of the services matter, deterministic,
// hyperexponential and Pareto ones among them, under every policy that stops no job.
func TestInsensitive(t *testing.T) {
	for i, services := range [][2]law.Law{
		{law.Deterministic{X: 1}, law.Deterministic{X: 1.5}},
		{law.HyperExpMeanSCV(1, 9), law.HyperExpMeanSCV(1.5, 4)},
		{law.Lomax{Shape: 1.5, Scale: 0.5}, law.ErlangMeanPhases(1.5, 4)},
	} {
		res := run(Plan{System: compiled.System{Servers: 12, Room: new(compiled.Room), Policy: []policy.Policy{nil, policy.EASY(), policy.MostServersFirst{}}[i]}}, uint64(i)+1, 4.8, 800_000,
			stream.Class{Need: 1, Prob: 4 / 4.8, Service: services[0]}, stream.Class{Need: 4, Prob: 0.8 / 4.8, Service: services[1]})
		for c := range 2 {
			want := oracle.Extended(t, fmt.Sprintf("loss-two-B%d", c)).Value
			oracle.Within(t, fmt.Sprint(services[c], " blocked"), res.Classes[c].Blocked, want, 4)
			oracle.Within(t, fmt.Sprint(services[c], " blocked time"), res.Classes[c].BlockedTime, want, 4)
		}
		oracle.Within(t, "idle", res.Idle, 12-oracle.Extended(t, "loss-two-busy").Value, 4)
		if len(res.Violations) > 0 {
			t.Error(res.Violations)
		}
	}
}

// TestKept: servers that are kept free, users, and a room, against the chains of another
// program.
func TestKept(t *testing.T) {
	exp := func(need int, prob, mean float64) stream.Class {
		return stream.Class{Need: need, Prob: prob, Service: law.ExpMean(mean)}
	}
	value := func(id string) float64 { return oracle.Extended(t, id).Value }
	kept := run(Plan{System: compiled.System{Servers: 12, Room: &compiled.Room{Keep: []int{3, 0}}}}, 1, 4.8, 400_000, exp(1, 4/4.8, 1), exp(4, 0.8/4.8, 1.5))
	users := run(Plan{System: compiled.System{Servers: 8, Room: new(compiled.Room), Alone: true, Users: []compiled.Users{
		{Class: 0, Number: 12, Need: 1, Think: law.Deterministic{X: 2.5}, Service: law.ExpMean(1)},
		{Class: 1, Number: 3, Need: 4, Think: law.ExpMean(10. / 3), Service: law.ErlangMeanPhases(1.25, 3)}}}}, 1, 1, 400_000, exp(1, 0.5, 1), exp(4, 0.5, 1))
	room := run(Plan{System: compiled.System{Servers: 6, Room: &compiled.Room{Jobs: 5}}}, 1, 2.5, 400_000, exp(1, 0.8, 1), exp(4, 0.2, 2))
	for c := range 2 {
		oracle.Within(t, "kept", kept.Classes[c].Blocked, value(fmt.Sprintf("loss-keep-B%d", c)), 4)
		oracle.Within(t, "users", users.Classes[c].Blocked, value(fmt.Sprintf("loss-users-call%d", c)), 4)
		oracle.Within(t, "users by time", users.Classes[c].BlockedTime, value(fmt.Sprintf("loss-users-time%d", c)), 4)
		oracle.Within(t, "room", room.Classes[c].Blocked, value(fmt.Sprintf("loss-room5-B%d", c)), 4)
		oracle.Within(t, "room by time", room.Classes[c].BlockedTime, value(fmt.Sprintf("loss-room5-B%d", c)), 4)
		oracle.Within(t, "wait in the room", room.Classes[c].Waiting.Mean, value(fmt.Sprintf("loss-room5-W%d", c)), 4)
	}
}

// TestGivingUp: jobs that give up, against the chains and integrals of another program.
func TestGivingUp(t *testing.T) {
	value := func(id string) float64 { return oracle.Extended(t, id).Value }
	small, big := stream.Class{Need: 1, Prob: 0.8, Service: law.ExpMean(1)}, stream.Class{Need: 4, Prob: 0.2, Service: law.ExpMean(2)}
	three := law.ExpMean(10. / 3)
	two := run(Plan{System: compiled.System{Servers: 6, Patience: []law.Law{three, three}}}, 1, 2.5, 400_000, small, big)
	over := run(Plan{System: compiled.System{Servers: 6, Policy: policy.FCFS{}, Patience: []law.Law{law.ExpMean(2), law.ExpMean(2)}}}, 2, 5, 400_000, small, big)
	for c := range 2 {
		oracle.Within(t, "two leave", two.Classes[c].Left, value(fmt.Sprintf("patience-two-leave%d", c)), 4)
		oracle.Within(t, "two in line", two.Classes[c].InLine, value(fmt.Sprintf("patience-two-time%d", c)), 4)
		oracle.Within(t, "over leave", over.Classes[c].Left, value(fmt.Sprintf("patience-over-leave%d", c)), 4)
	}
	det := run(Plan{System: compiled.System{Servers: 5, Patience: []law.Law{law.Deterministic{X: 1.5}}}}, 3, 6, 400_000, stream.Class{Need: 1, Prob: 1, Service: law.ExpMean(1)})
	oracle.Within(t, "deterministic patience", det.All.Left, value("patience-det-leave"), 4)
	oracle.Within(t, "deterministic patience in line", det.All.InLine, value("patience-det-time"), 4)
	class := run(Plan{System: compiled.System{Servers: 4, Room: &compiled.Room{Jobs: 7}, Patience: []law.Law{law.ExpMean(1), law.ExpMean(5)}}}, 4, 3, 400_000,
		stream.Class{Need: 1, Prob: 0.7, Service: law.ExpMean(1)}, stream.Class{Need: 3, Prob: 0.3, Service: law.ExpMean(1.25)})
	for c := range 2 {
		oracle.Within(t, "by class leave", class.Classes[c].Left, value(fmt.Sprintf("patience-byclass-leave%d", c)), 4)
		oracle.Within(t, "by class blocked", class.Classes[c].Blocked, value(fmt.Sprintf("patience-byclass-blocked%d", c)), 4)
	}
	for _, res := range []*Result{two, over, det, class} {
		if len(res.Violations) > 0 {
			t.Error(res.Violations)
		}
	}
}

// recorded runs the engine for rooms and patience, and notes what becomes of each job.
func recorded(p *Plan, jobs int64) (map[int64]fated, Area) {
	all := map[int64]fated{}
	s := newLimited(&p.System, func(jobs []fated) {
		for _, j := range jobs {
			all[j.number] = j
		}
	})
	s.Replicate(p.Input.Reader(0))
	s.Until(jobs)
	return all, s.area
}

// TestLimited: the engine for rooms and patience under FCFS and the one that asks a policy agree
// to the last bit, on models in which much happens at one instant, too.
func TestLimited(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := &Plan{System: compiled.System{Servers: 2 + rng.IntN(8), Classes: 1 + rng.IntN(4)}}
		if seed%3 != 1 {
			p.Room = &compiled.Room{Jobs: rng.IntN(4)}
		}
		if seed%3 > 0 {
			p.Patience = make([]law.Law, p.Classes)
		}
		whole := rng.IntN(2) == 0
		for c := range p.Patience {
			if rng.IntN(4) > 0 {
				p.Patience[c] = randomServices(rng, whole)
			}
		}
		var classes []stream.Class
		for range p.Classes {
			classes = append(classes, stream.Class{Need: 1 + rng.IntN(p.Servers), Prob: 1 / float64(p.Classes), Service: randomServices(rng, whole)})
			p.Needs = append(p.Needs, classes[len(classes)-1].Need)
		}
		p.Input = stream.NewFrom(seed, randomArrivals(rng, 2, whole), classes)
		q := *p
		q.Policy = policy.FCFS{}
		one, area := recorded(p, 3000)
		two := map[int64]fated{}
		s := New(q.System)
		s.Recorded = func(r *Record) {
			two[r.Number] = fated{r.Number, r.Wait, r.Service, r.Class, int32(r.Need), r.Fate}
		}
		s.Replicate(p.Input.Reader(0))
		s.Until(3000)
		for n := range int64(2900) {
			a, okA := one[n]
			b, okB := two[n]
			if okA && okB && a != b {
				t.Fatalf("seed %d, %+v: job %d: %+v in its own engine, %+v under a policy", seed, p, n, a, b)
			}
		}
		if other := s.Take(); area != other {
			t.Errorf("seed %d, %+v: %+v in its own engine, %+v under a policy", seed, p, area, other)
		}
		if p.Room != nil && (len(one) < 2000 || len(two) < 2000) {
			t.Errorf("seed %d: %d and %d jobs recorded", seed, len(one), len(two))
		}
	}
}

// TestPoliciesLetGo: under every policy that lets jobs leave, jobs that give up and jobs that
// find no room leave no trace: what is let in is served or leaves, and conservation holds.
func TestPoliciesLetGo(t *testing.T) {
	classes := []stream.Class{{Need: 1, Prob: 0.5, Service: law.ExpMean(1)}, {Need: 2, Prob: 0.3, Service: law.ExpMean(2)}, {Need: 5, Prob: 0.2, Service: law.ErlangMeanPhases(1, 2)}}
	for _, p := range []policy.Policy{policy.FCFS{}, policy.FirstFit{}, policy.EASY(), policy.Conservative(), policy.Backfill{Depth: 3}, policy.MostServersFirst{},
		policy.LeastServersFirst{}, policy.MaxWeight{}, policy.PreemptiveFirstFit{}, policy.PreemptiveMostServersFirst{}, policy.AdaptiveQuickswap{},
		levelled(policy.Priority{}), levelled(policy.Priority{Passes: true}), levelled(policy.Priority{Inner: policy.EASY()}), levelled(policy.Priority{Inner: policy.FirstFit{}}),
		levelled(policy.Priority{Preempts: policy.Resume}), levelled(policy.Priority{Preempts: policy.Resume, Inner: policy.FirstFit{}}),
		levelled(policy.Priority{Preempts: policy.Resume, Inner: policy.ServerFilling{}}), levelled(policy.Priority{Preempts: policy.Resume, ExemptFor: 1})} {
		plan := Plan{System: compiled.System{Servers: 7, Policy: p, Patience: []law.Law{law.ExpMean(2), law.Uniform{Lo: 0, Hi: 3}, nil}}}
		if !p.Properties().Preemptive {
			plan.Room = &compiled.Room{Jobs: 6}
		}
		res := run(plan, 9, 2, int64(oracle.Sized(10_000, 60_000)), classes...)
		if len(res.Violations) > 0 || !(res.Classes[0].Left.Value > 0.001) || res.Classes[2].Left.Value != 0 {
			t.Errorf("%v: %v, left %v", p, res.Violations, res.Classes)
		}
		if plan.Room != nil && !(res.All.Blocked.Value > 0.01) {
			t.Errorf("%v: blocked %v", p, res.All.Blocked)
		}
	}
}

// levelled is a priority of the second of three classes over the others.
func levelled(p policy.Priority) policy.Policy {
	p.Levels = [][]string{{"1"}, {"0", "2"}}
	return p
}

// TestLimits: ever more room or patience is first come first served, and no patience is loss.
func TestLimits(t *testing.T) {
	small, big := stream.Class{Need: 1, Prob: 0.8, Service: law.ExpMean(1)}, stream.Class{Need: 4, Prob: 0.2, Service: law.ExpMean(2)}
	mean := func(p Plan) result.Estimate { return run(p, 7, 1, 100_000, small, big).All.Waiting.Mean }
	fcfs := mean(Plan{System: compiled.System{Servers: 6}})
	for what, p := range map[string]compiled.System{"room": {Servers: 6, Room: &compiled.Room{Jobs: 100_000}},
		"patience": {Servers: 6, Patience: []law.Law{law.Deterministic{X: 1e9}, nil}}} {
		if got := mean(Plan{System: p}); math.Abs(got.Value-fcfs.Value) > 1e-9*fcfs.Value {
			t.Errorf("endless %s: mean wait %v, first come first served %v", what, got, fcfs)
		}
	}
	loss := run(Plan{System: compiled.System{Servers: 6, Room: new(compiled.Room)}}, 7, 2.5, 100_000, small, big)
	none := run(Plan{System: compiled.System{Servers: 6, Patience: []law.Law{law.Deterministic{X: 1e-12}, law.Deterministic{X: 1e-12}}}}, 7, 2.5, 100_000, small, big)
	if math.Abs(loss.All.Blocked.Value-none.All.Left.Value) > 1e-4 {
		t.Errorf("%v are lost, and %v leave at once", loss.All.Blocked, none.All.Left)
	}
}

// BenchmarkRoom is five classes on 20 servers; an operation is a job.
func BenchmarkRoom(b *testing.B) {
	classes := []stream.Class{{Need: 1, Prob: 0.4, Service: law.ExpMean(0.8)}, {Need: 2, Prob: 0.3, Service: law.ExpMean(1.2)},
		{Need: 4, Prob: 0.2, Service: law.ExpMean(1)}, {Need: 5, Prob: 0.05, Service: law.ExpMean(2)}, {Need: 10, Prob: 0.05, Service: law.ExpMean(3)}}
	for name, q := range map[string]compiled.System{"loss": {Room: new(compiled.Room)}, "room": {Room: &compiled.Room{Jobs: 10}},
		"fcfs": {}, "patience": {Patience: []law.Law{law.ExpMean(2), law.ExpMean(2), law.ExpMean(2), law.ExpMean(2), law.ExpMean(2)}}} {
		b.Run(name, func(b *testing.B) {
			p := Plan{System: q}
			p.Servers, p.Classes, p.Replications, p.Batches, p.Workers, p.Level = 20, 5, 1, 1, 1, 0.95
			p.Needs = []int{1, 2, 4, 5, 10}
			p.Length, p.Input = int64(b.N), stream.New(1, law.ExpRate(6), classes)
			p.Run(context.Background(), nil)
		})
	}
}
