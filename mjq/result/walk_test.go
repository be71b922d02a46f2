package result

import (
	"math"
	"reflect"
	"testing"
)

// TestVisitClass: the list of the estimates of a class has all that its fields have.
func TestVisitClass(t *testing.T) {
	c := new(ClassResult)
	for _, m := range []*Metric{&c.Waiting, &c.Response, &c.Slowdown} {
		m.TailProbability = make([]Exceedance, 2)
	}
	listed := map[*Estimate]int{}
	c.visit(func(e *Estimate) { listed[e]++ })
	found := 0
	var walk func(v reflect.Value, name string)
	walk = func(v reflect.Value, name string) {
		if e, ok := v.Addr().Interface().(*Estimate); ok {
			if found++; listed[e] != 1 {
				t.Errorf("%s is visited %d times: ClassResult.visit must list each estimate once", name, listed[e])
			}
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i), name+"."+v.Type().Field(i).Name)
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i), name)
			}
		}
	}
	walk(reflect.ValueOf(c).Elem(), "ClassResult")
	if found != len(listed) || found < 30 {
		t.Errorf("%d estimates, and %d are listed", found, len(listed))
	}
}

// TestMarkManyClasses: of the estimates of thousands of classes those that were not computed become
// unknown and no other, one class like another.
func TestMarkManyClasses(t *testing.T) {
	r := &Result{Classes: make([]ClassResult, 1000)}
	for i := range r.Classes {
		r.Classes[i].Waiting.Mean = Estimate{Value: 1, HalfWidth: 0.5, Level: 0.95}
	}
	MarkUnknown(r)
	for i := range r.Classes {
		c := &r.Classes[i]
		unknown := 0
		c.visit(func(e *Estimate) {
			if math.IsNaN(e.Value) {
				unknown++
			}
		})
		if unknown != 31 || c.Waiting.Mean.Value != 1 || c.Waiting.Mean.HalfWidth != 0.5 {
			t.Fatalf("class %d: %d are unknown, and the mean wait is %v", i, unknown, c.Waiting.Mean)
		}
	}
	if !math.IsNaN(r.WastedHOL.Value) {
		t.Errorf("wasted servers %v", r.WastedHOL)
	}
}

// BenchmarkMarkUnknown is of a result of ten thousand classes, which an interrupted run is to return
// within a tenth of a second.
func BenchmarkMarkUnknown(b *testing.B) {
	r := &Result{Classes: make([]ClassResult, 10_000)}
	for b.Loop() {
		MarkUnknown(r)
	}
}

// TestMixAllocatesLittle: what it allocates does not grow with the classes, of which there may be
// thousands.
func TestMixAllocatesLittle(t *testing.T) {
	mix := func(classes int) float64 {
		parts, probs := make([]Distribution, classes), make([]float64, classes)
		for i := range parts {
			parts[i], probs[i] = Distribution{Total: 3, Cells: []int32{-300, int32(i % 900), 2000}, Weights: []float64{1, 1, 1}}, 1
		}
		return testing.AllocsPerRun(5, func() { Mix(parts, probs) })
	}
	if few, many := mix(1000), mix(10_000); many > few {
		t.Errorf("%v allocations for many classes, %v for few", many, few)
	}
}
