package result

import (
	"math"
	"reflect"

	"github.com/mjqueue/mjq/internal/panics"
)

// MarkUnknown sets each estimate that was not computed, in an answer of this package given by
// its address, to NaN, so that no reader takes its Value for 0. It walks over all fields, so
// that a field added later cannot be forgotten.
func MarkUnknown(answer any) {
	visit(reflect.ValueOf(answer), markUnknown)
}

func markUnknown(e *Estimate) {
	if !e.Known() {
		e.Value, e.HalfWidth = math.NaN(), math.NaN()
	}
}

// Widen adds a share of its value to the half-width of each finite number.
func (r *Result) Widen(share float64) {
	visit(reflect.ValueOf(r), func(e *Estimate) {
		if e.Known() && !math.IsInf(e.Value, 0) {
			e.HalfWidth += share * math.Abs(e.Value)
		}
	})
}

// visit calls f for each T inside v, which can be set.
func visit[T any](v reflect.Value, f func(*T)) { visitIn(v, map[reflect.Type][]int{}, f) }

// visitIn remembers which fields of a type hold one: a result may have thousands of classes.
func visitIn[T any](v reflect.Value, holding map[reflect.Type][]int, f func(*T)) {
	t, what := v.Type(), reflect.TypeFor[T]()
	if t == what {
		f(v.Addr().Interface().(*T))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visitIn(v.Elem(), holding, f)
		}
	case reflect.Struct:
		if f, ok := any(f).(func(*Estimate)); ok && t == reflect.TypeFor[ClassResult]() {
			v.Addr().Interface().(*ClassResult).visit(f)
			return
		}
		fields, known := holding[t]
		if !known {
			fields = fieldsWith(t, what)
			holding[t] = fields
		}
		for _, i := range fields {
			visitIn(v.Field(i), holding, f)
		}
	case reflect.Slice:
		if f, ok := any(f).(func(*Estimate)); ok && t == reflect.TypeFor[[]ClassResult]() {
			eachClass(v.Interface().([]ClassResult), func(c *ClassResult) { c.visit(f) })
			return
		}
		for i := range v.Len() {
			visitIn(v.Index(i), holding, f)
		}
	}
}

// eachClass calls f for each class, at the same time for several if they are thousands.
func eachClass(classes []ClassResult, f func(c *ClassResult)) {
	panics.Blocks(len(classes), func(from, to int) {
		for i := range classes[from:to] {
			f(&classes[from+i])
		}
	})
}

// fieldsWith are the exported fields of a struct that may have a value of another type inside.
func fieldsWith(t, what reflect.Type) (fields []int) {
	for i := range t.NumField() {
		if field := t.Field(i); field.IsExported() && holds(field.Type, what, map[reflect.Type]bool{}) {
			fields = append(fields, i)
		}
	}
	return fields
}

// holds reports whether values of a type may have one of another inside: lists of numbers
// and the jobs of a path are long.
func holds(t, what reflect.Type, seen map[reflect.Type]bool) bool {
	if t == what || seen[t] {
		return t == what
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return holds(t.Elem(), what, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if holds(t.Field(i).Type, what, seen) {
				return true
			}
		}
	}
	return false
}
