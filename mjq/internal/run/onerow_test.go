package run_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
)

// TestOneRow: with one class the row of the class has the numbers of the row of all jobs, by
// every method.
func TestOneRow(t *testing.T) {
	plain := mjq.Servers(1).Poisson(0.7).Class("j", 1, 1, mjq.LogNormalMeanSCV(1, 4))
	few := mjq.Servers(4).Poisson(0.7).Class("j", 3, 1, mjq.ExpMean(1))
	busy := mjq.Servers(3).Poisson(2.5).Class("j", 1, 1, mjq.LogNormalMeanSCV(1, 2))
	for name, m := range map[string]mjq.Model{"log-normal": plain, "three servers": busy, "exponential": few, "with room": few.Room(2), "First-Fit": few.Policy(mjq.FirstFit()),
		"preemptive": few.Policy(mjq.PreemptiveFirstFit()), "in pairs": few.AtRate(0.2).Batches(arrival.FixedSize(2))} {
		for _, by := range []mjq.Method{nil, mjq.Exact{}, mjq.Forward{Jobs: 500}, mjq.Forward{Jobs: 500, Controls: mjq.CloseControls}, mjq.Backward{Samples: 64},
			mjq.Certified{Samples: 64}, mjq.Unbiased{Samples: 64}, mjq.Simulation{Jobs: 500}} {
			r, err := m.Solve(context.Background(), by, mjq.Seed(3))
			if err != nil {
				continue // the method is not for the queue
			}
			c, all := r.Classes[0], r.All
			c.Name, c.Need, c.Prob, all.Name, all.Need, all.Prob = "", 0, 0, "", 0, 0
			for i := range reflect.ValueOf(c).NumField() {
				a, b := reflect.ValueOf(c).Field(i), reflect.ValueOf(all).Field(i)
				if !same(a, b) {
					t.Errorf("%s by %T: %s is %v of the class, %v of all jobs", name, by, reflect.TypeOf(c).Field(i).Name, a, b)
				}
			}
		}
	}
}

// same reports whether two values print alike: NaN is NaN.
func same(a, b reflect.Value) bool {
	if a.Kind() == reflect.Struct {
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	if a.Kind() == reflect.Float64 {
		return a.Float() == b.Float() || a.Float() != a.Float() && b.Float() != b.Float()
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
