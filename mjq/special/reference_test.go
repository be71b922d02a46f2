package special

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// atRate is the value of that name at an arrival rate.
func atRate(t testing.TB, group, name string, rate float64) any {
	t.Helper()
	for _, v := range oracle.Values(t, group, name) {
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

func absolute(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}
