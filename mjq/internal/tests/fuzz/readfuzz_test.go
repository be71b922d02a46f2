package fuzz

import (
	"encoding/json"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// FuzzModelJSON: whatever the text, reading does not panic, and a model that it
// lets through is sound and written as it is read back.
func FuzzModelJSON(f *testing.F) {
	f.Add(`{"servers":4,"arrivals":{"law":"ExpMean","mean":2},"classes":[{"name":"wide","need":3,"prob":1,"service":{"law":"ErlangMeanPhases","mean":0.7,"phases":2}}]}`)
	f.Add(`{"servers":4,"classes":[{"name":"a","need":1,"prob":0.8,"service":{"law":"Empirical","values":[1,0.5,3]}},{"name":"b","need":4,"prob":0.2,"service":{"law":"BoundedPareto","lo":0.1,"hi":9,"shape":1.5}}]}`)
	f.Add(`{"servers":2,"arrivals":{"law":"PhaseType","alpha":[0.3,0.7],"A":[[-1,0.1],[0,-2]]},"classes":[{"name":"a","need":1,"prob":0.3333333,"service":{"law":"Cox2","mean1":1,"mean2":2,"p":0.5}}]}`)
	f.Add(`{"servers":1e99,"classes":[null]}`)
	f.Add(string(mjq.Must(json.Marshal(workload.FiveClassHyperExp().Poisson(1)))))
	f.Fuzz(func(t *testing.T, text string) {
		var m mjq.Model
		if json.Unmarshal([]byte(text), &m) != nil {
			return
		}
		checked := m
		if m.Spec().Arrivals == nil {
			checked = m.AtRate(1)
		}
		checkBuilt(t, checked)
		written, err := json.Marshal(&m)
		if err != nil {
			t.Fatal(err)
		}
		var back mjq.Model
		if err := json.Unmarshal(written, &back); err != nil {
			t.Fatalf("%s is written but not read: %v", written, err)
		}
		if again := mjq.Must(json.Marshal(&back)); string(again) != string(written) {
			t.Errorf("written again: %s, was %s", again, written)
		}
	})
}
