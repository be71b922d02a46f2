package trace_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

// quarterOf is a made-up log of 84 days: a busy account with some urgent jobs, and another account; fewer
// at night.
func quarterOf() *trace.Trace {
	rng := rand.New(rand.NewPCG(7, 7))
	var jobs []trace.Job
	for now := 0.0; now < 84*trace.Day; now += 700 * rng.ExpFloat64() / (1 + 0.5*math.Sin(2*math.Pi*now/trace.Day)) {
		j := trace.Job{Arrival: now, Need: 1 << rng.IntN(4), Service: 3600 * rng.ExpFloat64(), Class: "normal", User: "ann", Account: "physics"}
		switch rng.IntN(5) {
		case 0:
			j.Class = "urgent"
		case 1:
			j.User, j.Account = "cy", "biology"
		}
		jobs = append(jobs, j)
	}
	t := trace.New("made", jobs)
	t.Unit = "s"
	return t
}

// Which weights keep the mean wait of urgent jobs below a goal? The first half of a log chooses them, and
// the other half judges them, with an interval. The other half may refuse the choice: then no
// weights that were tried do. Neither half promises anything of a quarter with other users.
func ExampleSlurm_Scenarios() {
	ctx, log := context.Background(), quarterOf()
	site, err := trace.ReadSlurmConf("config.txt", strings.NewReader(`
PriorityWeightAge       = 1000
PriorityWeightFairShare = 5000
PriorityWeightQOS       = 200
PriorityMaxAge          = 7-00:00:00
PriorityDecayHalfLife   = 7-00:00:00`))
	if err != nil {
		fmt.Println(err)
		return
	}
	qos, _ := trace.ReadQOS("qos.txt", strings.NewReader("Name|Priority\nnormal|10\nurgent|100\n"))
	site = site.With(qos)
	how, _ := site.Replay(log, trace.Replay{Servers: 28, Classes: trace.ByLabel})
	half := 42 * trace.Day
	first, second := log.Within(0, half), log.Within(half, 84*trace.Day)

	tried := mjq.Must(first.WhatIf(ctx, how, site.Scenarios(first, how)))
	best := tried.Base
	for _, s := range tried.Scenarios {
		if s.Result.Class("urgent").Waiting.Mean.Value < best.Result.Class("urgent").Waiting.Mean.Value {
			best = s
		}
	}
	for _, s := range site.Scenarios(second, how) {
		if s.Name == best.Name {
			judged := mjq.Must(second.WhatIf(ctx, how, []trace.Scenario{s}))
			for _, c := range judged.Scenarios[0].Classes {
				fmt.Printf("%s, %s jobs: shorter waits are shown: %v\n", s.Setting, c.Name, c.Waiting.Hi() < 0)
			}
		}
	}
	// Output:
	// PriorityWeightFairShare=0, normal jobs: shorter waits are shown: false
	// PriorityWeightFairShare=0, urgent jobs: shorter waits are shown: true
}
