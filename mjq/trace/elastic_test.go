package trace_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/workload"
)

// What would it have given if trainings on 8 GPUs or more could shrink to a quarter, and grow to twice what
// they asked for?
func ExampleTrace_Elastic() {
	gpus := trace.Sacct{Need: "gres/gpu", Only: map[string]string{"Partition": "gpu"}}
	log := mjq.Must(trace.ReadSacct("quarter", bytes.NewReader(workload.Quarter(60, 1)), gpus))
	base := trace.Replay{Servers: 36, Policy: policy.EASY().Estimates(policy.Given())}
	trainings := trace.Elastic{Need: 8, Least: 0.25, Most: 2, Speed: mjq.Power(0.8)}
	out := mjq.Must(log.WhatIf(background, base, log.Elastic(base, trainings, 0.2, 0.5, 1)))
	for _, s := range out.Scenarios {
		fmt.Printf("%s: waits change by %.1f h, responses by %.1f h; worse off: %d of %d users\n", s.Name,
			s.All.Waiting.Value/3600, s.All.Response.Value/3600, s.Worse, s.Users)
	}
	// Output:
	// 20 % of the jobs on 8 servers or more are elastic: waits change by -0.4 h, responses by -0.4 h; worse off: 0 of 40 users
	// 50 % of the jobs on 8 servers or more are elastic: waits change by -0.8 h, responses by -0.7 h; worse off: 0 of 40 users
	// 100 % of the jobs on 8 servers or more are elastic: waits change by -1.1 h, responses by -1.0 h; worse off: 0 of 40 users
}

// TestElasticOnALog: two jobs by hand. The training asks for 4 of 4 servers and has 2 as its least; a job of
// 2 comes at 1 and takes them back for a time of 1. The training does 4·(1 of 4) of its work by then.
func TestElasticOnALog(t *testing.T) {
	log := &trace.Trace{Name: "two", Jobs: []trace.Job{{Arrival: 0, Need: 4, Service: 3, Class: "train"}, {Arrival: 1, Need: 2, Service: 1, Class: "other"}}}
	how := trace.Replay{Servers: 4, Classes: trace.ByClass, Elastic: []trace.Elastic{{Class: "train", Least: 0.5, Speed: mjq.Linear()}}}
	r, err := log.Replay(context.Background(), how, mjq.NoCache())
	if err != nil {
		t.Fatal(err)
	}
	// Work of 3 on 4 servers: 1 by 1, then .5 by 2, and the rest of 1.5 by 3.5.
	train, other := r.Class("train/4"), r.Class("other/2")
	oracle.Relative(t, "response of the training", train.Response.Mean.Value, 3.5, 1e-12)
	oracle.Relative(t, "its size", train.Size.Value, 12/3.5, 1e-12)
	oracle.Relative(t, "its changes", train.Resizes.Value, 2, 1e-12)
	oracle.Relative(t, "its stretch", train.Stretch.Value, 3.5/3, 1e-12)
	oracle.Relative(t, "response of the other", other.Response.Mean.Value, 1, 1e-12)
	if busy := 4 * r.Utilization.Value * 3.5; math.Abs(busy-14) > 1e-12 || other.Resizes.Value != 0 || other.Size.Value != 2 {
		t.Errorf("%v server-time is busy, not 14; the other has %v", busy, other.Size)
	}
	how.Elastic[0].Speed = mjq.Linear().Resize(0.25)
	if r, err = log.Replay(context.Background(), how, mjq.NoCache()); err != nil {
		t.Fatal(err)
	}
	oracle.Relative(t, "with two times to resize", r.Class("train/4").Response.Mean.Value, 3.5+0.25/2+0.25, 1e-12)
	for _, c := range []struct {
		how  trace.Replay
		want string
	}{
		{trace.Replay{Servers: 4, Oldest: true}, "Oldest without Elastic"},
		{trace.Replay{Servers: 4, Elastic: []trace.Elastic{{Share: 2, Speed: mjq.Linear()}}}, "Share 2; give a part of the jobs"},
		{trace.Replay{Servers: 4, Elastic: []trace.Elastic{{Least: 2, Speed: mjq.Linear()}}}, "Least 2; give a multiple"},
		{trace.Replay{Servers: 4, Elastic: []trace.Elastic{{Most: 0.5, Speed: mjq.Linear()}}}, "Most 0.5; give a multiple"},
		{trace.Replay{Servers: 4, Elastic: []trace.Elastic{{Class: "trian", Speed: mjq.Linear()}}}, "none of the jobs of trian"},
		{trace.Replay{Servers: 4, Elastic: []trace.Elastic{{Least: 0.5}}}, "give linear, power, amdahl or table"},
		{trace.Replay{Servers: 4, Policy: mjq.Conservative(), Elastic: []trace.Elastic{{Least: 0.5, Speed: mjq.Linear()}}}, "choose FCFS, FirstFit, EASY"},
	} {
		_, err := log.Replay(context.Background(), c.how, mjq.NoCache())
		oracle.Mention(t, err, c.want)
	}
}

// TestElasticResponses: jobs that keep their size respond later by what they wait longer, with the same
// interval, and a scenario without elastic jobs says nothing of responses.
func TestElasticResponses(t *testing.T) {
	gpus := trace.Sacct{Need: "gres/gpu", Only: map[string]string{"Partition": "gpu"}}
	log := mjq.Must(trace.ReadSacct("quarter", bytes.NewReader(workload.Quarter(90, 1)), gpus))
	base := trace.Replay{Servers: 32, Policy: policy.EASY().Estimates(policy.Given())}
	more := base
	more.Servers = 36
	same := more
	same.Elastic = []trace.Elastic{{Least: 1, Most: 1, Speed: mjq.Linear()}}
	out := mjq.Must(log.WhatIf(background, base, []trace.Scenario{{Name: "more", Replay: more}, {Name: "same", Replay: same}}, mjq.NoCache()))
	if x := &out.Scenarios[0]; x.All.Response.Known() || x.LowResponse != 0 || x.HighResponse != 0 {
		t.Errorf("without elastic jobs: %v, %v to %v", x.All.Response, x.LowResponse, x.HighResponse)
	}
	x := &out.Scenarios[1]
	oracle.Relative(t, "response", x.All.Response.Value, x.All.Waiting.Value, 1e-9)
	oracle.Relative(t, "its lower end", x.LowResponse, x.Low, 1e-9)
	oracle.Relative(t, "its upper end", x.HighResponse, x.High, 1e-9)
	if !(x.Low < x.All.Waiting.Value && x.All.Waiting.Value < x.High && x.High < 0) {
		t.Errorf("four servers more: %v, %v to %v", x.All.Waiting, x.Low, x.High)
	}
}

// TestElasticSurvivesFailures: a job of 4 of 4 servers for a time of 10, of which one fails at 2 and is back
// at 5. With 3 servers it does 3/4 of the work in a time; without Shrink it begins again then.
func TestElasticSurvivesFailures(t *testing.T) {
	log := &trace.Trace{Name: "one", Jobs: []trace.Job{{Need: 4, Service: 10}}}
	for _, x := range []struct {
		least      float64
		shrink     bool
		ends, lost float64
	}{{0.5, true, 10.75, 0}, {1, true, 15, 2}, {0.5, false, 12.75, 2}} {
		how := trace.Replay{Servers: 4, Elastic: []trace.Elastic{{Least: x.least, Most: 1, Speed: mjq.Linear()}}, After: mjq.Checkpoint{How: mjq.Restart, Shrink: x.shrink},
			Failures: []trace.Failure{{Time: 2, Server: 1, Repair: 3}}}
		r, err := log.Replay(background, how, mjq.NoCache())
		if err != nil {
			t.Fatal(err)
		}
		if got := r.All.Response.Mean.Value; math.Abs(got-x.ends) > 1e-12 || r.All.Interruptions.Value != 1 || r.All.Lost.Value != x.lost {
			t.Errorf("%+v: ends at %v with %v hits and loses %v", x, got, r.All.Interruptions.Value, r.All.Lost.Value)
		}
	}
}

// TestElasticAsRigid: jobs of a log that may have one size only are those of today, under every policy, and
// the shares of one draw are among each other.
func TestElasticAsRigid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	log := &trace.Trace{Name: "random"}
	at := 0.0
	for range 2000 {
		at += rng.ExpFloat64()
		log.Jobs = append(log.Jobs, trace.Job{Arrival: at, Need: 1 << rng.IntN(4), Service: 2.5 * rng.ExpFloat64(), Estimate: 5, User: string(rune('a' + rng.IntN(20)))})
	}
	replay := func(how trace.Replay) (waits float64, sizes float64) {
		r, err := log.Replay(context.Background(), how, mjq.NoCache())
		if err != nil {
			t.Fatal(err)
		}
		return r.All.Waiting.Mean.Value, r.All.Resizes.Value
	}
	for _, p := range []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), policy.EASY().Estimates(policy.Given())} {
		rigid, _ := replay(trace.Replay{Servers: 16, Policy: p})
		same, _ := replay(trace.Replay{Servers: 16, Policy: p, Elastic: []trace.Elastic{{Least: 1, Most: 1, Speed: mjq.Linear()}}})
		if math.Abs(rigid-same) > 1e-9*rigid {
			t.Errorf("%v: one size %v, rigid %v", p, same, rigid)
		}
		last, changes := rigid, 0.0
		for _, share := range []float64{0.2, 0.5, 1} {
			w, n := replay(trace.Replay{Servers: 16, Policy: p, Elastic: []trace.Elastic{{Need: 4, Share: share, Least: 0.25, Most: 2, Speed: mjq.Power(0.9)}}})
			if !(w < last) || !(n > changes) {
				t.Errorf("%v: with a share of %v waits are %v with %v changes, with the share before %v with %v", p, share, w, n, last, changes)
			}
			last, changes = w, n
		}
	}
}
