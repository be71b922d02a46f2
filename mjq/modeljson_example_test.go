package mjq_test

import (
	"encoding/json"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

func ExampleModel_MarshalJSON() {
	m := mjq.Servers(4).Poisson(0.5).Class("wide", 3, 1, mjq.ErlangMeanPhases(0.7, 2))
	fmt.Println(string(mjq.Must(json.Marshal(m))))
	// Output: {"servers":4,"arrivals":{"law":"ExpMean","mean":2},"classes":[{"name":"wide","need":3,"prob":1,"service":{"law":"ErlangMeanPhases","mean":0.7,"phases":2}}]}
}

func ExampleModel_UnmarshalJSON() {
	var m mjq.Model
	err := json.Unmarshal([]byte(`{
		"servers": 4,
		"arrivals": {"law": "ExpRate", "rate": 0.5},
		"classes": [
			{"name": "narrow", "need": 1, "prob": 0.8, "service": {"law": "ExpMean", "mean": 1}},
			{"name": "wide", "need": 3, "prob": 0.2, "service": {"law": "BoundedPareto", "lo": 0.1, "hi": 9, "shape": 1.5}}
		]
	}`), &m)
	fmt.Println(err, m.Spec().Servers, m.Rate(), m.Spec().Classes[1].Service)
	// Output: <nil> 4 0.5 BoundedPareto(0.1, 9, 1.5)
}
