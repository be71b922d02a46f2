package sampling

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// markov is a queue of Poisson arrivals at rate 1/2 and exponential services of
// mean 1, and its tilted input.
func markov(servers, need int) (*System, Tilted) {
	s := &System{System: compiled.System{Servers: servers, Needs: []int{need}, Probs: []float64{1}}, Light: true, Workers: 1}
	s.Input = stream.New(1, law.ExpMean(2), []stream.Class{{Need: need, Prob: 1, Service: law.ExpMean(1)}})
	return s, func(theta float64, seed uint64) (*stream.Source, float64, float64, bool) {
		if theta >= 1 {
			return nil, 0, 0, false
		}
		src := stream.New(seed, law.ExpMean(2/(1+2*theta)), []stream.Class{{Need: need, Prob: 1, Service: law.ExpMean(1 / (1 - theta))}})
		return src, -math.Log(1 - theta), -math.Log(1 + 2*theta), true
	}
}

// always charges jobs their services.
func always(tilted Tilted) func(context.Context) (*Charges, Tilted) {
	return func(context.Context) (*Charges, Tilted) { return nil, tilted }
}

// provable is the left side of the proof by its formula, on whole paths.
func provable(s *System, tilted Tilted, theta float64, block, n int, failure float64, seed uint64) float64 {
	src, logService, logGap, _ := tilted(theta, seed)
	tilt := *s
	tilt.Input = src
	var z []float64
	mean := 0.0
	for i := range n {
		p, sum := newPath(&tilt, 0), 0.0
		for k := range block {
			var one [1]stream.Job
			p.r.Fill(one[:], int64(i*block+k))
			one[0].Gap = 0
			p.arrive(p.r, 0, one[0])
			sum += one[0].Service
		}
		z = append(z, math.Exp(theta*(p.heights()[0]-sum)))
		mean += z[i] / float64(n)
	}
	variance := 0.0
	for _, x := range z {
		variance += (x - mean) * (x - mean) / float64(n-1)
	}
	log := math.Log(2 / failure) // Maurer and Pontil, Theorem 4
	bound := mean + math.Sqrt(2*variance*log/float64(n)) + 7*log/(3*float64(n-1))
	return float64(block)*(logService+logGap) + math.Log(bound)
}

// TestProofIsTheBound: just below the root of the bound there is a proof, and just
// above it there is none. Where all jobs need all servers the pile is as high as
// the sum of services, so that nothing varies.
func TestProofIsTheBound(t *testing.T) {
	for _, c := range []struct{ servers, need, block, blocks int }{{1, 1, 100, 64}, {2, 2, 300, 80}, {2, 1, 40, 70}, {3, 1, 100, 64}} {
		s, tilted := markov(c.servers, c.need)
		const failure, seed = 0.01, 5
		f := func(theta float64) float64 { return provable(s, tilted, theta, c.block, c.blocks, failure, seed) }
		lo, hi := 0.3, 0.9
		if c.servers == 1 || c.need > 1 {
			lo, hi = 0.2, 0.6
		}
		if !(f(lo) < 0 && f(hi) > 0) {
			t.Fatalf("%+v: the bound is %v at %v and %v at %v", c, f(lo), lo, f(hi), hi)
		}
		for range 30 {
			if mid := (lo + hi) / 2; f(mid) < 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		m := &majorantSearch{System: s, ctx: context.Background(), tilted: tilted, failure: failure}
		if below, above := m.holds(lo*(1-1e-6), c.block, c.block*c.blocks, failure, seed), m.holds(hi*(1+1e-6), c.block, c.block*c.blocks, failure, seed); !below || above {
			t.Errorf("%+v: the bound has its root at %v; proved below %v, above %v", c, lo, below, above)
		}
		if want := int64(2 * c.block * c.blocks); m.steps != want {
			t.Errorf("%+v: %d steps, want %d", c, m.steps, want)
		}
	}
}

// TestMajorantOfTheSingleServer: for M/M/1 the decay is that of the queue, μ - λ,
// and what is proved lies somewhat below it.
func TestMajorantOfTheSingleServer(t *testing.T) {
	s, tilted := markov(1, 1)
	m := &majorantSearch{System: s, ctx: context.Background(), tilted: tilted, failure: 1e-6, mean: s.meanService()}
	for _, block := range []int{32, 1024} {
		n := float64(pilotSteps / block)
		rest := math.Log(1+7*math.Log(4)/(3*(n-1))) / float64(block)
		lo, hi := 0.0, 0.999
		for range 60 { // -log(1-θ) - log(1+2θ) + rest = 0
			if mid := (lo + hi) / 2; -math.Log(1-mid)-math.Log(1+2*mid)+rest <= 0 || mid < 0.2 {
				lo = mid
			} else {
				hi = mid
			}
		}
		if got := m.largest(block); !(math.Abs(got-lo) <= 1e-3) {
			t.Errorf("blocks of %d: the largest θ is %v, by the formula %v", block, got, lo)
		}
	}
	found, err := s.FindMajorant(context.Background(), tilted, always(tilted), 0.5, 0.5, 1e-6)
	if err != nil || found.Theta > 0.5 || found.Theta < 0.3 || found.Block < 32 || found.Failure != 1e-6 || found.Steps < 2*trialSteps {
		t.Errorf("%+v, %v", found, err)
	}
	none := func(float64, uint64) (*stream.Source, float64, float64, bool) { return nil, 0, 0, false }
	if _, err := s.FindMajorant(context.Background(), none, always(none), 0.5, 0.5, 1e-6); !errors.Is(err, ErrNoMajorant) {
		t.Errorf("without moments the error is %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.FindMajorant(ended, tilted, always(tilted), 0.5, 0.5, 1e-6); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end the error is %v", err)
	}
}

// TestLargestOfConstants: for M/D/1 at low load the decay solves θ = log(1 + θ/λ),
// far above one over the mean service, in any unit of time.
func TestLargestOfConstants(t *testing.T) {
	const rate, block = 0.2, 4096
	for _, u := range []float64{1, 0x1p-20} {
		s := &System{System: compiled.System{Servers: 1, Needs: []int{1, 1}, Probs: []float64{0.75, 0.25}}, Light: true, Workers: 1}
		classes := []stream.Class{{Need: 1, Prob: 0.75, Service: law.Deterministic{X: u}}, {Need: 1, Prob: 0.25, Service: law.Deterministic{X: u}}}
		s.Input = stream.New(1, law.ExpMean(u/rate), classes)
		if got := s.meanService(); !close9(got/u, 1) {
			t.Errorf("the mean service is %v, want %v", got, u)
		}
		m := &majorantSearch{System: s, ctx: context.Background(), failure: 1e-6, mean: u,
			tilted: func(theta float64, seed uint64) (*stream.Source, float64, float64, bool) {
				return stream.New(seed, law.ExpMean(u/(rate+theta*u)), classes), theta * u, -math.Log1p(theta * u / rate), true
			}}
		n := float64(pilotSteps / block)
		rest := math.Log(1+7*math.Log(4)/(3*(n-1))) / block
		lo, hi := 1.0, 10.0
		for range 60 {
			if mid := (lo + hi) / 2; mid-math.Log1p(mid/rate)+rest <= 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		if got := m.largest(block) * u; !(math.Abs(got-lo) <= 5e-4) {
			t.Errorf("the largest θ is %v, by the formula %v", got, lo)
		}
	}
}
