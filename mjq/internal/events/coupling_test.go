package events

import (
	"context"
	"fmt"
	"math"
	"os"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// coupling is that of the system of a value.
func (v *value) coupling(seed uint64, samples int, jobs int64) Coupling {
	p := Coupling{System: compiled.System{Servers: v.Servers, Classes: len(v.Classes), Policy: named(v.name())}, Rate: v.ArrivalRate, Samples: samples,
		Burn: -1, Path: 0, Budget: jobs, Level: 0.95, Workers: 2, InTime: 1e-9}
	var classes []stream.Class
	for _, c := range v.Classes {
		p.Needs, p.Probs = append(p.Needs, c.Need), append(p.Probs, c.Probability)
		classes = append(classes, stream.Class{Need: c.Need, Prob: c.Probability, Service: law.ExpRate(c.Rate)})
	}
	p.Input = stream.New(seed, law.ExpRate(v.ArrivalRate), classes)
	if v.Model != "poisson" {
		arrivals := v.arrivals()
		p.Input, p.Rate = stream.NewFrom(seed, arrivals, classes, "0", "1"), arrivals.Rate()
		for c := range p.Probs {
			if v.Model == "markedMAP" {
				p.Probs[c] = arrival.ClassRates(arrivals)[fmt.Sprint(c)] / p.Rate
			}
		}
	}
	return p
}

// fourErrors is the level of four standard errors on either side, where these are known:
// of two thousand values one in eight runs has one that is further off.
const fourErrors = 1 - 6.33e-5

// scores counts the errors of estimates in standard errors.
type scores struct{ squares, n, worst float64 }

func (s *scores) add(t *testing.T, id string, e result.Estimate, truth float64) {
	z := (e.Value - truth) / (e.HalfWidth / result.StudentT(e.Level, e.N-1))
	s.squares += z * z
	s.n++
	s.worst = max(s.worst, math.Abs(z))
	if !(math.Abs(z) < result.StudentT(fourErrors, e.N-1)) {
		t.Errorf("%s: %v, exact %.6g, z = %.2f", id, e, truth, z)
	}
}

// check holds the errors together against what independent normal ones would be. Those
// of one system depend on each other.
func (s *scores) check(t *testing.T, fewest float64) {
	if rms := math.Sqrt(s.squares / s.n); s.n < fewest || rms > 1.4 || rms < 0.4 {
		t.Errorf("rms z = %.2f of %v values", rms, s.n)
	}
	t.Logf("%v values, rms z %.2f, worst %.2f", s.n, math.Sqrt(s.squares/s.n), s.worst)
}

// TestCoupledValues holds unbiased means of a system of every policy against exact values,
// and with MJQ_VALUES=all of all systems with Poisson arrivals, with four times the jobs:
//
//	MJQ_VALUES=all go test -run CoupledValues -v -timeout 60m ./mjq/internal/events
func TestCoupledValues(t *testing.T) {
	all := os.Getenv("MJQ_VALUES") == "all"
	seen, of := map[string]bool{}, scores{}
	for i, values := range systems(t, "poisson") {
		v := &values[0]
		if !all && seen[v.Policy] {
			continue
		}
		seen[v.Policy] = true
		jobs := int64(120_000)
		if all {
			jobs *= 8
		}
		p := v.coupling(uint64(20+i), 300, jobs)
		res := p.Run(context.Background(), nil)
		if res.Hopeless {
			t.Errorf("%s: pairs did not meet", v.ID)
			continue
		}
		r := &measured{&res.Result, float64(v.Servers)}
		for i := range values {
			if e, known := r.quantity(&values[i]); known && values[i].Quantity != "meanQueue" {
				of.add(t, values[i].ID, e, values[i].Value)
			}
		}
	}
	if len(seen) != 13 {
		t.Errorf("%d policies were looked at", len(seen))
	}
	of.check(t, 60)
}

// TestCoupledArrivals: the shift by one arrival keeps the law of arrivals that depend on
// each other, come in batches or say their class, so that the means are unbiased there,
// too. With MJQ_VALUES=all it takes all processes.
func TestCoupledArrivals(t *testing.T) {
	all, of := os.Getenv("MJQ_VALUES") == "all", scores{}
	for _, model := range []string{"MAP", "batchMAP", "markedMAP"} {
		seen := map[string]bool{}
		for i, values := range systems(t, model) {
			v := &values[0]
			if v.Classes == nil || !all && seen[v.Policy] {
				continue
			}
			seen[v.Policy] = true
			p := v.coupling(uint64(40+i), 300, 150_000)
			res := p.Run(context.Background(), nil)
			r := &measured{&res.Result, float64(v.Servers)}
			for i := range values {
				v := &values[i]
				if v.Model == "batchMAP" && v.Quantity == "startAtOnceByClass" || v.Quantity == "meanQueue" {
					continue // see TestArrivalValues
				}
				if e, known := r.quantity(v); known {
					of.add(t, v.ID, e, v.Value)
				}
			}
		}
	}
	of.check(t, 40)
}

// TestCoupledFromEmpty: four jobs from an empty start, far from equilibrium, have the mean
// of equilibrium with the differences and are far from it without.
func TestCoupledFromEmpty(t *testing.T) {
	v := valueOf(t, "A-0.9-firstFit/wait")
	p := v.coupling(7, 4000, 0)
	p.Burn, p.Path = 0, 4
	var of scores
	of.add(t, v.ID, p.Run(context.Background(), nil).All.Waiting.Mean, v.Value)
	c, plain := p.newCoupler(), 0.0
	for rep := range uint64(2000) {
		c.first.Recorded = func(j *Record) {
			if j.Number < 4 {
				plain += j.Wait / 4 / 2000
			}
		}
		c.begin(new(atomic.Bool), p.Input, rep)
		c.alone(64)
	}
	if plain > v.Value/2 {
		t.Errorf("the first four jobs wait %.4g, the others %.4g: nothing was to be corrected", plain, v.Value)
	}
}

// TestCoupledDefinition computes samples as they are defined, term by term.
func TestCoupledDefinition(t *testing.T) {
	for _, id := range []string{"A-0.9-firstFit/wait", "A-0.9-preemptiveLeastServersFirst/wait"} {
		v := valueOf(t, id)
		for _, at := range [][2]int64{{0, 1}, {0, 5}, {3, 1}, {2, 7}} {
			p := v.coupling(5, 2, 0)
			p.Burn, p.Path = at[0], at[1]
			c, d := p.newCoupler(), p.newCoupler()
			for rep := range uint64(25) {
				var o coupled
				c.sample(new(atomic.Bool), rep, &o)
				x, y := d.waits(rep)
				want := 0.0
				for k := at[0]; k < at[0]+at[1]; k++ {
					want += x[k]
					for j := k + 1; j < int64(len(y)); j++ {
						want += x[j] - y[j]
					}
				}
				if got := o.classes[0].Of[estimate.Waiting].X + o.classes[1].Of[estimate.Waiting].X; math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Fatalf("%s: sample %d from job %d of %d jobs is %.12g, by definition %.12g", v.ID, rep, at[0], at[1], got, want)
				}
			}
		}
	}
}

// waits are those of the first 2000 jobs in both systems; they are the same long before.
func (c *coupler) waits(rep uint64) (x, y []float64) {
	x, y = make([]float64, 2000), make([]float64, 2000)
	note := func(to []float64) func(*Record) {
		return func(j *Record) {
			if j.Number < int64(len(to)) {
				to[j.Number] = j.Wait
			}
		}
	}
	c.first.Recorded, c.second.Recorded = note(x), note(y)
	for c.begin(new(atomic.Bool), c.Input, rep); c.next < 4000; c.step() {
	}
	return x, y
}

// valueOf is an entry of the file.
func valueOf(t *testing.T, id string) *value {
	for _, values := range systems(t, "poisson") {
		for i := range values {
			if values[i].ID == id {
				return &values[i]
			}
		}
	}
	t.Fatalf("no value %q", id)
	return nil
}

// TestCoupledAgainstSimulation: where there is nothing exact, means, kills, preemptions,
// shares, waste and distributions are those of long runs.
func TestCoupledAgainstSimulation(t *testing.T) {
	of := scores{}
	for i, pol := range []policy.Policy{policy.Backfill{Depth: 1}.Estimates(policy.UniformFactor(2)), policy.Backfill{Depth: policy.All}.Estimates(policy.Factor(0.8)).Kill(),
		policy.ServerFilling{}, policy.ServerFillingSRPT{}, policy.PreemptiveLeastServersFirst{}, policy.AdaptiveQuickswap{}} {
		classes := []stream.Class{{Need: 1, Prob: 0.6, Service: law.ErlangMeanPhases(1, 2)}, {Need: 2, Prob: 0.3, Service: law.ExpMean(1.5)}, {Need: 3, Prob: 0.1, Service: law.Deterministic{X: 2}}}
		input := func(seed uint64) *stream.Source { return stream.New(seed, law.ErlangMeanPhases(0.8, 2), classes) }
		needs := []int{1, 2, 3}
		long := (&Plan{System: compiled.System{Servers: 4, Classes: 3, Policy: pol, Needs: needs, Input: input(uint64(i))}, Replications: 24, Batches: 1, WarmUp: 1000, Length: 5000,
			Level: 0.95, Workers: 2, InTime: 1, Threshold: 0.5}).Run(context.Background(), nil)
		res := (Coupling{System: compiled.System{Servers: 4, Classes: 3, Policy: pol, Needs: needs, Probs: []float64{0.6, 0.3, 0.1}, Input: input(uint64(100 + i))}, Rate: 1.25, Samples: 120,
			Burn: 20, Path: 1000, Level: 0.95, Workers: 2, InTime: 1, Threshold: 0.5}).Run(context.Background(), nil)
		differ := func(what string, a, b result.Estimate) {
			t.Helper()
			if a.HalfWidth == 0 && b.HalfWidth == 0 && a.Value == b.Value {
				return
			}
			b.HalfWidth = math.Hypot(a.HalfWidth, b.HalfWidth)
			of.add(t, fmt.Sprintf("%v: %s", pol, what), b, a.Value)
		}
		for c := range 3 {
			a, b := &long.Classes[c], &res.Classes[c]
			differ("wait", a.Waiting.Mean, b.Waiting.Mean)
			differ("variance", a.Waiting.Variance, b.Waiting.Variance)
			differ("response", a.Response.Mean, b.Response.Mean)
			differ("slowdown", a.Slowdown.Mean, b.Slowdown.Mean)
			differ("preemptions", a.Preemptions, b.Preemptions)
			differ("killed", a.Killed, b.Killed)
			differ("in time", a.WaitingInTime, b.WaitingInTime)
		}
		differ("waste", long.Wasted, res.Wasted)
		differ("idle", long.Idle, res.Idle)
		for _, x := range []float64{0, 0.5, 2} {
			metric := func(r *estimate.Tally) result.Estimate {
				w := &r.Waiting
				m := result.Metric{Dist: w.Dist, Precision: w.Precision, Effective: w.Worth.Observations, Level: 0.95}
				e := m.CDF(x)
				e.N, e.Level = 120, 0.95
				return e
			}
			differ(fmt.Sprintf("distribution at %v", x), metric(&long.Classes[1]), metric(&res.Classes[1]))
		}
	}
	of.check(t, 100)
}

// TestCoupledBits: the same on any number of goroutines, and a prefix when interrupted.
func TestCoupledBits(t *testing.T) {
	v := valueOf(t, "A-0.9-firstFit/wait")
	p := v.coupling(3, 64, 100_000)
	p.Workers = 1
	one := p.Run(context.Background(), nil)
	p.Workers = 3
	three := p.Run(context.Background(), nil)
	if !reflect.DeepEqual(one, three) {
		t.Errorf("one goroutine gives %v, three give %v", one.All.Waiting.Mean, three.All.Waiting.Mean)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.Samples = 1 << 30
	part := p.Run(ctx, func(done, _ float64) {
		if done >= 10 {
			cancel()
		}
	})
	if part.Batches < 10 || part.Batches > 100 {
		t.Errorf("%d samples after an interruption at 10", part.Batches)
	}
}

// TestCoupledUnstable: beyond the limit nothing is drawn.
func TestCoupledUnstable(t *testing.T) {
	v := valueOf(t, "A-0.9-firstFit/wait")
	v.ArrivalRate = 1.6 // of at most 4/3
	p := v.coupling(1, 64, 50_000)
	if r := p.Run(context.Background(), nil); !r.Hopeless || r.Batches != 0 {
		t.Errorf("%+v", r.All.Waiting.Mean)
	}
}

// TestSameNeedsTheMode: two systems with the same jobs are not the same while their
// schedulers remember different things.
func TestSameNeedsTheMode(t *testing.T) {
	p := newPair(func() *Simulator {
		return New(compiled.System{Servers: 2, Policy: policy.Quickswap{Threshold: 1}, Needs: []int{1, 2}})
	}, 1)
	input := stream.New(1, law.ExpRate(1e-6), []stream.Class{{Need: 1, Prob: 1, Service: law.ExpRate(1)}})
	p.begin(new(atomic.Bool), input, 0)
	if !p.same() {
		t.Fatal("two empty systems differ")
	}
	remembers(p.first)
	if p.same() {
		t.Error("the mode does not count")
	}
}

func remembers(s *Simulator) { s.sched = other{s.sched} }

type other struct{ policy.Scheduler }

func (other) Mode() int { return 7 }
