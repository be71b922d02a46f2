package fuzz

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// extremeModels are queues that were described by mistake, or by a program.
func extremeModels() map[string]mjq.Model {
	two := mjq.Servers(4).Poisson(0.5).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.ExpMean(1))
	classes := manyClasses(10_000)
	return map[string]mjq.Model{
		"a short period":      two.Profile(1e-30, 1, 2).AtRate(0.5),
		"an uneven period":    two.Profile(10, 1e-60, 1),
		"a window of 2^31":    two.Policy(mjq.Window(1 << 31)),
		"a window of 2^24":    two.Policy(mjq.Window(1 << 24)),
		"a window of 1000":    two.Policy(mjq.Window(1000)),
		"needs of 1 and 10^9": mjq.Servers(1e9).Poisson(0.5).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 1e9, 0.5, mjq.ExpMean(1)),
		"10,000 classes":      classes,
		"10,000 with a limit": limitedTo(10_000),
		"10,000, first fit":   classes.Policy(mjq.FirstFit()),
	}
}

// manyClasses is a queue whose limit no chain with so many classes gives.
func manyClasses(n int) mjq.Model {
	many := make([]mjq.Class, n)
	for i := range many {
		many[i] = mjq.Class{Name: fmt.Sprint("c", i), Need: 1 + i%4, Prob: 1 / float64(n), Service: mjq.ExpMean(1 + float64(i%7)/10)}
	}
	return mjq.Servers(16).Poisson(3).Classes(many...)
}

// limitedTo is that queue with a limit, which is not its own.
func limitedTo(n int) mjq.Model {
	return manyClasses(n).WithLimit(mjq.Must(mjq.Servers(16).Class("a", 1, 1, mjq.ExpMean(3.5)).Stability(background)))
}

// asks are all verbs, as they come.
func asks(m mjq.Model) map[string]func(ctx context.Context) error {
	ran := func(_ any, err error) error { return err }
	return map[string]func(ctx context.Context) error{
		"Limit":       func(ctx context.Context) error { return ran(m.Stability(ctx)) },
		"Resolve":     func(ctx context.Context) error { return ran(m.AtLoad(0.5).Resolve(ctx)) },
		"Stability":   func(ctx context.Context) error { return ran(m.Stability(ctx)) },
		"Exact limit": func(ctx context.Context) error { return ran(m.Stability(ctx, mjq.Exact{})) },
		"Capacity":    func(ctx context.Context) error { return ran(m.Capacity(ctx)) },
		"Simulate":    func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.Simulation{})) },
		"BatchMeans": func(ctx context.Context) error {
			return ran(m.Solve(ctx, mjq.Simulation{BatchMeans: 20}, mjq.RelErr(1e-9)))
		},
		"Overtaking":    func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.Simulation{Overtaking: true})) },
		"Forward":       func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.Forward{})) },
		"Close":         func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.Forward{Controls: mjq.CloseControls})) },
		"RelErr":        func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.RelErr(1e-3))) },
		"Backward":      func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.Backward{})) },
		"Certified":     func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.Certified{})) },
		"Unbiased":      func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.Unbiased{})) },
		"Dominated":     func(ctx context.Context) error { return ran(m.AtRate(0.1).Solve(ctx, mjq.Dominated{})) },
		"Rare":          func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.RareEvent{Wait: 20})) },
		"Exact":         func(ctx context.Context) error { return ran(m.Solve(ctx, mjq.Exact{})) },
		"Optimum":       func(ctx context.Context) error { return ran(m.Optimum(ctx)) },
		"Fewest":        func(ctx context.Context) error { return ran(m.FewestServers(ctx, mjq.MeanWait(1))) },
		"Sensitivities": func(ctx context.Context) error { return ran(m.Sensitivities(ctx)) },
		"HeavyTraffic":  func(ctx context.Context) error { return ran(m.HeavyTraffic(ctx)) },
		"Methods":       func(ctx context.Context) error { return ran(m.Methods(ctx)) },
		"Path":          func(ctx context.Context) error { return ran(m.Path(ctx, 0, 100_000)) },
		"Compare": func(ctx context.Context) error {
			return ran(mjq.Compare(ctx, m, []mjq.Policy{mjq.FCFS(), mjq.FirstFit()}))
		},
		"Sweep": func(ctx context.Context) error {
			return ran(mjq.Sweep(ctx, m, mjq.Grid{Rates: []float64{0.1, 0.2}}, mjq.Backward{}))
		},
		"By time":      func(ctx context.Context) error { return ran(m.ByTime(ctx, 4, mjq.Simulation{})) },
		"By time back": func(ctx context.Context) error { return ran(m.ByTime(ctx, 4, mjq.Backward{})) },
	}
}

// TestExtremesOfModels asks queues at the edge, each a third of the verbs, and everything with
// MJQ_LONG: verbs end with their context, and none takes memory by the gigabyte without a fault
// beforehand.
func TestExtremesOfModels(t *testing.T) {
	models := extremeModels()
	for i, name := range slices.Sorted(maps.Keys(models)) {
		verbs := asks(models[name])
		for k, verb := range slices.Sorted(maps.Keys(verbs)) {
			if (i+k)%oracle.Sized(3, 1) > 0 {
				continue
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := answered(t, name+", "+verb, verbs[verb])
			runtime.ReadMemStats(&after)
			if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1e9 {
				t.Errorf("%s, %s: %d MB were allocated: %.200v", name, verb, bytes/1e6, err)
			}
		}
	}
	many := models["10,000 with a limit"]
	for verb, err := range map[string]error{
		"Overtaking":    asks(many)["Overtaking"](background),
		"Forward":       asks(many)["Forward"](background),
		"Sensitivities": asks(many)["Sensitivities"](background),
	} {
		if err == nil || !strings.Contains(err.Error(), "10000 classes") || !strings.Contains(err.Error(), "GB of memory") {
			t.Errorf("%s of 10,000 classes: %v", verb, err)
		}
	}
}
