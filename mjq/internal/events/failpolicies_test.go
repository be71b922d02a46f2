package events

import (
	"math"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// failingPool is five servers that fail by two kinds, one of which has clocks of its own, and jobs of
// two classes with different aftermaths.
func failingPool(p policy.Policy) compiled.System {
	classes := []stream.Class{{Need: 1, Prob: 0.7, Service: law.ExpMean(1)}, {Need: 3, Prob: 0.3, Service: law.ExpMean(1.25)}}
	q := compiled.System{Servers: 5, Classes: 2, Needs: []int{1, 3}, Probs: []float64{0.7, 0.3}, Policy: p,
		Known: []policy.Class{{Name: "one", Need: 1, Mean: 1}, {Name: "three", Need: 3, Mean: 1.25}},
		Failing: &compiled.Failing{Servers: 5, Usable: 4, Crews: 1,
			Kinds: []compiled.FailureKind{{Rate: 0.05, Up: law.ExpMean(20), Repair: law.ExpMean(1)},
				{Up: law.ErlangMeanPhases(15, 3), Repair: law.HyperExpMeanSCV(0.5, 3), WhileBusy: true},
				{Up: law.Deterministic{X: 12}, Repair: law.Deterministic{}, Lemons: 1, Factor: 3, Notice: 0.2}},
			After: []policy.Checkpoint{{Every: 0.4, Cost: 0.05, Recovery: 0.1, Detection: 0.05}, {How: policy.Resampled, Recovery: 0.2}},
			Work:  []compiled.Sampler{law.ExpMean(1), law.ExpMean(1.25)}}}
	q.Input = stream.New(7, law.ExpRate(0.8), classes)
	return q
}

// failingNodes is the same on three nodes of two units, where jobs of three lie anywhere.
func failingNodes(q compiled.System) compiled.System {
	f := *q.Failing
	f.Servers, f.Usable = 3, 6
	q.Servers, q.Failing = 6, &f
	q.Nodes = &compiled.Nodes{Kinds: []compiled.NodeKind{{Count: 3, Units: []int{2}}}, Probs: q.Probs, Placement: placement.BestFit{},
		Spans: []compiled.Span{{Nodes: 1, Each: []int{1}}, {Nodes: 0, Each: []int{3}}}}
	q.Known = []policy.Class{{Name: "one", Need: 1, Mean: 1, Nodes: 1}, {Name: "three", Need: 3, Mean: 1.25, Nodes: 0}}
	return q
}

// failingElastic is the same with jobs of three servers that run on two to five, and survive failures.
func failingElastic(q compiled.System) compiled.System {
	f := *q.Failing
	f.Kinds, f.After = slices.Clone(f.Kinds), slices.Clone(f.After)
	f.Kinds[2].Notice, f.After[1].Shrink, f.After[1].Detection = 0, true, 0.05
	q.Failing, q.Needs = &f, []int{1, 2}
	q.Known = []policy.Class{{Name: "one", Need: 1, Mean: 1}, {Name: "three", Need: 2, Mean: 1.25}}
	q.Elastic = &compiled.Elastic{Of: []int32{0, 1}, Forms: []compiled.Form{{Least: 2, Need: 3, Most: 5, Speed: []float64{0, 0, 0.7, 1, 1.2, 1.4}, Cost: 0.05}}}
	return q
}

// TestFailingUnderPolicies: under every policy that serves them, all jobs are served in the end, no
// more servers are held than jobs may have, and the hours that jobs account for are those for which
// they hold servers.
func TestFailingUnderPolicies(t *testing.T) {
	policies, tried := append(policy.Examples(), policy.Priority{Levels: [][]string{{"three"}, {"one"}}}), 0
	for _, p := range policies {
		for _, nodes := range []string{"none", "three", "none, elastic"} {
			q := failingPool(p)
			switch nodes {
			case "three":
				q = failingNodes(q)
			case "none, elastic":
				if e, estimates := p.(policy.Estimator); estimates {
					if _, kills := e.Limits(); kills {
						continue
					}
				}
				q = failingElastic(q)
			}
			if p.Properties().Preemptive || p.Properties().Given || policy.Validate(p, q.Seen(p)) != nil || !policy.TakesBack(p.Scheduler(q.Seen(p))) {
				continue
			}
			tried++
			s := New(q)
			served, hits, need := 0, 0, 0.
			s.Recorded = func(r *Record) {
				served++
				hits += r.Interruptions
				if q.Elastic != nil {
					need += r.Held
				} else {
					need += float64(r.Need) * (r.Service + r.Lost)
				}
			}
			const jobs = 3000
			s.Replicate(q.Input.Reader(1))
			for n := range int64(jobs) {
				s.Until(n)
				f, more := s.failing, 0
				if s.stretch != nil {
					more = s.stretch.extra
				}
				if f.held+more > f.Usable || s.view.Free < 0 || f.open < more || f.held+f.open > s.view.Servers {
					t.Fatalf("%v: %d and %d servers are held of %d, %d are free", p, f.held, more, f.Usable, s.view.Free)
				}
			}
			for n := int64(jobs); s.InSystem() > 0 && n < 2*jobs; n++ { // to a time at which there is no job
				s.Until(n)
			}
			f, a := s.failing, s.Take()
			h := f.hours
			held, busy := h.Kept+h.Checkpoints+h.Recovery+h.Detection+h.Lost+h.Resizing, a.Time*float64(s.view.Servers)-a.Idle
			if s.InSystem() > 0 || math.Abs(held-busy) > 1e-6*busy || math.Abs(need-busy) > 1e-6*busy {
				t.Errorf("%v, nodes %v: jobs held servers for %v hours, account for %v and record %v; %d are left", p, nodes, busy, held, need, s.InSystem())
			}
			if served < jobs || hits < jobs/50 || h.Lost == 0 || h.Recovery == 0 || h.Checkpoints == 0 || h.Detection == 0 {
				t.Errorf("%v, nodes %v: %d jobs, %d hits, %+v", p, nodes, served, hits, h)
			}
		}
	}
	if tried < 18 {
		t.Errorf("only %d cases", tried)
	}
}

// TestFailingByOneStreamOrClocks: an exponential kind fails as often, and for as long, whether its
// servers have one stream of failures or clocks of their own, busy or not.
func TestFailingByOneStreamOrClocks(t *testing.T) {
	for _, busy := range []bool{false, true} {
		var up [2]float64
		for i, rate := range []float64{0.05, 0} {
			q := failingPool(policy.FCFS{})
			f := *q.Failing
			f.Kinds = []compiled.FailureKind{{Rate: rate, Up: law.ExpMean(20), Repair: law.ExpMean(4), WhileBusy: busy, Lemons: 2, Factor: 2}}
			q.Failing = &f
			plan := Plan{System: q, Replications: 20, Batches: 1, WarmUp: 300, Length: 4000, Level: 0.95, Workers: 1}
			r := plan.Run(t.Context(), nil)
			up[i] = r.Up.Value
			if d := math.Abs(up[0] - up[1]); i == 1 && d > 4*r.Up.HalfWidth {
				t.Errorf("busy %v: %v servers are up by a stream, %v by clocks", busy, up[0], r.Up)
			}
		}
	}
}
