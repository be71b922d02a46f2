package result_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestWalksVisitEachOnce: walks over a result, which have the estimates of a class in a list, come
// to each of its fields once.
func TestWalksVisitEachOnce(t *testing.T) {
	r := &result.Result{Classes: make([]result.ClassResult, 2), Resources: make([]result.ResourceResult, 2)}
	for _, m := range []*result.Metric{&r.All.Waiting, &r.Classes[1].Response, &r.Classes[1].Slowdown} {
		m.TailProbability = make([]result.Exceedance, 2)
	}
	oracle.Estimates(reflect.ValueOf(r), "Result", func(_ string, e *result.Estimate) { *e = result.Estimate{Value: 1, Level: 0.95} })
	r.Widen(0.5)
	found := 0
	oracle.Estimates(reflect.ValueOf(r), "Result", func(at string, e *result.Estimate) {
		if found++; e.HalfWidth != 0.5 {
			t.Errorf("%s is visited %g times: ClassResult.visit must list each estimate once", at, 2*e.HalfWidth)
		}
	})
	if found < 100 {
		t.Errorf("only %d estimates", found)
	}
}

// TestMarkManyClasses: of the estimates of thousands of classes those that were not computed become
// unknown and no other, one class like another.
func TestMarkManyClasses(t *testing.T) {
	r := &result.Result{Classes: make([]result.ClassResult, 1000)}
	known := result.Estimate{Value: 1, HalfWidth: 0.5, Level: 0.95}
	for i := range r.Classes {
		r.Classes[i].Waiting.Mean = known
	}
	result.MarkUnknown(r)
	for i := range r.Classes {
		c := &r.Classes[i]
		oracle.Estimates(reflect.ValueOf(c), "", func(at string, e *result.Estimate) {
			if want := at == ".Waiting.Mean"; want && *e != known || !want && !math.IsNaN(e.Value) {
				t.Fatalf("class %d: %s is %v", i, at, *e)
			}
		})
	}
	if !math.IsNaN(r.WastedHOL.Value) {
		t.Errorf("wasted servers %v", r.WastedHOL)
	}
}

// BenchmarkMarkUnknown is of a result of ten thousand classes, which an interrupted run is to return
// within a tenth of a second.
func BenchmarkMarkUnknown(b *testing.B) {
	r := &result.Result{Classes: make([]result.ClassResult, 10_000)}
	for b.Loop() {
		result.MarkUnknown(r)
	}
}

// TestMixAllocatesLittle: what it allocates does not grow with the classes, of which there may be
// thousands.
func TestMixAllocatesLittle(t *testing.T) {
	mix := func(classes int) float64 {
		parts, probs := make([]result.Distribution, classes), make([]float64, classes)
		for i := range parts {
			parts[i], probs[i] = result.Distribution{Total: 3, Cells: []int32{-300, int32(i % 900), 2000}, Weights: []float64{1, 1, 1}}, 1
		}
		return testing.AllocsPerRun(5, func() { result.Mix(parts, probs) })
	}
	if few, many := mix(1000), mix(10_000); many > few {
		t.Errorf("%v allocations for many classes, %v for few", many, few)
	}
}
