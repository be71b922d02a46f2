package sampler

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// TestBeyond: the moment of what exceeds a part that is free, by formulas, not below them
// and hardly above; and values whose mean is that of the tilted law.
func TestBeyond(t *testing.T) {
	const free = 1.3
	for _, theta := range []float64{1e-4, 0.01, 0.3} {
		for _, c := range []struct {
			l            law.Law
			moment, mean float64 // of exp(θ(X-free)⁺), and of X times that
		}{
			{law.ExpMean(2), 1 - math.Exp(-free/2) + math.Exp(-free/2)/(1-2*theta),
				2 - math.Exp(-free/2)*(2+free) + math.Exp(-free/2)*(free/(1-2*theta)+2/(1-2*theta)/(1-2*theta))},
			{law.Deterministic{X: 3}, math.Exp(theta * (3 - free)), 3 * math.Exp(theta*(3-free))},
			{law.Deterministic{X: 1}, 1, 1},
		} {
			tilted, moment, ok := law.Tilt(c.l, theta)
			if !ok {
				t.Fatal(c.l, theta)
			}
			l, logMoment := beyond(tilted, moment, theta, free)
			if off := logMoment - math.Log(c.moment); !(off > -1e-13 && off < theta*free/2000) {
				t.Errorf("%v, θ = %v: the logarithm of the moment is off by %v", c.l, theta, off)
			}
			rng, sum, squares := rand.NewPCG(1, 2), 0.0, 0.0
			const n = 200_000
			for range n {
				x := l.Sample(rng)
				sum += x / n
				squares += x * x / n
			}
			if want := c.mean / c.moment; math.Abs(sum-want) > 4*math.Sqrt(math.Max(0, squares-sum*sum)/n)+1e-10*want {
				t.Errorf("%v, θ = %v: the mean is %v, by the formula %v", c.l, theta, sum, want)
			}
		}
	}
	if l, moment := beyond(law.ExpMean(1), 0.25, 0.1, 0); l != law.ExpMean(1) || moment != 0.25 {
		t.Errorf("where nothing is free: %v, %v", l, moment)
	}
}

// TestCharged: of servers many times as many as jobs need, jobs are charged far less than
// their service, whatever the unit of time; where each takes all servers, all of it.
func TestCharged(t *testing.T) {
	mean := func(servers, need int, unit float64) (sum float64) {
		p := &problem.Problem{Spec: &spec.Spec{Servers: servers, Arrivals: arrival.Poisson(1 / unit),
			Classes: []spec.Class{{Name: "one", Need: need, Prob: 1, Service: law.ExpMean(unit)}}}}
		by, _ := Charged(t.Context(), p)
		return law.Excess(law.ExpMean(unit), by.Free[0]) + by.Each[0]
	}
	if many := mean(1000, 1, 1); !(many < 0.02) || mean(1000, 1, 0x1p-30) != many*0x1p-30 {
		t.Errorf("jobs are charged %v on average, and %v", many, mean(1000, 1, 0x1p-30))
	}
	if all := mean(10, 10, 1); all != 1 {
		t.Errorf("jobs that need all servers are charged %v", all)
	}
}
