package mjq

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// A model that was written and read is the same to the bit, whatever its laws,
// rates and probabilities were made of, and gives the same results.
func TestModelJSON(t *testing.T) {
	laws := []Law{ExpMean(0.1), ErlangMeanPhases(0.7, 3), HyperExpMeans(1./3, 2, 0.3), HyperExpMeanSCV(1, 3), BoundedPareto(0.1, 9, 1.1), LomaxScaleShape(0.7, 3),
		Cox2(1, 0.3, 0.1), PhaseType([]float64{0.3, 0.7}, [][]float64{{-1. / 3, 0.1}, {0, -2}}), Deterministic(0.3), Uniform(0.1, 0.7),
		LogNormalMeanSCV(1, 0.7), WeibullMeanShape(1, 0.7), Empirical([]float64{0.1, 0.3, 7}), law.FitMeanSCV(1, 0.4), law.Spread(LomaxScaleShape(1, 3))}
	b := Servers(20)
	for i, l := range laws {
		b = b.Class(fmt.Sprintf("class %d", i), 1+i, 1./15+0.01*float64(i-7)/float64(len(laws)), l)
	}
	bare := b
	for _, m := range []Model{bare, b.Poisson(0.7), b.Arrivals(ErlangMeanPhases(0.3, 2)).AtRate(0.7), bare.AtRate(1. / 7)} {
		text := Must(json.Marshal(m))
		var back Model
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if back.Spec().Servers != m.Spec().Servers || !reflect.DeepEqual(back.Spec().Arrivals, m.Spec().Arrivals) || !reflect.DeepEqual(back.Spec().Classes, m.Spec().Classes) {
			t.Errorf("%v\ncomes back as\n%v", m, &back)
		}
		if again := Must(json.Marshal(&back)); string(again) != string(text) {
			t.Errorf("written again: %s, was %s", again, text)
		}
	}
	m := Servers(4).Poisson(0.7).Class("one", 1, 0.7, HyperExpMeanSCV(1./3, 3)).Class("three", 3, 0.3, BoundedPareto(0.1, 9, 1.1))
	var back Model
	if err := json.Unmarshal(Must(json.Marshal(m)), &back); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	a, c := Must(m.Solve(ctx, Backward{Samples: 200})), Must(back.Solve(ctx, Backward{Samples: 200}))
	if a.All.Waiting.Mean != c.All.Waiting.Mean || a.Limit.Rate != c.Limit.Rate || a.WastedHOL != c.WastedHOL {
		t.Errorf("mean wait %v, of the model read %v", a.All.Waiting.Mean, c.All.Waiting.Mean)
	}
}

func TestModelJSONFaults(t *testing.T) {
	var m Model
	err := json.Unmarshal([]byte(`{"servers":2,"arrivals":{"law":"ExpRate"},"classes":[
		{"name":"wide","need":3,"prob":0.5,"service":{"law":"ExpMean","mean":1}},
		{"name":"odd","need":1,"prob":0.4,"service":{"law":"Odd"}}]}`), &m)
	for _, part := range []string{`arrivals: law: reading ExpRate: the parameter "rate" is missing`, "need 3 exceeds the 2 servers", `class "odd": law: "Odd" is not a law`, "sum to 0.9"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
	if err := json.Unmarshal([]byte(`{"servers":3,"classes":[{"name":"a","need":1,"prob":0.3333333,"service":{"law":"ExpMean","mean":1}},
		{"name":"b","need":1,"prob":0.6666666,"service":{"law":"ExpMean","mean":1}}]}`), &m); err != nil || Must(m.problem()).Classes[0].Prob+Must(m.problem()).Classes[1].Prob != 1 {
		t.Errorf("rounded probabilities: %v, error %v", Must(m.problem()).Classes, err)
	}
}
