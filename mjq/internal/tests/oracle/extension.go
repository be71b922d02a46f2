package oracle

import (
	_ "embed"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

//go:embed extension_values.json
var extensions []byte

//go:embed frontier_values.json
var frontier []byte

// Extension is one independent value of extension_values.json, which has systems that turn
// jobs away, impatience, priorities, nodes and breakdowns, or of frontier_values.json, which has
// failures with checkpoints, multifactor priorities, jobs that change their need, users and
// servers that sleep. The model is in plain words.
type Extension struct {
	ID, Quantity, How string
	Model             map[string]any
	Value, Tolerance  float64
	Starts            []float64    // of the jobs of a schedule
	Fates             [][4]float64 `json:"first_end_hits_lost"` // of the jobs of a schedule with failures: first start, end, interruptions, lost time
}

// Extended is the value of that name, with its tolerance.
func Extended(t testing.TB, id string) Extension {
	t.Helper()
	for _, v := range append(valuesOf(t, extensions, id), valuesOf(t, frontier, id)...) {
		if v.ID == id {
			return v
		}
	}
	t.Fatalf("no reference value %s", id)
	return Extension{}
}

// Near fails unless a number is the value of that name within its tolerance.
func Near(t testing.TB, id string, got float64) {
	t.Helper()
	v := Extended(t, id)
	if !(math.Abs(got-v.Value) <= v.Tolerance) {
		t.Errorf("%s: %.15g, want %.15g ± %.1g (%s)", id, got, v.Value, v.Tolerance, v.Quantity)
	}
}

// AllExtended are the values of extension_values.json whose names begin so.
func AllExtended(t testing.TB, prefix string) []Extension {
	t.Helper()
	return some(t, extensions, prefix)
}

// AllFrontier are the values of frontier_values.json whose names begin so.
func AllFrontier(t testing.TB, prefix string) []Extension {
	t.Helper()
	return some(t, frontier, prefix)
}

// some are the values of a file whose names begin so, of which there must be one.
func some(t testing.TB, file []byte, prefix string) []Extension {
	t.Helper()
	out := valuesOf(t, file, prefix)
	if len(out) == 0 {
		t.Fatalf("no reference values %s", prefix)
	}
	return out
}

// valuesOf are the values of a file whose names begin so.
func valuesOf(t testing.TB, file []byte, prefix string) (out []Extension) {
	t.Helper()
	var all []Extension
	if err := json.Unmarshal(file, &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if strings.HasPrefix(v.ID, prefix) {
			out = append(out, v)
		}
	}
	return out
}
