package planning_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// fates is what becomes of the jobs of M/M/s with exponential service of mean 1 and a room, or of
// jobs that give up at a rate; see markov.
type fates struct {
	blocked, left, served float64 // shares of the jobs that arrive
	within                float64 // share that starts within a time
	wait, waitAll         float64 // mean waits of the jobs that start and of all jobs
	atOnce                float64
}

// markov follows a job that finds n jobs waiting through their leaving: no part of it is shared with
// the solvers.
func markov(s, room int, rate, leave, time float64) (f fates) {
	for n, v := range oracle.BirthDeath(s, room, rate, leave) {
		switch {
		case n == s+room:
			f.blocked += v
		case n < s:
			f.atOnce += v
		case v > 1e-17:
			start, within, wait, line := ahead(n-s, float64(s), leave, time)
			f.served += v * start
			f.within += v * within
			f.wait += v * wait
			f.waitAll += v * line
		}
	}
	f.served += f.atOnce
	f.within += f.atOnce
	f.left = max(0, 1-f.blocked-f.served)
	f.wait /= f.served
	return f
}

// ahead is what a job with k jobs before it meets: the probability that it starts, and that it
// does within a time, its wait if it starts, and its time in the queue.
func ahead(k int, served, leave, time float64) (start, within, wait, line float64) {
	// Starting after the k-th and its own step: rates served + leave·j for j = k..0, against leave.
	start = 1
	mean := 0.0
	for j := k; j >= 0; j-- {
		out := served + leave*float64(j+1)
		start *= (served + leave*float64(j)) / out
		mean += 1 / out
	}
	line = 0
	alive := 1.0
	for j := k; j >= 0; j-- {
		out := served + leave*float64(j+1)
		line += alive / out
		alive *= (served + leave*float64(j)) / out
	}
	// Uniformised steps of the job's place; the time to start given it starts has these rates.
	at := make([]float64, k+1) // by jobs ahead
	at[k] = 1
	fast := served + leave*float64(k+1)
	poisson, left := math.Exp(-fast*time), 1.0
	begun := 0.0
	for n := 0; left > 1e-15 && n < 100_000; n++ {
		within += poisson * begun
		left -= poisson
		poisson *= fast * time / float64(n+1)
		next := make([]float64, k+1)
		for j, v := range at {
			move := (served + leave*float64(j)) / fast
			if j == 0 {
				begun += v * move
			} else {
				next[j-1] += v * move
			}
			next[j] += v * (1 - move - leave/fast)
		}
		at = next
	}
	return start, within, start * mean, line
}

// nine is a queue that markov describes.
var nine = mjq.Servers(9).Poisson(6).Class("a", 1, 0.7, mjq.ExpMean(1)).Class("b", 1, 0.3, mjq.ExpMean(1))

// described is the queue with a room, or with jobs that give up at a rate; more than there are come
// into neither.
type described struct {
	name  string
	model mjq.Model
	room  int
	leave float64
}

// goalCase is a goal with what the chain says of it.
type goalCase struct {
	name  string
	goals []mjq.Goal
	meets func(f fates) bool
}

func goalCases(room, leave bool) (list []goalCase) {
	add := func(name string, meets func(f fates) bool, goals ...mjq.Goal) {
		list = append(list, goalCase{name, goals, meets})
	}
	add("service level", func(f fates) bool { return f.within >= 0.9 }, mjq.ServiceLevel(0.3, 0.9))
	add("service level of a class", func(f fates) bool { return f.within >= 0.9 }, mjq.ServiceLevel(0.3, 0.9, "b"))
	add("no wait", func(f fates) bool { return f.atOnce >= 0.8 }, mjq.ServiceLevel(0, 0.8))
	if room {
		add("blocked", func(f fates) bool { return f.blocked <= 1e-9 }, mjq.Blocked(1e-9))
	}
	if leave {
		add("left", func(f fates) bool { return f.left <= 1e-4 }, mjq.Left(1e-4, "a"))
	}
	if room && !leave {
		add("wait and blocked", func(f fates) bool { return f.wait <= 0.05 && f.blocked <= 0.1 }, mjq.MeanWait(0.05), mjq.Blocked(0.1))
	}
	add("wait and service level", func(f fates) bool { return f.wait <= 0.05 && f.within >= 0.5 }, mjq.MeanWait(0.05, "a"), mjq.ServiceLevel(0.3, 0.5))
	return list
}

// TestGoalsCountAllArrivals: sizes and rates against chains of one's own, at the answer and beside
// it, for every goal of queues that drop jobs.
func TestGoalsCountAllArrivals(t *testing.T) {
	for _, q := range []described{
		{"loss", nine.Loss(), 0, 0},
		{"room", nine.Room(7), 7, 0},
		{"patience", nine.Patience(mjq.ExpMean(0.5)), 300, 2},
		{"room and patience", nine.Room(4).Patience(mjq.ExpMean(2)), 4, 0.5},
		{"plain", nine, 400, 0},
	} {
		for _, g := range goalCases(q.model.Spec().Room != nil, q.leave > 0) {
			t.Run(q.name+", "+g.name, func(t *testing.T) {
				of := func(s int, rate float64) bool {
					if q.name == "plain" && rate >= float64(s) {
						return false
					}
					return g.meets(markov(s, q.room, rate, q.leave, 0.3))
				}
				var rest []mjq.Option
				for _, x := range g.goals[1:] {
					rest = append(rest, x)
				}
				n := mjq.Must(q.model.FewestServers(background, g.goals[0], rest...))
				if s := int(n.Best); !n.Confirmed || !of(s, 6) || s > 1 && of(s-1, 6) {
					t.Errorf("%v", n)
				}
				r := mjq.Must(q.model.LargestRate(background, g.goals[0], append(rest, mjq.RelErr(0.002))...))
				if !r.Confirmed || !of(9, r.Best) || of(9, r.Best*1.0021) {
					t.Errorf("%v", r)
				}
			})
		}
	}
}

// TestCallCentre: the goals that were met by losing the jobs.
func TestCallCentre(t *testing.T) {
	m := mjq.Servers(13).Poisson(100.0/30).Class("call", 1, 1, mjq.ExpMean(3))
	n := mjq.Must(m.Patience(mjq.ExpMean(0.1)).FewestServers(background, mjq.ServiceLevel(20.0/60, 0.8)))
	met := func(s int) bool { return markov(s, 300, 10, 30, 1.0/9).within >= 0.8 }
	if s := int(n.Best); !n.Confirmed || !met(s) || met(s-1) {
		t.Errorf("%v", n)
	}
	if _, err := m.Loss().LargestRate(background, mjq.MeanWait(0.1)); err == nil || !strings.Contains(err.Error(), "add the goal Blocked(share)") {
		t.Errorf("the largest rate of a system without room: %v", err)
	}
}

// TestWaitsNeedDrops: each goal on waits and costs, in each queue that drops jobs, in each search,
// is a fault that names a goal on drops; with that goal there is none. One search goes on to its
// answer of each queue that TestGoalsCountAllArrivals has not; the others are asked under a context that
// has ended.
func TestWaitsNeedDrops(t *testing.T) {
	classes := func(m mjq.Model) mjq.Model {
		return m.Poisson(1).Class("small", 1, 0.9, mjq.ExpMean(1)).Class("big", 2, 0.1, mjq.ExpMean(1))
	}
	pool := classes(mjq.Servers(6))
	typed := mjq.Resources("cpu", 6).Resources("gpu", 2).Poisson(1).
		Needing("small", mjq.Needs{"cpu": 1}, 0.9, mjq.ExpMean(1)).Needing("big", mjq.Needs{"cpu": 2, "gpu": 1}, 0.1, mjq.ExpMean(1))
	type queue struct {
		name   string
		model  mjq.Model
		drops  []mjq.Goal // bounds on all ways in which jobs of both classes are dropped
		safe   string     // a class none of whose jobs is dropped
		remedy string
	}
	queues := []queue{
		{"loss", pool.Loss(), []mjq.Goal{mjq.Blocked(0.05)}, "", "Blocked(share)"},
		{"room", pool.Room(3), []mjq.Goal{mjq.Blocked(0.05)}, "", "Blocked(share)"},
		{"patience", pool.Patience(mjq.ExpMean(1)), []mjq.Goal{mjq.Left(0.05)}, "", "Left(share)"},
		{"patience of one class", pool.Patience(mjq.ExpMean(1), "big"), []mjq.Goal{mjq.Left(0.5, "big")}, "small", `Left(share, "big")`},
		{"room and patience", pool.Room(3).Patience(mjq.ExpMean(1)), []mjq.Goal{mjq.Left(0.05), mjq.Blocked(0.05)}, "", "Blocked(share)"},
		{"patience that is always the same", pool.Patience(mjq.Deterministic(1)), []mjq.Goal{mjq.ServiceLevel(0.1, 0.95)}, "", "ServiceLevel(time, share"},
		{"policy", pool.Policy(mjq.FirstFit()).Room(3), []mjq.Goal{mjq.Blocked(0.05)}, "", "Blocked(share)"},
		{"priority that drops", pool.Policy(mjq.Priority([]string{"small"}, []string{"big"}).Preemptive(mjq.Drop)), []mjq.Goal{mjq.Left(0.5, "big")}, "small", `Left(share, "big")`},
		{"priority that drops beside users", mjq.Servers(6).Poisson(0.3).Class("small", 1, 0, mjq.ExpMean(1)).Class("big", 2, 1, mjq.ExpMean(1)).
			Users("small", 3, mjq.ExpMean(4)).Policy(mjq.Priority([]string{"small"}, []string{"big"}).Preemptive(mjq.Drop)), []mjq.Goal{mjq.Left(0.5, "big")}, "small", `Left(share, "big")`},
		{"nodes", classes(mjq.Nodes(3, 2)).Loss(), []mjq.Goal{mjq.Blocked(0.05)}, "", "Blocked(share)"},
		{"types", typed.Room(2), []mjq.Goal{mjq.Blocked(0.05)}, "", "Blocked(share)"},
	}
	waits := map[string]func(classes ...string) mjq.Goal{
		"MeanWait":     func(c ...string) mjq.Goal { return mjq.MeanWait(0.3, c...) },
		"WaitQuantile": func(c ...string) mjq.Goal { return mjq.WaitQuantile(0.8, 0.9, c...) },
		"MeanSlowdown": func(c ...string) mjq.Goal { return mjq.MeanSlowdown(0.1, 4, c...) },
	}
	ended, end := context.WithCancel(background)
	end()
	for i, q := range queues {
		ctx := background
		searches := map[string]func(goals ...mjq.Option) (*result.Sizing, error){
			"LargestRate": func(o ...mjq.Option) (*result.Sizing, error) {
				return q.model.LargestRate(ctx, nil, append(o, mjq.RelErr(0.2))...)
			},
		}
		if q.name == "types" {
			searches["CheapestMix"] = func(o ...mjq.Option) (*result.Sizing, error) {
				return q.model.CheapestMix(ctx, map[string]float64{"cpu": 1, "gpu": 3}, nil, o...)
			}
		} else {
			searches["FewestServers"] = func(o ...mjq.Option) (*result.Sizing, error) { return q.model.FewestServers(ctx, nil, o...) }
			searches["CheapestServers"] = func(o ...mjq.Option) (*result.Sizing, error) {
				return q.model.CheapestServers(ctx, mjq.Costs{Server: 1, Wait: 2}, o...)
			}
		}
		if q.name != "types" && q.name != "nodes" {
			searches["LargestNeed"] = func(o ...mjq.Option) (*result.Sizing, error) {
				return q.model.LargestNeed(ctx, "big", nil, o...)
			}
		}
		for k, search := range slices.Sorted(maps.Keys(searches)) {
			ask, whole := searches[search], i > 4 && k == i%len(searches)
			if ctx = ended; whole {
				ctx = background
			}
			for kind, goal := range waits {
				name := fmt.Sprintf("%s of %s: %s", search, q.name, kind)
				short := []mjq.Option{mjq.MaxJobs(320_000), mjq.Seed(5)}
				if _, err := ask(append(short, goal())...); err == nil || !strings.Contains(err.Error(), q.remedy) {
					t.Errorf("%s alone: %v", name, err)
				}
				if _, err := ask(append(short, goal("big"))...); err == nil || !strings.Contains(err.Error(), `"big")`) {
					t.Errorf("%s of a class that is dropped: %v", name, err)
				}
				if kind != "MeanWait" {
					continue // a search each takes too long
				}
				if _, err := ask(append(short, goal(), options(q.drops)[0])...); len(q.drops) > 1 && err == nil {
					t.Errorf("%s: bounds on one way of two suffice", name)
				}
				n, err := ask(append(append(short, goal()), options(q.drops)...)...)
				if !whole && !errors.Is(err, context.Canceled) || whole && (err != nil || math.IsNaN(n.Best)) {
					t.Errorf("%s with bounds on the drops: %v\n%v", name, err, n)
				}
				if q.safe != "" && search == "FewestServers" {
					if _, err := ask(append(short, goal(q.safe))...); err != nil && (whole || !errors.Is(err, context.Canceled)) {
						t.Errorf("%s of a class that is always served: %v", name, err)
					}
				}
			}
			if search == "CheapestServers" {
				if _, err := ask(); err == nil || !strings.Contains(err.Error(), "Costs{1, 2}") || !strings.Contains(err.Error(), q.remedy) {
					t.Errorf("costs of %s alone: %v", q.name, err)
				}
			}
		}
	}
}

func options(goals []mjq.Goal) (list []mjq.Option) {
	for _, g := range goals {
		list = append(list, g)
	}
	return list
}

// TestSizesDoNotBelieveNothing: a run that meets no event says little of rare ones. By short
// runs an answer is right or not confirmed, and no size that misses its goal is said to meet it.
func TestSizesDoNotBelieveNothing(t *testing.T) {
	for _, q := range []struct {
		described
		goal  mjq.Goal
		meets func(f fates) bool
	}{
		{described{"blocked", nine.Room(5), 5, 0}, mjq.Blocked(1e-8), func(f fates) bool { return f.blocked <= 1e-8 }},
		{described{"blocked of a class", nine.Room(5), 5, 0}, mjq.Blocked(1e-8, "b"), func(f fates) bool { return f.blocked <= 1e-8 }},
		{described{"blocked at once", nine.Loss(), 0, 0}, mjq.Blocked(1e-7), func(f fates) bool { return f.blocked <= 1e-7 }},
		{described{"left", nine.Patience(mjq.ExpMean(0.5)), 300, 2}, mjq.Left(1e-8), func(f fates) bool { return f.left <= 1e-8 }},
		{described{"no wait", nine.Room(5), 5, 0}, mjq.ServiceLevel(0, 1-1e-8), func(f fates) bool { return f.atOnce >= 1-1e-8 }},
		{described{"no wait at all", nine, 200, 0}, mjq.ServiceLevel(0, 1-1e-8), func(f fates) bool { return f.atOnce >= 1-1e-8 }},
		{described{"wait", nine, 200, 0}, mjq.MeanWait(1e-9), func(f fates) bool { return f.wait <= 1e-9 }},
		{described{"quantile", nine, 200, 0}, mjq.WaitQuantile(1-1e-7, 0.3), func(f fates) bool { return f.within >= 1-1e-7 }},
	} {
		run := mjq.Simulation{Jobs: 2000, Replications: 8}
		n := mjq.Must(q.model.FewestServers(background, q.goal, run, mjq.Seed(3)))
		for _, p := range n.Points {
			if p.Value > 6 && p.Verdict.Sure() && q.meets(markov(int(p.Value), q.room, 6, q.leave, 0.3)) != p.Verdict.OK() {
				t.Errorf("%s: %v servers are said to be a size that %s\n%v", q.name, p.Value, p.Verdict, n)
			}
		}
		if s := int(n.Best); n.Confirmed || len(n.Notes) == 0 || !strings.Contains(n.Notes[len(n.Notes)-1], "Not confirmed") {
			t.Errorf("%s: %d servers\n%v", q.name, s, n)
		}
		r := mjq.Must(q.model.LargestRate(background, q.goal, run, mjq.Seed(3), mjq.RelErr(0.1)))
		for _, p := range r.Points {
			if p.Value < 8.5 && p.Verdict.Sure() && q.meets(markov(9, q.room, p.Value, q.leave, 0.3)) != p.Verdict.OK() {
				t.Errorf("%s: the rate %v is said to be one that %s\n%v", q.name, p.Value, p.Verdict, r)
			}
		}
		if r.Confirmed && !math.IsNaN(r.Best) {
			t.Errorf("%s: confirmed\n%v", q.name, r)
		}
	}
}

// TestOverloadedRoomIsSized: with a finite room a queue settles soon, however much it is offered. A
// size whose intervals decide is confirmed by a short run.
func TestOverloadedRoomIsSized(t *testing.T) {
	m := mjq.Servers(9).Poisson(6).Class("narrow", 1, 0.9, mjq.ExpMean(1)).Class("wide", 3, 0.1, mjq.ExpMean(1)).Room(20)
	exact := mjq.Must(m.FewestServers(background, mjq.Blocked(0.2), mjq.Exact{}))
	n := mjq.Must(m.FewestServers(background, mjq.Blocked(0.2), mjq.Simulation{Jobs: 20_000}, mjq.Seed(3)))
	if !n.Confirmed || !oracle.SameBits(n.Best, exact.Best) {
		t.Errorf("%v\nexactly: %v", n, exact)
	}
	if text := n.String(); strings.Contains(text, "may be too low") {
		t.Error(text)
	}
}

// TestSearchesEnd: what nothing bounds, and goals of which a method says nothing, are errors that
// say so.
func TestSearchesEnd(t *testing.T) {
	users := mjq.Servers(4).Class("u", 1, 0, mjq.ExpMean(1)).Users("u", 10, mjq.ExpMean(2)).Loss()
	plain := mjq.Servers(4).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1))
	scarce := mjq.NodesOf(2, mjq.Needs{"cpu": 4, "gpu": 2}).NodesOf(3, mjq.Needs{"cpu": 4}).Poisson(1).
		Needing("a", mjq.Needs{"cpu": 1, "gpu": 1}, 0.5, mjq.ExpMean(5)).Needing("b", mjq.Needs{"cpu": 2}, 0.5, mjq.ExpMean(1))
	marked := mjq.Servers(4).MarkedMAP([][]float64{{-1}}, map[string][][]float64{"a": {{1}}}).Class("a", 1, 0, mjq.ExpMean(1)).Class("b", 1, 1, mjq.ExpMean(1))
	rare := mjq.Servers(4).Poisson(1).Class("a", 1, 1-1e-9, mjq.Deterministic(1)).Class("b", 2, 1e-9, mjq.Deterministic(1))
	for want, ask := range map[string]func() (*result.Sizing, error){
		"no arrival rate to vary": func() (*result.Sizing, error) { return users.LargestRate(background, mjq.Blocked(0.01)) },
		"more nodes do not help": func() (*result.Sizing, error) {
			return scarce.FewestServers(background, mjq.MeanWait(1e-3, "a"), mjq.MaxJobs(320_000))
		},
		`no job of class "b" arrives`: func() (*result.Sizing, error) { return marked.FewestServers(background, mjq.MeanWait(1, "b")) },
		"RareEvent says nothing of it": func() (*result.Sizing, error) {
			return plain.FewestServers(background, mjq.MeanWait(1), mjq.RareEvent{Wait: 1})
		},
		"Simulation says nothing of it": func() (*result.Sizing, error) {
			return rare.FewestServers(background, mjq.MeanWait(1, "b"), mjq.Simulation{Jobs: 1000, Replications: 4})
		},
		"say nothing of it; raise MaxJobs": func() (*result.Sizing, error) {
			return rare.FewestServers(background, mjq.WaitQuantile(0.5, 1, "b"), mjq.MaxJobs(320_000))
		},
	} {
		if n, err := ask(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%v", want, err, n)
		}
	}
}
