package mjq

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// extremeModels are queues that were described by mistake, or by a program.
func extremeModels() map[string]*Model {
	two := Servers(4).Poisson(0.5).Class("a", 1, 0.5, ExpMean(1)).Class("b", 3, 0.5, ExpMean(1))
	many := make([]Class, 10_000)
	for i := range many {
		many[i] = Class{Name: fmt.Sprint("c", i), Need: 1 + i%4, Prob: 1e-4, Service: ExpMean(1 + float64(i%7)/10)}
	}
	limit := Must(Must(Servers(16).Class("a", 1, 1, ExpMean(3.5)).Build()).Limit(background))
	classes := Must(Servers(16).Poisson(3).Classes(many...).Build())
	return map[string]*Model{
		"a short period":      Must(two.Profile(1e-30, 1, 2).Build()).AtRate(0.5),
		"an uneven period":    Must(two.Profile(10, 1e-60, 1).Build()),
		"a window of 2^31":    Must(two.Policy(Window(1 << 31)).Build()),
		"a window of 2^24":    Must(two.Policy(Window(1 << 24)).Build()),
		"a window of 1000":    Must(two.Policy(Window(1000)).Build()),
		"needs of 1 and 10^9": Must(Servers(1e9).Poisson(0.5).Class("a", 1, 0.5, ExpMean(1)).Class("b", 1e9, 0.5, ExpMean(1)).Build()),
		"10,000 classes":      classes,
		"10,000 with a limit": classes.WithLimit(limit),
		"10,000, first fit":   classes.WithPolicy(FirstFit()),
	}
}

// asks are all verbs, as they come.
func asks(m *Model) map[string]func(ctx context.Context) error {
	s := m.Sample()
	ran := func(_ any, err error) error { return err }
	return map[string]func(ctx context.Context) error{
		"Limit":         func(ctx context.Context) error { return ran(m.Limit(ctx)) },
		"Resolve":       func(ctx context.Context) error { return ran(m.AtLoad(0.5).Resolve(ctx)) },
		"Stability":     func(ctx context.Context) error { return ran(m.Stability().Run(ctx)) },
		"Exact limit":   func(ctx context.Context) error { return ran(m.Stability().Exact().Run(ctx)) },
		"Capacity":      func(ctx context.Context) error { return ran(m.Capacity().Run(ctx)) },
		"Simulate":      func(ctx context.Context) error { return ran(m.Simulate().Run(ctx)) },
		"BatchMeans":    func(ctx context.Context) error { return ran(m.Simulate().BatchMeans(20).RelErr(1e-9).Run(ctx)) },
		"Overtaking":    func(ctx context.Context) error { return ran(m.Simulate().Overtaking().Run(ctx)) },
		"Forward":       func(ctx context.Context) error { return ran(s.Forward().Run(ctx)) },
		"Close":         func(ctx context.Context) error { return ran(s.Forward().CloseControlVariates().Run(ctx)) },
		"RelErr":        func(ctx context.Context) error { return ran(s.RelErr(1e-3).Run(ctx)) },
		"Backward":      func(ctx context.Context) error { return ran(s.Backward().Run(ctx)) },
		"Certified":     func(ctx context.Context) error { return ran(s.Certified(1e-6).Run(ctx)) },
		"Unbiased":      func(ctx context.Context) error { return ran(s.Unbiased().Run(ctx)) },
		"Dominated":     func(ctx context.Context) error { return ran(m.AtRate(0.1).Sample().Dominated().Run(ctx)) },
		"Rare":          func(ctx context.Context) error { return ran(s.Rare(20).Run(ctx)) },
		"Exact":         func(ctx context.Context) error { return ran(m.Exact().Run(ctx)) },
		"Optimum":       func(ctx context.Context) error { return ran(m.Optimum().Run(ctx)) },
		"Fewest":        func(ctx context.Context) error { return ran(Fewest(m).MeanWait(1).Run(ctx)) },
		"Sensitivities": func(ctx context.Context) error { return ran(m.Sensitivities().Run(ctx)) },
		"HeavyTraffic":  func(ctx context.Context) error { return ran(m.HeavyTraffic(ctx)) },
		"Methods":       func(ctx context.Context) error { return ran(m.Methods().Run(ctx)) },
		"Path":          func(ctx context.Context) error { return ran(m.Path().Jobs(100_000).Run(ctx)) },
		"Compare":       func(ctx context.Context) error { return ran(Compare(m, FCFS(), FirstFit()).Run(ctx)) },
		"Sweep":         func(ctx context.Context) error { return ran(Sweep(m).Rates(0.1, 0.2).Run(ctx)) },
		"By time":       func(ctx context.Context) error { return ran(m.Simulate().ByTime(4).Run(ctx)) },
		"By time back":  func(ctx context.Context) error { return ran(s.Backward().ByTime(4).Run(ctx)) },
	}
}

// TestExtremesOfModels asks everything of queues at the edge: verbs end with their context,
// and none takes memory by the gigabyte without a fault beforehand.
func TestExtremesOfModels(t *testing.T) {
	for name, m := range extremeModels() {
		for verb, ask := range asks(m) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := answered(t, name+", "+verb, ask)
			runtime.ReadMemStats(&after)
			if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1e9 {
				t.Errorf("%s, %s: %d MB were allocated: %.200v", name, verb, bytes/1e6, err)
			}
		}
	}
	many := extremeModels()["10,000 with a limit"]
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
