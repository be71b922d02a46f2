package events

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// TestPlacedPairsStaySame: two systems on nodes that are called the same do the same from then on.
// They must have the same jobs on the same nodes, and break ties alike whatever has been before.
func TestPlacedPairsStaySame(t *testing.T) {
	for _, fit := range []placement.Placement{placement.BestFit{}, placement.WorstFit{}, placement.RandomFit{}, placement.LowestFit{}, anyFit{}} {
		for _, p := range []policy.Policy{policy.FCFS{}, policy.FirstFit{}, policy.EASY()} {
			n := &compiled.Nodes{Kinds: []compiled.NodeKind{{Count: 3, Units: []int{4}}, {Count: 2, Units: []int{6}}}, Probs: []float64{0.6, 0.3, 0.1}, Placement: fit,
				Spans: []compiled.Span{{Nodes: 1, Each: []int{1}}, {Nodes: 1, Each: []int{3}}, {Nodes: 2, Each: []int{4}}}}
			input := stream.New(3, law.ExpRate(4), []stream.Class{{Need: 1, Prob: 0.6, Service: law.ExpRate(1)},
				{Need: 3, Prob: 0.3, Service: law.ExpRate(1)}, {Need: 8, Prob: 0.1, Service: law.ExpRate(1)}})
			two := newPair(func() *Simulator { return New(compiled.System{Nodes: n, Policy: p}) }, input.Unit())
			for rep := range uint64(12) {
				two.begin(new(atomic.Bool), input, rep)
				for !two.same() {
					two.step()
				}
				for range 500 {
					two.step()
					if x, y := two.first.works(nil), two.second.works(nil); !slices.EqualFunc(x, y, two.sameWork) {
						t.Fatalf("%v, %v: at job %d\n%+v\n%+v", fit, p, two.next, x, y)
					}
				}
			}
		}
	}
}

// anyFit is RandomFit as a user would write it.
type anyFit struct{ placement.BestFit }

func (anyFit) Score(_, _, _ []int) float64 { return 0 }

// TestPlacedPairsChooseEqually: a job takes each of the nodes that are preferred equally with the same
// probability, be they empty or with a part of the same job.
func TestPlacedPairsChooseEqually(t *testing.T) {
	five := &compiled.Nodes{Kinds: []compiled.NodeKind{{Count: 5, Units: []int{4}}}, Probs: []float64{0.5, 0.5}, Placement: anyFit{}, Spans: []compiled.Span{{Nodes: 1, Each: []int{1}}, {Nodes: 2, Each: []int{2}}}}
	n, count := newPair(func() *Simulator { return New(compiled.System{Nodes: five, Policy: policy.FCFS{}}) }, 1).first.nodes, make([]float64, 5)
	n.reset(1)
	j := func(kind int, number int64) *job {
		return &job{Job: policy.Job{Kind: kind, Number: number, Need: []int{1, 4}[kind]}}
	}
	n.seize(j(1, -1), 0)
	n.seize(j(0, -2), 0)
	const jobs = 70_000
	for i := range int64(jobs) {
		one := j(0, i)
		n.seize(one, 0)
		count[one.at]++
		n.release(one, 0)
	}
	for node, c := range count { // a binomial count is within five standard deviations but for one in a million
		if math.Abs(c-jobs/5) > 5*math.Sqrt(jobs*0.2*0.8) {
			t.Errorf("node %d is taken %v times, each %d times on average", node, c, jobs/5)
		}
	}
}
