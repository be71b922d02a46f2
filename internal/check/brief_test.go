package check

import "testing"

// TestBrief: descriptions have five digits of a number at most, and all of one that has
// no more.
func TestBrief(t *testing.T) {
	for long, short := range map[string]string{
		"HyperExpMeans(231.38556893274244, 2935.8029707457117, 0.9269429129229441)": "HyperExpMeans(231.39, 2935.8, 0.92694)",
		"LomaxScaleShape(0.125, 2.5)": "LomaxScaleShape(0.125, 2.5)",
		"ExpRate(1.000000001)":        "ExpRate(1)",
		"ExpMean(123456.7)":           "ExpMean(123456.7)",
		"ExpMean(1.25e-07)":           "ExpMean(1.25e-07)",
		"Erlang-3 of 20":              "Erlang-3 of 20",
	} {
		if got := Brief(long); got != short {
			t.Errorf("Brief(%q) = %q, want %q", long, got, short)
		}
	}
}
