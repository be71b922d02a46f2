package sampling

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestChargesBoundPiles: no pile is higher than what its jobs are charged, whatever is
// taken as short and as wide.
func TestChargesBoundPiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		servers := 1 + rng.IntN(40)
		s := &System{System: compiled.System{Servers: servers}}
		var classes []stream.Class
		for range 3 {
			need := 1 + rng.IntN(servers)
			s.Needs, s.Probs = append(s.Needs, need), append(s.Probs, 1./3)
			classes = append(classes, stream.Class{Need: need, Prob: 1. / 3, Service: law.ExpMean(math.Exp(4 * rng.Float64()))})
		}
		s.Input = stream.New(rng.Uint64(), law.ExpMean(1), classes)
		m := &majorantSearch{System: s}
		in, runs := s.newInput(0), fast.NewRuns(servers)
		all := []*Charges{nil, s.ChargesBy(0, s.Needs[0])}
		for _, widest := range s.Needs {
			all = append(all, s.ChargesBy(math.Exp(5*rng.Float64()), int(widest)))
		}
		for _, c := range all {
			m.charges = c
			for i := range int64(20) {
				if height, charges, _ := m.pile(in, runs, 100*i, 1+rng.IntN(100)); !(height <= charges*(1+1e-12)) {
					t.Fatalf("%d servers, needs %v, %+v: a pile of %v is charged %v", servers, s.Needs, c, height, charges)
				}
			}
		}
	}
}

// TestBetsAreFair: where (*) is just false, a capital of 1/δ is a rare event, of
// probability at most δ; where it holds by enough, it comes, and not long after it would
// for who knew from the start how much to stake.
func TestBetsAreFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const runs, blocks, wanted = 2000, 2000, 3.0
	proofs := func(limit float64) (share, after float64) {
		for range runs {
			b := bets{limit: limit}
			for b.n < blocks && b.capital < wanted {
				stake := 0.0
				if b.n >= 20 {
					stake = min(max(b.stake(), 0.1), b.most())
				}
				z := rng.Float64()
				b.add(z*z, stake)
			}
			if b.capital >= wanted {
				share += 1. / runs
				after += b.n
			}
		}
		return share, after / (share * runs)
	}
	if share, _ := proofs(1. / 3); share > math.Exp(-wanted)+4*math.Sqrt(math.Exp(-wanted)/runs) || share == 0 {
		t.Errorf("%v of the proofs succeed where there is nothing to prove", share)
	}
	known := bets{limit: 0.38, mean: 1. / 3, variance: 4. / 45}
	if share, after := proofs(0.38); share < 0.99 || after < wanted/known.growth(known.stake()) || after > 2*wanted/known.growth(known.stake()) {
		t.Errorf("%v of the proofs succeed after %v blocks, foreseen %v", share, after, wanted/known.growth(known.stake()))
	}
}

// TestLongProof: 200 servers with jobs that fit side by side are beyond a proof that
// charges each its service, for the most that is served in a block is then two hundred
// times as long as it takes. The θ that is proved lies below that of the services, and the
// proof takes some million jobs; beyond the limit there is none.
func TestLongProof(t *testing.T) {
	s := &System{System: compiled.System{Servers: 200, Needs: []int{1, 150}, Probs: []float64{0.98, 0.02}}, Light: true, Workers: 2}
	s.Input = stream.New(1, law.ExpMean(1), []stream.Class{{Need: 1, Prob: 0.98, Service: law.ExpMean(1)}, {Need: 150, Prob: 0.02, Service: law.ExpMean(4)}})
	tilted := func(by *Charges) Tilted {
		return func(theta float64, seed uint64) (*stream.Source, float64, float64, bool) {
			if theta >= 0.25 {
				return nil, 0, 0, false
			}
			var classes []stream.Class
			sum := 0.0
			for k, mean := range []float64{1, 4} {
				l, moment := excessOf(mean, theta, by, k)
				classes = append(classes, stream.Class{Need: s.Needs[k], Prob: s.Probs[k] * moment, Service: l})
				sum += s.Probs[k] * moment
			}
			for k := range classes {
				classes[k].Prob /= sum
			}
			return stream.New(seed, law.ExpMean(1), classes), math.Log(sum), -math.Log1p(theta / 6), true
		}
	}
	by := s.ChargesBy(4, 1)
	found, err := s.FindMajorant(context.Background(), tilted(nil), func(context.Context) (*Charges, Tilted) { return by, tilted(by) }, 6, 0.5, 1e-6)
	if err != nil || !(found.Theta > 0.02 && found.Theta < 0.25) {
		t.Errorf("%+v, %v", found, err)
	}
}

// excessOf is an exponential law tilted by its charge, by the formula: up to what is free
// as it was, and beyond with a smaller rate.
func excessOf(mean, theta float64, by *Charges, k int) (law.Law, float64) {
	if by == nil {
		return law.ExpMean(mean / (1 - theta*mean)), 1 / (1 - theta*mean)
	}
	free := by.Free[k]
	tail := math.Exp(-free/mean) / (1 - theta*mean)
	moment := -math.Expm1(-free/mean) + tail
	return broken{law.ExpMean(mean), mean, mean / (1 - theta*mean), free, tail / moment}, moment * math.Exp(theta*by.Each[k])
}

// broken is an exponential law up to a point, and one of another mean beyond.
type broken struct {
	law.Law
	mean, beyond, from, above float64
}

func (l broken) Sample(rng rand.Source) float64 {
	u, v := fastmath.Unit(rng.Uint64()), fastmath.Unit(rng.Uint64())
	if u <= l.above {
		return l.from - l.beyond*math.Log(v)
	}
	return -l.mean * math.Log1p(v*math.Expm1(-l.from/l.mean))
}
