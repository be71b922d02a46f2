package events

import (
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// TestPlacedPairsStaySame: two systems on nodes that are called the same do the same from then on.
// They must have the same jobs on the same nodes, and break ties alike whatever has been before.
func TestPlacedPairsStaySame(t *testing.T) {
	for _, fit := range []placement.Placement{placement.BestFit{}, placement.WorstFit{}, placement.RandomFit{}, placement.LowestFit{}} {
		for _, p := range []policy.Policy{policy.FCFS{}, policy.FirstFit{}, policy.EASY()} {
			n := &Nodes{Kinds: []NodeKind{{Count: 4, Units: []int{4}}}, Probs: []float64{0.6, 0.3, 0.1}, Placement: fit,
				Spans: []Span{{1, []int{1}}, {1, []int{3}}, {2, []int{4}}}}
			input := stream.New(3, law.ExpRate(3), []stream.Class{{Need: 1, Prob: 0.6, Service: law.ExpRate(1)},
				{Need: 3, Prob: 0.3, Service: law.ExpRate(1)}, {Need: 8, Prob: 0.1, Service: law.ExpRate(1)}})
			two := newPair(func() *Simulator { return NewPlaced(n, p) }, input.Unit())
			for rep := range uint64(30) {
				two.begin(input, rep)
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
