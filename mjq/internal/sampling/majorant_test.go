package sampling

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// The θ of a bound that is searched for by simulation is in proportion to 1/u when
// all times are multiplied by u, however small or large.
func TestMajorantUnits(t *testing.T) {
	find := func(u float64) float64 {
		gap := law.Uniform{Lo: 0, Hi: 2 * u}
		services := []law.Law{law.Uniform{Lo: 0, Hi: 2 * u}, law.Deterministic{X: u}}
		classes := func(probs []float64, laws []law.Law) []stream.Class {
			return []stream.Class{{Need: 1, Prob: probs[0], Service: laws[0]}, {Need: 2, Prob: probs[1], Service: laws[1]}}
		}
		half := []float64{0.5, 0.5}
		sys := System{System: compiled.System{Servers: 3, Needs: []int{1, 2}, Probs: half, Input: stream.New(1, gap, classes(half, services))}}
		tilted := func(theta float64, seed uint64) (*stream.Source, float64, float64, bool) {
			a, x, ok := law.Tilt(services[0], theta)
			b, y, also := law.Tilt(services[1], theta)
			sum := (math.Exp(x) + math.Exp(y)) / 2
			if !ok || !also || math.IsInf(sum, 1) {
				return nil, 0, 0, false
			}
			probs := []float64{math.Exp(x) / 2 / sum, math.Exp(y) / 2 / sum}
			return stream.New(seed, gap, classes(probs, []law.Law{a, b})), math.Log(sum), math.Log(gap.Laplace(theta)), true
		}
		m := &majorantSearch{System: &sys, ctx: context.Background(), tilted: tilted, failure: 1e-6, mean: sys.meanService()}
		return m.largest(64)
	}
	one := find(1)
	if !(one > 0) {
		t.Fatal("no θ was found")
	}
	for _, u := range []float64{0x1p-40, 1e-12, 1e7} {
		if got := find(u) * u; math.Abs(got-one) > 1e-9*one {
			t.Errorf("at u = %g θ·u is %v, should be %v", u, got, one)
		}
	}
}

// TestMajorantBound by hand: Maurer and Pontil's bound of a mean of 101 variables.
func TestMajorantBound(t *testing.T) {
	p := piles{n: 7, mean: 0.3, variance: 0.02, log: 1.5}
	const log200 = 5.298317366548036
	want := 1.5 + math.Log(0.3+math.Sqrt(2*0.02*log200/101)+7*log200/(3*100))
	if got := p.bound(101, 0.01); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, by hand %v", got, want)
	}
}

// TestMajorantLook: the moments of exp(θ(H - Σσ)) against piles by hand, of two servers and
// jobs of one: each begins where a server is free first.
func TestMajorantLook(t *testing.T) {
	const theta, block, jobs = 0.05, 48, 6000
	src := stream.New(9, law.ExpMean(1), []stream.Class{{Need: 1, Prob: 1, Service: law.Uniform{Lo: 0, Hi: 2}}})
	sys := System{System: compiled.System{Servers: 2, Needs: []int{1}, Probs: []float64{1}, Input: src}}
	m := &majorantSearch{System: &sys, ctx: context.Background(), steps: 11, tilted: func(at float64, seed uint64) (*stream.Source, float64, float64, bool) {
		return src, 0.7, -0.9, at == theta && seed == 5
	}}
	p := m.measure(theta, block, jobs, 5)
	in := &input{reader: src.Reader(0)}
	var zs []float64
	for n := range int64(jobs / block) {
		var free [2]float64
		sum := 0.0
		for i := range int64(block) {
			service := in.read(n*block+i, n*block+i+1)[0].Service
			sum += service
			first := 0
			if free[1] < free[0] {
				first = 1
			}
			free[first] += service
		}
		zs = append(zs, math.Exp(theta*(max(free[0], free[1])-sum)))
	}
	mean, variance := 0.0, 0.0
	for _, z := range zs {
		mean += z / float64(len(zs))
	}
	for _, z := range zs {
		variance += (z - mean) * (z - mean) / float64(len(zs)-1)
	}
	if p.n != 125 || m.steps != 11+6000 || !close9(p.mean, mean) || math.Abs(p.variance/variance-1) > 1e-9 || !close9(p.log, -0.2*block) {
		t.Errorf("%+v after %d steps; by hand mean %v, variance %v", p, m.steps, mean, variance)
	}
	if few := m.measure(theta, 1000, 6000, 5); few.n != 64 {
		t.Errorf("%d blocks", few.n)
	}
	if none := m.measure(2*theta, block, jobs, 5); !math.IsInf(none.bound(none.n, 0.5), 1) {
		t.Errorf("without moments %+v", none)
	}
}

// TestMajorantChoice: on one server a pile is as high as its services together, so that all
// that is searched for has a formula: the largest θ of a block size, what it costs, and
// which θ as many jobs as a proof may take prove.
func TestMajorantChoice(t *testing.T) {
	const rate, load, failure = 0.5, 0.5, 1e-6
	left := func(theta float64, block int, n, failure float64) float64 {
		return -float64(block)*(math.Log(1-theta)+math.Log(1+theta/rate)) + math.Log(1+7*math.Log(2/failure)/(3*(n-1)))
	}
	cheapest, at, size, worse := math.Inf(1), 0.0, 0, 0
	for block := 32; block <= 1<<14 && worse < 3; block *= 2 {
		lo, hi := 0.0, 0.999
		for range 60 {
			if mid := (lo + hi) / 2; left(mid, block, float64(max(64, pilotSteps/block)), 0.5) <= 0 || mid < 0.01 {
				lo = mid
			} else {
				hi = mid
			}
		}
		if cost := -math.Log(failure)/lo + float64(block)/rate*load; cost < cheapest {
			cheapest, at, size, worse = cost, lo, block, 0
		} else {
			worse++
		}
	}
	theta := 0.9 * at
	for left(theta, size, float64(proofSteps/size), failure/attempts) > 0 {
		theta *= 0.85
	}
	s, tilted := markov(1, 1)
	found, err := s.FindMajorant(context.Background(), tilted, always(tilted), rate, load, failure)
	if err != nil || found.Block != size || math.Abs(found.Theta/theta-1) > 2e-3 {
		t.Errorf("%+v, %v; by formulas blocks of %d, θ = %v", found, err, size, theta)
	}
}
