package planning_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

var background = context.Background()

// erlangWait is the mean wait of M/M/s by the formula of Erlang, by his recursion for
// the loss; infinite beyond the limit.
func erlangWait(s int, rate, mean float64) float64 {
	a := rate * mean
	if a >= float64(s) {
		return math.Inf(1)
	}
	loss := 1.0
	for k := 1; k <= s; k++ {
		loss = a * loss / (float64(k) + a*loss)
	}
	rho := a / float64(s)
	return loss / (1 - rho*(1-loss)) * mean / (float64(s) * (1 - rho))
}

// fewestErlang is the fewest servers by scanning that formula.
func fewestErlang(rate, mean, most float64) int {
	s := 1
	for erlangWait(s, rate, mean) > most {
		s++
	}
	return s
}

func TestFewestIsErlangs(t *testing.T) {
	for _, c := range []struct{ rate, mean, most float64 }{{1, 1, 0.5}, {7, 1.3, 0.01}, {40, 0.5, 0.2}, {3, 4, 1e-6}} {
		m := mjq.Servers(200).Poisson(c.rate).Class("one", 1, 1, mjq.ExpMean(c.mean))
		f := mjq.Must(m.FewestServers(background, mjq.MeanWait(c.most)))
		want := float64(fewestErlang(c.rate, c.mean, c.most))
		if f.Best != want || !f.Confirmed || f.Meets != want || f.Misses != want-1 && want-1 > c.rate*c.mean {
			t.Errorf("%+v: want %v servers\n%v", c, want, f)
		}
	}
}

// All needs 1 under First-Fit are M/M/s, too, but Fewest can only simulate it there. Ten
// servers have a mean wait of 0.0571 and nine one of 0.1519, which short runs can tell
// from a target between: many of them surely, none wrongly.
func TestFewestBySimulation(t *testing.T) {
	m := mjq.Servers(20).Poisson(6).Class("one", 1, 1, mjq.ExpMean(1)).Policy(mjq.FirstFit())
	const most = 0.09
	want, sure := float64(fewestErlang(6, 1, most)), 0
	for seed := range uint64(12) {
		f := mjq.Must(m.FewestServers(background, mjq.MeanWait(most), mjq.Simulation{Jobs: 3000, Replications: 16}, mjq.Seed(seed)))
		if f.Confirmed {
			sure++
		}
		if f.Best != want {
			t.Errorf("seed %d: %v, want %v servers\n%v", seed, f.Best, want, f)
		}
	}
	if sure < 4 {
		t.Errorf("only %d of 12 are sure", sure)
	}
}

// One server and services of always 1 wait ρ/(2(1-ρ)) on average.
func TestLargestRateOfConstantServices(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.1).Class("one", 1, 1, mjq.Deterministic(1))
	f := mjq.Must(m.LargestRate(background, mjq.MeanWait(0.8), mjq.RelErr(0.02)))
	if want := 1.6 / 2.6; f.Best > want || f.Best < want*0.97 {
		t.Errorf("%v, want %v\n%v", f.Best, want, f)
	}
	if !f.Confirmed || !(f.Misses > f.Meets) || f.Misses > f.Meets*1.021 {
		t.Errorf("bracket %v to %v, sure %v", f.Meets, f.Misses, f.Confirmed)
	}
}

func TestLargestNeedIsThatOfAScan(t *testing.T) {
	with := func(need int) mjq.Model {
		return mjq.Servers(8).Poisson(1).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("wide", need, 0.3, mjq.ExpMean(1))
	}
	want := 0
	for need := 1; need <= 8; need++ {
		if mjq.Must(with(need).Solve(background, mjq.Exact{})).Class("one").Waiting.Quantile(0.9).Value <= 0.4 {
			want = need
		}
	}
	f := mjq.Must(with(8).LargestNeed(background, "wide", mjq.WaitQuantile(0.9, 0.4, "one")))
	if f.Best != float64(want) || !f.Confirmed || want == 0 || want == 8 {
		t.Errorf("need %v, want %d\n%v", f.Best, want, f)
	}
	if none := mjq.Must(with(8).LargestNeed(background, "wide", mjq.MeanWait(1e-9))); !math.IsNaN(none.Best) || none.Confirmed {
		t.Errorf("a target out of reach: %v", none)
	}
}

// The cheapest size by the formula of Erlang for every number of servers.
func TestCheapestSizeIsErlangs(t *testing.T) {
	m := mjq.Servers(9).Poisson(6).Class("one", 1, 1, mjq.ExpMean(1))
	const server, wait = 1, 20
	best, least := 0, math.Inf(1)
	for s := 7; s < 40; s++ {
		if cost := server*float64(s) + wait*6*erlangWait(s, 6, 1); cost < least {
			best, least = s, cost
		}
	}
	f := mjq.Must(m.CheapestServers(background, mjq.Costs{Server: server, Wait: wait}))
	if f.Best != float64(best) || !f.Confirmed || math.Abs(f.At(f.Best).Cost.Value-least) > 1e-9 {
		t.Errorf("%d servers at %v\n%v", best, least, f)
	}
	if g := mjq.Must(m.CheapestServers(background, mjq.Costs{Server: server, Wait: wait},
		mjq.MeanWait(1e-4))); g.Best != float64(fewestErlang(6, 1, 1e-4)) || g.Best <= f.Best {
		t.Errorf("the target asks for more than the costs: %v", g)
	}
}

// The price of energy, by closed forms: servers that idle, by Erlang's formula, and one server that sleeps,
// which is set up for a share of the time without work.
func TestCostsOfEnergy(t *testing.T) {
	watts := mjq.Watts{Busy: 0.4, Idle: 0.25, Setup: 0.3, Asleep: 0.02}
	costs := mjq.Costs{Server: 1, Wait: 20, Energy: 8}
	m := mjq.Servers(9).Poisson(6).Class("one", 1, 1, mjq.ExpMean(1)).Watts(watts)
	best, least := 0, math.Inf(1)
	for s := 7; s < 40; s++ {
		if cost := costs.Server*float64(s) + costs.Wait*6*erlangWait(s, 6, 1) + costs.Energy*(watts.Busy*6+watts.Idle*float64(s-6)); cost < least {
			best, least = s, cost
		}
	}
	f := mjq.Must(m.CheapestServers(background, costs))
	free := mjq.Must(m.CheapestServers(background, mjq.Costs{Server: 1, Wait: 20}))
	if f.Best != float64(best) || math.Abs(f.At(f.Best).Cost.Value-least) > 1e-9 || f.Best >= free.Best {
		t.Errorf("%d servers at %v, and fewer than the %v without a price of energy\n%v", best, least, free.Best, f)
	}
	const rate, setup = 0.4, 2.0
	one := mjq.Servers(1).Poisson(rate).Class("one", 1, 1, mjq.ExpMean(1)).Sleep(mjq.Deterministic(0), mjq.ExpMean(setup)).Watts(watts)
	costs.Server = 1000
	f = mjq.Must(one.CheapestServers(background, costs))
	wait := 1/(1-rate) + setup - 1
	starting := (1 - rate) * setup / (1/rate + setup)
	power := watts.Busy*rate + watts.Setup*starting + watts.Asleep*(1-rate-starting)
	if want := costs.Server + costs.Wait*rate*wait + costs.Energy*power; f.Best != 1 || math.Abs(f.At(1).Cost.Value/want-1) > 1e-12 {
		t.Errorf("one server that sleeps costs %v, want %v\n%v", f.At(f.Best).Cost, want, f)
	}
	_, err := mjq.Servers(9).Poisson(6).Class("one", 1, 1, mjq.ExpMean(1)).CheapestServers(background, costs)
	oracle.Mention(t, err, "add Watts")
}

// A scan of all mixes, with the same jobs, finds none that is cheaper.
func TestCheapestMixIsThatOfAScan(t *testing.T) {
	m := mjq.Resources("cpu", 8).Resources("gpu", 4).Poisson(2).
		Needing("a", mjq.Needs{"cpu": 1}, 0.6, mjq.ExpMean(1)).Needing("b", mjq.Needs{"cpu": 2, "gpu": 1}, 0.4, mjq.ExpMean(1))
	rough := mjq.Must(m.Stability(background, mjq.RelErr(0.05)))
	rough.Rate, rough.HalfWidth = 1000, 0
	ask := func(m mjq.Model) *result.Result {
		return mjq.Must(m.WithLimit(rough).Solve(background, mjq.Forward{Jobs: 2000, Replications: 8}, mjq.Seed(3)))
	}
	f := mjq.Must(m.CheapestMix(background, map[string]float64{"cpu": 1, "gpu": 3}, mjq.MeanWait(0.3), mjq.Forward{Jobs: 2000, Replications: 8},
		mjq.Seed(3)))
	least := math.Inf(1)
	for cpu := 3; cpu <= 16; cpu++ {
		for gpu := 1; gpu <= 8; gpu++ {
			price := float64(cpu) + 3*float64(gpu)
			if price < least && ask(mjq.FromSpec(m.Spec().WithUnits([]int{cpu, gpu}))).All.Waiting.Mean.Value <= 0.3 {
				least = price
			}
		}
	}
	if f.Best != least || len(f.Mix) != 2 || float64(f.Mix[0].Units)+3*float64(f.Mix[1].Units) != least {
		t.Errorf("price %v, want %v\n%v", f.Best, least, f)
	}
}

func TestFewestInterrupted(t *testing.T) {
	m := mjq.Servers(64).Poisson(20).Class("a", 1, 0.9, mjq.Deterministic(1)).Class("b", 24, 0.1, mjq.Deterministic(1))
	ctx, stop := context.WithCancel(background)
	f, err := m.FewestServers(ctx, mjq.MeanWait(0.25), mjq.Progress(func(s mjq.Step) {
		if s.Done > 2 {
			stop()
		}
	}))
	if !errors.Is(err, context.Canceled) || f == nil || len(f.Points) < 2 || f.Confirmed {
		t.Errorf("%v\n%v", err, f)
	}
}

func TestFewestFaults(t *testing.T) {
	m := mjq.Servers(4).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1))
	_, err := m.LargestNeed(background, "c", mjq.MeanWait(-1, "b"), mjq.WaitQuantile(1, 2), mjq.ServiceLevel(1, 2), mjq.MeanSlowdown(1, 0.5),
		mjq.MeanSlowdown(2, 3), mjq.Level(2), mjq.MaxJobs(-1))
	for _, text := range []string{"MeanWait(-1)", `no class "b"`, "WaitQuantile(1, 2)", "ServiceLevel(1, 2)", "MeanSlowdown(1, 0.5)", "MeanSlowdown(2, 3)",
		"Level(2)", "MaxJobs(-1)", `LargestNeed: class "c"`} {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("no word of %s: %v", text, err)
		}
	}
	if _, err := m.CheapestServers(background, mjq.Costs{Server: -1, Wait: 1}); err == nil || !strings.Contains(err.Error(), "Costs{-1, 1}") {
		t.Errorf("a server that pays: %v", err)
	}
	if _, err := m.FewestServers(background, nil); err == nil || !strings.Contains(err.Error(), "no goal") {
		t.Errorf("without a target: %v", err)
	}
	if _, err := m.CheapestMix(background, map[string]float64{"cpu": 1}, mjq.MeanWait(1)); err == nil || !strings.Contains(err.Error(), "needs several types of resources") {
		t.Errorf("mix without types: %v", err)
	}
}

// M/M/1 and M/D/1: E[W] = ρ/(μ-λ), and half of that.
func TestSensitivitiesOfOneServer(t *testing.T) {
	const rate = 0.6
	exact := mjq.Must(mjq.Servers(1).Poisson(rate).Class("one", 1, 1, mjq.ExpMean(1)).Sensitivities(background))
	slope := 1 / ((1 - rate) * (1 - rate))
	if e := exact.ByRate; math.Abs(e.Value-slope) > 1e-4 || e.HalfWidth != 0 {
		t.Errorf("dE[W]/dλ = %v, want %v", e, slope)
	}
	shorter := 0.99*0.99*rate/(1-0.99*rate) - rate/(1-rate)
	for _, c := range exact.Changes {
		if c.Name == "services of one 1 % shorter" && math.Abs(c.Waiting.Value-shorter) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.Name, c.Waiting, shorter)
		}
		if c.Name == "one server more" && math.Abs(c.Waiting.Value-(erlangWait(2, rate, 1)-erlangWait(1, rate, 1))) > 1e-9 {
			t.Errorf("%s: %v", c.Name, c.Waiting)
		}
	}
	drawn := mjq.Must(mjq.Servers(1).Poisson(rate).Class("one", 1, 1, mjq.Deterministic(1)).Sensitivities(background, mjq.Simulation{}, mjq.MaxJobs(20_000)))
	if e := drawn.ByRate; math.Abs(e.Value-slope/2) > 2*e.HalfWidth || e.HalfWidth > 0.1*slope {
		t.Errorf("M/D/1: dE[W]/dλ = %v, want %v", e, slope/2)
	}
	if len(drawn.Changes) != 3 || !strings.Contains(drawn.Table().String(), "one server more") {
		t.Errorf("%v", drawn)
	}
}
