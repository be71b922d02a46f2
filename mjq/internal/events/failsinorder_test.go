package events

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// failingPlan is a random plan on servers that fail, with services that end.
func failingPlan(seed uint64) *Plan {
	p, rng := randomPlan(seed), rand.New(rand.NewPCG(seed, 13))
	whole, work := rng.IntN(4) == 0, 0.
	var classes []stream.Class
	for _, need := range p.Needs {
		service := []law.Law{law.ExpMean(1 + rng.Float64()), law.ErlangMeanPhases(2, 3), law.HyperExpMeanSCV(1, 4)}[rng.IntN(3)]
		if whole {
			service = law.NewEmpirical([]float64{0, 1, 1, float64(rng.IntN(4))})
		}
		classes = append(classes, stream.Class{Need: need, Prob: 1 / float64(p.Classes), Service: service})
		work += float64(need) * service.Mean() / float64(p.Classes)
	}
	p.Input = stream.NewFrom(seed, randomArrivals(rng, []float64{0.2, 0.4, 0.6, 1.5}[rng.IntN(4)]*float64(p.Servers)/work, whole), classes)
	p.Failing = randomFailing(seed, p)
	return p
}

// randomFailing is failures of the servers of a plan, of any sort that failsInOrder serves.
func randomFailing(seed uint64, p *Plan) *compiled.Failing {
	rng := rand.New(rand.NewPCG(seed, 12))
	f := &compiled.Failing{Servers: p.Servers, Usable: p.Servers, Crews: 1 + rng.IntN(p.Servers)}
	for range rng.IntN(3) {
		k := compiled.FailureKind{WhileBusy: rng.IntN(2) == 0, Factor: 1, Notice: float64(rng.IntN(2)) * rng.Float64()}
		mean := float64(p.Servers) * (0.5 + 30*rng.Float64())
		if k.Up = law.ExpMean(mean); rng.IntN(3) == 0 {
			k.Up, k.WhileBusy = law.WeibullMeanShape(mean, 0.8), false
		} else {
			k.Rate = 1 / mean
		}
		if k.Repair = law.ExpMean(0.2 + rng.Float64()); rng.IntN(4) == 0 {
			k.Repair = law.Deterministic{X: 0}
		}
		if rng.IntN(3) == 0 {
			k.Lemons, k.Factor = 1+rng.IntN(p.Servers), 1+9*rng.Float64()
		}
		f.Kinds = append(f.Kinds, k)
	}
	if at := -1.; len(f.Kinds) == 0 || rng.IntN(3) == 0 {
		for range 30 {
			at += 20 * rng.Float64()
			f.Given = append(f.Given, compiled.Outage{Time: at, Server: rng.IntN(p.Servers), Repair: 5 * rng.Float64()})
		}
	}
	after := policy.Checkpoint{How: []policy.Preemption{"", policy.Resume, policy.Resume, policy.Drop, policy.Resampled, policy.Restart}[rng.IntN(6)], Detection: 0.1 * rng.Float64()}
	if after.How == "" {
		after.Every, after.Cost = 0.1+rng.Float64(), 0.1*rng.Float64()
	}
	for range p.Classes {
		after.Recovery = 0.1 * rng.Float64()
		f.After, f.Work = append(f.After, after), append(f.Work, law.ErlangMeanPhases(1, 2))
	}
	return f
}

// sameNumbers reports whether two texts differ in the last digits of numbers at most: jobs that leave at one
// instant may be added up in another order.
func sameNumbers(a, b string) bool {
	x, y := numbers.FindAllString(a, -1), numbers.FindAllString(b, -1)
	if len(x) != len(y) || numbers.ReplaceAllString(a, "") != numbers.ReplaceAllString(b, "") {
		return false
	}
	for i := range x {
		u, _ := strconv.ParseFloat(x[i], 64)
		v, _ := strconv.ParseFloat(y[i], 64)
		if x[i] != y[i] && !(math.Abs(u-v) <= 1e-11*math.Abs(u)) {
			return false
		}
	}
	return true
}

var numbers = regexp.MustCompile(`-?[0-9][0-9.]*(e[-+][0-9]+)?`)

// TestFailsInOrder holds FCFS alone on servers that fail against the general engine: to the bit where jobs
// leave one by one.
func TestFailsInOrder(t *testing.T) {
	hit, ties := 0, 0
	for seed := range uint64(oracle.Sized(60, 400)) {
		own, general := failingPlan(seed), failingPlan(seed)
		general.Policy, general.general = policy.FCFS{}, true
		if !own.failsPlainly() || general.failsPlainly() {
			t.Fatal("the same engine twice")
		}
		if seed%2 == 0 {
			own.Policy = policy.FCFS{}
		}
		if hit < 30 && failingPlan(seed).run().All.Interruptions.Value > 0.01 {
			hit++
		}
		a, b := saw(own), saw(general)
		if a == b {
			continue
		}
		if ties++; ties > 10 || !sameNumbers(a, b) {
			t.Errorf("plan %d: FCFS alone says\n%.1000s\nas a policy that is asked\n%.1000s", seed, a, b)
		}
	}
	if hit < 30 {
		t.Errorf("jobs were hit in %d plans only", hit)
	}
}
