package law

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestSpreadsWithinSpreads: the time to read them grew as their number squared.
func TestSpreadsWithinSpreads(t *testing.T) {
	const n = 9000
	started := time.Now()
	_, err := Unmarshal([]byte(strings.Repeat(`{"law":"Spread","of":`, n) + `{"law":"ExpMean","mean":1}` + strings.Repeat("}", n)))
	if took := time.Since(started); err == nil || !strings.Contains(err.Error(), "9000 laws within each other") || took > 2*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
	text := strings.Repeat(`{"law":"Spread","of":`, 8) + `{"law":"ExpMean","mean":1}` + strings.Repeat("}", 8)
	if l, err := Unmarshal([]byte(text)); err != nil || l.String() != "ErlangMeanPhases(9, 9)" {
		t.Errorf("eight spreads of an exponential law: %v, %v", l, err)
	}
	text = `{"law":"Spread","of":` + text + "}"
	if l, err := Unmarshal([]byte(text)); err != nil || l.String() != "ErlangMeanPhases(10, 10)" {
		t.Errorf("nine, with nine laws within the first: %v, %v", l, err)
	}
	if _, err := Unmarshal([]byte(`{"law":"Spread","of":` + text + "}")); err == nil {
		t.Error("ten laws within a law are read")
	}
}

// TestWrittenLaws: a law that was written and read is the same value, with the same
// draws, also after scaling to parameters that have no short decimal form.
func TestWrittenLaws(t *testing.T) {
	all := append(laws(), NewEmpirical([]float64{0.1, 0.7}), Spread(Uniform{1, 3}), Spread(BoundedPareto{0.1, 7, 1.3}),
		Spread(Lomax{3, 2}), Spread(WeibullMeanShape(1, 0.7)), Spread(NewEmpirical([]float64{0.3, 1, 2})))
	if tilted, _, ok := Tilt(Uniform{0, 1}, 0.3); ok {
		all = append(all, tilted)
	}
	kinds := map[string]bool{}
	for _, unscaled := range all {
		for _, l := range []Law{unscaled, unscaled.Scaled(1. / 3), unscaled.Scaled(0.1).Scaled(1. / 7)} {
			text, err := Marshal(l)
			if err != nil {
				t.Error(err)
				continue
			}
			back, err := Unmarshal(text)
			if err != nil || !reflect.DeepEqual(back, l) {
				t.Errorf("%v comes back as %v, error %v, from %s", l, back, err, text)
				continue
			}
			if a, b := l.Sample(rand.NewPCG(1, 2)), back.Sample(rand.NewPCG(1, 2)); a != b {
				t.Errorf("%v draws %v, and %v when read", l, a, b)
			}
			kinds[strings.Split(string(text), `"`)[3]] = true
		}
	}
	for _, name := range forms() {
		if !kinds[name] && name != "ExpRate" && name != "HyperExpMeanSCV" && name != "Delayed" { // for reading only, and from optional_test.go
			t.Errorf("no law was written as %s", name)
		}
	}
}

// What a person may write besides.
func TestReadLaws(t *testing.T) {
	for text, want := range map[string]Law{
		`{"law":"ExpRate","rate":4}`:                              ExpRate(4),
		` {"mean" : 2, "scv" : 9, "law":"HyperExpMeanSCV"}`:       HyperExpMeanSCV(2, 9),
		`{"law":"Spread","of":{"law":"ExpMean","mean":1}}`:        ErlangMeanPhases(2, 2),
		`{"law":"Empirical","values":[3,1,2]}`:                    NewEmpirical([]float64{1, 2, 3}),
		`{"law":"PhaseType","alpha":[1,0],"A":[[-1,0.5],[0,-2]]}`: PhaseType([]float64{1, 0}, [][]float64{{-1, 0.5}, {0, -2}}),
	} {
		if l, err := Unmarshal([]byte(text)); err != nil || !reflect.DeepEqual(l, want) {
			t.Errorf("%s is %v, error %v", text, l, err)
		}
	}
}

func TestWrittenLawFaults(t *testing.T) {
	for text, parts := range map[string][]string{
		`{"law":"ErlangMeanPhases","phase":2,"maen":1}`:     {`"mean" is missing`, `"phases" is missing`, `"maen" is not known`, `"phase" is not known`},
		`{"law":"ExpMean","mean":-1}`:                       {"reading ExpMean", "the mean is -1"},
		`{"law":"ExpMean","mean":"1"}`:                      {`mean: "1" is not a number; write it without quotes`},
		`{"law":"Normal","mean":1}`:                         {`"Normal" is not a law`, "LogNormalMeanSCV"},
		`{"mean":1}`:                                        {`no name under "law"`},
		`[1]`:                                               {`write a law as {"law":`},
		`{"law":"Spread","of":{"law":"LomaxScaleShape"}}`:   {"of: ", `"shape" is missing`},
		`{"law":"Weighed","values":[1],"upTo":[0.5,1]}`:     {"1 values and 2 probabilities"},
		`{"law":"Weighed","values":[2,1],"upTo":[0.5,0.9]}`: {"ascending", "ascend to 1"},
		`{"law":"PhaseType","alpha":[1],"A":[[1]]}`:         {"PhaseType"},
	} {
		_, err := Unmarshal([]byte(text))
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v does not say %q", text, err, part)
			}
		}
	}
	for _, l := range []Law{nil, ExpMean(0), wrongMean{ExpMean(1)}, HyperExpMeanSCV(1, 0.5)} {
		if text, err := Marshal(l); err == nil {
			t.Errorf("%v is written as %s", l, text)
		}
	}
}
