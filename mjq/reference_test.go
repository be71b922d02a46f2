package mjq

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// reference is one independent value of testdata/reference_values.json,
// computed by other programs than ours; how says by which.
type reference struct {
	Group, Name, How string
	Parameters       map[string]any
	Value            any
}

// references are the values of that name.
func references(t testing.TB, group, name string) []reference {
	t.Helper()
	data, err := os.ReadFile("testdata/reference_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Values []reference }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var found []reference
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

// fiveClasses is the reference of that name for the exponential five-class mix
// at an arrival rate: one number, or one a class.
func fiveClasses(t testing.TB, name string, rate float64) []float64 {
	t.Helper()
	for _, v := range references(t, "B3", name) {
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

// within fails unless e is within k standard errors of want; the standard
// error is read off the 95 % half-width.
func within(t testing.TB, what string, e result.Estimate, want, k float64) {
	t.Helper()
	se := e.HalfWidth / 1.96
	if !(math.Abs(e.Value-want) <= k*se) || !(se < 0.2*math.Abs(want)) {
		t.Errorf("%s: %v, want %.6g: %.1f standard errors", what, e, want, (e.Value-want)/se)
	}
}
