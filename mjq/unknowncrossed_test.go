package mjq

import (
	"fmt"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/internal/oracle"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
)

// askedPolicies are policies of every kind: by order, by reservation, by need, preemptive, by
// size of the classes' lines, and by levels.
func askedPolicies() []Policy {
	return []Policy{FirstFit(), EASY(), Window(2), LeastServersFirst(), ServerFilling(), PreemptiveMostServersFirst(), MaxWeight(),
		Priority([]string{"three"}, []string{"one"}), Priority([]string{"one"}, []string{"three"}).Preemptive(Resume)}
}

// askedWays are settings of a method that estimate in other ways than by default: control
// variates of both kinds, batch means, and paths from samples.
func askedWays(x *run.Method) (list []problem.Options) {
	for _, way := range []struct {
		takes problem.Setting
		n     int64
	}{{problem.Controls, 1}, {problem.Controls, 2}, {problem.BatchMeans, 10}, {problem.PathLength, 50}} {
		if x.Takes&way.takes != 0 {
			o := askedShort(x)
			if way.takes == problem.BatchMeans {
				o = problem.Defaults()
				o.Set(problem.Jobs, 4000)
			}
			o.Set(way.takes, way.n)
			list = append(list, o)
		}
	}
	return list
}

// TestNothingIsZeroCrossed asks simulations, and what else fits, under every policy, in full with
// every kind of arrivals, and every queue in every way to estimate.
func TestNothingIsZeroCrossed(t *testing.T) {
	runs := 0
	ask := func(what string, m Model, x *run.Method, o problem.Options) {
		if x.Takes&problem.Samples != 0 {
			o.Set(problem.Samples, 40) // enough for every field
		}
		r, err := x.Run(background, Must(m.problem()), o)
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
			m := models[arrivals].Policy(p).WithLimit(limit)
			for _, x := range method.All {
				if x = x.Under(Must(m.problem()).Spec); x.Fits(Must(m.problem()).Spec) == nil {
					ask(fmt.Sprintf("%s, %v, %s", arrivals, p, x.Name), m, x, askedShort(x))
				}
			}
		}
	}
	for name, m := range models {
		for _, x := range method.All {
			if x = x.Under(Must(m.problem()).Spec); x.Fits(Must(m.problem()).Spec) == nil {
				for i, o := range askedWays(x) {
					ask(fmt.Sprintf("%s, %s, way %d", name, x.Name, i), m, x, o)
				}
			}
		}
	}
	if runs < oracle.Sized(60, 140) {
		t.Errorf("%d runs", runs)
	}
}
