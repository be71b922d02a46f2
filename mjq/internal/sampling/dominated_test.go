package sampling

import (
	"context"
	"math"
	"sync/atomic"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// threeClasses is a queue of four servers at the given load of its dominating
// queue, services of three different laws.
func threeClasses(load float64, workers int) *Dominated {
	needs, probs := []int{1, 2, 4}, []float64{0.5, 0.3, 0.2}
	laws := []law.Law{law.ExpMean(0.5), law.Uniform{Lo: 0, Hi: 3}, law.Lomax{Shape: 3.5, Scale: 2}}
	mean := 0.0
	var jobs, spreads []stream.Class
	for k, l := range laws {
		mean += probs[k] * l.Mean()
		jobs = append(jobs, stream.Class{Need: needs[k], Prob: probs[k], Service: l})
	}
	for k, l := range laws {
		spreads = append(spreads, stream.Class{Need: needs[k], Prob: probs[k] * l.Mean() / mean, Service: law.Spread(l)})
	}
	return &Dominated{Load: load, Initial: stream.New(5, law.Uniform{Lo: 0, Hi: 1}, spreads),
		System: System{System: compiled.System{Servers: 4, Needs: needs, Probs: probs, Input: stream.New(5, law.ExpMean(mean/load), jobs)}, Workers: workers}}
}

// TestDominatedPath reverses paths of the dominating queue and checks what holds
// for every one of them: the work that the reversed path leaves at time 0, what
// the customers present had been served, must be the workload that a single
// server has then of the arrivals found, and no coordinate of the true queue may
// exceed that server's workload at any arrival.
func TestDominatedPath(t *testing.T) {
	d := threeClasses(0.9, 1)
	p, stop := d.newPast(), new(atomic.Bool)
	long, busy := 0, 0
	for rep := range uint64(300) {
		p.reader.Rewind(rep)
		p.initial.Rewind(rep)
		d.equilibrium(p)
		served := 0.0
		for _, c := range p.present {
			served += p.whole[c.ID].service - c.Key
		}
		d.recall(stop, p, rep)
		work := 0.0 // of the single server, by Lindley's recursion
		queue := p.long.(*chain)
		queue.empty()
		now := 0.0
		for i := len(p.left) - 1; i >= 0; i-- {
			c := p.left[i]
			queue.runs.View(&queue.view, now)
			if queue.view.Max() > work+1e-9 {
				t.Fatalf("replication %d: a coordinate of %v above the single server's %v", rep, queue.view.Max(), work)
			}
			queue.runs.Step(now, c.need, c.service)
			gap := c.ago
			if i > 0 {
				gap -= p.left[i-1].ago
			}
			if gap < 0 || i == len(p.left)-1 && work != 0 {
				t.Fatalf("replication %d: departures out of order", rep)
			}
			now += gap
			work = max(0, work+c.service-gap)
		}
		if math.Abs(work-served) > 1e-9*(1+now) {
			t.Errorf("replication %d: the single server holds %v at time 0, the reversed path says %v", rep, work, served)
		}
		if queue.runs.View(&queue.view, now); queue.view.Max() > work+1e-9 {
			t.Errorf("replication %d: %v above the bound %v at time 0", rep, queue.view.Max(), work)
		}
		if len(p.left) > block {
			long++
		}
		if work > 0 {
			busy++
		}
		want := queue.view.Wait(2)
		if d.sample(stop, p, rep); len(p.left) > 0 {
			if queue.runs.View(&queue.view, queue.now); math.Abs(queue.view.Wait(2)-want) > 1e-9*(1+now) {
				t.Errorf("replication %d: wait %v, without moving the origin %v", rep, queue.view.Wait(2), want)
			}
		}
	}
	if long < 20 || busy < 200 {
		t.Errorf("only %d long paths and %d busy ones were seen", long, busy)
	}
}

// TestDominatedEndsInATask ends the context before the samples of a task are merged: with
// thousands of classes each takes a millisecond.
func TestDominatedEndsInATask(t *testing.T) {
	d := threeClasses(0.5, 1)
	d.Samples = together
	part := new(dominatedPart)
	d.batch(new(atomic.Bool), d.newPast(), 0, part)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res := &BackwardResult{Classes: make([]Gathered, len(d.Needs))}
	if d.merge(ctx, res, &part.batchPart); res.Done != 1 || res.All.Waiting.N != 1 {
		t.Errorf("%d samples merged, %d of them counted, want 1", res.Done, res.All.Waiting.N)
	}
}
