package trace

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// TestPatience: the estimate by hand, censored jobs included.
func TestPatience(t *testing.T) {
	log := &Trace{Jobs: []Job{{Waited: 2, WaitKnown: true}, {Waited: 5, WaitKnown: true}, {Waited: 9}},
		Left: []Departure{{Waited: 1}, {Waited: 2}, {Waited: 3, Waiting: true}, {Waited: 4}}}
	p, err := log.Patience()
	if err != nil {
		t.Fatal(err)
	}
	// At 1 one of six leaves, at 2 one of five, at 4 one of two.
	want := []float64{5. / 6, 5. / 6 * 4 / 5, 5. / 6 * 4 / 5 / 2}
	for i, s := range want {
		if math.Abs(p.Survival[i]-s) > 1e-15 {
			t.Errorf("after %v: %v, want %v", p.Times[i], p.Survival[i], s)
		}
	}
	if p.Longer(0.5) != 1 || p.Longer(1) != p.Survival[0] || p.Longer(3) != p.Survival[1] || p.Longer(100) != p.Survival[2] {
		t.Errorf("steps at %v: %v", p.Times, p.Survival)
	}
	if got := p.Fit().Mean(); math.Abs(got-17./3) > 1e-14 {
		t.Errorf("fitted mean %v, want %v", got, 17./3)
	}
	if _, err := (&Trace{}).Patience(); err == nil {
		t.Error("a log of which nobody left has a patience")
	}
}

// TestPatienceOfMany: patience of a known law is found through waits that hide half of it.
func TestPatienceOfMany(t *testing.T) {
	rng, log := rand.NewPCG(1, 2), new(Trace)
	patience, wait := law.WeibullMeanShape(2, 0.7), law.ExpMean(1.5)
	for range 200_000 {
		if p, w := patience.Sample(rng), wait.Sample(rng); p < w {
			log.Left = append(log.Left, Departure{Waited: p})
		} else {
			log.Jobs = append(log.Jobs, Job{Waited: w, WaitKnown: true})
		}
	}
	p, err := log.Patience()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0.1, 0.5, 1, 2, 4} {
		if d := p.Longer(x) - patience.Survival(x); math.Abs(d) > 0.006 {
			t.Errorf("longer than %v: %v off", x, d)
		}
	}
}
