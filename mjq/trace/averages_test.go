package trace_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// occupied adds up, between two times, the servers that a path has busy, its jobs, and the servers idle
// while a job waits.
func occupied(jobs []trace.Job, starts []float64, servers int, from, to float64) (busy, present, blocked float64) {
	at := []float64{from, to}
	for i, j := range jobs {
		for _, x := range []float64{j.Arrival, starts[i], starts[i] + j.Service} {
			if x > from && x < to {
				at = append(at, x)
			}
		}
	}
	slices.Sort(at)
	for k, x := range at[1:] {
		middle, length := (x+at[k])/2, x-at[k]
		held, there, waiting := 0, 0, false
		for i, j := range jobs {
			switch {
			case middle < j.Arrival || middle > starts[i]+j.Service:
				continue
			case middle < starts[i]:
				waiting = true
			default:
				held += j.Need
			}
			there++
		}
		busy += length * float64(held)
		present += length * float64(there)
		if waiting {
			blocked += length * float64(servers-held)
		}
	}
	return busy, present, blocked
}

// TestAveragesOverTheWindow: averages over time are those of the window, as jobs counted one by one give
// them, and the waits are those of all jobs in it.
func TestAveragesOverTheWindow(t *testing.T) {
	const servers = 16
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		var jobs []trace.Job
		at := 100.
		for range 300 {
			at += r.ExpFloat64()
			jobs = append(jobs, trace.Job{Arrival: at, Need: 1 << r.IntN(4), Service: 4 * r.ExpFloat64(), WaitKnown: true, Waited: r.ExpFloat64(), Class: []string{"a", "b"}[r.IntN(2)]})
		}
		log := trace.New("log", jobs)
		since, until := jobs[60].Arrival-0.1, jobs[240].Arrival+0.1*float64(seed)
		in := log.Within(since, until)
		for name, how := range map[string]trace.Replay{
			"FCFS":       {Servers: servers},
			"EASY":       {Servers: servers, Policy: policy.EASY()},
			"Engine":     {Servers: servers, Limits: []trace.Limit{{By: trace.EachClass, Name: "none", Servers: servers}}},
			"Nodes":      {Nodes: []spec.Nodes{{Count: 2, Units: 8}}},
			"Partitions": {Partitions: []trace.Partition{{Name: "a", Servers: servers}, {Name: "b", Servers: servers}}},
			"Empty":      {Servers: servers, FromEmpty: true},
		} {
			begin := in.Begin
			if how.FromEmpty {
				begin = nil
			}
			all := append(append([]trace.Job{}, begin...), in.Jobs...)
			res := mjq.Must(in.Replay(background, how, mjq.NoCache()))
			total := servers
			starts := make([]float64, len(all))
			if len(how.Partitions) == 0 {
				path := mjq.Must(trace.New("all", all).Path(background, trace.Replay{Servers: how.Servers, Nodes: how.Nodes, Policy: how.Policy}, 0, 0, mjq.NoCache()))
				for _, j := range path.Jobs {
					starts[j.Number] = j.Start
				}
			} else {
				total = 2 * servers
				for _, class := range []string{"a", "b"} {
					var of []int
					var mine []trace.Job
					for i, j := range all {
						if j.Class == class {
							of, mine = append(of, i), append(mine, j)
						}
					}
					path := mjq.Must(trace.New(class, mine).Path(background, trace.Replay{Servers: servers}, 0, 0, mjq.NoCache()))
					for _, j := range path.Jobs {
						starts[of[j.Number]] = j.Start
					}
				}
			}
			busy, present, blocked := occupied(all, starts, total, since, until)
			if len(how.Partitions) > 0 {
				blocked = res.WastedHOL.Value * (until - since) // a job of one part does not wait for the other
			}
			if seed == 0 && blocked == 0 {
				t.Errorf("%s: nothing is blocked", name)
			}
			wait := 0.
			for i := range in.Jobs {
				wait += starts[len(begin)+i] - in.Jobs[i].Arrival
			}
			span := until - since
			for what, x := range map[string][2]float64{
				"Utilization": {res.Utilization.Value * float64(total), busy / span},
				"Idle":        {res.Idle.Value, float64(total) - busy/span},
				"MeanJobs":    {res.MeanJobs.Value, present / span},
				"WastedHOL":   {res.WastedHOL.Value, blocked / span},
				"Waiting":     {res.All.Waiting.Mean.Value, wait / float64(len(in.Jobs))},
			} {
				if math.Abs(x[0]-x[1]) > 1e-9*(1+math.Abs(x[1])) {
					t.Errorf("seed %d, %s: %s is %v, want %v", seed, name, what, x[0], x[1])
				}
			}
		}
	}
	if s := fmt.Sprint(trace.New("x", []trace.Job{{Arrival: 3, Need: 1, Service: 1}, {Arrival: 5, Need: 1, Service: 1}}).Within(math.Inf(-1), 4).Window().Since); s != "3" {
		t.Error(s)
	}
}
