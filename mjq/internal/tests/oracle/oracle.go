// Package oracle has what tests hold results against: values that other programs than ours
// computed, and how near is near.
package oracle

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

//go:embed reference_values.json
var file []byte

// Value is one independent value of reference_values.json; How says which program it is from.
type Value struct {
	Group, Name, How string
	Parameters       map[string]any
	Value            any
}

// Values are the values of that name.
func Values(t testing.TB, group, name string) []Value {
	t.Helper()
	var all struct{ Values []Value }
	if err := json.Unmarshal(file, &all); err != nil {
		t.Fatal(err)
	}
	var found []Value
	for _, v := range all.Values {
		if v.Group == group && v.Name == name {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no reference value %s %s", group, name)
	}
	return found
}

// FiveClasses is the reference of that name for the exponential five-class mix
// at an arrival rate: one number, or one a class.
func FiveClasses(t testing.TB, name string, rate float64) []float64 {
	t.Helper()
	for _, v := range Values(t, "B3", name) {
		if v.Parameters["lam"] != rate {
			continue
		}
		switch x := v.Value.(type) {
		case float64:
			return []float64{x}
		case []any:
			out := make([]float64, len(x))
			for i := range x {
				out[i] = x[i].(float64)
			}
			return out
		}
	}
	t.Fatalf("no reference value %s at rate %v", name, rate)
	return nil
}

// Within fails unless e is within k standard errors of want; the standard
// error is read off the 95 % half-width.
func Within(t testing.TB, what string, e result.Estimate, want, k float64) {
	t.Helper()
	se := e.HalfWidth / 1.96
	if !(math.Abs(e.Value-want) <= k*se) || !(se < 0.2*math.Abs(want)) {
		t.Errorf("%s: %v, want %.6g: %.1f standard errors", what, e, want, (e.Value-want)/se)
	}
}

// Agrees fails unless e is within four standard errors of want, or next to it by rounding.
func Agrees(t testing.TB, what string, e result.Estimate, want float64) {
	t.Helper()
	if z := (e.Value - want) / e.HalfWidth * 1.96; !(math.Abs(z) < 4) && math.Abs(e.Value-want) > 1e-9 {
		t.Errorf("%s: %v, want %v (z = %.1f)", what, e, want, z)
	}
}

// Relative fails unless got is want but for a relative error of tol.
func Relative(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: %.15g, want %.15g within %.1g", what, got, want, tol)
	}
}

// Mention fails unless the error names every one of the texts.
func Mention(t testing.TB, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; it should mention %q", texts)
		return
	}
	for _, s := range texts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("the error %q does not mention %q", err, s)
		}
	}
}

// Soon is how late tests let a run stop that would last for hours: the processors may be
// busy with other work. What it takes on a free machine is for BenchmarkStops to say.
const Soon = 10 * time.Second

// SameBits reports whether two values print alike to the last digit, NaN being itself.
func SameBits(a, b any) bool { return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) }

// Estimates calls f for each estimate inside v, with its path: a copy of it if v has no address.
func Estimates(v reflect.Value, at string, f func(at string, e *result.Estimate)) {
	if e, ok := v.Interface().(result.Estimate); ok {
		if v.CanAddr() {
			f(at, v.Addr().Interface().(*result.Estimate))
			return
		}
		f(at, &e)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			Estimates(v.Elem(), at, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				Estimates(v.Field(i), at+"."+v.Type().Field(i).Name, f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			Estimates(v.Index(i), fmt.Sprintf("%s[%d]", at, i), f)
		}
	}
}
