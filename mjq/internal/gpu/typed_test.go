package gpu

import (
	"context"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// withTypes makes the classes of a system need units of several types: needs by class
// and type. The need of a class is the sum.
func withTypes(sys sampling.System, units []int, needs ...[]int) sampling.System {
	sys.Servers = 0
	for _, u := range units {
		sys.Servers += u
	}
	sys.Types = &compiled.Types{Units: units, Needs: needs}
	return sys
}

// total is the sum of what a class needs.
func total(needs ...int) (sum int) {
	for _, n := range needs {
		sum += n
	}
	return sum
}

// typedSystems are queues with types of resources, of few groups and of many,
// with types that some classes or all do without, each in both recursions.
func typedSystems() map[string]sampling.System {
	exp := law.ExpMean(1)
	needs := map[string][][]int{
		"cpu and gpu": {{2, 0}, {8, 2}, {0, 1}, {20, 4}},
		"one type":    {{1}, {3}},
		"eight types": {{1, 0, 2, 0, 3, 0, 1, 1}, {0, 1, 0, 4, 0, 2, 1, 0}, {5, 1, 2, 4, 3, 2, 2, 0}},
		"many":        {{1, 0, 0}, {3, 1, 0}, {64, 0, 0}},
	}
	units := map[string][]int{"cpu and gpu": {20, 4}, "one type": {9}, "eight types": {5, 1, 2, 4, 3, 2, 2, 7}, "many": {200, 7, 3}}
	laws := []law.Law{law.ErlangMeanPhases(1, 3), law.HyperExpMeans(0.2, 2, 0.3), law.WeibullMeanShape(1, 0.7), exp}
	rates := map[string]float64{"cpu and gpu": 1.4, "one type": 4, "eight types": 0.9, "many": 11}
	all := map[string]sampling.System{}
	for name, rows := range needs {
		sys := sampling.System{}
		switch len(rows) {
		case 2:
			sys = system(1, rates[name], exp, class(total(rows[0]...), 0.7, laws[0]), class(total(rows[1]...), 0.3, laws[1]))
		case 3:
			sys = system(1, rates[name], law.Deterministic{X: 1}, class(total(rows[0]...), 0.6, laws[3]), class(total(rows[1]...), 0.3, laws[1]), class(total(rows[2]...), 0.1, laws[2]))
		default:
			sys = system(1, rates[name], exp, class(total(rows[0]...), 0.5, laws[3]), class(total(rows[1]...), 0.2, laws[0]), class(total(rows[2]...), 0.2, laws[2]), class(total(rows[3]...), 0.1, laws[1]))
		}
		all[name] = withTypes(sys, units[name], rows...)
		printed := withTypes(sys, units[name], rows...)
		printed.AsPrinted = true
		all[name+", as printed"] = printed
	}
	return all
}

// TestTypedBackwardIsTheSame compares samples of queues with types of resources,
// the waste of each type among them.
func TestTypedBackwardIsTheSame(t *testing.T) {
	for name, sys := range typedSystems() {
		for _, n := range []int{1, 130} {
			here, there := both(t, sys, func(sys sampling.System) *sampling.BackwardResult {
				b := sampling.Backward{System: sys, Samples: n, Window: 150, MaxWindow: 2000, Batch: 33, Level: 0.95}
				return b.Run(context.Background(), nil)
			})
			if there.Failed != nil {
				t.Fatal(there.Failed)
			}
			if here.Done != n || here.Done != there.Done || here.Steps != there.Steps || here.Unsettled != there.Unsettled || here.MinWindow != there.MinWindow || here.MaxWindow != there.MaxWindow {
				t.Errorf("%s: %d samples, %d steps, %d capped, windows %d to %d; on the device %d, %d, %d, %d to %d", name,
					here.Done, here.Steps, here.Unsettled, here.MinWindow, here.MaxWindow, there.Done, there.Steps, there.Unsettled, there.MinWindow, there.MaxWindow)
			}
			compare(t, name, here.Classes, there.Classes)
			if !near(here.HOL.X, there.HOL.X) || n > 1 && here.All.Waiting.X == 0 {
				t.Errorf("%s: waste %v of mean wait %v; on the device %v", name, here.HOL.X, here.All.Waiting.X, there.HOL.X)
			}
			for k := range here.Kinds {
				if !near(here.Kinds[k].X, there.Kinds[k].X) {
					t.Errorf("%s: waste of type %d %v; on the device %v", name, k, here.Kinds[k].X, there.Kinds[k].X)
				}
			}
		}
	}
}

// TestTypedForwardIsTheSame compares forward runs.
func TestTypedForwardIsTheSame(t *testing.T) {
	for name, sys := range typedSystems() {
		sameForward(t, name, sys, 333, 1501)
	}
}

// TestTypedPileIsTheSame compares piles over several rounds. As printed, types
// have heights of their own.
func TestTypedPileIsTheSame(t *testing.T) {
	for name, sys := range typedSystems() {
		samePile(t, name, sys, 100_000)
	}
}

// TestTypedLimits checks how a queue with too many types is refused, and one whose
// chains do not fit.
func TestTypedLimits(t *testing.T) {
	sys := typedSystems()["one type"]
	nine := withTypes(sys, []int{9, 1, 1, 1, 1, 1, 1, 1, 1}, []int{1, 0, 0, 0, 0, 0, 0, 0, 0}, []int{3, 0, 0, 0, 0, 0, 0, 0, 0})
	if err := Takes(&nine); err == nil || !strings.Contains(err.Error(), "up to 8 types") || !strings.Contains(err.Error(), "has 9") {
		t.Errorf("nine types give %v", err)
	}
	huge := withTypes(sys, []int{1 << 30}, []int{1}, []int{3})
	if _, err := New(device(t, plenty), &huge); err == nil || !strings.Contains(err.Error(), "MiB") {
		t.Errorf("2^30 units give %v", err)
	}
	other := sys
	other.Types, other.Picks = nil, []compiled.Pick{{Any: 1}}
	if err := Takes(&other); err == nil || !strings.Contains(err.Error(), "named servers") || !strings.Contains(err.Error(), "Device: mjq.CPU") {
		t.Errorf("named servers give %v", err)
	}
	bursty := sys
	bursty.Input = stream.NewFrom(1, arrival.MMPP([]float64{1, 2}, [][]float64{{-1, 1}, {1, -1}}), []stream.Class{{Need: 1, Prob: 1, Service: law.ExpMean(2)}})
	if err := Takes(&bursty); err == nil || !strings.Contains(err.Error(), "independent gaps") || !strings.Contains(err.Error(), "Device: mjq.CPU") {
		t.Errorf("arrivals in bursts give %v", err)
	}
}
