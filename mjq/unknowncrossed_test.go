package mjq

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/methods"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// askedPolicies are policies of every kind: by order, by reservation, by need, preemptive, by
// size of the classes' lines, and by levels.
func askedPolicies() []Policy {
	return []Policy{FirstFit(), EASY(), Window(2), LeastServersFirst(), ServerFilling(), PreemptiveMostServersFirst(), MaxWeight(),
		Priority([]string{"three"}, []string{"one"}), Priority([]string{"one"}, []string{"three"}).Preemptive(Resume)}
}

// askedWays are the method with settings that estimate in other ways than by default: control
// variates of both kinds, batch means, and paths from samples.
func askedWays(x run.Method) (list []run.Method) {
	if takes(x, "Controls") {
		list = append(list, with(askedShort(x), map[string]any{"Controls": PlainControls}), with(askedShort(x), map[string]any{"Controls": CloseControls}))
	}
	if takes(x, "BatchMeans") {
		list = append(list, with(x, map[string]any{"Jobs": 4000, "BatchMeans": 10}))
	}
	if takes(x, "PathLength") {
		list = append(list, with(askedShort(x), map[string]any{"PathLength": 50}))
	}
	return list
}

// TestNothingIsZeroCrossed asks simulations, and what else fits, under every policy, in full with
// every kind of arrivals, and every queue in every way to estimate.
func TestNothingIsZeroCrossed(t *testing.T) {
	runs := 0
	ask := func(what string, m Model, x run.Method) {
		x = with(x, map[string]any{"Samples": 40}) // enough for every field
		r, err := run.Solve(background, Must(m.problem()), x, problem.Defaults())
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		runs++
		if honest(t, what, r, zeroUnder(m)) == 0 {
			t.Errorf("%s: nothing is known", what)
		}
	}
	models := askedModels()
	long := oracle.Sized(0, 1) > 0
	for k, arrivals := range []string{"Erlang", "MMPP", "marked", "batches"} {
		limit := Must(models[arrivals].Stability(background))
		for i, p := range askedPolicies() {
			if !long && (i+k)%4 != 0 { // each policy once, and each kind of arrivals with several
				continue
			}
			m := models[arrivals].AtRate(models[arrivals].Rate() / 2).Policy(p).WithLimit(limit)
			for _, x := range methods.All {
				if x = run.Under(x, Must(m.problem()).Spec); run.Fits(x, Must(m.problem()).Spec) == nil {
					ask(fmt.Sprintf("%s, %v, %s", arrivals, p, x.Row().Name), m, askedShort(x))
				}
			}
		}
	}
	number := 0
	for _, name := range slices.Sorted(maps.Keys(models)) {
		m := models[name]
		for _, x := range methods.All {
			if x = run.Under(x, Must(m.problem()).Spec); run.Fits(x, Must(m.problem()).Spec) == nil {
				for i, way := range askedWays(x) {
					if number++; number%oracle.Sized(2, 1) > 0 {
						continue
					}
					ask(fmt.Sprintf("%s, %s, way %d", name, x.Row().Name, i), m, way)
				}
			}
		}
	}
	if runs < oracle.Sized(45, 140) {
		t.Errorf("%d runs", runs)
	}
}
