package trace_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// randomJobs are jobs of the given needs that come so fast that most of them wait.
func randomJobs(needs []int, servers int) (jobs []trace.Job) {
	rng, now := rand.New(rand.NewPCG(4, 39)), 0.0
	for range 400 {
		need := needs[rng.IntN(len(needs))]
		jobs = append(jobs, trace.Job{Arrival: now, Need: need, Class: fmt.Sprintf("T%d", need), Service: rng.ExpFloat64()})
		now += rng.ExpFloat64() * float64(2*need) / float64(servers)
	}
	return jobs
}

// TestReplayOnNodes: one node is a pool, and jobs of whole nodes have as many servers as there are
// nodes.
func TestReplayOnNodes(t *testing.T) {
	ctx := context.Background()
	for i, p := range []mjq.Policy{nil, mjq.FirstFit(), mjq.EASY(), mjq.Conservative(), mjq.Priority([]string{"T8"}), mjq.Priority([]string{"T8"}).Within(mjq.EASY())} {
		log := &trace.Trace{Name: "one", Jobs: randomJobs([]int{1, 4, 8}, 8)}
		pool := mjq.Must(log.Replay(ctx, trace.Replay{Servers: 8, Policy: p}))
		one := mjq.Must(log.Replay(ctx, trace.Replay{Nodes: []spec.Nodes{{Count: 1, Units: 8}}, Policy: p}))
		if a, b := one.All.Waiting.Mean.Value, pool.All.Waiting.Mean.Value; !(a-b < 1e-9 && b-a < 1e-9) || a == 0 {
			t.Errorf("%v: one node %v, a pool %v", p, a, b)
		}
		if one.Fragmentation.Held.Value != 0 || pool.Fragmentation.Held.Known() {
			t.Errorf("%v: held %v and %v", p, one.Fragmentation, pool.Fragmentation)
		}
		if i >= 2 {
			continue // reservations are of certain nodes, of a pool of any servers
		}
		whole := &trace.Trace{Name: "whole", Jobs: randomJobs([]int{4, 8}, 24)}
		nodes := mjq.Must(whole.Replay(ctx, trace.Replay{Nodes: []spec.Nodes{{Count: 6, Units: 4}}, Policy: p, Placement: mjq.WorstFit()}))
		for i := range whole.Jobs {
			whole.Jobs[i].Need /= 4
		}
		servers := mjq.Must(whole.Replay(ctx, trace.Replay{Servers: 6, Policy: p}))
		if a, b := nodes.All.Waiting.Mean.Value, servers.All.Waiting.Mean.Value; !(a-b < 1e-9 && b-a < 1e-9) || a == 0 {
			t.Errorf("%v: six nodes %v, six servers %v", p, a, b)
		}
	}
}

// TestReplayHeld: two jobs of two units on the emptiest of two nodes of four hold one of four
// back, which starts at once beside them on the fullest.
func TestReplayHeld(t *testing.T) {
	ctx := context.Background()
	log := &trace.Trace{Name: "held", Jobs: []trace.Job{{Need: 2, Service: 10}, {Need: 2, Service: 10}, {Arrival: 1, Need: 4, Service: 1}}}
	on := func(jobs []trace.Job, p mjq.Placement) string {
		log.Jobs = jobs
		r := mjq.Must(log.Replay(ctx, trace.Replay{Nodes: []spec.Nodes{{Count: 2, Units: 4}}, Placement: p}))
		f := r.Fragmentation
		return fmt.Sprintf("wait %.4g, held %.4g, stranded %.4g, empty %.4g", r.Class("T4").Waiting.Mean.Value, f.Held.Value, f.Stranded.Value, f.EmptyNodes.Value)
	}
	if got, want := on(log.Jobs, mjq.BestFit()), "wait 0, held 0, stranded 0, empty 0.9"; got != want {
		t.Errorf("best fit: %s, want %s", got, want)
	}
	if got, want := on(log.Jobs, mjq.WorstFit()), "wait 9, held 0.8182, stranded 3.273, empty 0.09091"; got != want {
		t.Errorf("worst fit: %s, want %s", got, want)
	}
	spread := log.Jobs
	spread[2].Nodes = 2 // two units on each node, as in the log
	if got, want := on(spread, mjq.WorstFit()), "wait 0, held 0, stranded 0, empty 0"; got != want {
		t.Errorf("on two nodes: %s, want %s", got, want)
	}
}

// TestReplayAnywhere: jobs that need neither a part of a node nor whole ones lie anywhere, which
// a note counts. EASY reserves units for them: of three nodes of four, nine units from time 10 on
// leave three of the last node to a long job, and not four.
func TestReplayAnywhere(t *testing.T) {
	ctx := context.Background()
	log := &trace.Trace{Name: "odd", Jobs: []trace.Job{{Need: 3, Service: 1}, {Need: 6, Service: 1}}}
	how := trace.Replay{Nodes: []spec.Nodes{{Count: 3, Units: 4}}}
	if r := mjq.Must(log.Replay(ctx, how)); !strings.Contains(strings.Join(r.Notes, "\n"), "1 of the jobs take units on any nodes") {
		t.Error(r.Notes)
	}
	log.Jobs = []trace.Job{{Need: 6, Service: 10}, {Arrival: 1, Need: 9, Service: 1}, {Arrival: 2, Need: 4, Service: 20}, {Arrival: 3, Need: 3, Service: 20}}
	for p, want := range map[mjq.Policy]string{mjq.FirstFit(): "9 waits 21, 4 waits 0, 3 waits 7", mjq.EASY(): "9 waits 9, 4 waits 9, 3 waits 0"} {
		how.Policy, how.Placement = p, mjq.LowestFit()
		r := mjq.Must(log.Replay(ctx, how))
		wait := func(class string) float64 { return r.Class(class).Waiting.Mean.Value }
		if got := fmt.Sprintf("9 waits %.4g, 4 waits %.4g, 3 waits %.4g", wait("T9"), wait("T4"), wait("T3")); got != want {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
	}
	how.Policy = mjq.Priority([]string{"T3"}).Preemptive(mjq.Resampled)
	if _, err := log.Replay(ctx, how); err == nil || !strings.Contains(err.Error(), "choose restart") {
		t.Error(err)
	}
	if _, err := log.Replay(ctx, trace.Replay{Servers: 12, Placement: mjq.BestFit()}); err == nil || !strings.Contains(err.Error(), "give Nodes") {
		t.Error(err)
	}
}

// TestNodesInCSV: the numbers of nodes are read as they were written.
func TestNodesInCSV(t *testing.T) {
	jobs := []trace.Job{{Need: 8, Service: 1, Nodes: 2, Line: 2}, {Arrival: 1, Need: 1, Service: 1, Line: 3}}
	var text bytes.Buffer
	if err := trace.WriteCSV(&text, jobs); err != nil {
		t.Fatal(err)
	}
	log, err := trace.ReadCSV("x.csv", &text, trace.CSV{})
	if err != nil || len(log.Jobs) != 2 || log.Jobs[0].Nodes != 2 || log.Jobs[1].Nodes != 0 {
		t.Errorf("%v, %v", log, err)
	}
}
