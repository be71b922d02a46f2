package events

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// randomServices are laws of services; of whole numbers only, none among them, so that
// much happens at one instant, or of any.
func randomServices(rng *rand.Rand, whole bool) law.Law {
	if whole {
		return law.NewEmpirical([]float64{0, 1, 1, float64(rng.IntN(6))})
	}
	return []law.Law{law.ExpMean(1 + rng.Float64()), law.ErlangMeanPhases(2, 3), law.HyperExpMeanSCV(1, 9), law.Lomax{Shape: 1.5, Scale: 1},
		law.Deterministic{X: 1e-12}, law.WeibullMeanShape(1, 0.3), law.ExpMean(1e9)}[rng.IntN(7)]
}

// randomArrivals are renewal, modulated, by a clock or in batches, all of one rate.
func randomArrivals(rng *rand.Rand, rate float64, whole bool) (p arrival.Process) {
	switch kind := rng.IntN(5); {
	case whole:
		p = arrival.Renewal{Gap: law.NewEmpirical([]float64{0, 1, 2, 2})}
	case kind == 0:
		p = arrival.MMPP([]float64{0.2, 3}, [][]float64{{-0.1, 0.1}, {0.2, -0.2}})
	case kind == 1:
		p = arrival.Profile{Period: 10, Rates: []float64{0, 2, 1}}
	case kind == 2:
		p = arrival.Renewal{Gap: law.ErlangMeanPhases(1, 2)}
	default:
		p = arrival.Renewal{Gap: law.ExpRate(1)}
	}
	if rng.IntN(3) == 0 {
		p = arrival.Batches{Of: p, Sizes: arrival.Sizes{0.5, 0.2, 0, 0.3}}
	}
	if !whole {
		p = p.AtRate(rate)
	}
	return p
}

// randomPlan is of a queue that may or may not be stable.
func randomPlan(seed uint64) *Plan {
	rng := rand.New(rand.NewPCG(seed, 11))
	p := &Plan{System: compiled.System{Servers: 1 + rng.IntN(8), Classes: 1 + rng.IntN(5)}, Replications: 1 + rng.IntN(4), Batches: 1, Level: 0.95, Workers: 1,
		WarmUp: int64(rng.IntN(3) * rng.IntN(500)), Length: int64(1 + rng.IntN(1500))}
	if rng.IntN(3) == 0 {
		p.Servers *= 40
	}
	whole := rng.IntN(3) == 0
	var classes []stream.Class
	work := 0.0
	for range p.Classes {
		need := 1 + min(rng.IntN(p.Servers), rng.IntN(p.Servers))
		c := stream.Class{Need: need, Prob: 1 / float64(p.Classes), Service: randomServices(rng, whole)}
		classes, p.Needs = append(classes, c), append(p.Needs, need)
		work += c.Prob * float64(need) * c.Service.Mean()
	}
	load := []float64{0.3, 0.6, 0.8, 1.5}[rng.IntN(4)]
	arrivals := randomArrivals(rng, load*float64(p.Servers)/work, whole)
	if err := arrivals.Validate(); err != nil {
		panic(err)
	}
	p.Input = stream.NewFrom(seed, arrivals, classes)
	if rng.IntN(2) == 0 {
		p.Replications, p.Batches, p.Length = 1, 10+rng.IntN(10), int64(1+rng.IntN(300))
	}
	if rng.IntN(2) == 0 {
		p.Enough = replicate.Target{RelErr: 0.1}.Rule(max(2, p.Batches))
		if p.Batches > 1 { // a target that may never be met
			p.Enough = replicate.Rule(func(done int, _ func() result.Estimate) bool { return done >= 3*p.Batches })
		}
	}
	if rng.IntN(2) == 0 {
		p.Threshold, p.InTime = rng.Float64(), 3*rng.Float64()
	}
	return p
}

// saw is all that a run says, to the bit, and what it reports on the way.
func saw(p *Plan) string {
	var reports []float64
	res := p.Run(context.Background(), func(done, total float64) { reports = append(reports, done, total) })
	return fmt.Sprintf("%#v", *res) + fmt.Sprint(reports)
}

// agrees runs a random plan with and without a policy that is asked: every digit must be
// the same.
func agrees(t *testing.T, seed uint64) {
	own, general := randomPlan(seed), randomPlan(seed)
	general.Policy, general.general = policy.FCFS{}, true
	if !own.plain() || general.plain() {
		t.Fatal("the same engine twice")
	}
	if seed%2 == 0 {
		own.Policy = policy.FCFS{}
	}
	if a, b := saw(own), saw(general); a != b {
		t.Errorf("plan %d: FCFS alone says\n%.2000s\nas a policy that is asked\n%.2000s", seed, a, b)
	}
}

// TestInOrder holds FCFS alone against the general engine, to the bit.
func TestInOrder(t *testing.T) {
	for seed := range uint64(oracle.Sized(40, 200)) {
		agrees(t, seed)
	}
}

// FuzzInOrder goes on from where TestInOrder ends.
func FuzzInOrder(f *testing.F) {
	f.Add(uint64(1000))
	f.Fuzz(agrees)
}

// TestInOrderAllocatesNothing: a run allocates nothing once warm.
func TestInOrderAllocatesNothing(t *testing.T) {
	input := stream.New(1, law.ExpRate(1), []stream.Class{{Need: 1, Prob: 1, Service: law.ExpMean(7)}})
	s := newInOrder(10, 1, func(int64, []began) {})
	s.Replicate(input.Reader(0))
	s.Until(1 << 16)
	next := int64(1 << 16)
	if allocs := testing.AllocsPerRun(10, func() { next += 1 << 10; s.Until(next) }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
