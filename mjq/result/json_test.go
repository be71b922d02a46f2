package result

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// TestResultsInJSON: what is written is read to the same bits, NaN and infinities
// included, and in the order of the fields.
func TestResultsInJSON(t *testing.T) {
	r := Result{Solver: `a "b"`, Rate: 1.0 / 3, Limit: Stability{Rate: math.Inf(1), HalfWidth: math.NaN(), Notes: []string{"λ < 1"}}, Stable: true,
		Classes: []ClassResult{{Name: "T1", Need: 3, Waiting: Metric{Mean: Estimate{math.Pi, 1e-300, 0.95, 7, "x"}, Variance: Unknown(),
			Dist: Distribution{Zero: 2, Cells: []int32{-5, 7}, Weights: []float64{0.1, math.Inf(-1)}}, Curve: Curve{Coef: [][]float64{{1, 2}, nil}}}}},
		MeanJobs: Infinite("unstable"), Overtaking: [][]Estimate{{Unknown()}}, Run: Run{Seed: math.MaxUint64, Steps: 1 << 60, Elapsed: 3 * time.Second}}
	text, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	MarkUnknown(&r)
	var back Result
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if a, b := fmt.Sprintf("%#v", r), fmt.Sprintf("%#v", back); a != b {
		t.Errorf("read as\n%s\nwant\n%s", b, a)
	}
	if !strings.HasPrefix(string(text), `{"solver":"a \"b\"","source":"","model":"","rate":0.3333333333333333,"limit":{"rate":"Infinity","halfWidth":null,`) {
		t.Errorf("written as %s", text)
	}
	for _, bad := range []string{`{"rate":"many"}`, `{"classes":{}}`, `[]`, `{"run":{"seed":-1}}`} {
		if err := json.Unmarshal([]byte(bad), new(Result)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	var e Estimate
	if text, err := json.Marshal(Unknown()); err != nil || json.Unmarshal(text, &e) != nil || !math.IsNaN(e.Value) {
		t.Errorf("an unknown estimate is written as %s and read as %+v", text, e)
	}
}
