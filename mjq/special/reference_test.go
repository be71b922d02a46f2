package special

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// reference is one independent value of testdata/reference_values.json,
// computed by other programs than ours.
type reference struct {
	Group, Name string
	Parameters  map[string]any
	Value       any
}

// references are the values of that name.
func references(t testing.TB, group, name string) (found []reference) {
	t.Helper()
	data, err := os.ReadFile("../testdata/reference_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Values []reference }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Values {
		if v.Group == group && v.Name == name {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no reference value %s %s", group, name)
	}
	return found
}

// atRate is the value of that name at an arrival rate.
func atRate(t testing.TB, group, name string, rate float64) any {
	t.Helper()
	for _, v := range references(t, group, name) {
		if v.Parameters["lam"] == rate {
			return v.Value
		}
	}
	t.Fatalf("no reference value %s %s at rate %v", group, name, rate)
	return nil
}

// numbers is a list of numbers in a reference.
func numbers(v any) (list []float64) {
	for _, x := range v.([]any) {
		list = append(list, x.(float64))
	}
	return list
}

// off is the relative error.
func off(got, want float64) float64 { return math.Abs(got-want) / math.Abs(want) }

// relative and absolute fail where got is further from want than tol.
func relative(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: %.15g, want %.15g (%.1e apart)", what, got, want, off(got, want))
	}
}

func absolute(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}
