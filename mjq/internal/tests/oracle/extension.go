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

// Extension is one independent value of extension_values.json, which has systems that turn
// jobs away, impatience, priorities, nodes and breakdowns. The model is in plain words.
type Extension struct {
	ID, Quantity, How string
	Model             map[string]any
	Value, Tolerance  float64
}

// Extended is the value of that name, with its tolerance.
func Extended(t testing.TB, id string) Extension {
	t.Helper()
	for _, v := range AllExtended(t, id) {
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

// AllExtended are the values whose names begin so.
func AllExtended(t testing.TB, prefix string) (out []Extension) {
	t.Helper()
	var all []Extension
	if err := json.Unmarshal(extensions, &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if strings.HasPrefix(v.ID, prefix) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no reference values %s", prefix)
	}
	return out
}
