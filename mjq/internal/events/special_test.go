package events

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// smallPlan is a plan of a few classes: needs, and means of exponential services.
func smallPlan(p policy.Policy, servers int, rate float64, needs []int, means []float64) *Plan {
	plan := &Plan{System: compiled.System{Servers: servers, Classes: len(needs), Policy: p, Needs: needs}, Replications: 12, Batches: 1,
		WarmUp: 2000, Length: 10_000, Level: 0.95, Workers: 2}
	var classes []stream.Class
	for c, n := range needs {
		classes = append(classes, stream.Class{Need: n, Prob: 1 / float64(len(needs)), Service: law.ExpMean(means[c])})
	}
	plan.Input = stream.New(3, law.ExpRate(rate), classes)
	return plan
}

func (p *Plan) run() *Result { return p.Run(context.Background(), nil) }

// workless are the policies that do not look at how long services are.
func workless(servers int) (list []policy.Policy) {
	for _, p := range twins(servers) {
		if !p.Properties().Sizes {
			list = append(list, p.Policy)
		}
	}
	return list
}

// TestOneNeedInOrder: where all jobs need the same, exactly the policies whose properties say so have
// the schedule of FCFS, job by job, with servers left over, ties and wrong estimates.
func TestOneNeedInOrder(t *testing.T) {
	const servers, jobs = 7, 250
	for _, p := range append(workless(servers), policy.Examples()...) {
		if e, ok := p.(policy.Estimator); ok {
			if _, kills := e.Limits(); kills { // what is killed does not run to its end
				continue
			}
		}
		k, same, tried := p.Properties(), true, 0
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, 1))
			need := []int{1, 2, 3, servers}[seed%4]
			if policy.Validate(p, policy.System{Servers: servers, Classes: []policy.Class{{Name: "one", Need: need, Mean: 1}}}) != nil {
				continue
			}
			log := randomLog(rng, servers, jobs, false)
			for i := range log {
				log[i].Need = need
				log[i].Arrival *= float64(need) / 2
			}
			want, done := schedule(policy.FCFS{}, servers, log)
			starts, ends := schedule(p, servers, log)
			same = same && slices.Equal(starts, want) && slices.Equal(ends, done)
			tried++
		}
		if claims := k.InOrder || k.Recurrence; tried == 0 && claims || tried > 0 && same != claims {
			t.Errorf("%s: InOrder is %v; on %d logs of one need it is FCFS: %v", p, claims, tried, same)
		}
	}
}

// TestNeedsOfOne: where all jobs need one server, the mean wait is Erlang's.
func TestNeedsOfOne(t *testing.T) {
	a, s := 2.4, 3 // M/M/3 with services of mean 1
	blocked := 1.0 // Erlang's loss probability, by recursion over servers
	for k := 1; k <= s; k++ {
		blocked = a * blocked / (float64(k) + a*blocked)
	}
	waits := blocked / (1 - a/float64(s)*(1-blocked)) / (float64(s) - a)
	for _, p := range []policy.Policy{policy.FCFS{}, policy.EASY(), policy.ServerFilling{}, policy.MaxWeight{}} {
		if r := smallPlan(p, s, a, []int{1}, []float64{1}).run(); math.Abs(r.All.Waiting.Mean.Value-waits) > 2*r.All.Waiting.Mean.HalfWidth {
			t.Errorf("%s: mean wait %v, M/M/3 has %v", p, r.All.Waiting.Mean, waits)
		}
	}
}

// TestEqualPolicies: a window of one job is FCFS, a long one takes the largest first,
// and so does Quickswap with threshold 0; EASY with depth 0 is First-Fit.
func TestEqualPolicies(t *testing.T) {
	for seed := range uint64(30) {
		log := randomLog(rand.New(rand.NewPCG(seed, 2)), 7, 200, false)
		for i := range log {
			log[i].Estimate++ // a head without length would begin and end its reservation at once
		}
		oneOrAll := randomLog(rand.New(rand.NewPCG(seed, 2)), 7, 200, true)
		for _, c := range []struct {
			a, b policy.Policy
			log  []Logged
		}{
			{policy.Window{Jobs: 1}, policy.FCFS{}, log},
			{policy.Window{Jobs: 200}, policy.MostServersFirst{}, log},
			{policy.Quickswap{Threshold: 0}, policy.MostServersFirst{}, oneOrAll},
			{policy.Backfill{Depth: 0}, policy.FirstFit{}, log},
			{policy.Backfill{Depth: 200, By: policy.Given()}, policy.Conservative().Estimates(policy.Given()), log},
		} {
			if a, _ := schedule(c.a, 7, c.log); true {
				if b, _ := schedule(c.b, 7, c.log); !slices.Equal(a, b) {
					t.Errorf("seed %d: %s and %s differ", seed, c.a, c.b)
				}
			}
		}
	}
}

// TestServerFillingFills: with needs that divide each other no server is idle while a
// job waits; with others some are.
func TestServerFillingFills(t *testing.T) {
	r := smallPlan(policy.ServerFilling{}, 8, 2, []int{1, 2, 4, 8}, []float64{1, 1, .5, .8}).run()
	if r.Wasted.Value != 0 {
		t.Errorf("powers of two: %v servers are idle while a job waits", r.Wasted)
	}
	if r := smallPlan(policy.ServerFilling{}, 8, 1.5, []int{3, 5, 7}, []float64{1, 1, .5}).run(); !(r.Wasted.Value > 0) {
		t.Errorf("needs of 3, 5 and 7: %v servers are idle while a job waits", r.Wasted)
	}
}

// TestSameDigits: random estimates and preemptions give the same digits on any number
// of goroutines, and other digits from another seed.
func TestSameDigits(t *testing.T) {
	for _, p := range []policy.Policy{policy.EASY().Estimates(policy.UniformFactor(3).Rounded(2)).Kill(), policy.ServerFilling{}, policy.FirstFitSRPT{}} {
		plan := smallPlan(p, 6, 1.2, []int{1, 4}, []float64{1, 1})
		plan.Overtaking = true
		one := fmt.Sprint(plan.run())
		plan.Workers = 7
		if seven := fmt.Sprint(plan.run()); seven != one {
			t.Errorf("%s: seven goroutines give other digits than two", p)
		}
	}
}

// TestConservationIsBroken: a run whose queue grows says so, one in equilibrium does not.
func TestConservationIsBroken(t *testing.T) {
	starve := policy.New("starve", func(v *policy.View) {
		for v.Start(0) {
		}
	})
	plan := smallPlan(starve, 4, 1, []int{1, 2}, []float64{1, 1})
	r := plan.run()
	if len(r.Violations) != 1 || !strings.Contains(r.Violations[0], "class 1") || r.Unfinished == 0 {
		t.Errorf("a policy that starts no job of the second class: violations %q, %d jobs unfinished", r.Violations, r.Unfinished)
	}
	if r := smallPlan(policy.FirstFit{}, 4, 1, []int{1, 2}, []float64{1, 1}).run(); len(r.Violations) > 0 || r.Unfinished > 0 {
		t.Errorf("First-Fit in equilibrium: %q, %d jobs unfinished", r.Violations, r.Unfinished)
	}
	if offered := smallPlan(policy.FirstFit{}, 4, 1, []int{1, 2}, []float64{1, 1}).run().Offered; math.Abs(offered.Value-1.5) > 2*offered.HalfWidth {
		t.Errorf("offered work %v, want 1.5", offered)
	}
}

// TestOwnPoliciesThatErr: a pass that does what it may not ends in an error of the
// caller's, which names the policy.
func TestOwnPoliciesThatErr(t *testing.T) {
	stops := policy.New("stops", func(v *policy.View) { v.Serve(0, 1) })
	crowds := policy.NewPreemptive("crowds", func(v *policy.View) { v.Serve(0, 5); v.Serve(1, 5) })
	for name, p := range map[string]policy.Policy{"stops": stops, "crowds": crowds} {
		err := panics.Call(func() { smallPlan(p, 4, 1, []int{1, 2}, []float64{1, 1}).run() })
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOwnPolicy writes First-Fit as a user might, and has the schedule of ours.
func TestOwnPolicy(t *testing.T) {
	own := policy.New("my First-Fit", func(v *policy.View) {
		for j := range v.Queue() {
			v.StartJob(j)
		}
	})
	fcfs := policy.NewPreemptive("my preemptive MSF", func(v *policy.View) {
		free := v.Servers
		for k := len(v.Needs) - 1; k >= 0; k-- {
			n := min(v.Waiting[k]+v.Running[k], free/v.Needs[k])
			free -= n * v.Needs[k]
			v.Serve(k, n)
		}
	})
	for seed := range uint64(10) {
		log := randomLog(rand.New(rand.NewPCG(seed, 9)), 6, 150, false)
		for _, c := range [][2]policy.Policy{{own, policy.FirstFit{}}, {fcfs, policy.PreemptiveMostServersFirst{}}} {
			a, _ := schedule(c[0], 6, log)
			if b, _ := schedule(c[1], 6, log); !slices.Equal(a, b) {
				t.Errorf("seed %d: %s differs from %s", seed, c[0], c[1])
			}
		}
	}
}

// TestOvertaking counts by hand, over all pairs of jobs.
func TestOvertaking(t *testing.T) {
	log := randomLog(rand.New(rand.NewPCG(4, 4)), 6, 300, false)
	classes := 0
	for _, j := range log {
		classes = max(classes, j.Class+1)
	}
	for _, p := range []policy.Policy{policy.FirstFit{}, policy.EASY().Estimates(policy.Given()), policy.LeastServersFirst{}} {
		started := make([]bool, len(log))
		s := New(compiled.System{Servers: 6, Policy: p, Needs: needsOf(log)})
		total := 0
		s.CountOvertaking(classes, func(n int64, class int32, overtaken []int) {
			want := make([]int, classes)
			for i := range n {
				if !started[i] {
					want[log[i].Class]++
					total++
				}
			}
			started[n] = true
			if !slices.Equal(want, overtaken) {
				t.Fatalf("%s: job %d overtakes %v, by hand %v", p, n, overtaken, want)
			}
		})
		s.ResetTo(Log(log), 0)
		s.Until(math.MaxInt64)
		if !s.Done() || s.InSystem() > 0 || total == 0 {
			t.Errorf("%s: %d jobs left, %d overtaken", p, s.InSystem(), total)
		}
	}
}

// TestMeasures checks the measures of single jobs against the records of a run.
func TestMeasures(t *testing.T) {
	plan := smallPlan(policy.PreemptiveLeastServersFirst{}, 4, 1.5, []int{1, 4}, []float64{1, .5})
	plan.Replications, plan.WarmUp, plan.Length, plan.Threshold, plan.InTime = 2, 0, 3000, 0.5, 1
	r := plan.run()
	var slow, preempted, inTime, responseInTime, n float64
	for rep := range uint64(2) {
		s := New(compiled.System{Servers: 4, Policy: plan.Policy, Needs: plan.Needs})
		s.Recorded = func(j *Record) {
			if j.Number >= 3000 {
				return
			}
			n++
			slow += max(1, (j.Wait+j.Service)/max(j.Service, 0.5))
			preempted += float64(j.Preemptions)
			if j.Wait <= 1 {
				inTime++
			}
			if j.Wait+j.Service <= 1 {
				responseInTime++
			}
			if math.Abs(j.End-j.Arrival-j.Wait-j.Service) > 1e-9 || j.Start < j.Arrival || j.Preemptions == 0 && math.Abs(j.End-j.Start-j.Service) > 1e-9 {
				t.Fatalf("record %+v", *j)
			}
		}
		s.Reset(plan.Input.Reader(rep))
		s.Until(6000)
	}
	for _, c := range []struct {
		what string
		got  result.Estimate
		want float64
	}{
		{"slowdown", r.All.Slowdown.Mean, slow / n}, {"preemptions", r.All.Preemptions, preempted / n},
		{"waits in time", r.All.WaitingInTime, inTime / n}, {"responses in time", r.All.ResponseInTime, responseInTime / n},
		{"killed", r.All.Killed, 0},
	} {
		if math.Abs(c.got.Value-c.want) > 1e-9*(1+c.want) {
			t.Errorf("%s: %v, from the records %v", c.what, c.got, c.want)
		}
	}
	if preempted == 0 || r.Classes[0].Preemptions.Value != 0 {
		t.Errorf("preemptions %v; of the smallest class %v", preempted, r.Classes[0].Preemptions)
	}
}

// TestServed: the stretches in which a job ran make up its service.
func TestServed(t *testing.T) {
	log := randomLog(rand.New(rand.NewPCG(6, 6)), 6, 200, false)
	got := make([]float64, len(log))
	s := New(compiled.System{Servers: 6, Policy: policy.ServerFilling{}, Needs: needsOf(log)})
	s.Served = func(n int64, _ int32, _ int, from, to float64) { got[n] += to - from }
	s.ResetTo(Log(log), 0)
	s.Until(math.MaxInt64)
	for i, j := range log {
		if math.Abs(got[i]-j.Service) > 1e-9 {
			t.Errorf("job %d ran for %v of %v", i, got[i], j.Service)
		}
	}
}
